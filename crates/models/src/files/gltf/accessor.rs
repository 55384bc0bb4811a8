//! Step 4: the numbers of an accessor, dense or sparse, with all ranges checked. They stay in the
//! buffers and are converted one by one: as f64 they may take eight times the memory.

use super::buffers::Buffers;
use super::schema::{Accessor, Kind, Root, Sparse};
use super::{fault, item};
use crate::files::error::Fault;

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    /// The type by its code in the specification.
    fn of(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }
}

/// An accessor of positions or indices with checked ranges.
pub(super) struct Numbers<'a> {
    /// Number of elements.
    pub(super) count: usize,
    component: Component,
    normalized: bool,
    /// The dense values; `None` if they are all zero.
    dense: Option<Rows<'a>>,
    sparse: Option<(Component, Rows<'a>, Rows<'a>)>,
}

impl<'a> Numbers<'a> {
    /// Opens an accessor of positions.
    pub(super) fn positions(buffers: &'a Buffers<'_>, index: u32) -> Result<Self, Fault> {
        let is_fine = |component, _| component != Component::U32;
        Self::new(buffers, index, Kind::Vec3, is_fine)?.ok_or_else(|| {
            let message = "positions must be of type VEC3 and componentType FLOAT";
            fault("accessors", index as usize, message)
        })
    }

    /// Opens an accessor of vertex indices.
    pub(super) fn indices(buffers: &'a Buffers<'_>, index: u32) -> Result<Self, Fault> {
        let is_fine =
            |component: Component, normalized: bool| component.is_unsigned() && !normalized;
        Self::new(buffers, index, Kind::Scalar, is_fine)?.ok_or_else(|| {
            let message = "indices must be of type SCALAR and an unsigned componentType";
            fault("accessors", index as usize, message)
        })
    }

    /// `None` if its type is not `kind`, or `is_fine` refuses component and normalization.
    fn new(
        buffers: &'a Buffers<'_>,
        index: u32,
        kind: Kind,
        is_fine: impl Fn(Component, bool) -> bool,
    ) -> Result<Option<Self>, Fault> {
        let accessor = item(&buffers.root.accessors, index, "accessors")?;
        let at = Place { buffers, index: index as usize };
        let Some(component) = Component::of(accessor.component_type) else {
            return Err(at.fault("an unknown type or componentType"));
        };
        if accessor.kind != kind || !is_fine(component, accessor.normalized) {
            return Ok(None);
        }
        let count = at.size(accessor.count)?;
        let width = if kind == Kind::Vec3 { 3 } else { 1 };
        let element = component.size() * width;
        let sparse = match &accessor.sparse {
            Some(sparse) => Some(at.sparse(sparse, count, element)?),
            None => None,
        };
        let dense = if let Some(view) = accessor.buffer_view {
            Some(at.rows(view, accessor.byte_offset, count, element)?)
        } else {
            at.check_zeros(count, accessor)?;
            None
        };
        Ok(Some(Self { count, component, normalized: accessor.normalized, dense, sparse }))
    }

    /// The bytes of element `i`; `None` if it is zero.
    fn bytes(&self, i: usize) -> Option<&'a [u8]> {
        let dense = || self.dense.as_ref().map(|rows| rows.get(i));
        let Some((kind, indices, values)) = &self.sparse else { return dense() };
        let (mut low, mut high) = (0, indices.count);
        while low < high {
            let middle = usize::midpoint(low, high);
            if (whole(indices.get(middle), *kind) as usize) < i {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let hit = low < indices.count && whole(indices.get(low), *kind) as usize == i;
        if hit { Some(values.get(low)) } else { dense() }
    }

    /// Element `i` of an accessor of positions.
    pub(super) fn point(&self, i: usize) -> [f64; 3] {
        let Some(bytes) = self.bytes(i) else { return [0.0; 3] };
        let size = self.component.size();
        [0, 1, 2].map(|k| value(&bytes[k * size..][..size], self.component, self.normalized))
    }

    /// Element `i` of an accessor of indices.
    pub(super) fn index(&self, i: usize) -> u32 {
        self.bytes(i).map_or(0, |bytes| whole(bytes, self.component))
    }
}

/// Rows of bytes, all within the buffer.
struct Rows<'a> {
    bytes: &'a [u8],
    stride: usize,
    element: usize,
    count: usize,
}

impl<'a> Rows<'a> {
    fn get(&self, i: usize) -> &'a [u8] {
        &self.bytes[i * self.stride..][..self.element]
    }
}

/// An accessor whose ranges are being checked.
struct Place<'a, 'b> {
    buffers: &'a Buffers<'b>,
    index: usize,
}

