//! The checks after all pending faces have joined: whether the patch is connected, and whether its
//! hull contains no other part of the surface.

use super::Grower;
use super::absorb::{Open, Outcome};
use crate::Criteria;

impl Grower<'_> {
    /// The outcome for all faces that joined after the first `joined`, with the hull at `mark`
    /// before.
    pub(super) fn settle(&mut self, open: &Open, mark: usize, joined: usize) -> Outcome {
        let mut missing = self.undecided(&open.chords);
        missing.extend(self.detached(joined));
        // A flat patch fills its polygon if and only if its border is the outline: any other border
        // is longer, or surrounds a hole.
        let criteria = self.options.criteria;
        let fills = self.hull.solid || !criteria.hull || self.border == self.hull.polygon as i64;
        if missing.is_empty() && fills && open.strangers.is_empty() && !self.may_reach(open, mark) {
            return Outcome::Joined;
        }
        missing.extend(self.around_strangers(open));
        missing.sort_unstable();
        missing.dedup();
        if !missing.is_empty() {
            return Outcome::WaitsFor(missing);
        }
        // The guards were not updated for this hull.
        self.guards.clear();
        if fills { Outcome::Joined } else { Outcome::WaitsForVolume }
    }

    /// The faces at chords with no face in the patch.
    fn undecided(&self, chords: &[(u32, u32, u32)]) -> Vec<u32> {
        let beside = chords.iter().map(|&(f, a, b)| [f, self.surface.across_edge(f, a, b)]);
        beside.filter(|both| !both.iter().any(|&f| self.is_member(f))).flatten().collect()
    }

    /// New faces that are not connected to the patch by edges.
    fn detached(&self, joined: usize) -> Vec<u32> {
        let new = &self.faces[joined..];
        if new.len() == 1 {
            return Vec::new();
        }
        let index: std::collections::HashMap<u32, usize> = new.iter().copied().zip(0..).collect();
        let mut reached = vec![false; new.len()];
        let is_old = |n: u32| self.is_member(n) && !index.contains_key(&n);
        let at_old = |f: &u32| self.surface.across[*f as usize].iter().any(|&n| is_old(n));
        let mut stack: Vec<usize> = (0..new.len()).filter(|&k| at_old(&new[k])).collect();
        while let Some(k) = stack.pop() {
            if !std::mem::replace(&mut reached[k], true) {
                let next = self.surface.across[new[k] as usize];
                stack.extend(next.iter().filter_map(|n| index.get(n)));
            }
        }
        new.iter().zip(reached).filter(|(_, r)| !r).map(|(f, _)| *f).collect()
    }

    /// Whether the hull of an otherwise valid patch may meet faces without a corner in it. A flat
    /// patch is its hull, and the surface does not meet itself. For others, concave edges decide.
    fn may_reach(&mut self, open: &Open, mark: usize) -> bool {
        #[cfg(test)]
        if let Some(doubt) = self.doubt {
            return doubt;
        }
        let is_free = self.reflex.tree().free_below(0) > 0;
        self.options.criteria != Criteria::ALL
            || (self.hull.solid && is_free && self.reaches(open, mark))
    }

    /// The faces at the corners of strangers, which meet the hull and have no corner in it: a
    /// stranger may touch the hull in a vertex that another face there can bring in.
    fn around_strangers(&self, open: &Open) -> Vec<u32> {
        let mut strangers = open.strangers.clone();
        for step in &open.steps {
            let parts = &open.parts[step.parts.clone()];
            self.strangers(step.v, parts, step.solid, &mut strangers);
        }
        let mut around = Vec::new();
        for f in strangers {
            let corners = self.surface.triangles[f as usize];
            if !self.is_member(f) && !corners.iter().any(|&v| self.hull.has(v)) {
                around.extend(corners.iter().flat_map(|&v| self.surface.at(v)));
            }
        }
        around
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_models::{Random, Shape};
    use impinge_threads::Control;

    use crate::grow::Grower;
    use crate::surface::Surface;
    use crate::{Options, Patch};

    fn patches(mesh: &Mesh, doubt: Option<bool>) -> Vec<Patch> {
        let (surface, tree) = Surface::new(mesh, &Control::NONE).expect("a closed surface");
        let options = Options::default();
        let mut grower = Grower::new(&surface, tree, &options);
        grower.doubt = doubt;
        grower.grow(&Control::NONE).expect("not cancelled");
        grower.merge(&Control::NONE).expect("not cancelled");
        grower.finished().0
    }

    /// A mesh, and a solid with that mesh as a cavity, which hulls of its patches could reach.
    fn bodies(shape: Shape, triangles: usize, random: &mut Random) -> [Mesh; 2] {
        let body = shape.mesh(triangles, 1);
        let pose = random.pose(0.02);
        let turned = body.vertices().iter().map(|p| pose.apply(p)).collect();
        let ball = Shape::Hull.mesh(300, random.bits());
        let first = ball.vertices().len() as u32;
        let inner = body.vertices().iter().map(|p| Point::from(p.coords * 0.4));
        let all = ball.vertices().iter().copied().chain(inner).collect();
        let turn = |t: &[u32; 3]| [t[0] + first, t[2] + first, t[1] + first];
        let cavity = body.triangles().iter().map(turn);
        let faces = ball.triangles().iter().copied().chain(cavity).collect();
        [body.with_vertices(turned), Mesh::new(all, faces)].map(|m| m.expect("finite"))
    }

    /// Guarding concave edges gives the same result as searching the whole surface. Assuming that
    /// no hull reaches far gives wrong results, which this test notices.
    #[test]
    fn concave_edges_tell_all() {
        let mut random = Random::new(5);
        let mut wrong = 0;
        for (shape, triangles) in [
            (Shape::Torus, 700),
            (Shape::Hand, 700),
            (Shape::Chain, 1500),
            (Shape::Trefoil, 1500),
            (Shape::Gear, 600),
            (Shape::Comb, 400),
            (Shape::Sphere, 600),
        ] {
            for mesh in bodies(shape, triangles, &mut random) {
                let told = patches(&mesh, None);
                assert!(told == patches(&mesh, Some(true)), "{shape}");
                wrong += u32::from(told != patches(&mesh, Some(false)));
            }
        }
        assert!(wrong >= 4, "{wrong}");
    }
}
