//! The answer to one pose as a JSON object. Its keys are a stable interface, listed by
//! `impinge check --help`.

use impinge::geometry::exact::Meeting;
use impinge::query::{Backend, Certainty, Detail, Inner, Statistics};
use impinge::{Answer, Exit, Nearest, Penetration, Sweep, Swept, Verdict};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::competitor::Outcome;
use super::{Answers, Input, Inquiry};
use crate::output::JSON_VERSION;

/// One line of `--json`.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    version: u32,
    a: MeshLine<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<MeshLine<'a>>,
    pose: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(flatten)]
    verdict: VerdictWord,
    contacts: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts_found: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faces: Option<Vec<[u32; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Vec<DetailLine<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Distance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearer_than: Option<NearerThan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    penetration: Option<Depth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<ExitLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    touching_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contains: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<SweepLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disagree: Vec<&'static str>,
    #[serde(serialize_with = "by_word")]
    methods: Vec<MethodLine<'a>>,
}

/// One of the meshes.
#[derive(Serialize)]
struct MeshLine<'a> {
    file: &'a str,
    triangles: usize,
    vertices: usize,
}

impl<'a> MeshLine<'a> {
    fn of(input: &'a Input) -> Self {
        let Input { name, mesh, .. } = input;
        Self { file: name, triangles: mesh.triangles().len(), vertices: mesh.vertices().len() }
    }
}

/// `verdict`, and `inner` if contained; both null if there is no verdict.
#[derive(Serialize)]
struct VerdictWord {
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Inner>,
}

impl VerdictWord {
    fn of(verdict: Option<Verdict>) -> Self {
        let inner = match verdict {
            Some(Verdict::Contained(inner)) => Some(inner),
            _ => None,
        };
        Self { verdict: verdict.map(Verdict::word), inner }
    }
}

/// Where a pair of triangles meets.
#[derive(Serialize)]
struct DetailLine<'a> {
    kind: &'static str,
    points: &'a [impinge::Point],
    normal: [f64; 3],
}

impl<'a> DetailLine<'a> {
    fn of(detail: &'a Detail) -> Self {
        let kind = match detail.meeting {
            Meeting::Point(_) => "point",
            Meeting::Segment(_) => "segment",
            Meeting::Polygon(_) => "polygon",
        };
        Self { kind, points: detail.meeting.points(), normal: detail.normal.into() }
    }
}

#[derive(Serialize)]
struct Distance {
    value: f64,
    on_a: [f64; 3],
    on_b: [f64; 3],
    triangles: [u32; 2],
}

impl From<Nearest> for Distance {
    fn from(nearest: Nearest) -> Self {
        Self {
            value: nearest.distance,
            on_a: nearest.on_a.into(),
            on_b: nearest.on_b.into(),
            triangles: [nearest.triangles.a, nearest.triangles.b],
        }
    }
}

#[derive(Serialize)]
struct Depth {
    lower: f64,
    upper: f64,
    translation: [f64; 3],
}

impl From<Penetration> for Depth {
    fn from(found: Penetration) -> Self {
        let Penetration { lower, upper, translation, .. } = found;
        Self { lower, upper, translation: translation.into() }
    }
}

/// The way out along the direction of --exit.
#[derive(Serialize)]
struct ExitLine {
    by: f64,
    low: f64,
    high: f64,
    translation: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<[u32; 2]>,
}

impl From<Exit> for ExitLine {
    fn from(found: Exit) -> Self {
        Self {
            by: found.by,
            low: found.end.low,
            high: found.end.high,
            translation: (*found.pose.translation()).into(),
            triangles: found.triangles.map(|pair| [pair.a, pair.b]),
        }
    }
}

#[derive(Serialize)]
struct NearerThan {
    value: f64,
    nearer: bool,
}

/// What happens on the way of --sweep.
#[derive(Default, Serialize)]
struct SweepLine {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<f64>,
    distances: u32,
}

impl From<&Swept> for SweepLine {
    fn from(swept: &Swept) -> Self {
        let outcome = swept.outcome.word();
        let line = Self { outcome, distances: swept.distances, ..Self::default() };
        match swept.outcome {
            Sweep::Touching { low, high, distance, triangles } => Self {
                low: Some(low),
                high: Some(high),
                distance: Some(distance),
                triangles: triangles.map(|triangles| [triangles.a, triangles.b]),
                ..line
            },
            Sweep::Free { gap, nearest } => Self { gap: Some(gap), nearest: Some(nearest), ..line },
            Sweep::Undecided { low, high, nearest } => {
                Self { low: Some(low), high: Some(high), nearest: Some(nearest), ..line }
            }
        }
    }
}

