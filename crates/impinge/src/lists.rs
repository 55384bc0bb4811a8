//! One question for a list of poses, of pairs, or of bodies, answered over all threads.

use impinge_geometry::Pose;
use impinge_query::batch::{self, PairAt};
use impinge_query::{Answer, Ask, BatchError, Contact, Control, Nearest, Prepared, Verdict};

use crate::pair::{contained, nearer, nearest};
use crate::{Body, Error, Pair};

/// The questions of a pair for a list of poses. The answers equal those of single calls, in the
/// order of the poses. The default method uses all threads of the caller's rayon pool, or of the
/// global one.
///
/// ```
/// use impinge::{Pair, Pose, Vector, models::Shape};
/// let (ball, small) = (Shape::Sphere.mesh(500, 0), Shape::Sphere.mesh(80, 0).scaled(0.25)?);
/// let mut pair = Pair::new(&ball, &small)?;
/// let poses: Vec<Pose> = [0.0, 0.5, 3.0]
///     .map(|x| Pose::translation_by(Vector::new(x, 0.0, 0.0)))
///     .into_iter()
///     .collect::<Result<_, _>>()?;
/// assert_eq!(pair.intersects_at(&poses)?, [false, true, false]);
/// assert_eq!(pair.contains_at(&poses)?, [true, false, false]);
/// assert!(pair.distance_at(&poses)?[2].distance > 1.0);
/// # Ok::<(), impinge::Error>(())
/// ```
impl Pair {
    /// [`Pair::intersects`] for every pose.
    ///
    /// # Errors
    /// [`Error::Batch`] has the index of the first pose without an answer; so for all functions
    /// below.
    pub fn intersects_at(&mut self, poses: &[Pose]) -> Result<Vec<bool>, Error> {
        self.collect(poses, &Ask::first_contact(), |answer| answer.verdict.is_hit())
    }

    /// [`Pair::contacts`] for every pose.
    ///
    /// # Errors
    /// [`Error::Batch`].
    pub fn contacts_at(&mut self, poses: &[Pose]) -> Result<Vec<Vec<Contact>>, Error> {
        self.collect(poses, &Ask::all_contacts(), |answer| answer.contacts.clone())
    }

    /// [`Pair::distance`] for every pose.
    ///
    /// # Errors
    /// [`Error::Batch`].
    pub fn distance_at(&mut self, poses: &[Pose]) -> Result<Vec<Nearest>, Error> {
        let word = self.method().word();
        let found = self.collect(poses, &Ask::distance(), |answer| nearest(word, answer))?;
        let place = |(index, nearest): (usize, Result<Nearest, _>)| {
            nearest.map_err(|source| BatchError { index, source }.into())
        };
        found.into_iter().enumerate().map(place).collect()
    }

    /// [`Pair::nearer_than`] for every pose.
    ///
    /// # Errors
    /// [`Error::Batch`].
    pub fn nearer_than_at(&mut self, poses: &[Pose], d: f64) -> Result<Vec<bool>, Error> {
        self.collect(poses, &Ask::nearer_than(d), nearer)
    }

    /// [`Pair::collide_solids`] for every pose.
    ///
    /// # Errors
    /// [`Error::Batch`].
    pub fn collide_solids_at(&mut self, poses: &[Pose]) -> Result<Vec<Verdict>, Error> {
        self.collect(poses, &Ask::first_contact().solids(), |answer| answer.verdict)
    }

    /// [`Pair::contains`] for every pose.
    ///
    /// # Errors
    /// [`Error::Batch`].
    pub fn contains_at(&mut self, poses: &[Pose]) -> Result<Vec<bool>, Error> {
        self.collect(poses, &Ask::contained_in(), contained)
    }

    fn collect<T>(
        &mut self,
        poses: &[Pose],
        ask: &Ask,
        of: impl Fn(&Answer) -> T,
    ) -> Result<Vec<T>, Error> {
        let mut all = Vec::with_capacity(poses.len());
        self.batch_with(poses, ask, &Control::NONE, &mut |_, answer| all.push(of(answer)))?;
        Ok(all)
    }
}

/// Asks one question about many pairs; each pair comes with the pose of its second body in the
/// frame of its first. Answers are in the order of `pairs`, computed on all threads of the caller's
/// rayon pool, or of the global one. All bodies must be prepared by the same method.
///
/// ```
/// use impinge::{Ask, Body, Pose, Vector, models::Shape};
/// let (gear, ball) = (Shape::Gear.mesh(1_000, 0), Shape::Sphere.mesh(500, 0));
/// let (gear, ball) = (Body::new(&gear)?, Body::new(&ball)?);
/// let near = Pose::translation_by(Vector::new(0.5, 0.0, 0.0))?;
/// let far = Pose::translation_by(Vector::new(5.0, 0.0, 0.0))?;
/// let pairs = [(&gear, &ball, near), (&gear, &gear, far), (&ball, &ball, near)];
/// let answers = impinge::ask_pairs(&pairs, &Ask::first_contact())?;
/// let hits: Vec<bool> = answers.iter().map(|answer| answer.verdict.is_hit()).collect();
/// assert_eq!(hits, [true, false, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Batch`] with the index of the first pair without an answer: its pose is out of range, a
/// mesh has no inside, or a body was prepared by another method than the first.
pub fn ask_pairs(pairs: &[(&Body, &Body, Pose)], ask: &Ask) -> Result<Vec<Answer>, Error> {
    let Some((first, _, _)) = pairs.first() else { return Ok(Vec::new()) };
    let mut at = Vec::with_capacity(pairs.len());
    for &(a, b, b_in_a) in pairs {
        at.push(PairAt { a: a.prepared(), b: b.prepared(), b_in_a });
    }
    let mut answers = Vec::with_capacity(pairs.len());
    let mut each = |_: usize, answer: &Answer| answers.push(answer.clone());
    batch::pairs(&*first.detector, &at, ask, &Control::NONE, &mut each)?;
    Ok(answers)
}

/// Asks a contact question about each body against itself, on all threads. Answers are in the order
/// of `bodies`. All bodies must be prepared by the same method.
///
/// ```
/// use impinge::{Ask, Body, models::Shape};
/// let bodies = [Body::new(&Shape::Gear.mesh(1_000, 0))?, Body::new(&Shape::Sphere.mesh(500, 0))?];
/// let answers = impinge::ask_bodies(&bodies, &Ask::first_contact())?;
/// assert!(answers.iter().all(|answer| !answer.verdict.is_hit()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Batch`] with the index of the first body without an answer.
pub fn ask_bodies(bodies: &[Body], ask: &Ask) -> Result<Vec<Answer>, Error> {
    let Some(first) = bodies.first() else { return Ok(Vec::new()) };
    let models: Vec<&Prepared> = bodies.iter().map(Body::prepared).collect();
    let mut answers = Vec::with_capacity(bodies.len());
    let mut each = |_: usize, answer: &Answer| answers.push(answer.clone());
    batch::bodies(&*first.detector, &models, ask, &Control::NONE, &mut each)?;
    Ok(answers)
}
