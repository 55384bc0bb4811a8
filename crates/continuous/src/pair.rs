//! Two triangles in motion, and when they meet first.

use impinge_geometry::{Point, Vector, exact};
use impinge_query::Contact;
use impinge_query::continuous::{Features, Impact, Interval};

use crate::approach::projection;
use crate::features::Question;
use crate::moving_box::MovingBox;
use crate::normal;
use crate::polygon::earlier;
use crate::triangle::MovingTriangle;

/// Whose triangles are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// Those of one mesh with those of another.
    TwoMeshes,
    /// Those of a mesh with each other: what they have in common is no contact.
    OneMesh,
}

/// A triangle of A and one of B. In one mesh, A's has the lower index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'a> {
    p: &'a MovingTriangle,
    q: &'a MovingTriangle,
    pub(crate) triangles: Contact,
    of: Of,
}

/// Bit `l` of entry `k` is set if corner `k` of A's triangle is corner `l` of B's.
type Common = [u8; 3];

impl<'a> Pair<'a> {
    /// Triangle `i` of A and triangle `j` of B. `None` if they are one triangle.
    #[inline]
    pub(crate) fn new(of: Of, [a, b]: [&'a [MovingTriangle]; 2], [i, j]: [u32; 2]) -> Option<Self> {
        let [i, j] = match of {
            Of::TwoMeshes => [i, j],
            Of::OneMesh if i == j => return None,
            Of::OneMesh => [i.min(j), i.max(j)],
        };
        let (p, q) = (&a[i as usize], &b[j as usize]);
        Some(Self { p, q, triangles: Contact { a: i, b: j }, of })
    }

    /// The first contact. With `until`, it need not be found if it is not before; and features whose
    /// boxes do not meet before are left out.
    ///
    /// Unless triangles meet at time 0, they can only begin to meet where a vertex reaches a face or an
    /// edge an edge. `from` is a time before which they are known to be apart.
    pub(crate) fn first_contact(&self, from: f64, until: Option<f64>) -> Option<Impact> {
        if from == 0.0 && self.meets_at_start() {
            let time = Interval { low: 0.0, high: 0.0 };
            return Some(self.impact(time, Features::Start));
        }
        let mut first = None;
        self.ask_features(until, &mut first);
        first
    }

    /// Both triangles, A's first.
    pub(crate) const fn both(&self) -> [&'a MovingTriangle; 2] {
        [self.p, self.q]
    }

    fn meets_at_start(&self) -> bool {
        let (p, q) = (&self.p.start, &self.q.start);
        match self.of {
            Of::TwoMeshes => exact::triangles_meet(p, q),
            Of::OneMesh => exact::meet_elsewhere(p, q),
        }
    }

    const fn impact(&self, time: Interval, features: Features) -> Impact {
        Impact { time, triangles: self.triangles, features, normal: None }
    }

    fn common(&self) -> Common {
        let mut common = [0; 3];
        if self.of == Of::OneMesh {
            for (k, bits) in common.iter_mut().enumerate() {
                *bits = (0..3).map(|l| u8::from(self.p.shares(k, self.q, l)) << l).sum();
            }
        }
        common
    }

    /// Whether both have a vertex in common, in one mesh.
    pub(crate) fn has_common_vertex(&self) -> bool {
        self.common() != [0; 3]
    }

    /// All pairs of a vertex and a face and of two edges that have no vertex in common.
    fn ask_features(&self, until: Option<f64>, first: &mut Option<Impact>) {
        let common = self.common();
        let mut ask = |query: &Query, features: Features| {
            if let Some(until) = until {
                let until = first.map_or(until, |first| first.time.high.min(until));
                if query.earliest().is_none_or(|time| time >= until) || query.parted() {
                    return;
                }
            }
            if let Some(time) = query.first_contact() {
                sooner(first, self.impact(time, features));
            }
        };
        let (p, q) = (self.p, self.q);
        let shared = common[0] | common[1] | common[2];
        for k in 0..3 {
            if common[k] == 0 {
                ask(&Query::vertex_face(p, k, q), Features::VertexOfA(p.vertices[k]));
            }
            if shared >> k & 1 == 0 {
                ask(&Query::vertex_face(q, k, p), Features::VertexOfB(q.vertices[k]));
            }
        }
        for i in 0..3 {
            let shared = common[i] | common[(i + 1) % 3];
            for j in 0..3 {
                if (shared >> j | shared >> ((j + 1) % 3)) & 1 == 1 {
                    continue;
                }
                let ends = |t: &MovingTriangle, k: usize| [t.vertices[k], t.vertices[(k + 1) % 3]];
                let query = Query::edges(p, [i, (i + 1) % 3], q, [j, (j + 1) % 3]);
                ask(&query, Features::Edges(ends(p, i), ends(q, j)));
            }
        }
    }

    /// A contact of this pair, with its normal. At time 0 none is behind the other.
    pub(crate) fn with_normal(&self, impact: Impact) -> Impact {
        if impact.time.high == 0.0 {
            return impact;
        }
        let (p, q) = (self.p, self.q);
        let (query, towards) = match impact.features {
            Features::Start => return impact,
            Features::VertexOfA(v) => (Query::vertex_face(p, p.corner(v), q), 1.0),
            Features::VertexOfB(v) => (Query::vertex_face(q, q.corner(v), p), -1.0),
            Features::Edges(e, f) => {
                let (e, f) = (e.map(|v| p.corner(v)), f.map(|v| q.corner(v)));
                (Query::edges(p, e, q, f), 1.0)
            }
        };
        let normal = normal::at(query.question, &query.start, &query.end, impact.time);
        Impact { normal: normal.map(|n| n * towards), ..impact }
    }
}

/// A question with its points.
pub(crate) struct Query {
    question: Question,
    start: [Point; 4],
    end: [Point; 4],
    /// How many points are of the first feature; the others are of the second.
    of_first: usize,
}

impl Query {
    /// Corner `k` of one triangle, and the other one.
    #[inline]
    pub(crate) const fn vertex_face(p: &MovingTriangle, k: usize, q: &MovingTriangle) -> Self {
        Self {
            question: Question::VertexFace,
            start: [p.start[k], q.start[0], q.start[1], q.start[2]],
            end: [p.end[k], q.end[0], q.end[1], q.end[2]],
            of_first: 1,
        }
    }

