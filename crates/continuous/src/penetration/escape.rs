//! Ways out: translations after which the bodies are apart, each verified by the exact test.
//!
//! A way out is shortened as follows (in the manner of C. Je, M. Tang, Y. Lee, M. Lee, Y. J. Kim,
//! `PolyDepth`, ACM Transactions on Graphics 31, 2012, without motion between the steps). For two
//! triangles that are apart after a translation `v`, the slab between their nearest points keeps them
//! apart after every `w` with `n · (w − v) ≥ −gap`. The shortest `w` in these half-spaces is tried; the
//! pairs of triangles that meet there give more half-spaces; if none meet, `w` is the next `v`.

use impinge_geometry::{Vector, triangle};
use impinge_query::{Cancelled, Contact};

use super::halfspaces::{HalfSpace, shortest};
use super::scene::Scene;

/// Pairs of triangles that a try takes in at most.
const PAIRS: usize = 128;
/// Tries of one improvement at most.
const TRIES: usize = 60;
/// How much of the length a half-space keeps from its border.
const MARGIN: f64 = 1e-10;

/// The shortest way out so far.
pub(crate) struct Escape<'s, 'q> {
    scene: &'s Scene<'q>,
    best: Vector,
    /// Exact tests that were made.
    pub(crate) tests: u64,
}

impl<'s, 'q> Escape<'s, 'q> {
    /// Starts from the shortest of the ways past the bounding boxes.
    pub(crate) fn new(scene: &'s Scene<'q>) -> Result<Option<Self>, Cancelled> {
        let (a, b) = (scene.a.bounds(), scene.b.bounds());
        let beyond = |x: f64| x + 4.0 * scene.slack;
        let mut ways: Vec<Vector> = (0..3)
            .flat_map(|k| {
                let axis = Vector::ith(k, 1.0);
                let up = beyond((a.high[k] - b.low[k]).max(0.0));
                [axis * up, axis * -beyond((b.high[k] - a.low[k]).max(0.0))]
            })
            .collect();
        ways.sort_by(|p, q| p.norm_squared().total_cmp(&q.norm_squared()));
        for way in ways {
            if scene.apart(&way)? {
                return Ok(Some(Self { scene, best: way, tests: 1 }));
            }
        }
        Ok(None)
    }

    pub(crate) const fn best(&self) -> &Vector {
        &self.best
    }

    pub(crate) fn length(&self) -> f64 {
        self.best.norm()
    }

    /// Tries a translation; if it parts the bodies and is shorter, it is taken and improved.
    pub(crate) fn offer(&mut self, v: Vector) -> Result<bool, Cancelled> {
        if !(v.norm() < self.length()) {
            return Ok(false);
        }
        self.tests += 1;
        if !self.scene.apart(&v)? {
            return Ok(false);
        }
        self.improve(v)?;
        Ok(true)
    }

    /// Shortens a translation that parts the bodies, and keeps it if it is the shortest.
    pub(crate) fn improve(&mut self, mut v: Vector) -> Result<(), Cancelled> {
        let mut spaces: Vec<HalfSpace> = Vec::new();
        for _ in 0..TRIES {
            let length = v.norm();
            let tolerance = 0.25 * MARGIN * length;
            let Some(mut w) = shortest(&spaces, tolerance) else { break };
            if w.norm() >= length * (1.0 - 1e-7) {
                break;
            }
            self.tests += 1;
            let met = self.scene.contacts(&w, PAIRS)?.unwrap_or_default();
            if met.is_empty() {
                // Not past a place where one is inside the other.
                let mut tries = 0;
                while tries < 4 && !self.scene.apart(&w)? {
                    w = (w + v) * 0.5;
                    tries += 1;
                }
                if tries == 4 {
                    break;
                }
                v = w;
                spaces.clear();
                continue;
            }
            spaces.extend(met.iter().filter_map(|pair| self.slab(&v, *pair)));
        }
        if v.norm() < self.length() {
            self.best = v;
        }
        Ok(())
    }

    /// The translations for which the slab between two triangles keeps them apart.
    fn slab(&self, v: &Vector, pair: Contact) -> Option<HalfSpace> {
        let p = &self.scene.a.triangles[pair.a as usize];
        let q = self.scene.b.triangles[pair.b as usize].map(|x| x + v);
        let (gap, on_p, on_q) = triangle::distance(p, &q);
        let normal = (on_q - on_p).try_normalize(0.0)?;
        let least = normal.dot(v) - gap + MARGIN * v.norm();
        Some(HalfSpace { normal, least: least.min(normal.dot(v)) })
    }
}
