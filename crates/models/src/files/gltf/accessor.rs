//! Step 4: the numbers of an accessor, dense or sparse, all ranges checked against the bytes.

use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root, accessor};

use super::buffers::Buffers;
use super::{fault, item};
use crate::files::error::Fault;

/// An accessor with a valid type.
pub(super) struct Numbers<'a> {
    pub(super) accessor: &'a Accessor,
    pub(super) index: usize,
    pub(super) component: ComponentType,
    pub(super) kind: Type,
    /// Number of elements.
    pub(super) count: usize,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(root: &'a Root, index: Index<Accessor>) -> Result<Self, Fault> {
        let accessor = item(&root.accessors, index, "accessors")?;
        let index = index.value();
        let (Checked::Valid(component), Checked::Valid(kind)) =
            (accessor.component_type, accessor.type_)
        else {
            return Err(fault("accessors", index, "an unknown type or componentType"));
        };
        let count = usize::try_from(accessor.count.0)
            .map_err(|_| fault("accessors", index, "the count is too large"))?;
        Ok(Self { accessor, index, component: component.0, kind, count })
    }

    /// All components of all elements, as numbers, in order. O(bytes).
    pub(super) fn read(&self, buffers: &Buffers<'_>) -> Result<Vec<f64>, Fault> {
        let width = self.kind.multiplicity();
        let mut values = match self.accessor.buffer_view {
            Some(view) => {
                let (bytes, stride) = buffers.view(view)?;
                let offset = self.accessor.byte_offset.unwrap_or_default().0;
                let layout = Layout { offset, stride, count: self.count };
                self.gather(bytes, &layout, self.component, width)?
            }
            None => self.zeros(buffers, width)?,
        };
        if let Some(sparse) = &self.accessor.sparse {
            self.substitute(sparse, buffers, width, &mut values)?;
        }
        Ok(values)
    }

    /// What a sparse accessor without a view starts from.
    fn zeros(&self, buffers: &Buffers<'_>, width: usize) -> Result<Vec<f64>, Fault> {
        let Some(sparse) = &self.accessor.sparse else {
            let message = "no bufferView: compressed or missing data is not read";
            return Err(fault("accessors", self.index, message));
        };
        // Zeros take no bytes in the file. Bounded by those of the buffer that is there.
        let (values, _) = buffers.view(sparse.values.buffer_view)?;
        let limit = values.len().saturating_mul(64).saturating_add(1 << 16);
        if self.count > limit {
            let message = format!("{} elements of zeros, at most {limit} are made", self.count);
            return Err(fault("accessors", self.index, message));
        }
        Ok(vec![0.0; self.count * width])
    }

    fn substitute(
        &self,
        sparse: &accessor::sparse::Sparse,
        buffers: &Buffers<'_>,
        width: usize,
        values: &mut [f64],
    ) -> Result<(), Fault> {
        let count = usize::try_from(sparse.count.0)
            .map_err(|_| fault("accessors", self.index, "the sparse count is too large"))?;
        let Checked::Valid(index_type) = sparse.indices.component_type else {
            return Err(fault("accessors", self.index, "an unknown type of sparse indices"));
        };
        let (bytes, stride) = buffers.view(sparse.indices.buffer_view)?;
        let layout = Layout { offset: sparse.indices.byte_offset.0, stride, count };
        let places = self.gather(bytes, &layout, index_type.0, 1)?;
        let (bytes, stride) = buffers.view(sparse.values.buffer_view)?;
        let layout = Layout { offset: sparse.values.byte_offset.0, stride, count };
        let new = self.gather(bytes, &layout, self.component, width)?;
        for (place, new) in places.iter().zip(new.chunks_exact(width)) {
            // An index component is at most 32 bits: exact in f64.
            let begin = *place as usize * width;
            let Some(old) = values.get_mut(begin..begin + width) else {
                let message = format!("sparse index {place} is out of range");
                return Err(fault("accessors", self.index, message));
            };
            old.copy_from_slice(new);
        }
        Ok(())
    }

    fn gather(
        &self,
        bytes: &[u8],
        layout: &Layout,
        component: ComponentType,
        width: usize,
    ) -> Result<Vec<f64>, Fault> {
        if layout.count == 0 {
            return Ok(Vec::new());
        }
        let size = component.size();
        let element = size * width;
        let stride = layout.stride.unwrap_or(element);
        if stride < element {
            let message = format!("a stride of {stride} for elements of {element} bytes");
            return Err(fault("accessors", self.index, message));
        }
        let end = stride.checked_mul(layout.count - 1).and_then(|last| last.checked_add(element));
        let begin = usize::try_from(layout.offset).ok();
        let range = begin.zip(end).and_then(|(begin, end)| Some(begin..begin.checked_add(end)?));
        let Some(bytes) = range.and_then(|range| bytes.get(range)) else {
            let message = format!(
                "{} elements from byte {} on do not fit in a view of {} bytes",
                layout.count,
                layout.offset,
                bytes.len()
            );
            return Err(fault("accessors", self.index, message));
        };
        let normalized = self.accessor.normalized;
        let mut values = Vec::with_capacity(layout.count * width);
        for row in bytes.chunks(stride) {
            values
                .extend(row[..element].chunks_exact(size).map(|b| value(b, component, normalized)));
        }
        Ok(values)
    }
}

/// Where elements lie in a view.
struct Layout {
    offset: u64,
    stride: Option<usize>,
    count: usize,
}

/// One component, little-endian; `bytes` has its size. Normalized integers are mapped to
/// [−1, 1] or [0, 1] (glTF 2.0, 3.11 and `KHR_mesh_quantization`).
fn value(bytes: &[u8], component: ComponentType, normalized: bool) -> f64 {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u32::from_le_bytes(word);
    let (value, largest) = match component {
        ComponentType::I8 => (f64::from(bits as u8 as i8), 127.0),
        ComponentType::U8 => (f64::from(bits), 255.0),
        ComponentType::I16 => (f64::from(bits as u16 as i16), 32767.0),
        ComponentType::U16 => (f64::from(bits), 65535.0),
        ComponentType::U32 => return f64::from(bits),
        ComponentType::F32 => return f64::from(f32::from_bits(bits)),
    };
    if normalized { (value / largest).max(-1.0) } else { value }
}
