//! Ways out of penetration along a direction, for a [`Pair`].

use impinge_continuous::translation::{Exit, TranslationBody, Translations, Way, exits};
use impinge_geometry::{Pose, Vector};
use impinge_query::{BatchError, Control, Meaning, Side};

use crate::{Error, Pair};

impl Pair {
    /// The way out along a direction: a multiple of it by which B is moved, and its pose there, at which
    /// the exact test finds the surfaces apart, and beyond which they never meet again. The least such
    /// multiple, to 1e-9 of itself or the rounding of poses.
    ///
    /// The first call prepares both meshes for it; the pair keeps that until a refit.
    ///
    /// # Errors
    /// [`Error::Exit`] if the direction is not finite or zero; [`Error::Query`].
    ///
    /// ```
    /// use impinge::{Pair, Pose, Vector, models::Shape};
    /// let cube = Shape::Cube.mesh(12, 0); // its sides are 1 long
    /// let pose = Pose::translation_by(Vector::new(0.75, 0.0, 0.0))?;
    /// let pair = Pair::new(&cube, &cube)?;
    /// let exit = pair.exit(&pose, &Vector::new(1.0, 0.0, 0.0))?;
    /// assert!(exit.end.low <= 0.25 && exit.by > 0.25 && exit.by < 0.25 + 1e-9);
    /// let up = pair.exit(&pose, &Vector::new(0.0, 0.0, 2.0))?;
    /// assert!(up.by > 0.5 && up.by < 0.5 + 1e-9);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn exit(&self, b_in_a: &Pose, direction: &Vector) -> Result<Exit, Error> {
        let (way, meaning) = (Way::LastContact, Meaning::Surfaces);
        self.exit_with(b_in_a, direction, way, meaning, &Control::NONE)
    }

    /// As [`Pair::exit`], or to the first place that is free; of surfaces or of solids; with
    /// cancellation.
    ///
    /// # Errors
    /// As [`Pair::exit`], also if solids are asked for and a mesh is not closed.
    pub fn exit_with(
        &self,
        b_in_a: &Pose,
        direction: &Vector,
        way: Way,
        meaning: Meaning,
        control: &Control<'_>,
    ) -> Result<Exit, Error> {
        let [a, b] = self.ways_out(control)?;
        Ok(Translations::new(a, b, b_in_a).exit(way, direction, meaning, control)?)
    }

    /// [`Pair::exit_with`] of B at every pose, along the direction beside it, over all threads of the
    /// caller's rayon pool, or of the global one; calls `each` with every answer and its index, in order. The
    /// same bits for any number of threads.
    ///
    /// # Errors
    /// [`Error::Batch`] has the index of the first pose without an answer; those before it have been
    /// delivered. Of a direction that is none, [`Error::Exit`].
    pub fn exits(
        &self,
        ways: &[(Pose, Vector)],
        way: Way,
        meaning: Meaning,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Exit),
    ) -> Result<(), Error> {
        let [a, b] = self.ways_out(control)?;
        let of =
            |(b_in_a, direction): &(Pose, Vector)| (Translations::new(a, b, b_in_a), *direction);
        let pairs: Vec<_> = ways.iter().map(of).collect();
        exits(&pairs, way, meaning, control, each).map_err(|(index, error)| match error.into() {
            Error::Query(source) => BatchError { index, source }.into(),
            error => error,
        })
    }

    /// Both meshes, prepared to be moved out of each other.
    fn ways_out(&self, control: &Control<'_>) -> Result<[&TranslationBody; 2], Error> {
        let of = |side, body| {
            let make = |mesh: &_| Ok(TranslationBody::new(mesh, control)?);
            self.ways.of(side, body, "exit", make)
        };
        Ok([of(Side::A, &self.a)?, of(Side::B, &self.b)?])
    }
}
