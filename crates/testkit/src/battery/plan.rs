//! Random sequences of all questions about one pair of meshes, with one memory: first contact, all
//! contacts with caps and details, distance, "nearer than", solids, batches, swapped meshes, other
//! poses, moved vertices. A plan and the oracle's answers are made once and used for every method.

use std::rc::Rc;

use impinge_geometry::{Mesh, Pose};
use impinge_query::{
    Answer, Ask, Control, Detector, Meaning, PairMemory, PrepareError, Prepared, Question,
    RefitError,
};

use super::truth::Truth;
use super::{Outcome, Tally};

/// The most steps of a plan.
const MOST: usize = 48;

#[derive(Debug)]
enum Step {
    Ask { at: Place, ask: Ask, truth: Rc<Truth> },
    Batch { at: Vec<Place>, ask: Ask, truths: Vec<Rc<Truth>> },
    Move { side: usize, mesh: Mesh },
}

/// The arrangement of the meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    /// Whether the query is in B's frame.
    swapped: bool,
    pose: Pose,
}

/// A pair of meshes and the steps to perform.
#[derive(Debug)]
pub struct Plan {
    meshes: [Mesh; 2],
    steps: Vec<Step>,
}

impl Plan {
    /// Draws a plan from `choices` until they end; each gives a question or another step.
    ///
    /// `poses` are those of `b` in the frame of `a`. `distances` says whether to ask for distances,
    /// which take the oracle long for large meshes and for coordinates of very different
    /// magnitudes.
    pub fn draw(
        meshes: [Mesh; 2],
        poses: &[Pose],
        distances: bool,
        choices: &mut dyn Iterator<Item = u8>,
    ) -> Self {
        let now = meshes.clone();
        let mut draft = Draft { now, poses, distances, index: 0, swapped: false, truths: vec![] };
        let mut steps = Vec::new();
        while steps.len() < MOST
            && let Some(choice) = choices.next()
        {
            steps.extend(draft.step(choice, choices));
        }
        Self { meshes, steps }
    }

    /// Runs the plan with `detector`: with one memory throughout, and each question also with a
    /// fresh one. Counts the questions whose answers were compared, up to the first mesh that the
    /// method refuses.
    ///
    /// # Errors
    /// At the first wrong answer: the question, and the pair as source code.
    pub fn judge(&self, detector: &dyn Detector) -> Outcome {
        let mut models = Vec::new();
        for mesh in &self.meshes {
            match detector.prepare(mesh, &Control::NONE) {
                Ok(model) => models.push(model),
                Err(PrepareError::Open(_) | PrepareError::Refused { .. }) => {
                    return Ok(Tally::default());
                }
                Err(e) => return Err(e.to_string()),
            }
        }
        let (memory, tally) = (detector.memory(), Tally::default());
        let mut run = Run { detector, models, memory, tally };
        for (index, step) in self.steps.iter().enumerate() {
            match run.step(step) {
                Ok(true) => {}
                Ok(false) => break,
                Err(why) => {
                    let before: Vec<String> =
                        self.steps[..index].iter().map(Step::in_short).collect();
                    let before = before.join(", ");
                    return Err(format!(
                        "{why}\nstep {index}: {}; after {before}",
                        step.in_short()
                    ));
                }
            }
        }
        Ok(run.tally)
    }
}

impl Step {
    fn in_short(&self) -> String {
        match self {
            Self::Ask { ask, at, .. } => {
                let way = if at.swapped { " (B, A)" } else { "" };
                let solids = if ask.meaning == Meaning::Solids { " of solids" } else { "" };
                format!("{:?}{solids}{way}", ask.question)
            }
            Self::Batch { ask, at, .. } => format!("{} × {:?}", at.len(), ask.question),
            Self::Move { side, .. } => format!("move {side}"),
        }
    }
}

struct Draft<'p> {
    now: [Mesh; 2],
    poses: &'p [Pose],
    distances: bool,
    index: usize,
    swapped: bool,
    /// The oracle's answers for the present meshes.
    truths: Vec<(Place, Rc<Truth>)>,
}

