//! How far the solids of a [`Pair`] overlap.

use std::sync::OnceLock;

use impinge_geometry::Pose;
use impinge_image::ldi::{self, Ldi, LdiModel, Overlap, OverlapOptions};
use impinge_query::{Control, Engine as _, QueryError, Side};

use crate::{Body, Error, Pair};

/// Both meshes of a pair, each prepared when an overlap is first measured.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    a: OnceLock<LdiModel>,
    b: OnceLock<LdiModel>,
}

impl Drawn {
    /// Drops what was prepared of a mesh that moves.
    pub(crate) fn forget(&mut self, side: Side) {
        match side {
            Side::A => self.a.take(),
            Side::B => self.b.take(),
        };
    }

    fn of(
        &self,
        side: Side,
        body: &Body,
        engine: &Ldi,
        control: &Control<'_>,
    ) -> Result<&LdiModel, Error> {
        let kept = match side {
            Side::A => &self.a,
            Side::B => &self.b,
        };
        if let Some(model) = kept.get() {
            return Ok(model);
        }
        let word = body.method().word();
        let unanswered = QueryError::Unanswered { word, what: "overlap" };
        let mesh = body.mesh().ok_or(unanswered)?;
        let prepared = engine.prepare(mesh, control);
        let model = prepared.map_err(|source| Error::Prepare { side, source })?;
        // Another thread may have set it first.
        Ok(kept.get_or_init(|| model))
    }
}

impl Pair {
    /// How far the solids overlap: contacts, and along three axes volume and depth with proved bounds,
    /// from images of 512 pixels a side. Any method that keeps its meshes will do.
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
        let drawn = |side, body| self.drawn.of(side, body, engine, control);
        let (a, b) = (drawn(Side::A, &self.a)?, drawn(Side::B, &self.b)?);
        Ok(engine.overlap(a, b, b_in_a, options, control)?)
    }
}
