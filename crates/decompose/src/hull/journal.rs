//! The journal of changes to the hull, for undoing them.

use std::ops::Range;

use super::GrowingHull;

/// One change, with what is needed to undo it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo {
    Born,
    Died(u32),
    Across(u32, usize, u32),
    Real(u32),
    FaceAt(u32, u32),
    Vertex,
    Solid,
    Polygon(usize),
}

impl GrowingHull {
    /// The current position in the journal, for [`GrowingHull::undo`].
    pub(crate) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// The faces removed since the mark, including new ones, and the range of the faces created
    /// since, including removed ones.
    pub(crate) fn since(&self, mark: usize) -> (Vec<u32>, Range<u32>) {
        let done = &self.journal[mark..];
        let died = |undo: &Undo| if let Undo::Died(f) = undo { Some(*f) } else { None };
        let born = done.iter().filter(|undo| matches!(undo, Undo::Born)).count();
        let faces = self.faces.len();
        (done.iter().filter_map(died).collect(), (faces - born) as u32..faces as u32)
    }

    /// Clears the journal; earlier changes can no longer be undone.
    pub(crate) fn keep(&mut self) {
        self.journal.clear();
    }

    /// Undoes all changes since the mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.journal.len() > mark {
            match self.journal.pop() {
                Some(Undo::Born) => {
                    self.faces.pop();
                }
                Some(Undo::Died(f)) => self.faces[f as usize].alive = true,
                Some(Undo::Across(f, side, old)) => self.faces[f as usize].across[side] = old,
                Some(Undo::Real(f)) => self.faces[f as usize].real = false,
                Some(Undo::FaceAt(v, old)) => self.face_at[v as usize] = old,
                Some(Undo::Vertex) => {
                    self.vertices.pop();
                }
                Some(Undo::Solid) => self.solid = false,
                Some(Undo::Polygon(old)) => self.polygon = old,
                None => {}
            }
        }
    }
}