impl Draft<'_> {
    fn step(&mut self, choice: u8, more: &mut dyn Iterator<Item = u8>) -> Option<Step> {
        let mut more = || more.next().unwrap_or(0);
        match choice % 16 {
            0 | 1 => self.ask(Ask::first_contact()),
            2 | 3 => self.ask(all_contacts(more())),
            4 => self.ask(Ask::distance().counted()),
            5..=7 => {
                let d = self.compared(more())?;
                self.ask(Ask::nearer_than(d))
            }
            8..=10 => self.solids(more()),
            11 => {
                self.swapped = !self.swapped;
                None
            }
            12 | 13 => {
                self.index += 1;
                None
            }
            14 => self.shift(usize::from(more()) % 2, more()),
            _ => self.batch(more()),
        }
    }

    fn place(&self) -> Place {
        let pose = self.poses[self.index % self.poses.len()];
        let pose = if self.swapped { pose.inverse() } else { pose };
        Place { swapped: self.swapped, pose }
    }

    fn truth(&mut self, at: Place) -> Option<Rc<Truth>> {
        if let Some((_, truth)) = self.truths.iter().find(|(place, _)| *place == at) {
            return Some(truth.clone());
        }
        let [a, b] = &self.now;
        let (a, b) = if at.swapped { (b, a) } else { (a, b) };
        let truth = Rc::new(Truth::new(a, b, &at.pose).ok()?);
        self.truths.push((at, truth.clone()));
        Some(truth)
    }

    fn ask(&mut self, ask: Ask) -> Option<Step> {
        let about_distance = matches!(ask.question, Question::Distance | Question::NearerThan(_));
        if about_distance && !self.distances {
            return None;
        }
        let at = self.place();
        let truth = self.truth(at)?;
        Some(Step::Ask { at, ask, truth })
    }

    /// A distance to compare with: zero, the true one rounded either way, and others.
    fn compared(&mut self, choice: u8) -> Option<f64> {
        if !self.distances {
            return None;
        }
        let at = self.place();
        let exact = self.truth(at)?.distance();
        let d = match choice % 10 {
            0 | 1 => 0.0,
            2 => exact.next_down(),
            3 | 4 => exact,
            5 => exact.next_up(),
            6 => exact.next_down().next_down(),
            7 => 0.5 * exact,
            8 => 2.0 * exact,
            _ => 5e-324,
        };
        Some(d.clamp(0.0, 1e300))
    }

    /// The same questions about solids, if both meshes are closed.
    fn solids(&mut self, choice: u8) -> Option<Step> {
        let at = self.place();
        if !self.truth(at)?.closed() {
            return self.ask(Ask::first_contact());
        }
        let ask = match choice % 5 {
            0 | 1 => {
                let ask = [Ask::first_contact(), Ask::contained_in()][usize::from(choice % 5)];
                if choice >= 128 { ask.verdict_only() } else { ask }
            }
            2 => Ask::all_contacts(),
            3 => Ask::distance(),
            _ => Ask::nearer_than(self.compared(choice / 5).unwrap_or(0.0)),
        };
        self.ask(ask.solids())
    }

    /// Moves one vertex of a mesh: in one of four cases onto another vertex, else slightly.
    fn shift(&mut self, side: usize, choice: u8) -> Option<Step> {
        let mesh = &self.now[side];
        let mut vertices = mesh.vertices().to_vec();
        let (from, to) = (usize::from(choice / 4) % vertices.len(), usize::from(choice / 16));
        if choice.is_multiple_of(4) {
            vertices[from] = vertices[to % vertices.len()];
        } else {
            vertices[from].coords *= 1.0 - f64::from(choice % 4) / 64.0;
        }
        let mesh = mesh.with_vertices(vertices).ok()?;
        self.now[side] = mesh.clone();
        self.truths.clear();
        Some(Step::Move { side, mesh })
    }

    fn batch(&mut self, choice: u8) -> Option<Step> {
        let ask = if choice.is_multiple_of(2) { Ask::first_contact() } else { Ask::all_contacts() };
        let (mut at, mut truths) = (Vec::new(), Vec::new());
        for _ in 0..self.poses.len() {
            self.index += 1;
            let place = self.place();
            truths.push(self.truth(place)?);
            at.push(place);
        }
        Some(Step::Batch { at, ask, truths })
    }
}

