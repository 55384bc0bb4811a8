//! Conservative advancement: where to ask next, and when to end.

use impinge_geometry::Pose;
use impinge_query::{Answer, Ask, Control, Detector, Nearest, Prepared, QueryError};

use super::clear::{Apart, Clear};
use super::extent::Extent;
use super::motion::RigidMotion;
use super::moves::{Moves, Velocity, length};
use super::outcome::{Sweep, SweepError, SweepOptions, Swept};
use super::relative::RelativeMotion;

/// How a sweep asks a method about a pose: [`Engine::query`](impinge_query::Engine::query) or
/// [`Detector::query`] of two models with some memory.
pub type Questions<'q> =
    dyn FnMut(&Pose, &Ask, &Control<'_>, &mut Answer) -> Result<(), QueryError> + 'q;

/// Sweeps B through a motion past A, both prepared by `detector`. Its verdicts are as good as those of
/// the method, which must answer distances. The same call gives the same bits, if the method does.
///
/// # Errors
/// [`SweepError`], also if the caller cancelled.
pub fn sweep(
    detector: &dyn Detector,
    [a, b]: [&Prepared; 2],
    motion: &RigidMotion,
    options: &SweepOptions,
    control: &Control<'_>,
) -> Result<Swept, SweepError> {
    let extent = |model: &Prepared| {
        let mesh = model.mesh().ok_or_else(|| SweepError::NoMesh { word: model.word() })?;
        Ok::<_, SweepError>(Extent::new(mesh, control).map_err(QueryError::from)?)
    };
    let extents = [extent(a)?, extent(b)?];
    let mut memory = detector.memory();
    let mut ask = |pose: &Pose, ask: &Ask, control: &Control<'_>, answer: &mut Answer| {
        detector.query(a, b, pose, &mut memory, ask, control, answer)
    };
    sweep_by(&mut ask, extents.each_ref(), motion, options, control)
}

/// As [`sweep`], by any way to ask, and with extents of A and of B that were made before.
///
/// # Errors
/// As there.
pub fn sweep_by(
    questions: &mut Questions<'_>,
    [a, b]: [&Extent; 2],
    motion: &RigidMotion,
    options: &SweepOptions,
    control: &Control<'_>,
) -> Result<Swept, SweepError> {
    moved(questions, [a, b], motion, options, control)
}

/// As [`sweep_by`], where A moves, too. Times and poses are those of [`RelativeMotion::pose_at`].
///
/// # Errors
/// As [`sweep`].
pub fn sweep_both(
    questions: &mut Questions<'_>,
    [a, b]: [&Extent; 2],
    motion: &RelativeMotion,
    options: &SweepOptions,
    control: &Control<'_>,
) -> Result<Swept, SweepError> {
    moved(questions, [a, b], motion, options, control)
}

fn moved(
    questions: &mut Questions<'_>,
    [a, b]: [&Extent; 2],
    motion: &dyn Moves,
    options: &SweepOptions,
    control: &Control<'_>,
) -> Result<Swept, SweepError> {
    options.validate()?;
    Advance {
        questions,
        motion,
        clear: Clear::new(motion, a, b),
        options,
        control,
        answer: Answer::default(),
        apart: Vec::new(),
        hit: None,
        nearest: f64::INFINITY,
        distances: 0,
        comparisons: 0,
    }
    .run()
}

/// A time at which the bodies are apart, and how they close in.
#[derive(Clone, Copy, Debug)]
struct Known {
    apart: Apart,
    distance: f64,
    /// How fast the distance decreases, if the nearest triangles stay the nearest.
    closing: f64,
}

struct Advance<'s, 'q> {
    questions: &'s mut Questions<'q>,
    motion: &'s dyn Moves,
    clear: Clear<'s>,
    options: &'s SweepOptions,
    control: &'s Control<'s>,
    answer: Answer,
    /// In ascending order of the first time that each proves.
    apart: Vec<Known>,
    /// The earliest contact, as [`Sweep::Touching`].
    hit: Option<(f64, Sweep)>,
    nearest: f64,
    distances: u32,
    comparisons: u32,
}

/// What is not yet decided: the bodies are apart up to its beginning, by the last of the known times before
/// it, and touch at its end or are apart from there on.
#[derive(Clone, Copy, Debug)]
struct Open {
    from: f64,
    to: f64,
    before: usize,
    /// Whether it and what is known beside it are so short that nothing is gained by asking, or it ends with a
    /// contact that is known as narrowly as was asked.
    hopeless: bool,
}

impl Advance<'_, '_> {
    fn run(mut self) -> Result<Swept, SweepError> {
        self.ask(0.0)?;
        let outcome = loop {
            // Time 1 is to be known, too.
            let end = self.hit.map_or(1.0_f64.next_up(), |(time, _)| time);
            let open = self.open(end);
            let low = open.first().map_or(end, |open| open.from);
            let wide = self.hit.is_none() || end - low > self.width();
            let next = open.iter().find(|open| !open.hopeless);
            if let Some(next) = next.filter(|_| wide && self.asked() < self.options.budget) {
                self.ask(self.next(next))?;
                continue;
            }
            break match (self.hit, open.last()) {
                (Some((_, touching)), _) => touching_from(low, touching),
                (None, Some(last)) => {
                    Sweep::Undecided { low, high: last.to.min(1.0), nearest: self.nearest }
                }
                (None, None) => Sweep::Free { gap: self.gap(), nearest: self.nearest },
            };
        };
        Ok(Swept { outcome, distances: self.distances, comparisons: self.comparisons })
    }

    const fn asked(&self) -> u32 {
        self.distances + self.comparisons
    }

    /// The asked width: no interval is wider than the motion.
    const fn width(&self) -> f64 {
        self.options.width.min(1.0)
    }

