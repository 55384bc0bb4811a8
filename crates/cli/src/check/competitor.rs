//! One method with its prepared meshes, and its answers.

use std::time::Instant;

use impinge::query::{Certainty, Control, Meaning, QueryError, QuestionKind, Side};
use impinge::{
    Answer, Ask, Body, Course, Error, Kind, Method, Nearest, Pair, Point, Pose, RigidMotion,
    Settings, Sweep, SweepOptions, Swept, Touch, Verdict,
};

use super::{Input, Inquiry};
use crate::arguments::Check;
use crate::failure::Failure;
use crate::interrupt::CANCEL;
use crate::stored;

/// One method with its prepared meshes, or the reason why it could not prepare them.
pub(crate) struct Competitor {
    method: Method,
    /// Whether its answer is the reported one. An error of the judge ends the command; an error of
    /// another method is shown beside its answer.
    judge: bool,
    subject: Result<Subject, String>,
    /// Nanoseconds that the preparation of both meshes took.
    prepare_ns: u64,
}

/// The subject of the questions: two meshes, or one against itself.
enum Subject {
    Pair(Box<Pair>),
    Itself(Body),
}

/// What one method answered for one pose.
pub(crate) struct Outcome {
    pub(crate) method: Method,
    /// The answer to the main question: verdict and contacts.
    pub(crate) answer: Option<Answer>,
    pub(crate) distance: Option<Nearest>,
    pub(crate) nearer: Option<bool>,
    /// Whether B lies wholly inside A.
    pub(crate) contained: Option<bool>,
    /// Whether the meshes touch without going into each other; only of the judge.
    pub(crate) touching_only: Option<bool>,
    /// What happens on the way to the pose of --sweep; only of the judge.
    pub(crate) swept: Option<Swept>,
    /// Nanoseconds for the preparation of both meshes, once for all poses.
    pub(crate) prepare_ns: u64,
    /// Nanoseconds for all questions of this pose.
    pub(crate) time_ns: u64,
    /// What was asked but is not supported by the method.
    pub(crate) unanswered: Vec<&'static str>,
    /// The error if there is no answer at all.
    pub(crate) error: Option<String>,
}

impl Outcome {
    fn new(method: Method, prepare_ns: u64) -> Self {
        let (answer, distance, nearer, contained, error) = (None, None, None, None, None);
        let (touching_only, swept) = (None, None);
        let (time_ns, unanswered) = (0, Vec::new());
        Self {
            method,
            answer,
            distance,
            nearer,
            contained,
            touching_only,
            swept,
            prepare_ns,
            time_ns,
            unanswered,
            error,
        }
    }

    /// What the answer is worth: a sampled form of an exact method is as faithful as its paper.
    pub(crate) fn kind(&self) -> Kind {
        let sampled = self.answer.as_ref().map(|answer| answer.certainty);
        match (self.method.kind(), sampled) {
            (Kind::Exact, Some(Certainty::Sampled { .. } | Certainty::Rounded { .. })) => {
                Kind::Faithful
            }
            (kind, _) => kind,
        }
    }

    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.answer.as_ref().map(|answer| answer.verdict)
    }

    /// Forgets all contacts but the first `n`.
    pub(crate) fn keep(&mut self, n: usize) {
        if let Some(answer) = &mut self.answer {
            answer.contacts.truncate(n);
            answer.details.truncate(n);
        }
    }

    /// Whether the meshes are in contact, or at most the asked distance apart, also on the way to the
    /// pose of --sweep, and also if that is not known.
    pub(crate) fn is_hit(&self) -> bool {
        let in_contact = self.verdict().is_some_and(Verdict::is_hit);
        let on_the_way = self.swept.is_some_and(|s| !matches!(s.outcome, Sweep::Free { .. }));
        in_contact && self.touching_only != Some(true) || self.nearer == Some(true) || on_the_way
    }
}

