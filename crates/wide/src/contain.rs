//! Containment of one mesh in another.

use impinge_geometry::Pose;
use impinge_query::{Answer, Ask, Control, Engine, QueryError};

use crate::engine::{Memory, Wide};
use crate::model::WideModel;

impl Wide {
    /// Whether B, placed by `b_in_a`, is wholly inside the solid A. See
    /// [`Question::ContainedIn`](impinge_query::Question::ContainedIn).
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
    /// Those of [`Engine::query`] for solids: [`QueryError::NotClosed`] names the mesh and the
    /// edge.
    pub fn contains(
        &self,
        a: &WideModel,
        b: &WideModel,
        b_in_a: &Pose,
        memory: &mut Memory,
        control: &Control<'_>,
    ) -> Result<bool, QueryError> {
        let mut answer = Answer::default();
        self.query(a, b, b_in_a, memory, &Ask::contained_in(), control, &mut answer)?;
        Ok(answer.contained == Some(true))
    }
}
