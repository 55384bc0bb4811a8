//! Triangle strips of a hull (fan 2003, §2.3.4): encoded once, decoded when drawn.
//!
//! A strip is a run of vertices of which each three in a row are a triangle, every second one
//! turned round; a triangle with a vertex twice is none. So after `a b c` the next vertex makes a
//! triangle over the side `b c`, and `a b a c` leads on over the side `a c` at the price of one
//! vertex (a *swap*); a new strip costs two.
//!
//! 1. Start at a triangle with the fewest neighbours that are left (the SGI rule, K. Akeley,
//!    P. Haeberli, D. Burns, *tomesh.c*, 1990, as named by the paper).
//! 2. From each of its sides, run as far as possible, straight on or by a swap, and from there
//!    the other way. Keep the run that
//!    sends the fewest vertices per triangle.
//! 3. Until no triangle is left. Four rules for where to turn are tried ([`cover`]), and the shortest
//!    code is kept.
//! 4. While the share of vertices is not good, take neighbouring strips apart and put them together
//!    in another order ([`improve`]).

mod cover;
mod improve;

use crate::Hull;
use cover::{Cover, Turn};

/// A share of vertices that is good enough to stop trying. Larger: faster, more vertices.
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
    /// Encodes the hull's triangles. O(n log n), and as much again a bounded number of times where
    /// the share of vertices is not good.
    pub fn of(hull: &Hull) -> Self {
        let mut cover = Cover::new(hull.faces());
        let all: Vec<u32> = (0..hull.faces().len() as u32).collect();
        let made = Turn::ALL.map(|rule| cover.strips(&all, rule, 0));
        let best = made.into_iter().min_by_key(|runs| sent(runs)).unwrap_or_default();
        let goal = (GOOD * (3 * all.len()) as f64) as usize;
        let runs = improve::improve(&mut cover, best, goal);
        let mut strips = Self { triangles: all.len(), ..Self::default() };
        for run in runs {
            strips.starts.push(strips.vertices.len() as u32);
            strips.vertices.extend(run.sent);
        }
        strips
    }

    /// The triangles, in the order of the strips, wound as in the hull. Each comes once; which of
    /// its corners comes first may differ.
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

    /// The strips, as runs of vertices of the mesh.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.vertices.len() as u32]);
        self.starts.iter().zip(ends).map(|(&a, b)| &self.vertices[a as usize..b as usize])
    }

    /// How many strips there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Triangles per strip; 0 without any.
    pub fn mean_length(&self) -> f64 {
        if self.starts.is_empty() { 0.0 } else { self.triangles as f64 / self.starts.len() as f64 }
    }

    /// How many vertices are sent.
    pub fn sent(&self) -> usize {
        self.vertices.len()
    }

    /// Vertices sent as a share of three per triangle; the limit for one endless strip is ⅓.
    pub fn share(&self) -> f64 {
        self.vertices.len() as f64 / (3 * self.triangles.max(1)) as f64
    }
}

/// How many vertices these strips send.
fn sent(runs: &[cover::Run]) -> usize {
    runs.iter().map(|r| r.sent.len()).sum()
}
