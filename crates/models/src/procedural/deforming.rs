//! Deforming meshes: fixed triangles over vertices that are a function of the step.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use nalgebra::Matrix3;

use super::drape::Drape;
use super::press::Press;
use super::surface::{Surface, check, check_size};
use super::{MAX_TRIANGLES, ParameterError, Shape, cuboid, fit, hand, sphere};
use crate::motion::MAX_STEPS;

/// Curl at which the hands of deforming scenes end.
const GRASP: f64 = 0.68;
/// Radius of the ball under the hand, and its centre in the hand's frame: a little off the palm.
const BALL: f64 = 0.19;
const BALL_CENTRE: [f64; 3] = [0.2, 0.48, -0.27];

/// A mesh with fixed triangles whose vertices are a closed-form function of the step, so that any
/// step can be evaluated alone. The same bits on every machine.
///
/// ```
/// use impinge_models::DeformingMesh;
/// let hand = DeformingMesh::closing_hand(0.8, 1000, 100)?;
/// let (open, closed) = (hand.mesh(0), hand.mesh(99));
/// assert_eq!(open.triangles(), closed.triangles());
/// assert_eq!(closed.vertices(), hand.vertices(99));
/// # Ok::<(), impinge_models::ParameterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DeformingMesh {
    /// The triangles, over vertices in material coordinates (see [`Law`]).
    material: Mesh,
    law: Law,
    steps: usize,
}

/// The position of a material point at a time from 0 (first step) to 1 (last step).
#[derive(Clone, Debug, PartialEq)]
enum Law {
    /// The identity: the material is the mesh.
    Rigid,
    /// The material is the hand's lattice, in cells. The hand closes evenly up to this curl.
    Hand(f64),
    /// The material is the flat cloth, in radii of its ball.
    Cloth(Drape),
    /// The material is a cube about the origin; directions are what counts.
    Press(Press),
}

impl DeformingMesh {
    /// A mesh that does not deform, with one step.
    pub const fn rigid(mesh: Mesh) -> Self {
        Self { material: mesh, law: Law::Rigid, steps: 1 }
    }

    /// The hand of [`Shape::Hand`] closing evenly from flat to `curl` (1 is a fist), with about
    /// `triangles` triangles. One closed surface at every step.
    ///
    /// # Errors
    /// [`ParameterError`] if `curl` is outside `0..=1` or `steps` is not in `1..=MAX_STEPS`.
    pub fn closing_hand(curl: f64, triangles: usize, steps: usize) -> Result<Self, ParameterError> {
        check("hand", "curl", curl, (0.0..=1.0).contains(&curl), "lie between 0 and 1")?;
        check_steps("hand", steps)?;
        let material = hand::material(fit::hand(wish(triangles, Shape::Hand.least_triangles())))?;
        Ok(Self { material, law: Law::Hand(curl), steps })
    }

    /// A square cloth that falls on a ball about the origin and flutters there, see [`Drape`], with
    /// about `triangles` triangles (`2 n²`). An open sheet. A step of a million triangles takes
    /// about 20 ms.
    ///
    /// # Errors
    /// [`ParameterError`] if `drape` is out of its bounds or `steps` is not in `1..=MAX_STEPS`.
    pub fn cloth(drape: &Drape, triangles: usize, steps: usize) -> Result<Self, ParameterError> {
        drape.check()?;
        check_steps("cloth", steps)?;
        let n = (wish(triangles, 2) / 2.0).sqrt().round() as usize;
        check_size("cloth", &[2, n, n])?;
        let law = Law::Cloth(*drape);
        Ok(Self { material: sheet(drape.side, n), law, steps })
    }

    /// A soft bumpy ball below the plane z = 0 that is pressed against it, see [`Press`], with about
    /// `triangles` triangles. One closed surface that does not meet itself, at every step.
    ///
    /// # Errors
    /// [`ParameterError`] if `press` is out of its bounds or `steps` is not in `1..=MAX_STEPS`.
    pub fn pressed(press: &Press, triangles: usize, steps: usize) -> Result<Self, ParameterError> {
        press.check()?;
        check_steps("press", steps)?;
        let material = cuboid([2.0; 3], fit::cube(wish(triangles, Shape::Cube.least_triangles())))?;
        Ok(Self { material, law: Law::Press(*press), steps })
    }

    /// Number of steps, at least 1.
    pub const fn steps(&self) -> usize {
        self.steps
    }

    /// The index triples, the same at every step.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.material.triangles()
    }

    /// Whether the mesh never deforms.
    pub fn is_rigid(&self) -> bool {
        self.law == Law::Rigid
    }

    /// All vertices at `step`; steps past the end give the last one. O(n).
    pub fn vertices(&self, step: usize) -> Vec<Point> {
        let last = (self.steps - 1).max(1);
        let time = step.min(self.steps - 1) as f64 / last as f64;
        let places = self.material.vertices();
        match &self.law {
            Law::Rigid => places.to_vec(),
            Law::Hand(curl) => {
                let curl = curl * time;
                places.iter().map(|p| hand::place([p.x, p.y, p.z], curl)).collect()
            }
            Law::Cloth(drape) => {
                let frame = drape.frame(time);
                places.iter().map(|p| frame.place(p.x, p.y)).collect()
            }
            Law::Press(press) => {
                let frame = press.frame(time);
                places.iter().map(|p| frame.place(p)).collect()
            }
        }
    }

    /// The mesh at `step`. O(n).
    #[expect(clippy::missing_panics_doc, reason = "laws give one finite point per vertex")]
    pub fn mesh(&self, step: usize) -> Mesh {
        let mesh = self.material.with_vertices(self.vertices(step));
        mesh.expect("laws give one finite point per vertex")
    }
}

