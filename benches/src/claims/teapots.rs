//! The scene of anthology 2: two teapots of 8,455 vertices, nearer and nearer.

use impinge::query::{Ask, QuestionKind};
use impinge::{Mesh, Method, Pose, Vector};
use impinge_benches::harness::{Competitor, Query, Workload, count, plain};
use impinge_models::{Random, procedural};

/// Columns and rows of each of the teapot's 32 patches: of all choices, the one with the number of
/// vertices nearest to the paper's 8,455, which is 8,469.
pub(crate) const PATCH: [usize; 2] = [29, 9];

/// Positions that are tried along a line, for each that is chosen.
const TRIED: usize = 8;

/// Newell's teapot, 1 long, with its middle near the origin.
///
/// # Errors
/// If a count is out of range.
pub(crate) fn teapot([around, along]: [usize; 2]) -> Result<Mesh, String> {
    let mesh = procedural::teapot(around, along).map_err(|error| error.to_string())?;
    let place = |p: &impinge::Point| impinge::Point::new(p.x - 0.217, p.y, p.z - 1.575) * 0.155;
    let vertices = mesh.vertices().iter().map(place).collect();
    mesh.with_vertices(vertices).map_err(|error| error.to_string())
}

/// A teapot that comes nearer to another: poses by ascending number of contacts.
pub(crate) struct Teapots {
    /// Their mesh.
    pub(crate) mesh: Mesh,
    /// The poses and their numbers of contacts.
    pub(crate) poses: Vec<(Pose, u64)>,
    /// From where it comes, of length 1.
    towards: Vector,
}

impl Teapots {
    /// `number` poses along a random line, whose contacts are most evenly between few and many.
    ///
    /// # Errors
    /// If a query fails, or there are not so many different numbers of contacts.
    pub(crate) fn new(patch: [usize; 2], number: usize, seed: u64) -> Result<Self, String> {
        let mesh = teapot(patch)?;
        let mut random = Random::new(seed);
        let towards = random.unit_vector();
        let turned = random.turned_to(Vector::zeros());
        let at = |k: usize| {
            let away = 1.0 - k as f64 / (TRIED * number) as f64;
            Pose::new(*turned.rotation(), towards * away).map_err(|error| error.to_string())
        };
        let tried = (0..TRIED * number).map(at).collect::<Result<Vec<_>, _>>()?;
        let mut all = Vec::new();
        for pose in tried {
            let one = Workload::motion(vec![mesh.clone()], [0, 0], &[pose]);
            let found =
                count(&Method::Wide.into(), &one, &plain(QuestionKind::AllContacts), false)?;
            all.push((pose, found.contacts));
        }
        all.retain(|(_, contacts)| *contacts > 0);
        all.sort_by_key(|(_, contacts)| *contacts);
        all.dedup_by_key(|(_, contacts)| *contacts);
        if all.len() < number {
            return Err(format!("only {} poses with different contacts", all.len()));
        }
        let last = (all.len() - 1) as f64;
        let poses = (0..number)
            .map(|k| all[(last * k as f64 / (number - 1).max(1) as f64).round() as usize])
            .collect();
        Ok(Self { mesh, poses, towards })
    }

    /// The queries: at each pose, `before` steps that come nearer by `step`, then the pose itself, with
    /// a memory of its own.
    ///
    /// # Errors
    /// If a pose is out of range.
    pub(crate) fn workload(&self, before: usize, step: f64) -> Result<Workload, String> {
        let mut steps = Vec::new();
        for (pair, (pose, _)) in self.poses.iter().enumerate() {
            for k in (0..=before).rev() {
                let at = pose.translation() + self.towards * (step * k as f64);
                let pose = Pose::new(*pose.rotation(), at).map_err(|error| error.to_string())?;
                steps.push(vec![Query { a: 0, b: 0, pair, pose }]);
            }
        }
        Ok(Workload::new(vec![self.mesh.clone()], steps))
    }

    /// The question of anthology 2's table.
    pub(crate) const fn ask() -> Ask {
        Ask::all_contacts()
    }
}

/// `octree-front` with other parameters.
pub(crate) fn form(label: &str, params: impinge::scene::front::OctreeFrontParams) -> Competitor {
    Competitor::new(label, impinge::scene::front::octree_front_with(params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_vertices_is_near_the_papers() {
        assert_eq!(teapot(PATCH).expect("a teapot").vertices().len(), 8_469);
    }

    #[test]
    fn poses_have_more_and_more_contacts_and_are_come_to_step_by_step() {
        let teapots = Teapots::new([3, 3], 4, 1).expect("enough poses");
        assert!(teapots.poses.is_sorted_by(|a, b| a.1 < b.1));
        let workload = teapots.workload(2, 0.01).expect("in range");
        assert_eq!((workload.steps.len(), workload.pairs), (12, 4));
        for (k, (pose, _)) in teapots.poses.iter().enumerate() {
            let way: Vec<f64> = (0..3)
                .map(|step| workload.steps[3 * k + step][0].pose.translation() - pose.translation())
                .map(|v| v.norm())
                .collect();
            assert!(way[0] > way[1] && way[1] > way[2] && way[2] == 0.0);
        }
    }
}
