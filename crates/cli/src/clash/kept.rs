//! What is kept of a clash until it is told, and until files are written: the page, and the issues of BIM tools.

use std::collections::HashMap;
use std::sync::Arc;

use impinge::geometry::volume::Aabb;
use impinge::query::Inner;
use impinge::scene::Shape;
use impinge::{Clash, Class, Contact, Mesh, Object, ObjectId, Point, World};

use crate::arguments::Clash as Arguments;

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

/// A clash as it is printed, with what files need beside that: less than its pairs of triangles, which are
/// thousands where parts are flush.
#[derive(Debug, PartialEq)]
pub(super) struct Told {
    /// With as many contacts as are printed.
    pub(super) clash: Clash,
    /// The triangles of each part that are in contact, ascending; of none if no file needs them.
    marks: [Vec<u32>; 2],
}

impl Told {
    pub(super) fn of(mut clash: Clash, arguments: &Arguments) -> Self {
        let mut marks = <[Vec<u32>; 2]>::default();
        if arguments.marks_triangles() {
            let of = [|contact: &Contact| contact.a, |contact: &Contact| contact.b];
            marks = of.map(|of| {
                let mut marks: Vec<u32> = clash.contacts.iter().map(of).collect();
                marks.sort_unstable();
                marks.dedup();
                marks.shrink_to_fit();
                marks
            });
        }
        clash.contacts.truncate(arguments.listed());
        clash.contacts.shrink_to_fit();
        Self { clash, marks }
    }

    /// The objects.
    pub(super) fn pair(&self) -> [ObjectId; 2] {
        [self.clash.a, self.clash.b]
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
    pub(super) fn of(Told { clash, marks }: Told) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use impinge::models::Shape as Model;
    use impinge::query::Control;
    use impinge::scene::ClashOptions;
    use impinge::{Pose, Vector};

    use crate::arguments::{self, Command};

    #[test]
    fn no_more_is_kept_than_is_printed_and_files_need() {
        let mut world = World::new();
        let cube = world.shape(&Model::Cube.mesh(12, 0)).expect("prepared");
        for x in [0.0, 1.0] {
            let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("near");
            world.add(Object::new(cube.clone(), pose)).expect("added");
        }
        let options = ClashOptions { contacts: usize::MAX, ..ClashOptions::default() };
        let mut found = Vec::new();
        world.clashes(&options, &Control::NONE, &mut |clash| found.push(clash)).expect("answered");
        let clash = found.pop().expect("they touch");
        let told = |words: &str| {
            let words = "impinge clash a.csv".split(' ').chain(words.split_whitespace());
            let Command::Clash(asked) =
                arguments::Arguments::try_parse_from(words).expect("arguments").command
            else {
                panic!("another command")
            };
            Told::of(clash.clone(), &asked)
        };
        let listed = |words| told(words).clash.contacts.len();
        assert!(clash.contacts.len() > 10);
        assert_eq!([listed(""), listed("--contacts --cap 3")], [1, 3]);
        assert_eq!(listed("--contacts"), clash.contacts.len());
        assert_eq!([told("--bcf f.bcf").marks, told("").marks], <[[Vec<u32>; 2]; 2]>::default());
        let [a, b] = told("--html f.html").marks;
        let all = clash.contacts.iter();
        assert!(all.clone().all(|c| a.contains(&c.a) && b.contains(&c.b)));
        assert!(a.is_sorted_by(|s, t| s < t) && b.is_sorted_by(|s, t| s < t));
        assert!(a.iter().all(|t| all.clone().any(|c| c.a == *t)));
        assert_eq!(told("--html f.html").clash.contacts.len(), 1);
    }
}
