//! Progress of a preparation, and preparations that are cancelled at any report.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use impinge_geometry::Mesh;
use impinge_image::{Ibcd, ImageModel, Memory, Params, ibcd_with};
use impinge_models::Shape;
use impinge_query::{
    Answer, Ask, Cancel, Cancelled, Control, Engine, Model as _, PrepareError, Progress,
};

use crate::bodies::shifted;

/// A preparation as an engine makes it, or as one that is broken on purpose does.
type Prepare<'p> = dyn Fn(&Mesh, &Control<'_>) -> Result<ImageModel, PrepareError> + 'p;

/// What a preparation reports.
fn reports(prepare: &Prepare<'_>, mesh: &Mesh) -> Vec<Progress> {
    let heard = Mutex::new(Vec::new());
    let listen = |progress| heard.lock().expect("nobody panics").push(progress);
    prepare(mesh, &Control::NONE.reporting(&listen)).map(drop).expect("a legal mesh");
    heard.into_inner().expect("nobody panics")
}

/// A preparation whose caller cancels at a report.
fn cut(prepare: &Prepare<'_>, mesh: &Mesh, at: usize) -> Result<ImageModel, PrepareError> {
    let (cancel, heard) = (Cancel::new(), AtomicUsize::new(0));
    let listen = |_| {
        if heard.fetch_add(1, Ordering::Relaxed) == at {
            cancel.cancel();
        }
    };
    prepare(mesh, &Control::NONE.cancelled_by(&cancel).reporting(&listen))
}

/// Does the model answer as it should?
fn answers(engine: &Ibcd, model: &ImageModel) -> bool {
    let (mut memory, mut answer) = (Memory::default(), Answer::default());
    let mut hit = |x: f64| {
        let (pose, ask) = (shifted([x, 0.0, 0.0]), Ask::first_contact().solids());
        let done =
            engine.query(model, model, &pose, &mut memory, &ask, &Control::NONE, &mut answer);
        done.is_ok() && answer.verdict.is_hit()
    };
    hit(0.2) && hit(0.01) && !hit(9.0)
}

/// Every cancelled preparation is an error at the next look at the flag; the next one is whole.
fn cancelled_at_any_report(
    engine: &Ibcd,
    prepare: &Prepare<'_>,
    mesh: &Mesh,
) -> Result<usize, String> {
    let count = reports(prepare, mesh).len();
    let sound = prepare(mesh, &Control::NONE).map_err(|why| why.to_string())?;
    let step = (count / 24).max(1);
    let mut cancelled = 0;
    for at in (0..count).step_by(step) {
        match cut(prepare, mesh, at) {
            Err(PrepareError::Cancelled(Cancelled)) => cancelled += 1,
            Err(why) => return Err(format!("report {at}: {why}")),
            // Nothing may be left out, then.
            Ok(model) if model.bytes() == sound.bytes() && answers(engine, &model) => {}
            Ok(_) => return Err(format!("a part of a model after report {at}")),
        }
    }
    let after = prepare(mesh, &Control::NONE).map_err(|why| why.to_string())?;
    if after.bytes() != sound.bytes() || !answers(engine, &after) {
        return Err("the next model is another one".to_owned());
    }
    if 10 * cancelled < 9 * count.div_ceil(step) {
        return Err(format!("{cancelled} of {} stopped", count.div_ceil(step)));
    }
    Ok(cancelled)
}

#[test]
fn a_preparation_says_how_far_it_is() {
    for params in [Params::default(), Params::sampled(32)] {
        let engine = ibcd_with(params);
        let heard =
            reports(&|mesh, control| engine.prepare(mesh, control), &Shape::Torus.mesh(2_000, 0));
        let mut stages: Vec<&str> = heard.iter().map(|progress| progress.stage).collect();
        stages.dedup();
        println!("{} reports: {stages:?}", heard.len());
        let distinct = stages.iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(distinct.len(), stages.len(), "a stage comes once: {stages:?}");
        assert!(stages.len() > 1 && heard.len() < 1_000, "{} of {stages:?}", heard.len());
        for progress in &heard {
            assert!(progress.done <= progress.total, "{progress:?}");
        }
        for two in heard.windows(2).filter(|two| two[0].stage == two[1].stage) {
            assert!(two[0].done <= two[1].done, "backwards: {two:?}");
        }
    }
}

#[test]
fn a_preparation_can_be_cancelled_at_any_report() {
    for params in [Params::default(), Params::sampled(32)] {
        let engine = ibcd_with(params);
        for mesh in [Shape::Torus.mesh(600, 0), Shape::Gear.mesh(300, 0)] {
            let prepare = |mesh: &Mesh, control: &Control<'_>| engine.prepare(mesh, control);
            let done = cancelled_at_any_report(&engine, &prepare, &mesh);
            println!("{} cancelled", done.unwrap_or_else(|why| panic!("{why}")));
        }
    }
}

#[test]
fn a_preparation_that_does_not_stop_or_stops_half_way_is_noticed() {
    let engine = ibcd_with(Params::default());
    let mesh = Shape::Torus.mesh(600, 0);
    let deaf = |mesh: &Mesh, control: &Control<'_>| {
        engine
            .prepare(mesh, &Control::NONE.reporting(&|p| control.report(p.stage, p.done, p.total)))
    };
    assert!(cancelled_at_any_report(&engine, &deaf, &mesh).is_err());
    // Takes another mesh for the part that was done.
    let half = |mesh: &Mesh, control: &Control<'_>| match engine.prepare(mesh, control) {
        Err(PrepareError::Cancelled(_)) => {
            engine.prepare(&Shape::Torus.mesh(100, 0), &Control::NONE)
        }
        done => done,
    };
    assert!(
        cancelled_at_any_report(&engine, &half, &mesh).is_err_and(|why| why.contains("a part"))
    );
}