    /// The times before `end` that are not known, in order. No number is between neighbours.
    fn open(&self, end: f64) -> Vec<Open> {
        let (mut open, mut from, mut before) = (Vec::new(), 0.0_f64, 0);
        let hopeless = HOPELESS * self.width();
        let hit = self.hit.map(|(time, _)| time);
        let mut add = |from: f64, to: f64, before: usize, after: f64| {
            if from.next_up() < to {
                let [one, other] = [from - self.apart[before].apart.time, after - to];
                let narrow = hit == Some(to) && to - from <= self.width();
                let hopeless = narrow || one.max(to - from).max(other) <= hopeless;
                open.push(Open { from, to, before, hopeless });
            }
        };
        for (index, known) in self.apart.iter().enumerate() {
            if known.apart.from >= end {
                break;
            }
            add(from, known.apart.from, before, known.apart.time);
            if known.apart.to > from {
                (from, before) = (known.apart.to, index);
            }
        }
        if !self.apart.is_empty() {
            add(from, end, before, end);
        }
        open
    }

    /// Where to ask: at the end, after the start; then in the middle of the times that the answer is
    /// expected to cover, from the beginning of what is open.
    fn next(&self, open: &Open) -> f64 {
        if self.distances == 1 {
            return 1.0;
        }
        let known = self.apart[open.before];
        let length = open.to - open.from;
        let after = open.from - known.apart.time;
        // The share of the bound of speeds that is the true closing speed.
        let share = known.closing * after / (known.distance - self.options.near);
        let share = if share.is_nan() { 0.0 } else { share.clamp(-RECEDING, 1.0) };
        let step = (CAUTION * after * (1.0 - share) / (1.0 + share)).max(0.75 * self.width());
        let touching = self.hit.is_some_and(|(time, _)| time == open.to);
        // One answer in the middle may cover what is left, if it does not end with contact.
        let short = if touching { length <= step } else { length <= 2.0 * step };
        let time = open.from + if short || !(after > 0.0) { 0.5 * length } else { step };
        time.clamp(open.from.next_up(), open.to.next_down())
    }

    /// Asks about a time that is open.
    fn ask(&mut self, time: f64) -> Result<(), SweepError> {
        let velocity = self.motion.velocity(time);
        self.distances += 1;
        self.question(&velocity.pose, Ask::distance())?;
        let found = self.answer.nearest;
        let meets = self.answer.verdict.is_hit();
        let distance = found.filter(|_| !meets).map_or(0.0, |nearest| nearest.distance);
        self.nearest = self.nearest.min(distance);
        if meets || self.is_near(&velocity.pose, distance)? {
            let triangles = found.map(|nearest| nearest.triangles);
            self.hit = Some((time, Sweep::Touching { low: 0.0, high: time, distance, triangles }));
            return Ok(());
        }
        let apart = self.clear.around(time, &velocity, distance, self.options.near);
        let closing = found.map_or(0.0, |nearest| closing(&velocity, &nearest));
        let at = self.apart.partition_point(|known| known.apart.from < apart.from);
        self.apart.insert(at, Known { apart, distance, closing });
        Ok(())
    }

    fn question(&mut self, pose: &Pose, mut ask: Ask) -> Result<(), SweepError> {
        ask.meaning = self.options.meaning;
        Ok((self.questions)(pose, &ask, self.control, &mut self.answer)?)
    }

    /// Whether bodies that are apart are as near as asked, decided exactly.
    fn is_near(&mut self, pose: &Pose, distance: f64) -> Result<bool, SweepError> {
        let near = self.options.near;
        if near <= 0.0 || self.clear.least(distance, near) > 0.0 {
            return Ok(false);
        }
        self.comparisons += 1;
        self.question(pose, Ask::nearer_than(near))?;
        Ok(self.answer.nearer == Some(true))
    }

    /// A lower bound of the distance at all times, where all are known to be apart.
    fn gap(&self) -> f64 {
        let mut left = f64::INFINITY;
        // The known times that cover the motion, each the one that reaches farthest.
        let Some(mut one) = self.reaching(0.0) else { return self.options.near };
        left = left.min(one.left(0.0));
        while one.to < 1.0 {
            match self.reaching(one.to.next_up()) {
                Some(next) if next.to > one.to => {
                    left = left.min(one.left_until(&next));
                    one = next;
                }
                _ => return self.options.near,
            }
        }
        self.options.near + left.min(one.left(1.0))
    }

    /// The known time, among those whose surroundings hold `time`, whose reach farthest.
    fn reaching(&self, time: f64) -> Option<Apart> {
        let holds = |one: &Apart| one.from <= time && time <= one.to;
        let all = self.apart.iter().map(|known| known.apart).filter(holds);
        all.max_by(|p, q| p.to.total_cmp(&q.to))
    }
}

fn touching_from(from: f64, touching: Sweep) -> Sweep {
    match touching {
        Sweep::Touching { high, distance, triangles, .. } => {
            Sweep::Touching { low: from.min(high), high, distance, triangles }
        }
        other => other,
    }
}

/// A sample is asked for somewhat earlier than expected, so that no small rest is left before it.
const CAUTION: f64 = 0.9;

/// This share of the asked width is too short to ask about, if the distance beside it proves no more.
const HOPELESS: f64 = 1.0 / 1024.0;

/// The largest share of the speed that is trusted where bodies part, 1 being that which would expect
/// them never to meet.
const RECEDING: f64 = 0.5;

/// How fast the nearest points close in.
fn closing(velocity: &Velocity, nearest: &Nearest) -> f64 {
    let way = nearest.on_b - nearest.on_a;
    let length = length(&way);
    -velocity.of(&nearest.on_b).dot(&(way / length))
}
