//! How deep the meshes of a [`Pair`] are in each other.

use std::sync::OnceLock;

use impinge_continuous::penetration::{
    Penetration, PenetrationBody, PenetrationOptions, penetration,
};
use impinge_geometry::Pose;
use impinge_query::{Control, QueryError, Side};

use crate::{Body, Error, Pair};

/// Both meshes of a pair, each prepared when a depth is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Deep {
    a: OnceLock<PenetrationBody>,
    b: OnceLock<PenetrationBody>,
}

impl Deep {
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
        control: &Control<'_>,
    ) -> Result<&PenetrationBody, QueryError> {
        let kept = match side {
            Side::A => &self.a,
            Side::B => &self.b,
        };
        if let Some(made) = kept.get() {
            return Ok(made);
        }
        let word = body.method().word();
        let mesh = body.mesh().ok_or(QueryError::Unanswered { word, what: "penetration" })?;
        let made = PenetrationBody::new(mesh, control)?;
        // Another thread may have set it first.
        Ok(kept.get_or_init(|| made))
    }
}

impl Pair {
    /// How deep the meshes are in each other: bounds of the length of the least translation of B after
    /// which their surfaces are apart, and a translation that the exact test has verified. Meshes of
    /// any shape, open ones too; any method that keeps its meshes will do.
    ///
    /// The bounds differ by at most 5 %, unless the budget ends. The first call prepares both meshes
    /// for it; the pair keeps that until a refit.
    ///
    /// # Errors
    /// [`Error::Query`].
    ///
    /// ```
    /// use impinge::{Pair, Pose, models::Shape};
    /// let link = Shape::Torus.mesh(600, 0); // radii 0.35 and 0.15
    /// // Two links of a chain: one turned, its wire through the other's hole, and into its side.
    /// let turned = Pose::from_quaternion([0.43, 0.0, 0.0], [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()])?;
    /// let mut pair = Pair::new(&link, &link)?;
    /// let depth = pair.penetration(&turned)?;
    /// assert!(depth.lower > 0.02 && depth.upper < 0.04); // 0.03 for round links
    /// assert!(!pair.intersects(&depth.pose(&turned)?)?);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn penetration(&self, b_in_a: &Pose) -> Result<Penetration, Error> {
        self.penetration_with(b_in_a, &PenetrationOptions::default(), &Control::NONE)
    }

    /// As [`Pair::penetration`], of surfaces or of solids, with a width, a budget and cancellation.
    ///
    /// # Errors
    /// [`Error::Query`], also if solids are asked for and a mesh is not closed.
    pub fn penetration_with(
        &self,
        b_in_a: &Pose,
        options: &PenetrationOptions,
        control: &Control<'_>,
    ) -> Result<Penetration, Error> {
        let a = self.deep.of(Side::A, &self.a, control)?;
        let b = self.deep.of(Side::B, &self.b, control)?;
        Ok(penetration(a, b, b_in_a, options, control)?)
    }
}
