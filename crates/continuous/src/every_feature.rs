//! Brute force: every vertex against every face, every edge against every edge.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, exact};
use impinge_query::continuous::{Continuous, Features, Impact, Interval, Moving};
use impinge_query::{Cancelled, Contact, Control};

use crate::features::{edge_edge, vertex_face};
use crate::polygon::earlier;

/// All pairs of triangles whose boxes over the whole motion meet, feature by feature: what other
/// methods are compared with. Exact. O(n m).
///
/// Triangles that share a point at time 0 are found by the exact test of triangles; later ones can
/// only begin to meet where a vertex reaches a face or an edge an edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct EveryFeature;

/// A triangle at both ends of its motion.
struct Swept {
    start: [Point; 3],
    end: [Point; 3],
    vertices: [u32; 3],
    bounds: Aabb,
}

impl Swept {
    fn all(moving: &Moving<'_>) -> Vec<Self> {
        let of = |&vertices: &[u32; 3]| {
            let start = vertices.map(|v| moving.mesh().vertices()[v as usize]);
            let end = vertices.map(|v| moving.end()[v as usize]);
            let all = start
                .iter()
                .chain(&end)
                .fold((start[0], start[0]), |(min, max), p| (min.inf(p), max.sup(p)));
            Self { start, end, vertices, bounds: Aabb { min: all.0, max: all.1 } }
        };
        moving.mesh().triangles().iter().map(of).collect()
    }

    /// The first contact with another triangle, which it does not share a point with at time 0.
    fn first_contact(&self, other: &Self) -> Option<(Interval, Features)> {
        let mut first: Option<(Interval, Features)> = None;
        let mut offer = |time: Option<Interval>, features| {
            let Some(time) = time else { return };
            first = Some(match first {
                Some((best, of)) if best.low <= time.low => (earlier(best, time), of),
                Some((best, _)) => (earlier(best, time), features),
                None => (time, features),
            });
        };
        for k in 0..3 {
            let points = |v: &[Point; 3], t: &[Point; 3]| [v[k], t[0], t[1], t[2]];
            let of_a =
                vertex_face(&points(&self.start, &other.start), &points(&self.end, &other.end));
            let of_b =
                vertex_face(&points(&other.start, &self.start), &points(&other.end, &self.end));
            // Coordinates of meshes and of motions are finite.
            offer(of_a.unwrap_or(None), Features::VertexOfA(self.vertices[k]));
            offer(of_b.unwrap_or(None), Features::VertexOfB(other.vertices[k]));
        }
        for i in 0..3 {
            for j in 0..3 {
                let points =
                    |p: &[Point; 3], q: &[Point; 3]| [p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]];
                let time =
                    edge_edge(&points(&self.start, &other.start), &points(&self.end, &other.end));
                let ends = |t: &Self, k: usize| [t.vertices[k], t.vertices[(k + 1) % 3]];
                offer(time.unwrap_or(None), Features::Edges(ends(self, i), ends(other, j)));
            }
        }
        first
    }
}

impl Continuous for EveryFeature {
    fn word(&self) -> &'static str {
        "every-feature"
    }

    fn first_contact(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let (of_a, of_b) = (Swept::all(a), Swept::all(b));
        let mut first: Option<Impact> = None;
        for (i, p) in (0u32..).zip(&of_a) {
            for (j, q) in (0u32..).zip(&of_b).filter(|(_, q)| p.bounds.overlaps(&q.bounds)) {
                control.check()?;
                let triangles = Contact { a: i, b: j };
                if exact::triangles_meet(&p.start, &q.start) {
                    let time = Interval { low: 0.0, high: 0.0 };
                    return Ok(Some(Impact { time, triangles, features: Features::Start }));
                }
                let Some((time, features)) = p.first_contact(q) else { continue };
                let next = Impact { time, triangles, features };
                first = Some(match first {
                    Some(best) => {
                        let sooner = if best.time.low <= time.low { best } else { next };
                        Impact { time: earlier(best.time, time), ..sooner }
                    }
                    None => next,
                });
            }
        }
        Ok(first)
    }
}
