//! Meshes read and prepared by all threads: each thread takes the next mesh, so that some are read
//! while others are prepared, and at most one a thread waits in memory.

use std::collections::HashMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use impinge::Mesh;
use impinge::query::{Control, Detector};
use impinge::scene::Shape;

use crate::arguments::Reading;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::CANCEL;
use crate::meter::Meter;

use super::parts::{Part, Source};

/// The shape of every part, or why it has none.
pub(super) fn shapes(
    parts: &[Part],
    detector: &Arc<dyn Detector>,
    max_triangles: u64,
) -> Result<Vec<Result<Shape, String>>, Failure> {
    let mut number_of = HashMap::new();
    let mut sources = Vec::new();
    let of_part: Vec<usize> = (parts.iter())
        .map(|part| {
            *number_of.entry(Key::of(&part.source)).or_insert_with(|| {
                sources.push(&part.source);
                sources.len() - 1
            })
        })
        .collect();
    let meter = Meter::new("meshes");
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let loaded: Mutex<Vec<Option<Result<Shape, String>>>> = Mutex::new(vec![None; sources.len()]);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(number).filter(|_| !CANCEL.is_cancelled()) else {
                break;
            };
            let shape = shape(source, &**detector, max_triangles);
            loaded.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(shape);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            meter.set("read", done as u64, Some(sources.len() as u64));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 1..threads.min(sources.len()) {
            scope.spawn(work);
        }
        work();
    });
    if CANCEL.is_cancelled() {
        return Err(Failure::Cancelled);
    }
    let loaded = loaded.into_inner().unwrap_or_else(PoisonError::into_inner);
    let left_out = || Err("it was not read".to_owned());
    Ok(of_part.into_iter().map(|number| loaded[number].clone().unwrap_or_else(left_out)).collect())
}

/// What makes two sources the same.
#[derive(PartialEq, Eq, Hash)]
enum Key<'s> {
    File(&'s Path),
    Mesh(usize),
}

impl<'s> Key<'s> {
    fn of(source: &'s Source) -> Self {
        match source {
            Source::File(path) => Self::File(path),
            Source::Mesh(_, number) => Self::Mesh(*number),
        }
    }
}

fn shape(source: &Source, detector: &dyn Detector, max_triangles: u64) -> Result<Shape, String> {
    match source {
        Source::Mesh(mesh, _) => prepared(mesh, detector),
        Source::File(path) => {
            let reading = Reading { format: None, max_triangles };
            let read = input::read(path, &reading).map_err(|failure| failure.to_string())?;
            let stored =
                read.body.filter(|body| body.prepared().word() == detector.describe().word);
            match stored {
                Some(body) => body.shape().map_err(|error| error.to_string()),
                None => prepared(&read.mesh, detector),
            }
        }
    }
}

fn prepared(mesh: &Mesh, detector: &dyn Detector) -> Result<Shape, String> {
    let control = Control::NONE.cancelled_by(&CANCEL);
    Shape::new(detector, mesh, &control).map_err(|error| error.to_string())
}
