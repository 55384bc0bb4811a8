//! Does a component of one closed mesh lie inside the other? Asked once the surfaces are known to
//! be apart: then a whole component is inside or outside, and one of its vertices tells
//! (fan §4.3.1, condition 3).

use impinge_geometry::{Point, Pose};
use impinge_query::{Answer, Ask, Control, Counter, Engine, Inner, QueryError, Side, Verdict};

use crate::engine::Wide;
use crate::memory::Memory;
use crate::model::WideModel;
use crate::search::ray::Surface;

/// Which mesh has a component inside the other, if any, and a vertex of that component in A's frame.
/// Those of A are asked first: `Inner::B` says that none of them is inside B.
///
/// # Errors
/// [`QueryError::NotClosed`] if a mesh has no inside, [`QueryError::Cancelled`].
pub(crate) fn find<C: Counter>(
    [a, b]: [&WideModel; 2],
    pose: &Pose,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Option<(Inner, Point)>, QueryError> {
    let refuse = |side| move |open| QueryError::NotClosed { side, open };
    let of_a = a.subject().witnesses().map_err(refuse(Side::A))?;
    let of_b = b.subject().witnesses().map_err(refuse(Side::B))?;
    let posed = Surface::new(b, pose);
    for p in of_a {
        if posed.winding(&p, counter, control)? != 0 {
            return Ok(Some((Inner::A, p)));
        }
    }
    let still = Pose::identity();
    let fixed = Surface::new(a, &still);
    for p in of_b {
        let p = pose.apply(&p);
        if fixed.winding(&p, counter, control)? != 0 {
            return Ok(Some((Inner::B, p)));
        }
    }
    Ok(None)
}

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
        let still = Pose::identity();
        let fixed = Surface::new(a, &still);
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