/// The answer of one method.
#[derive(Serialize)]
struct MethodLine<'a> {
    #[serde(skip)]
    word: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    verdict: VerdictWord,
    contacts_found: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearer: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contains: Option<bool>,
    /// Of both meshes, once for all poses.
    prepare_ns: u64,
    time_ns: u64,
    stats: Option<&'a Statistics>,
    certainty: Option<Certainty>,
    backend: Option<&'a Backend>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unanswered: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl<'a> MethodLine<'a> {
    fn of(outcome: &'a Outcome) -> Self {
        let answer = outcome.answer.as_ref();
        Self {
            word: outcome.method.word(),
            kind: outcome.kind().word(),
            verdict: VerdictWord::of(outcome.verdict()),
            contacts_found: answer.map(|answer| answer.contacts_found),
            distance: outcome.distance.map(|nearest| nearest.distance),
            nearer: outcome.nearer,
            contains: outcome.contained,
            prepare_ns: outcome.prepare_ns,
            time_ns: outcome.time_ns,
            stats: answer.and_then(|answer| answer.statistics.as_ref()),
            certainty: answer.map(|answer| answer.certainty),
            backend: answer.map(|answer| &answer.backend),
            unanswered: &outcome.unanswered,
            error: outcome.error.as_deref(),
        }
    }
}

/// Writes an object with the methods' names as keys, in order.
fn by_word<S: Serializer>(methods: &[MethodLine<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(methods.len()))?;
    for method in methods {
        map.serialize_entry(method.word, method)?;
    }
    map.end()
}

impl<'a> Row<'a> {
    /// The answer to one pose as a row.
    pub(crate) fn new(inquiry: &'a Inquiry<'_>, answers: &Answers<'a>) -> Self {
        let (check, judge) = (inquiry.check, answers.judge);
        let answer = judge.answer.as_ref();
        let all = check.wants_contacts();
        let details = |answer: &'a Answer| answer.details.iter().map(DetailLine::of).collect();
        let contacts = answer.map_or(&[][..], |answer| &answer.contacts);
        Self {
            version: JSON_VERSION,
            a: MeshLine::of(&inquiry.a),
            b: inquiry.other().map(MeshLine::of),
            pose: answers.index,
            line: answers.line,
            verdict: VerdictWord::of(judge.verdict()),
            contacts: contacts.iter().map(|c| [c.a, c.b]).collect(),
            contacts_found: answer.filter(|_| all).map(|answer| answer.contacts_found),
            faces: inquiry.has_faces().then(|| {
                contacts.iter().map(|c| [inquiry.face_a(c.a), inquiry.face_b(c.b)]).collect()
            }),
            details: answer.filter(|_| check.details).map(details),
            distance: judge.distance.map(Distance::from),
            nearer_than: check
                .nearer_than
                .zip(judge.nearer)
                .map(|(value, nearer)| NearerThan { value, nearer }),
            penetration: answers.penetration.map(Depth::from),
            exit: answers.exit.map(ExitLine::from),
            touching_only: judge.touching_only,
            contains: judge.contained,
            sweep: judge.swept.as_ref().map(SweepLine::from),
            disagree: answers.disagreeing().map(|outcome| outcome.method.word()).collect(),
            methods: answers.all.iter().map(MethodLine::of).collect(),
        }
    }
}

impl Inquiry<'_> {
    /// Whether the triangles of a mesh were cut from polygons.
    pub(crate) fn has_faces(&self) -> bool {
        self.a.mesh.faces().is_some() || self.b().mesh.faces().is_some()
    }

    /// The polygon that a triangle of A was cut from.
    pub(crate) fn face_a(&self, triangle: u32) -> u32 {
        self.a.mesh.face_of(triangle)
    }

    /// The polygon that a triangle of B was cut from.
    pub(crate) fn face_b(&self, triangle: u32) -> u32 {
        self.b().mesh.face_of(triangle)
    }
}

impl<'o> Answers<'o> {
    /// The methods whose verdict differs from the judge's.
    pub(crate) fn disagreeing(&self) -> impl Iterator<Item = &'o Outcome> {
        let judged = self.judge.verdict();
        self.all.iter().filter(move |o| o.verdict().is_some() && o.verdict() != judged)
    }
}