/// Deforming and rigid meshes at fixed poses.
#[derive(Clone, Debug, PartialEq)]
pub struct DeformingScene {
    /// The scene's name in reports.
    pub name: String,
    /// The bodies, each in its own frame.
    pub meshes: Vec<DeformingMesh>,
    /// The pose of each body in the world.
    pub poses: Vec<Pose>,
}

impl DeformingScene {
    /// A hand that closes on a ball: scene three of the paper on separating volumes (sbv §4, figure
    /// 9), whose models are not published; it has 100 steps. The hand is body 0 and deforms, the
    /// ball is rigid. With 10,000 triangles on 2,000 in 100 steps the middle and the ring finger
    /// touch the ball at step 71, and 29 steps are contacts; the index finger follows, then the
    /// little one. After that the fingers penetrate the ball, since nothing stops them.
    ///
    /// # Errors
    /// [`ParameterError`] if `steps` is not in `1..=MAX_STEPS`.
    pub fn hand_on_ball(
        hand_triangles: usize,
        ball_triangles: usize,
        steps: usize,
    ) -> Result<Self, ParameterError> {
        let hand = DeformingMesh::closing_hand(GRASP, hand_triangles, steps)?;
        let meshes = vec![hand, ball(BALL, ball_triangles)?];
        let poses = vec![Pose::identity(), at(BALL_CENTRE)];
        Ok(Self { name: "hand-on-ball".to_owned(), meshes, poses })
    }

    /// A cloth that falls on a ball, with the default [`Drape`]. The cloth is body 0 and deforms,
    /// the ball is rigid.
    ///
    /// # Errors
    /// [`ParameterError`] if `steps` is not in `1..=MAX_STEPS`.
    pub fn cloth_on_ball(
        cloth_triangles: usize,
        ball_triangles: usize,
        steps: usize,
    ) -> Result<Self, ParameterError> {
        let drape = Drape::default();
        let cloth = DeformingMesh::cloth(&drape, cloth_triangles, steps)?;
        let meshes = vec![cloth, ball(drape.radius, ball_triangles)?];
        let poses = vec![Pose::identity(); 2];
        Ok(Self { name: "cloth-on-ball".to_owned(), meshes, poses })
    }

    /// Two soft bodies that are pressed together, `depth` deep and otherwise as by default (see
    /// [`Press`]), each with about `triangles` triangles. Both deform; body 0 is below body 1, which
    /// is turned over about an oblique axis, so that their bumps do not coincide.
    ///
    /// With a depth of 0.3 and 10,000 triangles each they touch at the middle of the steps. From then
    /// on they meet at every step, over a growing face.
    ///
    /// # Errors
    /// [`ParameterError`] if `depth` is not in `0.0..=0.5` or `steps` is not in `1..=MAX_STEPS`.
    pub fn pressed_bodies(
        depth: f64,
        triangles: usize,
        steps: usize,
    ) -> Result<Self, ParameterError> {
        let body = DeformingMesh::pressed(&Press { depth, ..Press::default() }, triangles, steps)?;
        let poses = vec![Pose::identity(), turned_over()];
        Ok(Self { name: "pressed-bodies".to_owned(), meshes: vec![body; 2], poses })
    }

    /// Number of steps of the longest deformation.
    pub fn steps(&self) -> usize {
        self.meshes.iter().map(DeformingMesh::steps).max().unwrap_or(0)
    }
}

fn ball(radius: f64, triangles: usize) -> Result<DeformingMesh, ParameterError> {
    let target = wish(triangles, Shape::Sphere.least_triangles());
    let (sectors, bands) = fit::grid(target, (2, 0), 2.0, (3, 1));
    Ok(DeformingMesh::rigid(sphere(radius, bands + 1, sectors)?))
}

fn at(place: [f64; 3]) -> Pose {
    let turned = *Pose::identity().rotation();
    Pose::new(turned, Vector::from(place)).expect("the identity with a small shift is a pose")
}

/// Half a turn about the axis (2, 1, 0).
fn turned_over() -> Pose {
    let rows = [[0.6, 0.8, 0.0], [0.8, -0.6, 0.0], [0.0, 0.0, -1.0]];
    let turned = Matrix3::from_fn(|row, column| rows[row][column]);
    Pose::new(turned, Vector::zeros()).expect("half a turn is a pose")
}

/// A flat grid of `n × n` quads about the origin in the plane z = 0, facing up.
fn sheet(side: f64, n: usize) -> Mesh {
    let mut surface = Surface::with_capacity((n + 1) * (n + 1), 2 * n * n);
    let along = |k: usize| (k as f64 / n as f64 - 0.5) * side;
    for row in 0..=n {
        surface.vertices.extend((0..=n).map(|k| Point::new(along(k), along(row), 0.0)));
    }
    let at = |row: usize, k: usize| (row * (n + 1) + k) as u32;
    for (row, k) in (0..n).flat_map(|row| (0..n).map(move |k| (row, k))) {
        surface.quad([at(row, k), at(row, k + 1), at(row + 1, k + 1), at(row + 1, k)]);
    }
    surface.mesh()
}

/// The wanted count clamped to the range that the searches can reach, as in [`Shape::mesh`].
fn wish(triangles: usize, least: usize) -> f64 {
    triangles.clamp(least, MAX_TRIANGLES / 8 * 7) as f64
}

fn check_steps(shape: &'static str, steps: usize) -> Result<(), ParameterError> {
    let good = (1..=MAX_STEPS).contains(&steps);
    check(shape, "steps", steps as f64, good, "lie between 1 and MAX_STEPS")
}