    /// Edges of two triangles, each from one corner to another.
    #[inline]
    pub(crate) const fn edges(
        p: &MovingTriangle,
        [a, b]: [usize; 2],
        q: &MovingTriangle,
        e: [usize; 2],
    ) -> Self {
        let [c, d] = e;
        Self {
            question: Question::EdgeEdge,
            start: [p.start[a], p.start[b], q.start[c], q.start[d]],
            end: [p.end[a], p.end[b], q.end[c], q.end[d]],
            of_first: 2,
        }
    }

    pub(crate) fn first_contact(&self) -> Option<Interval> {
        // Coordinates of meshes and of motions are finite.
        self.question.decide(&self.start, &self.end).ok()?.first
    }

    /// A time before which the boxes of both features do not meet; `None` if they never do.
    #[inline]
    fn earliest(&self) -> Option<f64> {
        let [start, end] = [&self.start, &self.end].map(|at| at.split_at(self.of_first));
        MovingBox::around(start.0, end.0).earliest(&MovingBox::around(start.1, end.1))
    }

    /// Whether all differences of the features' points are on one side of a plane through the origin at
    /// both ends, and so in between: then they never meet. Tries one plane, which parts most of what is
    /// near but apart, as are features of neighbours.
    fn parted(&self) -> bool {
        let differences = || {
            let of = |at: &[Point; 4], [p, q]: [usize; 2]| at[p] - at[q];
            let pairs = self.question.pairs().iter();
            pairs.flat_map(move |&pair| [of(&self.start, pair), of(&self.end, pair)])
        };
        let mut normal = Vector::zeros();
        for v in differences() {
            // If one is zero this is NaN, and nothing is parted.
            normal += v / v.amax();
        }
        differences().all(|v| projection(&normal, &v) > 0.0)
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
