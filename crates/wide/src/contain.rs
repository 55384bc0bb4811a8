//! Is one mesh wholly inside another?

use impinge_geometry::Pose;
use impinge_query::{Answer, Ask, Control, Engine, Inner, MeshModel, QueryError, Side, Verdict};

use crate::engine::{Memory, Wide};
use crate::model::WideModel;
use crate::search::ray::Surface;

impl Wide {
    /// Is B, placed by `b_in_a`, wholly inside the solid A: is every point of B's surface, and every
    /// point inside B, inside A and off A's surface? Exact. Inside means a winding number other than zero.
    ///
    /// So it is if the surfaces share no point, every component of B's surface is inside A, and none of A's
    /// is inside B. A body in a cavity of A is outside A, and one around such a cavity, within A's wall, is not
    /// wholly inside: the cavity is in it. Touching A from inside is not being wholly inside. Of several
    /// components of B all must be inside, be it in several components of A.
    ///
    /// ```
    /// use impinge_geometry::{Mesh, Point, Pose, Vector};
    /// use impinge_query::{Control, Engine};
    /// use impinge_wide::wide;
    /// # let tetrahedron = Mesh::new(
    /// #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
    /// #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// # )?;
    /// let engine = wide();
    /// let large = engine.prepare(&tetrahedron.scaled(10.0)?, &Control::NONE)?;
    /// let small = engine.prepare(&tetrahedron, &Control::NONE)?;
    /// let (pose, control) = (Pose::translation_by(Vector::new(1.0, 1.0, 1.0))?, Control::NONE);
    /// let mut memory = engine.memory();
    /// assert!(engine.contains(&large, &small, &pose, &mut memory, &control)?);
    /// let touching = Pose::identity();
    /// assert!(!engine.contains(&large, &small, &touching, &mut memory, &control)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Engine::query`] of solids: [`QueryError::NotClosed`] names the mesh and the edge.
    pub fn contains(
        &self,
        a: &WideModel,
        b: &WideModel,
        b_in_a: &Pose,
        memory: &mut Memory,
        control: &Control<'_>,
    ) -> Result<bool, QueryError> {
        let (ask, mut answer) = (Ask::first_contact().solids(), Answer::default());
        self.query(a, b, b_in_a, memory, &ask, control, &mut answer)?;
        if answer.verdict != Verdict::Contained(Inner::B) {
            return Ok(false);
        }
        // None of A's components is inside B, and one of B's is inside A. A region of space that B
        // bounds holds nothing of A's surface then, so it is as inside A as the surface around it.
        let fixed = Surface::new(a, Pose::identity());
        for p in
            b.subject().witnesses().map_err(|open| QueryError::NotClosed { side: Side::B, open })?
        {
            if fixed.winding(&b_in_a.apply(&p), &mut (), control)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
