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

    /// All pairs of a vertex and a face and of two edges that have no vertex in common.
    fn ask_features(&self, until: Option<f64>, first: &mut Option<Impact>) {
        let common = self.common();
        let mut ask = |question: Question, p: &Part, q: &Part, features: Features| {
            if let Some(until) = until {
                let until = first.map_or(until, |first| first.time.high.min(until));
                if p.around.earliest(&q.around).is_none_or(|time| time >= until) {
                    return;
                }
            }
            let [start, end] = [0, 1].map(|k| question.points(&p.corners[k], &q.corners[k]));
            if until.is_some() && parted(question, &start, &end) {
                return;
            }
            // Coordinates of meshes and of motions are finite.
            let found = question.decide(&start, &end).ok().and_then(|decision| decision.first);
            if let Some(time) = found {
                sooner(first, self.impact(time, features));
            }
        };
        let (p, q) = (self.p, self.q);
        let [a, b] = [p, q].map(|t| Part::new(t, [0, 1, 2]));
        let shared = common[0] | common[1] | common[2];
        for k in 0..3 {
            let [v, w] = [p, q].map(|t| Part::new(t, [k; 3]));
            if common[k] == 0 {
                ask(Question::VertexFace, &v, &b, Features::VertexOfA(p.vertices[k]));
            }
            if shared >> k & 1 == 0 {
                ask(Question::VertexFace, &w, &a, Features::VertexOfB(q.vertices[k]));
            }
        }
        let [a, b] = [p, q].map(|t| [0, 1, 2].map(|k| Part::new(t, [k, (k + 1) % 3, k])));
        for (i, e) in a.iter().enumerate() {
            let shared = common[i] | common[(i + 1) % 3];
            for (j, f) in b.iter().enumerate() {
                if (shared >> j | shared >> ((j + 1) % 3)) & 1 == 1 {
                    continue;
                }
                let ends = |t: &MovingTriangle, k: usize| [t.vertices[k], t.vertices[(k + 1) % 3]];
                ask(Question::EdgeEdge, e, f, Features::Edges(ends(p, i), ends(q, j)));
            }
        }
    }

    /// A contact of this pair, with its normal. At time 0 none is behind the other.
    pub(crate) fn with_normal(&self, impact: Impact) -> Impact {
        if impact.time.high == 0.0 {
            return impact;
        }
        let corner = |t: &MovingTriangle, vertex: u32| {
            let k = t.vertices.iter().position(|v| *v == vertex).unwrap_or(0);
            [k; 3]
        };
        let edge = |t: &MovingTriangle, [v, w]: [u32; 2]| {
            let [[i, ..], [j, ..]] = [corner(t, v), corner(t, w)];
            [i, j, i]
        };
        let (p, q) = (self.p, self.q);
        let (question, p, q, towards) = match impact.features {
            Features::Start => return impact,
            Features::VertexOfA(v) => {
                (Question::VertexFace, Part::new(p, corner(p, v)), Part::new(q, [0, 1, 2]), 1.0)
            }
            Features::VertexOfB(v) => {
                (Question::VertexFace, Part::new(q, corner(q, v)), Part::new(p, [0, 1, 2]), -1.0)
            }
            Features::Edges(e, f) => {
                (Question::EdgeEdge, Part::new(p, edge(p, e)), Part::new(q, edge(q, f)), 1.0)
            }
        };
        let [start, end] = [0, 1].map(|k| question.points(&p.corners[k], &q.corners[k]));
        let normal = normal::at(question, &start, &end, impact.time).map(|n| n * towards);
        Impact { normal, ..impact }
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

/// Whether all differences of the features' points are on one side of a plane through the origin at both
/// ends, and so in between: then they never meet. Tries one plane, which parts most of what is near but
/// apart, as are features of neighbours.
fn parted(question: Question, start: &[Point; 4], end: &[Point; 4]) -> bool {
    let differences = || {
        let of = |at: &[Point; 4], [p, q]: [usize; 2]| at[p] - at[q];
        question.pairs().iter().flat_map(move |&pair| [of(start, pair), of(end, pair)])
    };
    let mut normal = Vector::zeros();
    for v in differences() {
        // If one is zero this is NaN, and nothing is parted.
        normal += v / v.amax();
    }
    differences().all(|v| projection(&normal, &v) > 0.0)
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
