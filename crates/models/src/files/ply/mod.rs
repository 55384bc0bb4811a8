//! PLY: ascii, binary little-endian and binary big-endian, with any extra elements and properties.
//! Faces are the list `vertex_indices` (or `vertex_index`) of the element `face`; triangle strips
//! are in the element `tristrips`, where −1 starts a new strip.

mod header;
mod values;

use impinge_geometry::Mesh;

use self::header::{Element, Header, Kind, Property};
use self::values::Values;
use super::ReadOptions;
use super::assemble::{Assembly, check_triangles};
use super::error::Fault;
use super::text::trim_bom;

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Mesh, Vec<String>), Fault> {
    let bytes = trim_bom(bytes);
    let header = Header::read(bytes)?;
    let mut values = Values::new(bytes, &header);
    let mut reader =
        Reader { assembly: Assembly::new(options), max_triangles: options.max_triangles };
    for element in &header.elements {
        values.check_room(element)?;
        match element.name.as_str() {
            "vertex" => reader.vertices(element, &mut values)?,
            "face" => {
                check_triangles(element.count as u64, reader.max_triangles)?;
                reader.lists(element, &mut values, Lists::Polygons)?;
            }
            "tristrips" => reader.lists(element, &mut values, Lists::Strips)?,
            _ => reader.skip(element, &mut values)?,
        }
    }
    if let Some(left) = values.left_over() {
        reader.assembly.notes.push(format!("{left} bytes after the last element ignored"));
    }
    reader.assembly.finish()
}

/// The number of different points with three coordinates of 8 bits.
const DISTINCT_IN_BYTES: usize = 1 << 24;

struct Reader {
    assembly: Assembly,
    max_triangles: u64,
}

impl Reader {
    fn vertices(&mut self, element: &Element, values: &mut Values<'_>) -> Result<(), Fault> {
        let mut slots = Vec::with_capacity(element.properties.len());
        for property in &element.properties {
            slots.push(match property.name.as_str() {
                "x" if property.list.is_none() => Some(0),
                "y" if property.list.is_none() => Some(1),
                "z" if property.list.is_none() => Some(2),
                _ => None,
            });
        }
        for (slot, name) in ["x", "y", "z"].into_iter().enumerate() {
            if slots.iter().filter(|&&s| s == Some(slot)).count() != 1 {
                let message = format!("element vertex needs one scalar property {name}");
                return Err(Fault::line(element.line, message));
            }
        }
        // Stored points take eight times the bytes of 8-bit coordinates. A limit on their number
        // keeps the memory within eight times the file's bytes and 256 MiB.
        let is_byte = |p: &Property| matches!(p.kind, Kind::I8 | Kind::U8);
        let coordinates = element.properties.iter().zip(&slots).filter(|(_, slot)| slot.is_some());
        if element.count > DISTINCT_IN_BYTES && coordinates.into_iter().all(|(p, _)| is_byte(p)) {
            let message = format!(
                "{} vertices with coordinates of 8 bits: at most {DISTINCT_IN_BYTES} can differ",
                element.count
            );
            return Err(Fault::line(element.line, message));
        }
        // `check_room` has checked that the file has bytes for them.
        self.assembly.reserve(element.count, 0);
        for v in 0..element.count {
            let mut point = [0.0; 3];
            for (property, slot) in element.properties.iter().zip(&slots) {
                match slot {
                    Some(axis) => point[*axis] = values.real(property.kind, element, v)?,
                    None => values.skip(property, element, v)?,
                }
            }
            self.assembly.vertex(point);
        }
        Ok(())
    }

    /// Reads the index lists of an element. No list is stored: one may be as long as the file.
    fn lists(
        &mut self,
        element: &Element,
        values: &mut Values<'_>,
        lists: Lists,
    ) -> Result<(), Fault> {
        let is_index = |name: &str| name == "vertex_indices" || name == "vertex_index";
        let found = element.properties.iter().position(|p| is_index(&p.name));
        let Some((index, count_kind)) = found.and_then(|i| Some((i, element.properties[i].list?)))
        else {
            if element.count == 0 {
                return Ok(());
            }
            let message = format!("element {} needs a list property vertex_indices", element.name);
            return Err(Fault::line(element.line, message));
        };
        let kind = element.properties[index].kind;
        if matches!(kind, Kind::F32 | Kind::F64) {
            return Err(Fault::line(element.line, "vertex_indices must be of an integer type"));
        }
        if lists == Lists::Polygons {
            self.assembly.reserve(
                0,
                element.count.min(values.room_for(count_kind.size() + 3 * kind.size())),
            );
        }
        for i in 0..element.count {
            for (p, property) in element.properties.iter().enumerate() {
                if p != index {
                    values.skip(property, element, i)?;
                    continue;
                }
                let length = values.length(count_kind, kind, element, i)?;
                let next = || values.integer(kind, element, i);
                match lists {
                    Lists::Polygons => self.assembly.polygon(length, next)?,
                    Lists::Strips => self.assembly.strip(length, next)?,
                }
            }
        }
        Ok(())
    }

    fn skip(&mut self, element: &Element, values: &mut Values<'_>) -> Result<(), Fault> {
        if element.count == 0 {
            return Ok(());
        }
        self.assembly.notes.push(format!("{} elements {} skipped", element.count, element.name));
        if element.properties.is_empty() {
            return Ok(());
        }
        for i in 0..element.count {
            for property in &element.properties {
                values.skip(property, element, i)?;
            }
        }
        Ok(())
    }
}

/// The meaning of an element's lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lists {
    Polygons,
    Strips,
}

impl Assembly {
    fn polygon(
        &mut self,
        length: usize,
        mut next: impl FnMut() -> Result<i64, Fault>,
    ) -> Result<(), Fault> {
        self.admit(length)?;
        for _ in 0..length {
            let vertex = self.index(next()?)?;
            self.corner(vertex);
        }
        self.end_face(length)
    }

    /// Reads triangle strips, separated by −1. Every second triangle is reversed, and degenerate
    /// ones that connect strips (an index twice) are omitted.
    fn strip(
        &mut self,
        length: usize,
        mut next: impl FnMut() -> Result<i64, Fault>,
    ) -> Result<(), Fault> {
        // The last two indices, and the number of indices since the strip began.
        let (mut a, mut b, mut run) = (0, 0, 0_usize);
        for _ in 0..length {
            let c = next()?;
            if c == -1 {
                run = 0;
                continue;
            }
            run += 1;
            if run >= 3 && a != b && b != c && c != a {
                for index in if run % 2 == 1 { [a, b, c] } else { [b, a, c] } {
                    let vertex = self.index(index)?;
                    self.corner(vertex);
                }
                self.end_face(3)?;
            }
            (a, b) = (b, c);
        }
        Ok(())
    }

    /// Converts an index of the file; its upper bound is checked when all vertices are known.
    fn index(&self, index: i64) -> Result<u32, Fault> {
        u32::try_from(index).map_err(|_| {
            Fault::face(self.face_count(), format!("vertex index {index} is out of range"))
        })
    }
}
