//! The assignment of elements to triangles (anthology 2 §2.5.2).
//!
//! A vertex or an edge belongs to several triangles, and is assigned to exactly one of them: at a pair of
//! triangles only the elements that are assigned to them are tested, so that each is tested once.
//! Nothing is lost, as the triangle that has a meeting element meets too. An element that was tested and
//! met nothing is *re-assigned*: to the next of its triangles.

/// What became of an element in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Untested,
    /// It was tested, and met nothing.
    InVain,
    Met,
}

/// The assignment of a mesh's elements of one kind.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// By element: its triangle.
    to: Vec<u32>,
    states: Vec<State>,
    /// The elements that were tested in the last query.
    tested: Vec<u32>,
}

impl Assignment {
    /// Forgets what is known of a mesh.
    pub fn forget(&mut self) {
        self.to.clear();
    }

    /// Begins a query: at first, elements are assigned to their first triangle; later, those that were
    /// tested in vain are re-assigned if `again`. `triangles` are those that have an element; one
    /// that has none is not to be tested. O(tested elements), at first O(elements).
    pub fn begin<'m>(
        &mut self,
        elements: usize,
        triangles: impl Fn(u32) -> &'m [u32],
        again: bool,
    ) {
        if self.to.is_empty() {
            let first = |e| triangles(e).first().copied().unwrap_or(u32::MAX);
            self.to.extend((0..elements as u32).map(first));
            self.states.clear();
            self.states.resize(elements, State::Untested);
            self.tested.clear();
        }
        for e in self.tested.drain(..) {
            let state = std::mem::replace(&mut self.states[e as usize], State::Untested);
            if again && state == State::InVain {
                let (all, to) = (triangles(e), &mut self.to[e as usize]);
                let now = all.iter().position(|t| t == to).unwrap_or(0);
                *to = all[(now + 1) % all.len()];
            }
        }
    }

    /// The triangle of an element.
    #[inline]
    pub fn triangle(&self, element: u32) -> u32 {
        self.to[element as usize]
    }

    /// Notes that an element was tested, and whether it met something.
    pub fn note(&mut self, element: u32, met: bool) {
        let state = &mut self.states[element as usize];
        match (*state, met) {
            (State::Untested, _) => {
                *state = if met { State::Met } else { State::InVain };
                self.tested.push(element);
            }
            (State::InVain, true) => *state = State::Met,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Shape;
    use impinge_query::Control;

    use super::*;
    use crate::edges::Edges;

    /// An edge that was tested in vain goes to its next triangle in the next query, others stay.
    #[test]
    fn an_edge_tested_in_vain_changes_its_triangle() {
        let mesh = Shape::Torus.mesh(60, 0);
        let edges = Edges::new(&mesh, &Control::NONE).expect("nothing cancels");
        let mut assigned = Assignment::default();
        let begin = |assigned: &mut Assignment, again| {
            assigned.begin(edges.len(), |e| edges.triangles(e), again);
        };
        begin(&mut assigned, true);
        let first = assigned.to.clone();
        for (edge, met) in [(3, false), (4, false), (4, true), (5, true), (5, false), (3, false)] {
            assigned.note(edge, met);
        }
        begin(&mut assigned, true);
        for e in 0..first.len() as u32 {
            let [one, other] = *edges.triangles(e) else { panic!("a closed surface") };
            let expected = if e == 3 { other } else { one };
            assert_eq!((first[e as usize], assigned.triangle(e)), (one, expected), "edge {e}");
        }
        assigned.note(3, false);
        begin(&mut assigned, false);
        assert_ne!(assigned.to, first, "it stays if edges are not re-assigned");
        assigned.note(3, false);
        begin(&mut assigned, true);
        assert_eq!(assigned.to, first);
        assigned.note(6, false);
        assigned.forget();
        begin(&mut assigned, true);
        assert_eq!(assigned.to, first, "another pair begins anew");
    }
}
