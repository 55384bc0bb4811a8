//! Wavefront OBJ: a group per part; `l` and `p` statements for segments and points.

use std::io::{self, Write};

use impinge::Point;

use super::Parts;

pub(super) fn write(out: &mut impl Write, parts: &Parts) -> io::Result<()> {
    writeln!(out, "# the triangles in contact are in the groups a_contact and b_contact")?;
    // OBJ counts vertices from 1, over the whole file.
    let mut next: u64 = 1;
    for part in &parts.meshes {
        part.mesh.vertices().iter().try_for_each(|p| vertex(out, p))?;
        for (marked, suffix) in [(false, ""), (true, "_contact")] {
            writeln!(out, "g {}{suffix}", part.name)?;
            for triangle in part.triangles(marked) {
                let [a, b, c] = triangle.map(|v| u64::from(v) + next);
                writeln!(out, "f {a} {b} {c}")?;
            }
        }
        next += part.mesh.vertices().len() as u64;
    }
    elements(out, "polygons", "f", &parts.polygons, &mut next)?;
    elements(out, "segments", "l", &parts.segments, &mut next)?;
    let points: Vec<[Point; 1]> = parts.points.iter().map(|&p| [p]).collect();
    elements(out, "points", "p", &points, &mut next)
}

/// A group of elements that share no vertices.
fn elements<T: AsRef<[Point]>>(
    out: &mut impl Write,
    group: &str,
    statement: &str,
    elements: &[T],
    next: &mut u64,
) -> io::Result<()> {
    if elements.is_empty() {
        return Ok(());
    }
    writeln!(out, "g {group}")?;
    for element in elements {
        let corners = element.as_ref();
        corners.iter().try_for_each(|p| vertex(out, p))?;
        write!(out, "{statement}")?;
        for _ in corners {
            write!(out, " {next}")?;
            *next += 1;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn vertex(out: &mut impl Write, p: &Point) -> io::Result<()> {
    writeln!(out, "v {:?} {:?} {:?}", p.x, p.y, p.z)
}