impl Competitor {
    /// Prepares both meshes.
    pub(crate) fn prepare(
        inquiry: &Inquiry<'_>,
        method: Method,
        judge: bool,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        let settings = &inquiry.check.choices.settings();
        let bodies = prepare(method, settings, &inquiry.a).and_then(|a| {
            let b = inquiry.b.as_ref().map(|b| prepare(method, settings, b)).transpose()?;
            Ok((a, b))
        });
        let subject = match bodies {
            Ok((a, None)) => Ok(Subject::Itself(a)),
            Ok((a, Some(b))) => {
                let pair = Pair::of(&a, &b).map_err(|error| error.to_string());
                pair.map(|pair| Subject::Pair(Box::new(pair)))
            }
            Err(Failure::Cancelled) => return Err(Failure::Cancelled),
            Err(failure) if judge => return Err(failure),
            Err(failure) => Err(failure.to_string()),
        };
        Ok(Self { method, judge, subject, prepare_ns: since(start) })
    }

    /// Asks all questions about one pose.
    pub(crate) fn answer(&mut self, inquiry: &Inquiry<'_>, pose: &Pose) -> Result<Outcome, Error> {
        let mut outcome = Outcome::new(self.method, self.prepare_ns);
        let subject = match &mut self.subject {
            Ok(subject) => subject,
            Err(reason) => {
                outcome.error = Some(reason.clone());
                return Ok(outcome);
            }
        };
        match subject.questions(inquiry, pose, self.judge, &mut outcome) {
            Err(error @ Error::Query(QueryError::Cancelled(_))) => Err(error),
            Err(error) if self.judge => Err(error),
            Err(error) => {
                outcome = Outcome::new(self.method, self.prepare_ns);
                outcome.error = Some(error.to_string());
                Ok(outcome)
            }
            Ok(()) => Ok(outcome),
        }
    }
}

/// The mesh prepared by `method`: as it was stored, if it was stored by that method.
fn prepare(method: Method, settings: &Settings, input: &Input) -> Result<Body, Failure> {
    match &input.body {
        Some(body) if (body.method(), *settings) == (method, Settings::default()) => {
            Ok(body.clone())
        }
        _ => stored::prepare(&input.name, (method, settings), &input.mesh),
    }
}

impl Subject {
    /// Asks all questions and stores the answers in `outcome`.
    fn questions(
        &mut self,
        inquiry: &Inquiry<'_>,
        pose: &Pose,
        strict: bool,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        match self {
            Self::Pair(pair) => {
                questions(pair, inquiry, pose, strict, outcome)?;
                if let Some(end) = inquiry.check.sweep.as_ref().filter(|_| strict) {
                    let start = Instant::now();
                    outcome.swept = Some(sweep(pair, inquiry.check, [pose, end])?);
                    outcome.time_ns += since(start);
                }
                Ok(())
            }
            Self::Itself(body) if !strict && !body.method().description().self_contacts => {
                outcome.unanswered.push("contacts of a mesh with itself");
                Ok(())
            }
            Self::Itself(body) => {
                let control = Control::NONE.cancelled_by(&CANCEL);
                let ask = inquiry.main_ask();
                let answer = timed(outcome, || body.ask_self(&ask, &control))?;
                outcome.answer = Some(answer);
                Ok(())
            }
        }
    }
}

