//! A triangle in motion, and the first contact of two of them.

use impinge_geometry::Point;
use impinge_query::Contact;
use impinge_query::continuous::{Features, Impact, Interval, Moving};

use crate::features::Question;
use crate::moving_box::MovingBox;
use crate::polygon::earlier;

/// A triangle at both ends of its motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingTriangle {
    pub(crate) start: [Point; 3],
    pub(crate) end: [Point; 3],
    pub(crate) vertices: [u32; 3],
}

impl MovingTriangle {
    /// All triangles of a mesh, in order.
    pub(crate) fn all<'m>(moving: &Moving<'m>) -> impl Iterator<Item = Self> + use<'m> {
        let (mesh, end) = (moving.mesh(), moving.end());
        mesh.triangles().iter().map(move |&vertices| Self {
            start: vertices.map(|v| mesh.vertices()[v as usize]),
            end: vertices.map(|v| end[v as usize]),
            vertices,
        })
    }

    /// The first contact with another triangle, which it does not share a point with at time 0: only
    /// where a vertex reaches a face or an edge an edge can they begin to meet. With `until`,
    /// features whose boxes share no point before it, or before the first contact so far, are left out.
    pub(crate) fn first_contact(
        &self,
        other: &Self,
        until: Option<f64>,
        triangles: Contact,
    ) -> Option<Impact> {
        let mut first: Option<Impact> = None;
        let mut ask = |question: Question, p: &Part, q: &Part, features: Features| {
            if let Some(until) = until {
                let until = first.map_or(until, |first| first.time.high.min(until));
                if p.around.earliest(&q.around).is_none_or(|time| time >= until) {
                    return;
                }
            }
            // Coordinates of meshes and of motions are finite.
            let [start, end] = [0, 1].map(|k| points(question, &p.corners[k], &q.corners[k]));
            let found = question.decide(&start, &end).ok().and_then(|decision| decision.first);
            if let Some(time) = found {
                sooner(&mut first, Impact { time, triangles, features });
            }
        };
        let [a, b] = [self, other].map(|t| Part::new(t, [0, 1, 2]));
        for k in 0..3 {
            let [v, w] = [self, other].map(|t| Part::new(t, [k; 3]));
            ask(Question::VertexFace, &v, &b, Features::VertexOfA(self.vertices[k]));
            ask(Question::VertexFace, &w, &a, Features::VertexOfB(other.vertices[k]));
        }
        let [a, b] = [self, other].map(|t| [0, 1, 2].map(|k| Part::new(t, [k, (k + 1) % 3, k])));
        for (i, e) in a.iter().enumerate() {
            for (j, f) in b.iter().enumerate() {
                let ends = |t: &Self, k: usize| [t.vertices[k], t.vertices[(k + 1) % 3]];
                ask(Question::EdgeEdge, e, f, Features::Edges(ends(self, i), ends(other, j)));
            }
        }
        first
    }

    /// Their contact at time 0.
    pub(crate) const fn contact_at_start(triangles: Contact) -> Impact {
        Impact { time: Interval { low: 0.0, high: 0.0 }, triangles, features: Features::Start }
    }
}

/// A vertex, an edge or all of a triangle: its corners at both ends, some of them twice, and a box.
struct Part {
    corners: [[Point; 3]; 2],
    around: MovingBox,
}

impl Part {
    fn new(of: &MovingTriangle, corners: [usize; 3]) -> Self {
        let corners = [of.start, of.end].map(|all| corners.map(|k| all[k]));
        Self { corners, around: MovingBox::around(&corners) }
    }
}

/// The points of a question: of a vertex and a face, or of two edges.
const fn points(question: Question, p: &[Point; 3], q: &[Point; 3]) -> [Point; 4] {
    match question {
        Question::VertexFace => [p[0], q[0], q[1], q[2]],
        Question::EdgeEdge => [p[0], p[1], q[0], q[1]],
    }
}

/// Takes in one more contact: the first of both. Of the two, what has met for certain at the end of the
/// common interval is named: that with the lower end.
pub(crate) fn sooner(first: &mut Option<Impact>, next: Impact) {
    *first = Some(match *first {
        Some(best) => {
            let time = earlier(best.time, next.time);
            let of = if best.time.high <= next.time.high { best } else { next };
            Impact { time, ..of }
        }
        None => next,
    });
}
