//! What is kept of a clash until files are written: the page, and the issues of BIM tools.

use std::collections::HashMap;
use std::sync::Arc;

use impinge::geometry::volume::Aabb;
use impinge::query::Inner;
use impinge::scene::Shape;
use impinge::{Clash, Class, Contact, Mesh, Object, ObjectId, Point, World};

/// The parts as they were compared, with what the files say of them.
pub(super) struct Scene {
    pub(super) world: World,
    /// By index of the object.
    pub(super) labels: Vec<Label>,
    /// Whether a part was left out.
    pub(super) incomplete: bool,
}

/// What a part is called.
pub(super) struct Label {
    pub(super) name: String,
    pub(super) group: String,
}

impl Scene {
    pub(super) fn name(&self, index: u32) -> &str {
        self.labels.get(index as usize).map_or("", |label| label.name.as_str())
    }

    /// The objects by index; none was removed.
    pub(super) fn objects(&self) -> Vec<&Object> {
        self.world.objects().map(|(_, object)| object).collect()
    }
}

/// A clash without its pairs of triangles.
pub(super) struct Kept {
    /// Indices of the objects.
    pub(super) parts: [u32; 2],
    pub(super) class: Class,
    pub(super) inner: Option<Inner>,
    pub(super) contacts_found: u64,
    pub(super) extent: Option<Aabb>,
    pub(super) nearest: Option<[Point; 2]>,
    pub(super) distance: f64,
    pub(super) undecided: Option<String>,
    /// The triangles of each part that are in contact, ascending.
    pub(super) marks: [Vec<u32>; 2],
}

impl Kept {
    pub(super) fn of(clash: Clash) -> Self {
        let marks = [|contact: &Contact| contact.a, |contact: &Contact| contact.b];
        let marks = marks.map(|of| {
            let mut marks: Vec<u32> = clash.contacts.iter().map(of).collect();
            marks.sort_unstable();
            marks.dedup();
            marks.shrink_to_fit();
            marks
        });
        Self {
            parts: [clash.a, clash.b].map(ObjectId::index),
            class: clash.class,
            inner: clash.inner,
            // Files are not written where only classes are asked for.
            contacts_found: clash.contacts_found.unwrap_or_default(),
            extent: clash.extent,
            nearest: clash.nearest,
            distance: clash.distance,
            undecided: clash.undecided,
            marks,
        }
    }

    /// Which of the two parts is inside the other.
    pub(super) fn inside(&self) -> Option<u32> {
        let [a, b] = self.parts;
        self.inner.map(|inner| if inner == Inner::A { a } else { b })
    }
}

/// The meshes of shapes, each once, in the order in which they are first asked for.
#[derive(Default)]
pub(super) struct Meshes<'s> {
    pub(super) list: Vec<Option<&'s Mesh>>,
    known: HashMap<usize, usize>,
}

impl<'s> Meshes<'s> {
    /// The place of a shape's mesh in the list.
    pub(super) fn place(&mut self, shape: &'s Shape) -> usize {
        let Self { list, known } = self;
        // The scene holds the shapes, so that no address is used twice.
        let address = Arc::as_ptr(shape.prepared()).addr();
        *known.entry(address).or_insert_with(|| {
            list.push(shape.prepared().mesh());
            list.len() - 1
        })
    }
}
