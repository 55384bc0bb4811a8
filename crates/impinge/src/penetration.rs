//! How deep the meshes of a [`Pair`] are in each other.

use impinge_continuous::penetration::{
    Penetration, PenetrationBody, PenetrationOptions, penetration, penetrations,
};
use impinge_geometry::Pose;
use impinge_query::{BatchError, Control, Side};

use crate::{Error, Pair};

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
    /// [`Error::Query`], also if an option is out of range, or if solids are asked for and a mesh is not
    /// closed.
    pub fn penetration_with(
        &self,
        b_in_a: &Pose,
        options: &PenetrationOptions,
        control: &Control<'_>,
    ) -> Result<Penetration, Error> {
        let [a, b] = self.deep_bodies(control)?;
        Ok(penetration(a, b, b_in_a, options, control)?)
    }

    /// [`Pair::penetration_with`] for every pose, over all threads of the caller's rayon pool, or of the
    /// global one; calls `each` with every answer and its pose's index, in order. The same bits for any
    /// number of threads.
    ///
    /// # Errors
    /// [`Error::Batch`] has the index of the first pose without an answer; those before it have been
    /// delivered. [`Error::Query`] if an option is out of range, also without any pose, or if the meshes
    /// cannot be prepared for it.
    pub fn penetrations(
        &self,
        poses: &[Pose],
        options: &PenetrationOptions,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Penetration),
    ) -> Result<(), Error> {
        options.validate()?;
        let bodies = self.deep_bodies(control)?;
        let pairs: Vec<_> = poses.iter().map(|pose| (bodies, *pose)).collect();
        penetrations(&pairs, options, control, each)
            .map_err(|(index, source)| BatchError { index, source }.into())
    }

    /// Both meshes, prepared for depths.
    fn deep_bodies(&self, control: &Control<'_>) -> Result<[&PenetrationBody; 2], Error> {
        let of = |side, body| {
            let make = |mesh: &_| Ok(PenetrationBody::new(mesh, control)?);
            self.deep.of(side, body, "penetration", make)
        };
        Ok([of(Side::A, &self.a)?, of(Side::B, &self.b)?])
    }
}
