//! Li's two hybrid trees on moving objects, in two forms each, with the parts of their cost counted
//! and timed apart: updates, volume tests, triangle tests (li eq. 1).
//!
//! - *Updated*, as li describes them: once per object and step the boxes of layer X, and all of the
//!   baseline's volumes, are made anew along the world's axes, and two boxes are tested on three.
//! - *Body frame*, the library's methods: boxes keep their mesh's axes and cost fifteen.

use std::ops::ControlFlow;
use std::time::Instant;

use impinge::Pose;
use impinge::geometry::Triangle;
use impinge::geometry::cost::{Costs, Counts, PartTimes};
use impinge::geometry::triangle::Outcome as Certain;
use impinge::hierarchy::leaf::{LeafTest, Sides};
use impinge::hierarchy::methods::{aabb_obb_updated, sphere_aabb_updated};
use impinge::hierarchy::traverse::{LeafPair, Tested, Watch};
use impinge::hierarchy::volume::Volume;
use impinge::hierarchy::{TreeEngine, UpdatedModel, Updating, aabb_obb, sphere_aabb};
use impinge::query::{Answer, Ask, Contact, Control, Counter, Engine};
use impinge_benches::harness::{Step, take_turns};
use impinge_benches::progress::Listener;

use super::li_scene::Flight;

/// The forms, in the order of all results: li's hybrid and the traditional one, updated; the same in
/// their body's frame.
pub(crate) const FORMS: [&str; 4] = [
    "aabb-obb, updated",
    "sphere-aabb, updated",
    "aabb-obb, body frame",
    "sphere-aabb, body frame",
];

/// A leaf test that tests nothing: what remains of a query are its volume tests.
#[derive(Clone, Copy, Debug)]
struct NoTest;

impl LeafTest for NoTest {
    fn filter(self, _: &Triangle, _: &Triangle) -> Certain {
        Certain::Miss
    }

    #[inline(always)]
    fn leaves<V: Volume, C: Counter>(
        self,
        _: &Sides<'_, V>,
        _: LeafPair,
        _: bool,
        _: (&mut C, &mut Watch<'_>),
        _: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> ControlFlow<(), Tested> {
        ControlFlow::Continue(Tested::Apart)
    }
}

/// One form at work.
trait Form {
    /// Moves every object; returns the number of updated volumes.
    fn update(&mut self, poses: &[Pose]) -> u64;
    /// Asks a step's queries, with their triangle tests or without.
    fn ask(&mut self, step: &Step, triangles: bool) -> Result<(), String>;
    /// Asks them with counters; adds the contacts to `contacts`.
    fn count(&mut self, step: &Step, contacts: &mut u64) -> Result<Counts, String>;
}

/// A form: an engine, the same without triangle tests, and the objects or the one model of all.
struct Trees<E: Engine, N> {
    full: E,
    bare: N,
    objects: Vec<E::Model>,
    update: fn(&mut E::Model, &Pose) -> u64,
}

impl<E: Engine, N: Engine<Model = E::Model>> Trees<E, N> {
    fn each<F: Engine<Model = E::Model>>(
        &self,
        engine: &F,
        (step, ask): (&Step, &Ask),
        mut each: impl FnMut(&Answer),
    ) -> Result<(), String> {
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        let of = |object: usize| &self.objects[object % self.objects.len()];
        for query in step {
            let (a, b, none) = (of(query.a), of(query.b), &Control::NONE);
            engine
                .query(a, b, &query.pose, &mut memory, ask, none, &mut answer)
                .map_err(|error| error.to_string())?;
            each(&answer);
        }
        Ok(())
    }
}

impl<E: Engine, N: Engine<Model = E::Model>> Form for Trees<E, N> {
    fn update(&mut self, poses: &[Pose]) -> u64 {
        self.objects.iter_mut().zip(poses).map(|(object, pose)| (self.update)(object, pose)).sum()
    }

    fn ask(&mut self, step: &Step, triangles: bool) -> Result<(), String> {
        let asked = (step, &Ask::all_contacts());
        if triangles {
            self.each(&self.full, asked, |_| ())
        } else {
            self.each(&self.bare, asked, |_| ())
        }
    }

    fn count(&mut self, step: &Step, contacts: &mut u64) -> Result<Counts, String> {
        let mut sum = Counts::default();
        self.each(&self.full, (step, &Ask::all_contacts().counted()), |answer| {
            *contacts += answer.contacts.len() as u64;
            let counted = answer.statistics.iter();
            counted.for_each(|s| {
                sum += Counts {
                    volumes: s.volume_tests,
                    primitives: s.primitive_tests,
                    updates: s.volumes_updated,
                };
            });
        })?;
        Ok(sum)
    }
}

/// All forms, with the objects of a flight.
fn forms(flight: &Flight) -> Result<Vec<Box<dyn Form>>, String> {
    macro_rules! updated {
        ($engine:expr) => {{
            let full = $engine;
            let own = full.engine;
            let bare = TreeEngine::new(own.description, own.builder, own.traversal, NoTest);
            let model = full.prepare(&flight.mesh, &Control::NONE).map_err(|e| e.to_string())?;
            let objects = flight.steps[0].poses.iter().map(|pose| model.at(pose)).collect();
            let update = UpdatedModel::update;
            Box::new(Trees { full, bare: Updating::new(bare), objects, update }) as Box<dyn Form>
        }};
    }
    macro_rules! fixed {
        ($engine:expr) => {{
            let full = $engine;
            let bare = TreeEngine::new(full.description, full.builder, full.traversal, NoTest);
            let model = Engine::prepare(&full, &flight.mesh, &Control::NONE);
            let objects = vec![model.map_err(|e| e.to_string())?];
            Box::new(Trees { full, bare, objects, update: |_, _| 0 }) as Box<dyn Form>
        }};
    }
    Ok(vec![
        updated!(aabb_obb_updated()),
        updated!(sphere_aabb_updated()),
        fixed!(aabb_obb()),
        fixed!(sphere_aabb()),
    ])
}

/// Counts and times of one form over a flight, in nanoseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// `N_v`, `N_p` and `N_u`.
    pub(crate) counts: Counts,
    /// Least times, by part. Without an update, placing is a part of the volume tests.
    pub(crate) times: PartTimes,
    /// Contacts found.
    pub(crate) contacts: u64,
    /// The whole time from the odd and the even passes alone.
    pub(crate) halves: [f64; 2],
}

impl Work {
    /// The time of all parts.
    pub(crate) fn total(&self) -> f64 {
        self.times.updates + self.times.volumes + self.times.primitives
    }

