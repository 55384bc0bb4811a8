//! Triangle strips of a hull (fan 2003, §2.3.4): encoded once, decoded when drawn.
//!
//! A strip is a sequence of vertices of which each three in a row form a triangle, every second one
//! reversed; a triangle with a repeated vertex is skipped. So after `a b c` the next vertex forms a
//! triangle over the side `b c`, and `a b a c` continues over the side `a c` at the cost of one
//! vertex (a *swap*); a new strip costs two.
//!
//! 1. Start at a triangle with the fewest remaining neighbours (the SGI rule, K. Akeley, P.
//!    Haeberli, D. Burns, *tomesh.c*, 1990, as named by the paper).
//! 2. From each of its sides, run as far as possible, straight on or by a swap, then the same in
//!    the other direction. Keep the run that sends the fewest vertices per triangle.
//! 3. Repeat until no triangle is left. Do this with four rules for when to turn ([`cover`]), and
//!    keep the shortest code.
//! 4. While the fraction of vertices is above a goal, take neighbouring strips apart and cover
//!    their triangles in another order ([`improve`]).

mod cover;
mod improve;

use impinge_threads::{Cancelled, Control};

use crate::Hull;
use cover::{Cover, Turn};

/// The fraction of vertices at which to stop improving. Larger: faster, more vertices.
const GOOD: f64 = 0.445;

/// A hull's triangles as strips over vertices of the mesh.
///
/// ```
/// use impinge_decompose::{Decomposition, Options, Strips};
/// use impinge_models::Shape;
/// use impinge_threads::Control;
/// let mesh = Shape::Hull.mesh(500, 1);
/// let d = Decomposition::new(&mesh, &Options::default(), &Control::NONE)?;
/// let hull = d.patches()[0].hull();
/// let strips = Strips::of(hull);
/// assert_eq!(strips.decode().len(), hull.faces().len());
/// assert!(strips.share() < 0.45);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredStrips"))]
pub struct Strips {
    pub(crate) vertices: Vec<u32>,
    pub(crate) starts: Vec<u32>,
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    pub(crate) triangles: usize,
}

impl Strips {
    /// Encodes the hull's triangles. O(n log n), repeated a bounded number of times while the
    /// fraction of vertices is above the goal.
    pub fn of(hull: &Hull) -> Self {
        let made = Self::watched(hull, &Control::NONE);
        made.unwrap_or_else(|Cancelled| unreachable!("nobody can cancel this"))
    }

    /// The same, for a caller who may want it no more: of a million triangles it takes minutes.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn watched(hull: &Hull, control: &Control<'_>) -> Result<Self, Cancelled> {
        control.check()?;
        let mut cover = Cover::new(hull.faces());
        let all: Vec<u32> = (0..hull.faces().len() as u32).collect();
        let made = Turn::ALL.map(|rule| cover.strips(&all, rule, 0));
        let best = made.into_iter().min_by_key(|runs| sent(runs)).unwrap_or_default();
        let goal = (GOOD * (3 * all.len()) as f64) as usize;
        let runs = improve::improve(&mut cover, best, goal, control)?;
        let mut strips = Self { triangles: all.len(), ..Self::default() };
        for run in runs {
            strips.starts.push(strips.vertices.len() as u32);
            strips.vertices.extend(run.sent);
        }
        Ok(strips)
    }

    /// The triangles, in the order of the strips, wound as in the hull. Each occurs once; its first
    /// corner may differ from the hull's.
    pub fn decode(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(self.triangles);
        for strip in self.iter() {
            for (k, w) in strip.windows(3).enumerate() {
                let (a, b, c) = if k % 2 == 0 { (w[0], w[1], w[2]) } else { (w[1], w[0], w[2]) };
                if a != b && b != c && c != a {
                    triangles.push([a, b, c]);
                }
            }
        }
        triangles
    }

    /// The strips, as sequences of vertex indices of the mesh.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.vertices.len() as u32]);
        self.starts.iter().zip(ends).map(|(&a, b)| &self.vertices[a as usize..b as usize])
    }

    /// The number of strips.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The mean number of triangles per strip; 0 without strips.
    pub fn mean_length(&self) -> f64 {
        if self.starts.is_empty() { 0.0 } else { self.triangles as f64 / self.starts.len() as f64 }
    }

    /// The number of vertices sent.
    pub fn sent(&self) -> usize {
        self.vertices.len()
    }

    /// Vertices sent divided by three per triangle; one endless strip approaches ⅓.
    pub fn share(&self) -> f64 {
        self.vertices.len() as f64 / (3 * self.triangles.max(1)) as f64
    }
}

fn sent(runs: &[cover::Run]) -> usize {
    runs.iter().map(|r| r.sent.len()).sum()
}
