//! How far the solids of a [`Pair`] overlap.

use impinge_geometry::Pose;
use impinge_image::ldi::{self, Ldi, Overlap, OverlapOptions};
use impinge_query::{Control, Engine as _, Side};

use crate::{Error, Pair};

impl Pair {
    /// How far the solids overlap: contacts, and along three axes volume and depth with proved bounds,
    /// from images of 512 pixels a side. The bounds hold if both surfaces are closed: see `Overlap::closed`. Any
    /// method that keeps its meshes will do.
    ///
    /// A depth is the length of the longest segment along an axis inside both solids. It is not the
    /// length of the translation that separates them, and of bodies that are not convex no bound on
    /// it either. The first call prepares both meshes for it; the pair keeps that until a refit.
    ///
    /// # Errors
    /// [`Error::Query`].
    ///
    /// ```
    /// use impinge::{Pair, Pose, Vector, models::Shape};
    /// let ball = Shape::Sphere.mesh(2_000, 0);
    /// let pose = Pose::translation_by(Vector::new(0.5, 0.0, 0.0))?;
    /// let overlap = Pair::new(&ball, &ball)?.overlap(&pose)?;
    /// let volume = overlap.volume(); // of two caps, 0.16 in all for round balls of diameter 1
    /// assert!((volume.value - 0.16).abs() < 0.01 && volume.error < 0.01);
    /// assert!(overlap.agrees() && overlap.contacts_found > 0);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn overlap(&self, b_in_a: &Pose) -> Result<Overlap, Error> {
        self.overlap_with(b_in_a, &ldi::ldi(), &OverlapOptions::default(), &Control::NONE)
    }

    /// As [`Pair::overlap`], with an engine, options and cancellation.
    ///
    /// # Errors
    /// [`Error::Query`]; [`Error::Prepare`] if the caller cancelled early.
    pub fn overlap_with(
        &self,
        b_in_a: &Pose,
        engine: &Ldi,
        options: &OverlapOptions,
        control: &Control<'_>,
    ) -> Result<Overlap, Error> {
        let of = |side, body| {
            let refused = |source| Error::Prepare { side, source };
            let make = |mesh: &_| engine.prepare(mesh, control).map_err(refused);
            self.drawn.of(side, body, "overlap", make)
        };
        let (a, b) = (of(Side::A, &self.a)?, of(Side::B, &self.b)?);
        Ok(engine.overlap(a, b, b_in_a, options, control)?)
    }
}
