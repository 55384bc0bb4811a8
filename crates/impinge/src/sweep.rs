//! The first contact of a body that turns and moves between two poses.

use impinge_continuous::rigid::{
    self, Extent, RigidMotion, Sweep, SweepError, SweepOptions, Swept,
};
use impinge_geometry::Pose;
use impinge_query::{BatchError, Control, Side};

use crate::{Error, Pair};

impl Pair {
    /// Whether, and when, B touches A on its way from one pose to another: its origin runs along a
    /// straight line while it turns the shorter way, both at constant speed.
    ///
    /// - [`Sweep::Touching`]: at every time before `low` they are apart, at `high` they touch, by the
    ///   exact test; the interval is at most 2⁻²⁰ wide. Contact at the start counts.
    /// - [`Sweep::Free`]: they never touch, and are at least `gap` apart.
    /// - [`Sweep::Undecided`]: 1,000 questions could not tell; B grazes A, or nearly.
    ///
    /// Times are from 0 to 1; [`RigidMotion::pose_at`] tells the pose at each. Proved, but for the error
    /// of distances: see [the page](https://github.com/impinge/impinge/blob/main/docs/motion.md).
    ///
    /// # Errors
    /// [`Error::Query`], also if the method does not keep meshes; [`Error::Pose`] of poses beyond 5e299.
    ///
    /// ```
    /// use impinge::{Pair, Pose, Sweep, Vector, models::Shape};
    /// let cube = Shape::Cube.mesh(12, 0); // edge 1
    /// let mut pair = Pair::new(&cube, &cube)?;
    /// let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0));
    /// let Sweep::Touching { low, high, .. } = pair.sweep(&at(3.0)?, &at(-1.0)?)? else {
    ///     unreachable!("it falls on the other")
    /// };
    /// assert!(low <= 0.5 && 0.5 <= high && high - low < 1e-6); // half of the way
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn sweep(&mut self, start: &Pose, end: &Pose) -> Result<Sweep, Error> {
        let motion = RigidMotion::new(start, end)?;
        Ok(self.sweep_with(&motion, &SweepOptions::default(), &Control::NONE)?.outcome)
    }

    /// As [`Pair::sweep`], by any motion: about another point, or a screw; with options, cancellation,
    /// and the number of questions it took. The same call gives the same bits.
    ///
    /// # Errors
    /// As there, also if an option is out of range or the caller cancelled.
    pub fn sweep_with(
        &mut self,
        motion: &RigidMotion,
        options: &SweepOptions,
        control: &Control<'_>,
    ) -> Result<Swept, Error> {
        let extents = self.extents(control)?;
        let Self { a, b, .. } = &*self;
        // Memory of its own, since answers may depend on it in their last digits.
        let mut memory = a.detector.memory();
        let (m, n) = (&a.prepared, &b.prepared);
        let mut ask = |pose: &_, ask: &_, control: &Control<'_>, answer: &mut _| {
            a.detector.query(m, n, pose, &mut memory, ask, control, answer)
        };
        Ok(rigid::sweep_by(&mut ask, extents, motion, options, control)?)
    }

    /// [`Pair::sweep_with`] for every motion, over all threads of the caller's rayon pool, or of the global
    /// one; calls `each` with every answer and its motion's index, in order. The same bits for any number
    /// of threads, if those of the method are.
    ///
    /// # Errors
    /// [`Error::Batch`] has the index of the first motion without an answer; those before it have been
    /// delivered. [`Error::Sweep`] if an option is out of range, also without any motion.
    pub fn sweeps(
        &self,
        motions: &[RigidMotion],
        options: &SweepOptions,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Swept),
    ) -> Result<(), Error> {
        options.validate()?;
        let extents = self.extents(control)?;
        let Self { a, b, .. } = self;
        let models = [&*a.prepared, &*b.prepared];
        rigid::sweep_motions(&*a.detector, (models, extents), motions, options, control, each)
            .map_err(|(index, error)| match error {
                SweepError::Query(source) => BatchError { index, source }.into(),
                error => error.into(),
            })
    }

    /// Where both meshes are.
    fn extents(&self, control: &Control<'_>) -> Result<[&Extent; 2], Error> {
        let make = |mesh: &_| Ok(Extent::new(mesh, control)?);
        let of = |side, body| self.extents.of(side, body, "sweep", make);
        Ok([of(Side::A, &self.a)?, of(Side::B, &self.b)?])
    }
}
