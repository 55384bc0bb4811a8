//! Which triangles of both meshes are in contact.

use impinge::Contact;

use super::Inquiry;

/// One mark per triangle of each mesh. With `--self`, all marks are A's.
pub(crate) struct Marks {
    pub(crate) a: Vec<bool>,
    pub(crate) b: Vec<bool>,
}

impl Marks {
    pub(crate) fn new(inquiry: &Inquiry<'_>, contacts: &[Contact]) -> Self {
        let none = |triangles: &[[u32; 3]]| vec![false; triangles.len()];
        let mut a = none(inquiry.a.mesh.triangles());
        let mut b = inquiry.other().map_or_else(Vec::new, |b| none(b.mesh.triangles()));
        for contact in contacts {
            a[contact.a as usize] = true;
            let other = if b.is_empty() { &mut a } else { &mut b };
            other[contact.b as usize] = true;
        }
        Self { a, b }
    }
}
