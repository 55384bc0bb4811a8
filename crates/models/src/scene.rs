//! Scenes: meshes, and objects that move them.

use impinge_geometry::{Mesh, Pose, Vector};

use crate::motion::{Bounce, Motion, MotionError, Walk};
use crate::{Random, Shape};

/// Largest number of objects of a scene. Unit: objects. Usual value: 2¹⁶.
pub const MAX_OBJECTS: usize = 1 << 16;

/// One body of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneObject {
    /// Index into [`Scene::meshes`].
    pub mesh: usize,
    /// Its pose in the world at each step.
    pub motion: Motion,
}

/// Bodies in motion. Objects may share meshes and may overlap at any step: there is no contact
/// response.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The scene's name in reports.
    pub name: String,
    /// The meshes, each in its own frame.
    pub meshes: Vec<Mesh>,
    /// The bodies, in a fixed order.
    pub objects: Vec<SceneObject>,
}

/// Parameters of [`Scene::random_movers`].
#[derive(Clone, Debug, PartialEq)]
pub struct Movers {
    /// Number of bodies.
    pub count: usize,
    /// Shapes assigned to the bodies in turn; bodies of one shape share a mesh.
    pub shapes: Vec<Shape>,
    /// Approximate triangle count of each mesh.
    pub triangles: usize,
    /// Parameters of the motions; shapes are about 1 long.
    pub bounce: Bounce,
    /// Number of steps of every motion.
    pub steps: usize,
}

impl Default for Movers {
    /// 130 bodies of all closed shapes in a box of edge 8: the setting of scene one in Fan's thesis
    /// (2003, figure 2-15). Its models are not published; ours replace them.
    fn default() -> Self {
        Self {
            count: 130,
            shapes: Shape::ALL.into_iter().filter(|shape| shape.is_closed()).collect(),
            triangles: 1000,
            bounce: Bounce { reach: 4.0, speed: 0.05, spin: 0.05 },
            steps: 500,
        }
    }
}

/// The test scenes of the chapter on parallel detection in Fan's thesis (2003, §4.5.2, figures 4-9
/// to 4-11). The models are not published; of scenes 2 and 3 only the triangle counts and pictures
/// of one pair in contact are. Ours replace them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FanScene {
    /// Scene 1: 15 bodies of all closed shapes in random flight in a box of edge 3; every pair is
    /// tested at every step.
    Bodies,
    /// Scene 2: two trefoil knots, see [`Scene::interlocked`].
    Knots,
    /// Scene 3: two tori, see [`Scene::interlocked`].
    Rings,
}

impl FanScene {
    /// The scenes in the thesis's order.
    pub const ALL: [Self; 3] = [Self::Bodies, Self::Knots, Self::Rings];

    /// Total triangles of all bodies in the thesis; for scenes 2 and 3 it says "about".
    pub const fn triangles(self) -> usize {
        match self {
            Self::Bodies => 28_853,
            Self::Knots => 10_000,
            Self::Rings => 20_000,
        }
    }

    /// Makes the scene with about `triangles` triangles in all: 28,850, 9,984 and 20,000 for
    /// [`FanScene::triangles`] and seed 1.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`.
    pub fn with(self, triangles: usize, seed: u64, steps: usize) -> Result<Scene, MotionError> {
        let bounce = Bounce { reach: 1.5, speed: 0.05, spin: 0.05 };
        // Nine shapes in turn fall 0.3 % short of the count: 28,850 triangles for 28,853.
        let each = triangles.saturating_mul(1003) / 15_000;
        let bodies = Movers { count: 15, triangles: each, bounce, steps, ..Movers::default() };
        let scene = match self {
            Self::Bodies => Scene::random_movers(&bodies, seed)?,
            Self::Knots => Scene::interlocked(Shape::Trefoil, triangles / 2, seed, steps)?,
            Self::Rings => Scene::interlocked(Shape::Torus, triangles / 2, seed, steps)?,
        };
        let name = match self {
            Self::Bodies => "fan-1-bodies",
            Self::Knots => "fan-2-knots",
            Self::Rings => "fan-3-rings",
        };
        Ok(Scene { name: name.to_owned(), ..scene })
    }
}

impl Scene {
    /// Bodies in random flight in a box, see [`Movers`]. Body k uses stream k of `seed`.
    ///
    /// # Errors
    /// [`MotionError`] if the motion is refused, there are no shapes, or `count` is not in
    /// `1..=MAX_OBJECTS`.
    pub fn random_movers(movers: &Movers, seed: u64) -> Result<Self, MotionError> {
        let refused = |parameter, value: usize, must| {
            Err(MotionError::Parameter { parameter, value: value as f64, must })
        };
        if !(1..=MAX_OBJECTS).contains(&movers.count) {
            return refused("count", movers.count, "lie between 1 and MAX_OBJECTS");
        }
        let kinds = movers.shapes.len().min(movers.count);
        if kinds == 0 {
            return refused("shapes", 0, "name at least one");
        }
        let objects = (0..movers.count)
            .map(|k| {
                let own_seed = Random::stream(seed, k as u64).bits();
                let motion = Motion::bounce(&movers.bounce, own_seed, movers.steps)?;
                Ok(SceneObject { mesh: k % kinds, motion })
            })
            .collect::<Result<_, MotionError>>()?;
        let meshes = movers.shapes[..kinds].iter().map(|s| s.mesh(movers.triangles, seed));
        Ok(Self { name: format!("movers-{}", movers.count), meshes: meshes.collect(), objects })
    }