impl<'a> Place<'a, '_> {
    fn fault(&self, message: impl Into<String>) -> Fault {
        fault("accessors", self.index, message)
    }

    fn size(&self, number: u64) -> Result<usize, Fault> {
        usize::try_from(number).map_err(|_| self.fault("the count is too large"))
    }

    /// `count` elements of a view, starting at `offset`.
    fn rows(
        &self,
        view: u32,
        offset: u64,
        count: usize,
        element: usize,
    ) -> Result<Rows<'a>, Fault> {
        let (bytes, stride) = self.buffers.view(view)?;
        let stride = stride.map_or(Ok(element), |stride| self.size(stride))?;
        if stride < element {
            let message = format!("a stride of {stride} for elements of {element} bytes");
            return Err(self.fault(message));
        }
        let Some(last) = count.checked_sub(1) else {
            return Ok(Rows { bytes: &[], stride, element, count });
        };
        let end = stride.checked_mul(last).and_then(|last| last.checked_add(element));
        let range = usize::try_from(offset)
            .ok()
            .zip(end)
            .and_then(|(begin, end)| Some(begin..begin.checked_add(end)?));
        let Some(bytes) = range.and_then(|range| bytes.get(range)) else {
            let size = bytes.len();
            let message = format!(
                "{count} elements from byte {offset} on do not fit in a view of {size} bytes"
            );
            return Err(self.fault(message));
        };
        Ok(Rows { bytes, stride, element, count })
    }

    /// The elements replaced by a sparse accessor, with indices ascending and in range.
    fn sparse(
        &self,
        sparse: &Sparse,
        count: usize,
        element: usize,
    ) -> Result<(Component, Rows<'a>, Rows<'a>), Fault> {
        let (places, values) = (&sparse.indices, &sparse.values);
        let new = self.size(sparse.count)?;
        let kind = places.component_type.and_then(Component::of).filter(|kind| kind.is_unsigned());
        let Some(kind) = kind else {
            return Err(self.fault("an unknown type of sparse indices"));
        };
        let indices = self.rows(places.buffer_view, places.byte_offset, new, kind.size())?;
        let values = self.rows(values.buffer_view, values.byte_offset, new, element)?;
        let mut least = 0;
        let looked_at = if self.buffers.first_look(self.index, new)? { new } else { 0 };
        for i in 0..looked_at {
            let place = whole(indices.get(i), kind) as usize;
            if place >= count {
                return Err(self.fault(format!("sparse index {place} is out of range")));
            }
            if place < least {
                return Err(
                    self.fault(format!("sparse index {place} is not greater than the one before"))
                );
            }
            least = place + 1;
        }
        Ok((kind, indices, values))
    }

    /// Bounds the number of zero elements by the bytes of the sparse values, since zeros take no
    /// bytes in the file.
    fn check_zeros(&self, count: usize, accessor: &Accessor) -> Result<(), Fault> {
        let Some(sparse) = &accessor.sparse else {
            return Err(self.fault("no bufferView: compressed or missing data is not read"));
        };
        let (values, _) = self.buffers.view(sparse.values.buffer_view)?;
        let limit = values.len().saturating_mul(64).saturating_add(1 << 16);
        if count > limit {
            let message = format!("{count} elements of zeros, at most {limit} are made");
            return Err(self.fault(message));
        }
        Ok(())
    }
}

/// The number of elements that an accessor declares.
pub(super) fn count(root: &Root<'_>, index: u32) -> Result<u64, Fault> {
    Ok(item(&root.accessors, index, "accessors")?.count)
}

/// An unsigned little-endian integer of at most four bytes.
fn whole(bytes: &[u8], component: Component) -> u32 {
    let mut word = [0; 4];
    let size = component.size();
    word[..size].copy_from_slice(&bytes[..size]);
    u32::from_le_bytes(word)
}

/// One component, little-endian; `bytes` has its size. Normalized integers map to [−1, 1] or [0, 1]
/// (glTF 2.0, 3.11 and `KHR_mesh_quantization`).
fn value(bytes: &[u8], component: Component, normalized: bool) -> f64 {
    let bits = whole(bytes, component);
    let (value, largest) = match component {
        Component::I8 => (f64::from(bits as u8 as i8), 127.0),
        Component::U8 => (f64::from(bits), 255.0),
        Component::I16 => (f64::from(bits as u16 as i16), 32767.0),
        Component::U16 => (f64::from(bits), 65535.0),
        Component::U32 => return f64::from(bits),
        Component::F32 => return f64::from(f32::from_bits(bits)),
    };
    if normalized { (value / largest).max(-1.0) } else { value }
}
