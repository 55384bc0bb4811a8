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
//! 3. Until no triangle is left. Three rules for where to turn are tried ([`Turn`]); on small hulls also
//!    several orders of starting, until the share of vertices is good. The shortest code is kept.

use std::collections::{BTreeSet, HashMap};

use crate::Hull;
use crate::surface::NONE;

/// How many orders of triangles with equally few neighbours are tried on a small hull.
const SALTS: u32 = 16;
/// A share of vertices that is good enough to stop trying. Larger: faster, more vertices.
const GOOD: f64 = 0.445;
/// Triangles above which one order is enough: chance averages out.
const LARGE: usize = 4096;

/// A hull's triangles as strips over vertices of the mesh.
///
/// ```
/// use impinge_decompose::{Decomposition, Options, Strips};
/// use impinge_models::Shape;
/// use impinge_query::Control;
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
    /// Encodes the hull's triangles. O(n log n).
    pub fn of(hull: &Hull) -> Self {
        let graph = Graph::new(hull.faces());
        let mut best: Option<Self> = None;
        for salt in 0..SALTS {
            for rule in [Turn::Never, Turn::ToFewer, Turn::ToLonely] {
                let made = graph.strips(rule, salt);
                if best.as_ref().is_none_or(|b| made.vertices.len() < b.vertices.len()) {
                    best = Some(made);
                }
            }
            let good = best.as_ref().is_none_or(|b| b.share() <= GOOD);
            if good || hull.faces().len() > LARGE {
                break;
            }
        }
        best.unwrap_or_default()
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

/// When to turn by a swap although the strip could go straight on.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Never,
    /// To a neighbour with fewer neighbours left.
    ToFewer,
    /// To a neighbour that would be left with none.
    ToLonely,
}

/// Triangles and their neighbours.
struct Graph<'h> {
    faces: &'h [[u32; 3]],
    across: Vec<[u32; 3]>,
    /// The triangle that runs through a side in this direction.
    sides: HashMap<(u32, u32), u32>,
}

/// What is left while strips are made.
struct Left {
    free: Vec<bool>,
    degree: Vec<u32>,
    /// By number of neighbours, then in an order that depends on the salt.
    queue: BTreeSet<(u32, u32, u32)>,
    salt: u32,
}

/// Another order of triangles for every salt; the given one for 0.
fn mixed(f: u32, salt: u32) -> u32 {
    if salt == 0 { f } else { (f ^ salt.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B) }
}

impl<'h> Graph<'h> {
    fn new(faces: &'h [[u32; 3]]) -> Self {
        let mut sides = HashMap::with_capacity(3 * faces.len());
        for (f, t) in (0u32..).zip(faces) {
            for k in 0..3 {
                sides.insert((t[k], t[(k + 1) % 3]), f);
            }
        }
        let back = |a: u32, b: u32| sides.get(&(b, a)).copied().unwrap_or(NONE);
        let across = faces.iter().map(|&[a, b, c]| [back(a, b), back(b, c), back(c, a)]).collect();
        Self { faces, across, sides }
    }

    fn strips(&self, rule: Turn, salt: u32) -> Strips {
        let n = self.faces.len();
        let real = |f: &[u32; 3]| f.iter().filter(|&&g| g != NONE).count() as u32;
        let degree: Vec<u32> = self.across.iter().map(real).collect();
        let queue = degree.iter().zip(0u32..).map(|(&d, f)| (d, mixed(f, salt), f)).collect();
        let mut left = Left { free: vec![true; n], degree, queue, salt };
        let mut strips = Strips { triangles: n, ..Strips::default() };
        while let Some(&(_, _, first)) = left.queue.first() {
            let run = |k: usize| self.run(&mut left, first, k, rule);
            let runs = [0, 1, 2].map(run);
            let cost =
                |(sent, faces): &(Vec<u32>, Vec<u32>)| sent.len() as f64 / faces.len() as f64;
            let [a, b, c] = runs;
            let best = if cost(&b) < cost(&a) { b } else { a };
            let (sent, faces) = if cost(&c) < cost(&best) { c } else { best };
            strips.starts.push(strips.vertices.len() as u32);
            strips.vertices.extend(sent);
            for f in faces {
                self.take(&mut left, f);
            }
        }
        strips
    }

