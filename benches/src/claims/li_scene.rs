//! Teapots in flight in one volume, and per step the pairs with overlapping boxes (li §4, fig. 7).

use impinge::geometry::volume::Aabb;
use impinge::{Mesh, Pose};
use impinge_benches::harness::{Query, Step};
use impinge_models::motion::Bounce;
use impinge_models::scene::Movers;
use impinge_models::{Scene, Shape};

/// Teapots have length 1; their centres stay within ± this.
pub(crate) const REACH: f64 = 1.5;

/// One instant: where every object is, and which pairs are asked.
pub(crate) struct Instant {
    /// Every object's pose in the world.
    pub(crate) poses: Vec<Pose>,
    /// The pairs; `a` and `b` of a query are objects.
    pub(crate) asked: Step,
}

/// Objects of one mesh in flight.
pub(crate) struct Flight {
    /// The mesh of all objects.
    pub(crate) mesh: Mesh,
    /// All steps.
    pub(crate) steps: Vec<Instant>,
}

impl Flight {
    /// So many teapots in straight flight with spin.
    ///
    /// # Errors
    /// If the motion is refused.
    pub(crate) fn teapots(
        count: usize,
        triangles: usize,
        steps: usize,
        seed: u64,
    ) -> Result<Self, String> {
        let bounce = Bounce { reach: REACH, speed: 0.05, spin: 0.05 };
        let plan = Movers { count, shapes: vec![Shape::Teapot], triangles, bounce, steps };
        let mut motions = Scene::random_movers(&plan, seed).map_err(|error| error.to_string())?;
        let mesh = motions.meshes.swap_remove(0);
        let (min, max) = mesh.bounds();
        let own = Aabb { min, max };
        let instant = |at: usize| {
            let poses: Vec<Pose> = motions.objects.iter().map(|o| *o.motion.at(at)).collect();
            let boxes: Vec<Aabb> = poses.iter().map(|pose| own.posed(pose)).collect();
            let mut asked = Vec::new();
            for a in 0..count {
                for b in (a + 1..count).filter(|&b| boxes[a].overlaps(&boxes[b])) {
                    let pose = Pose::relative(&poses[a], &poses[b]);
                    asked.push(Query { a, b, pair: a * count + b, pose });
                }
            }
            Instant { poses, asked }
        };
        let steps = (0..steps).map(instant).collect();
        Ok(Self { mesh, steps })
    }

    /// Pairs asked over all steps.
    pub(crate) fn pairs(&self) -> usize {
        self.steps.iter().map(|step| step.asked.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_whose_boxes_overlap() {
        let flight = Flight::teapots(25, 112, 2, 1).expect("the motion is fine");
        let Instant { poses, asked } = &flight.steps[0];
        assert!((1..25 * 24 / 2).contains(&asked.len()), "{}", asked.len());
        assert_eq!(flight.pairs(), asked.len() + flight.steps[1].asked.len());
        // No pair that is left out meets.
        let mesh = &flight.mesh;
        for a in 0..25 {
            for b in a + 1..25 {
                let left_out = asked.iter().all(|query| [query.a, query.b] != [a, b]);
                let pose = Pose::relative(&poses[a], &poses[b]);
                assert!(!left_out || !impinge::intersects(mesh, mesh, &pose).expect("an answer"));
            }
        }
    }
}