fn all_contacts(choice: u8) -> Ask {
    let mut ask = Ask::all_contacts();
    ask.cap = [None, None, Some(0), Some(1), Some(3)][usize::from(choice % 5)];
    ask.details = choice / 5 % 2 == 1;
    ask.count = choice / 10 % 2 == 1;
    ask
}

struct Run<'d> {
    detector: &'d dyn Detector,
    models: Vec<Prepared>,
    memory: PairMemory,
    tally: Tally,
}

impl Run<'_> {
    /// `false` if the method refuses a moved mesh.
    fn step(&mut self, step: &Step) -> Result<bool, String> {
        match step {
            Step::Ask { at, ask, truth } if self.detector.describe().check(ask).is_ok() => {
                let used = self.ask(at, ask, false)?;
                truth.judge(ask, &used)?;
                let fresh = self.ask(at, ask, true)?;
                truth.judge(ask, &fresh).map_err(|e| format!("with a fresh memory: {e}"))?;
                self.tally.count(used.verdict.is_hit());
            }
            Step::Batch { at, ask, truths } if self.detector.describe().check(ask).is_ok() => {
                self.batch(at, ask, truths)?;
            }
            Step::Move { side, mesh } => return self.shift(*side, mesh),
            _ => {}
        }
        Ok(true)
    }

    fn sides(&self, swapped: bool) -> [&Prepared; 2] {
        let [a, b] = [0, 1].map(|side| &self.models[side]);
        if swapped { [b, a] } else { [a, b] }
    }

    fn ask(&mut self, at: &Place, ask: &Ask, fresh: bool) -> Result<Answer, String> {
        let mut memory = self.detector.memory();
        if !fresh {
            std::mem::swap(&mut memory, &mut self.memory);
        }
        let mut answer = Answer::default();
        let [a, b] = self.sides(at.swapped);
        let outcome =
            self.detector.query(a, b, &at.pose, &mut memory, ask, &Control::NONE, &mut answer);
        if !fresh {
            self.memory = memory;
        }
        outcome.map_err(|e| format!("{ask:?}: {e}"))?;
        Ok(answer)
    }

    fn batch(&mut self, at: &[Place], ask: &Ask, truths: &[Rc<Truth>]) -> Result<(), String> {
        let poses: Vec<Pose> = at.iter().map(|place| place.pose).collect();
        let mut memory = std::mem::replace(&mut self.memory, self.detector.memory());
        let mut answers = Vec::new();
        let [a, b] = self.sides(at.first().is_some_and(|place| place.swapped));
        let mut each = |index: usize, answer: &Answer| answers.push((index, answer.clone()));
        self.detector
            .batch(a, b, &poses, &mut memory, ask, &Control::NONE, &mut each)
            .map_err(|e| e.to_string())?;
        self.memory = memory;
        if !answers.iter().map(|(index, _)| *index).eq(0..poses.len()) {
            return Err(format!(
                "{} answers to {} poses, or not in order",
                answers.len(),
                at.len()
            ));
        }
        for ((_, answer), truth) in answers.iter().zip(truths) {
            truth.judge(ask, answer)?;
            self.tally.count(answer.verdict.is_hit());
        }
        Ok(())
    }

    /// Refits the model, or prepares the mesh again if refit is unsupported.
    fn shift(&mut self, side: usize, mesh: &Mesh) -> Result<bool, String> {
        let refitted = self.detector.refit(&mut self.models[side], mesh.vertices(), &Control::NONE);
        match refitted {
            Ok(()) => return Ok(true),
            Err(RefitError::Unsupported { .. }) => {}
            Err(e) => return Err(e.to_string()),
        }
        match self.detector.prepare(mesh, &Control::NONE) {
            Ok(model) => self.models[side] = model,
            Err(PrepareError::Open(_) | PrepareError::Refused { .. }) => return Ok(false),
            Err(e) => return Err(e.to_string()),
        }
        Ok(true)
    }
}
