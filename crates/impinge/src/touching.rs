//! Whether two meshes that share points only touch.

use impinge_geometry::Pose;
use impinge_geometry::touching::{Touch, Undecided};
use impinge_query::{Ask, Cancelled, Control, QueryError, Side};
use impinge_scene::touching::{TouchError, Touching};

use crate::{Error, Pair};

impl Pair {
    /// How the surfaces share points; `None` if they share none. Exact, whatever touches: a part
    /// resting on another, sharing a face, an edge or a corner with it.
    ///
    /// - Closed meshes [touch](Touch::Touches) if no point is inside both. A part that lies flush
    ///   inside another [pierces](Touch::Pierces) it.
    /// - If one of the meshes is open, they touch if their surfaces nowhere cross: neither inside
    ///   two triangles, nor along an edge, with parts of one surface on both sides of the other.
    ///
    /// Costs as much as all contacts; where no two triangles cross, it also prepares B as posed,
    /// and asks for the contacts of each mesh with itself.
    ///
    /// # Errors
    /// [`Error::Undecided`] if what is inside a closed mesh is not certain: it meets itself, or
    /// more than two triangles share an edge. [`Error::Query`], also of a method that is not
    /// [exact](impinge_query::Description::exact).
    ///
    /// ```
    /// use impinge::{Pair, Pose, Touch, Vector, models::Shape};
    /// let cube = Shape::Cube.mesh(12, 0); // edge 1
    /// let mut pair = Pair::new(&cube, &cube)?;
    /// let mut at = |x: f64| pair.touch(&Pose::translation_by(Vector::new(x, 0.25, 0.0))?);
    /// assert_eq!(at(1.5)?, None);
    /// assert_eq!(at(1.0)?, Some(Touch::Touches)); // side by side
    /// assert_eq!(at(1.0 - f64::EPSILON)?, Some(Touch::Pierces));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn touch(&mut self, b_in_a: &Pose) -> Result<Option<Touch>, Error> {
        self.touch_with(b_in_a, &Control::NONE)
    }

    /// As [`Pair::touch`], with cancellation.
    ///
    /// # Errors
    /// As [`Pair::touch`], also if the caller cancelled.
    pub fn touch_with(
        &mut self,
        b_in_a: &Pose,
        control: &Control<'_>,
    ) -> Result<Option<Touch>, Error> {
        self.description().check_exact("whether surfaces only touch")?;
        let answer = self.ask_with(b_in_a, &Ask::all_contacts(), control)?;
        if answer.contacts.is_empty() {
            return Ok(None);
        }
        let contacts = answer.contacts.clone();
        let touching = Touching {
            detector: &*self.a.detector,
            a: &self.a.prepared,
            b: &self.b.prepared,
            b_in_a,
            contacts: &contacts,
            closed: [None; 2],
        };
        Ok(Some(touching.decide(control)?))
    }
}

impl From<TouchError> for Error {
    fn from(error: TouchError) -> Self {
        match error {
            TouchError::Undecided(source) => source.into(),
            TouchError::Prepare { side, source } => Self::Prepare { side, source },
            TouchError::Query(source) => source.into(),
            error => {
                let reason = error.to_string();
                Self::Query(QueryError::Backend { word: "touching", reason })
            }
        }
    }
}

impl From<Undecided> for Error {
    fn from(source: Undecided) -> Self {
        Self::Undecided { side: if source.mesh() == 0 { Side::A } else { Side::B }, source }
    }
}

impl From<Cancelled> for Error {
    fn from(cancelled: Cancelled) -> Self {
        Self::Query(cancelled.into())
    }
}