/// Asks all questions about one pair and stores the answers in `outcome`.
fn questions(
    pair: &mut Pair,
    inquiry: &Inquiry<'_>,
    pose: &Pose,
    strict: bool,
    outcome: &mut Outcome,
) -> Result<(), Error> {
    let check = inquiry.check;
    let listed = *pair.description();
    let control = Control::NONE.cancelled_by(&CANCEL);
    let mut put = |ask: &Ask, outcome: &mut Outcome| {
        timed(outcome, || pair.ask_with(pose, ask, &control).cloned())
    };
    let mut ask = inquiry.main_ask();
    if !strict {
        // Methods other than the judge answer only what they support.
        ask.details = false;
        if !listed.questions.contains(&ask.question.kind()) {
            outcome.unanswered.push("contacts");
            ask = Ask { cap: None, question: Ask::first_contact().question, ..ask };
        }
    }
    outcome.answer = Some(put(&ask, outcome)?);
    for (wanted, kind, name, ask) in [
        (check.distance, QuestionKind::Distance, "distance", inquiry.ask(Ask::distance())),
        (
            check.nearer_than.is_some(),
            QuestionKind::NearerThan,
            "nearer than",
            inquiry.ask(Ask::nearer_than(check.nearer_than.unwrap_or(0.0))),
        ),
        (
            check.contains,
            QuestionKind::ContainedIn,
            "contained in",
            inquiry.ask(Ask::contained_in()),
        ),
    ] {
        if !wanted {
            continue;
        }
        if !strict && !listed.questions.contains(&kind) {
            outcome.unanswered.push(name);
            continue;
        }
        let answer = put(&ask, outcome)?;
        outcome.distance = outcome.distance.or(answer.nearest);
        outcome.nearer = outcome.nearer.or(answer.nearer);
        outcome.contained = outcome.contained.or(answer.contained);
    }
    if check.touching_ok && strict && outcome.verdict() == Some(Verdict::Intersecting) {
        let touch = pair.touch_with(pose, &control)?;
        outcome.touching_only = touch.map(|touch| touch == Touch::Touches);
    }
    Ok(())
}

/// Moves B from one pose to another.
fn sweep(pair: &mut Pair, check: &Check, [start, end]: [&Pose; 2]) -> Result<Swept, Error> {
    let course = if check.screw { Course::Screw } else { Course::About(Point::origin()) };
    let meaning = if check.wants_solids() { Meaning::Solids } else { Meaning::Surfaces };
    let near = check.nearer_than.unwrap_or(0.0);
    let options = SweepOptions { near, meaning, ..SweepOptions::default() };
    let motion = RigidMotion::with(start, end, course)?;
    pair.sweep_with(&motion, &options, &Control::NONE.cancelled_by(&CANCEL))
}

/// Nanoseconds since `start`.
fn since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Runs one question and adds its time to the outcome.
fn timed(
    outcome: &mut Outcome,
    ask: impl FnOnce() -> Result<Answer, Error>,
) -> Result<Answer, Error> {
    let start = Instant::now();
    let answered = ask();
    outcome.time_ns += since(start);
    answered
}

impl Inquiry<'_> {
    /// The question that gives the verdict.
    fn main_ask(&self) -> Ask {
        let check = self.check;
        let mut ask = self.ask(if check.needs_contacts() {
            Ask::all_contacts()
        } else {
            Ask::first_contact()
        });
        let shown = check.picture.is_some() || check.export.is_some();
        ask.cap = check.cap.filter(|_| !shown);
        ask.details = check.details;
        ask
    }

    /// `ask` with solids and counting as set on the command line.
    fn ask(&self, mut ask: Ask) -> Ask {
        ask.count = self.check.count;
        if self.check.wants_solids() { ask.solids() } else { ask }
    }

    /// The error of a failed query, at the mesh that caused it or at the pose.
    pub(crate) fn failure(&self, pose: Option<String>, error: &Error) -> Failure {
        let input = |side: Side| if side == Side::A { &self.a.name } else { &self.b().name };
        match error {
            Error::Query(QueryError::NotClosed { side, open }) => {
                Failure::at(input(*side), format!("not a solid: {open}"))
            }
            Error::Undecided { side, source } => Failure::at(input(*side), source.to_string()),
            Error::Query(error) => {
                Failure::query(pose.unwrap_or_else(|| "check".to_owned()), error)
            }
            error => Failure::at(pose.unwrap_or_else(|| "check".to_owned()), error.to_string()),
        }
    }
}
