//! What was done to the hull, so that it can be taken back.

use std::ops::Range;

use super::GrowingHull;

/// What was done, so that it can be undone.
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
    /// Where the journal is; [`GrowingHull::undo`] comes back to it.
    pub(crate) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// The faces that have gone since the mark, some of them born since, and the numbers of those
    /// that were born, some of them gone.
    pub(crate) fn since(&self, mark: usize) -> (Vec<u32>, Range<u32>) {
        let done = &self.journal[mark..];
        let died = |undo: &Undo| if let Undo::Died(f) = undo { Some(*f) } else { None };
        let born = done.iter().filter(|undo| matches!(undo, Undo::Born)).count();
        let faces = self.faces.len();
        (done.iter().filter_map(died).collect(), (faces - born) as u32..faces as u32)
    }

    /// Forgets how to undo what was done.
    pub(crate) fn keep(&mut self) {
        self.journal.clear();
    }

    /// Takes back everything since the mark.
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