    /// Two bodies: `a` at rest at the origin, and `b` moving.
    pub fn pair(name: &str, a: Mesh, b: Mesh, motion: Motion) -> Self {
        let resting = SceneObject { mesh: 0, motion: Motion::still(Pose::identity()) };
        let moving = SceneObject { mesh: 1, motion };
        Self { name: name.to_owned(), meshes: vec![a, b], objects: vec![resting, moving] }
    }

    /// `b` flies past `a` from x = −1.5 to 1.5, 0.6 above its middle, with two turns about a random
    /// axis: apart, in contact, and apart again.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`.
    pub fn fly_by(
        a: Shape,
        b: Shape,
        triangles: usize,
        seed: u64,
        steps: usize,
    ) -> Result<Self, MotionError> {
        let axis = Random::new(seed).unit_vector();
        let [start, end] = [-1.5, 1.5].map(|x| Vector::new(x, 0.05, 0.6));
        let motion = Motion::fly_by(start, end, axis, 2.0, steps)?;
        let [a_mesh, b_mesh] = [a, b].map(|shape| shape.mesh(triangles, seed));
        Ok(Self::pair(&format!("fly-by-{a}-{b}"), a_mesh, b_mesh, motion))
    }

    /// `b` moves straight at `a` from distance 1.8, in a random direction and orientation, and ends
    /// at its middle.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`.
    pub fn approach(
        a: Shape,
        b: Shape,
        triangles: usize,
        seed: u64,
        steps: usize,
    ) -> Result<Self, MotionError> {
        let mut random = Random::new(seed);
        let from = random.unit_vector() * 1.8;
        let motion = Motion::approach(&random.turned_to(from), Vector::zeros(), steps)?;
        let [a_mesh, b_mesh] = [a, b].map(|shape| shape.mesh(triangles, seed));
        Ok(Self::pair(&format!("approach-{a}-{b}"), a_mesh, b_mesh, motion))
    }

    /// `b` walks randomly about `a` in a box of edge 1.6, by at most 0.02 and 0.05 radians per
    /// step: many contacts, high temporal coherence.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`.
    pub fn walk(
        a: Shape,
        b: Shape,
        triangles: usize,
        seed: u64,
        steps: usize,
    ) -> Result<Self, MotionError> {
        let walk = Walk { reach: 0.8, shift: 0.02, turn: 0.05 };
        let motion = Motion::walk(&walk, seed, steps)?;
        let [a_mesh, b_mesh] = [a, b].map(|shape| shape.mesh(triangles, seed));
        Ok(Self::pair(&format!("walk-{a}-{b}"), a_mesh, b_mesh, motion))
    }

    /// Two overlapping copies of a shape, of about `triangles` triangles each, at unrelated poses:
    /// rotations uniform, translations uniform in a box of edge 1, the length of a shape. Rings and
    /// knots touch at nine poses of ten, and some of the others are linked.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`.
    pub fn interlocked(
        shape: Shape,
        triangles: usize,
        seed: u64,
        steps: usize,
    ) -> Result<Self, MotionError> {
        // Steps as long as the box and turns up to a full one make consecutive poses unrelated.
        let walk = Walk { reach: 0.5, shift: 0.5, turn: std::f64::consts::TAU };
        let motion = Motion::walk(&walk, seed, steps)?;
        let mesh = shape.mesh(triangles, seed);
        Ok(Self::pair(&format!("interlocked-{shape}"), mesh.clone(), mesh, motion))
    }

    /// Number of steps of the longest motion; objects with shorter ones rest at their last pose.
    pub fn steps(&self) -> usize {
        self.objects.iter().map(|object| object.motion.steps()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fans_scenes_have_about_the_thesis_triangles() {
        for (which, ours) in FanScene::ALL.into_iter().zip([28_850, 9_984, 20_000]) {
            let scene = which.with(which.triangles(), 1, 2).expect("a scene");
            let size = |object: &SceneObject| scene.meshes[object.mesh].triangles().len();
            assert_eq!(scene.objects.iter().map(size).sum::<usize>(), ours, "{}", scene.name);
        }
    }

    #[test]
    fn interlocked_shapes_are_near_each_other() {
        let scene = Scene::interlocked(Shape::Torus, 100, 3, 50).expect("a scene");
        let poses = scene.objects[1].motion.poses();
        assert_eq!((poses.len(), scene.steps()), (50, 50));
        assert!(poses.iter().all(|pose| pose.translation().amax() <= 0.5));
        assert!(poses.windows(2).all(|two| two[0] != two[1]));
        assert!(Scene::interlocked(Shape::Torus, 100, 3, 0).is_err());
    }
}