    fn take(&self, left: &mut Left, f: u32) {
        left.free[f as usize] = false;
        left.queue.remove(&(left.degree[f as usize], mixed(f, left.salt), f));
        for g in self.across[f as usize] {
            if g != NONE && left.free[g as usize] {
                let degree = &mut left.degree[g as usize];
                left.queue.remove(&(*degree, mixed(g, left.salt), g));
                *degree -= 1;
                left.queue.insert((*degree, mixed(g, left.salt), g));
            }
        }
    }

    /// The vertices and triangles of a strip from corner `k` of a triangle; changes nothing.
    fn run(&self, left: &mut Left, first: u32, k: usize, rule: Turn) -> (Vec<u32>, Vec<u32>) {
        let t = self.faces[first as usize];
        let mut sent = vec![t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
        let mut faces = vec![first];
        left.free[first as usize] = false;
        self.extend(left, (&mut sent, &mut faces), first, rule);
        // The other way, from the first triangle; a swap there was for nothing.
        sent.reverse();
        if sent[sent.len() - 3] == sent[sent.len() - 1] {
            sent.pop();
        }
        self.extend(left, (&mut sent, &mut faces), first, rule);
        for &f in &faces {
            left.free[f as usize] = true;
        }
        if !self.is_upright(&sent) {
            sent.reverse();
            if !self.is_upright(&sent) {
                sent.insert(0, sent[0]);
            }
        }
        (sent, faces)
    }

    /// Are the strip's triangles wound as in the hull?
    fn is_upright(&self, sent: &[u32]) -> bool {
        let real = |w: &&[u32]| w[0] != w[1] && w[1] != w[2] && w[2] != w[0];
        let Some(k) = sent.windows(3).position(|w| real(&w)) else { return true };
        let (a, b) = if k % 2 == 0 { (k, k + 1) } else { (k + 1, k) };
        let face = self.sides.get(&(sent[a], sent[b]));
        face.is_some_and(|&f| self.faces[f as usize].contains(&sent[k + 2]))
    }

    /// Goes on from the triangle at the end of a strip as long as that is possible.
    fn extend(
        &self,
        left: &mut Left,
        (sent, faces): (&mut Vec<u32>, &mut Vec<u32>),
        mut at: u32,
        rule: Turn,
    ) {
        loop {
            let n = sent.len();
            let [w, x, y] = [sent[n - 3], sent[n - 2], sent[n - 1]];
            let on = self.beyond(left, at, x, y);
            let turn = self.beyond(left, at, w, y);
            let is_free = |g: &&u32| **g != NONE && left.free[**g as usize];
            let degree = |f: u32| self.across[f as usize].iter().filter(is_free).count();
            let swap = match (on, turn) {
                (NONE, NONE) => break,
                (NONE, _) => true,
                (_, NONE) => false,
                (f, g) => match rule {
                    Turn::Never => false,
                    Turn::ToFewer => degree(g) < degree(f),
                    Turn::ToLonely => degree(g) == 0 && degree(f) > 0,
                },
            };
            let next = if swap { turn } else { on };
            if swap {
                sent.insert(n - 1, w);
            }
            let last = self.faces[next as usize]
                .into_iter()
                .find(|&v| v != y && v != if swap { w } else { x });
            sent.push(last.unwrap_or(y));
            left.free[next as usize] = false;
            faces.push(next);
            at = next;
        }
    }

    /// The triangle that is left across the side between two corners, or none.
    fn beyond(&self, left: &Left, f: u32, p: u32, q: u32) -> u32 {
        let t = self.faces[f as usize];
        let side = (0..3).find(|&k| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            (a, b) == (p, q) || (a, b) == (q, p)
        });
        let g = side.map_or(NONE, |k| self.across[f as usize][k]);
        if g != NONE && left.free[g as usize] { g } else { NONE }
    }
}