    /// The unit costs that these times imply.
    pub(crate) fn costs(&self) -> Costs {
        Costs::from_times(&self.counts, &self.times)
    }
}

/// Least times of one step, from the odd and the even passes: of the update, of the queries, and of
/// those without triangle tests.
type Least = [[f64; 3]; 2];

/// Counts all forms, and times them in turn.
///
/// # Errors
/// If a query fails, or two forms differ in contacts.
pub(crate) fn measure(
    flight: &Flight,
    passes: usize,
    listener: Listener<'_>,
) -> Result<Vec<Work>, String> {
    let mut forms = forms(flight)?;
    let mut found = vec![Work::default(); forms.len()];
    for (form, work) in forms.iter_mut().zip(&mut found) {
        for step in &flight.steps {
            let updates = form.update(&step.poses);
            work.counts += Counts { updates, ..Counts::default() };
            work.counts += form.count(&step.asked, &mut work.contacts)?;
        }
    }
    if let Some(k) = found.iter().position(|work| work.contacts != found[0].contacts) {
        return Err(format!("{} and {} differ in contacts", FORMS[0], FORMS[k]));
    }
    let steps = flight.steps.len();
    let mut least: Vec<Vec<Least>> = vec![vec![[[f64::INFINITY; 3]; 2]; steps]; forms.len()];
    take_turns(2 * forms.len(), passes, steps, |turn| {
        if turn.first {
            listener.stage("timing", turn.pass * steps + turn.step, passes * steps);
        }
        let (form, triangles) = (&mut forms[turn.who / 2], turn.who % 2 == 0);
        let step = &flight.steps[turn.step];
        let least = &mut least[turn.who / 2][turn.step][turn.pass % 2];
        let start = Instant::now();
        form.update(&step.poses);
        let updated = start.elapsed().as_nanos() as f64;
        let start = Instant::now();
        form.ask(&step.asked, triangles)?;
        let part = if triangles { 1 } else { 2 };
        least[0] = least[0].min(updated);
        least[part] = least[part].min(start.elapsed().as_nanos() as f64);
        Ok::<_, String>(())
    })?;
    for (work, steps) in found.iter_mut().zip(&least) {
        add_times(work, steps);
    }
    Ok(found)
}

/// Sums the least times of all steps.
fn add_times(work: &mut Work, steps: &[Least]) {
    for [odd, even] in steps {
        let part = |k: usize| odd[k].min(even[k]);
        work.times.updates += part(0);
        work.times.volumes += part(2).min(part(1));
        work.times.primitives += (part(1) - part(2)).max(0.0);
        for (sum, half) in work.halves.iter_mut().zip([odd, even]) {
            *sum += half[0] + half[1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_least_times_add_up() {
        let mut work =
            Work { counts: Counts { volumes: 10, primitives: 5, updates: 4 }, ..Work::default() };
        add_times(&mut work, &[[[2.0, 30.0, 25.0], [4.0, 40.0, 20.0]], [[2.0, 30.0, 20.0]; 2]]);
        assert_eq!(
            (work.times.updates, work.times.volumes, work.times.primitives),
            (4.0, 40.0, 20.0)
        );
        assert_eq!((work.total(), work.halves), (64.0, [64.0, 76.0]));
        let costs = work.costs();
        assert_eq!((costs.update, costs.volume, costs.primitive), (1.0, 4.0, 4.0));
    }
}
