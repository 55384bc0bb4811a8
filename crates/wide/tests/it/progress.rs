//! A long build says how far it is, and can be cancelled while it cuts and while it fits.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use impinge_models::Shape;
use impinge_query::{Cancel, Control, Engine, PrepareError, Progress};
use impinge_wide::{Quality, WideParams, wide_with};

const TRIANGLES: usize = 200_000;

#[test]
fn a_build_reports_its_way_to_the_end() {
    let mesh = Shape::Torus.mesh(TRIANGLES, 1);
    let twice = 2 * mesh.triangles().len() as u64;
    for quality in [Quality::SurfaceArea, Quality::Morton] {
        let engine = wide_with(WideParams { quality, ..WideParams::default() });
        let seen = Mutex::new(Vec::new());
        let note = |progress: Progress| seen.lock().expect("no panic").push(progress);
        engine.prepare(&mesh, &Control::NONE.reporting(&note)).expect("a legal mesh");
        let mut seen = seen.into_inner().expect("no panic");
        let last = seen.last().copied().expect("some reports");
        assert_eq!((last.stage, last.done, last.total), ("build", twice, twice));
        assert!((20..=110).contains(&seen.len()), "{} reports", seen.len());
        seen.sort_by_key(|progress| progress.done);
        let widest = seen.windows(2).map(|pair| pair[1].done - pair[0].done).max();
        assert!(widest < Some(twice / 4), "{widest:?} of {twice} at once");
    }
}

#[test]
fn a_build_is_cancelled_wherever_it_is() {
    let mesh = Shape::Trefoil.mesh(TRIANGLES, 1);
    let engine = wide_with(WideParams::default());
    // On one thread: each of many has a part of its own to end first.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for percent in [5, 30, 49, 55, 70, 85] {
        let cancel = Cancel::new();
        let last = AtomicU64::new(0);
        let stop = |progress: Progress| {
            last.fetch_max(progress.done * 100 / progress.total, Ordering::Relaxed);
            if progress.done * 100 >= progress.total * percent {
                cancel.cancel();
            }
        };
        let control = Control::NONE.cancelled_by(&cancel).reporting(&stop);
        let answer = pool.install(|| engine.prepare(&mesh, &control));
        assert!(matches!(answer, Err(PrepareError::Cancelled(_))), "at {percent} %");
        let last = last.into_inner();
        assert!(last <= percent + 12, "cancelled at {percent} %, went on to {last} %");
    }
}
