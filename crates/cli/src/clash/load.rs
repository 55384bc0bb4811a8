//! Meshes read and prepared by all threads: each thread takes the next mesh, so that some are read
//! while others are prepared, and at most one a thread that is not prepared is in memory. Those of a glTF file are
//! all in memory from the start: the file is read whole, since it tells what the parts are.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TryRecvError, sync_channel};

use impinge::Mesh;
use impinge::query::{Control, Detector};
use impinge::scene::Shape;

use crate::arguments::Reading;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::CANCEL;
use crate::meter::Meter;

use super::parts::{Part, Source};

/// The most prepared meshes that wait to be taken. Threads that read go on while pairs are classed; what
/// waits is kept in any case.
const WAITING: usize = 256;

/// The shape of a part, or why it has none.
pub(super) type Loaded = Result<Shape, String>;

/// What is told while meshes are read.
pub(super) enum Event {
    /// The shape of the next part, or why it has none.
    Loaded(Loaded),
    /// The next part is not ready.
    Waiting,
}

/// Calls `each` with the shape of every part, in the order of the parts, as soon as it and those before it
/// are known, and before it waits for another. Other threads go on reading meanwhile.
pub(super) fn shapes(
    parts: &[Part],
    detector: &dyn Detector,
    max_triangles: u64,
    mut each: impl FnMut(Event) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (sources, of_part) = sources(parts);
    let meter = Meter::new("meshes");
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (sender, receiver) = sync_channel(WAITING);
    let work = |sender: SyncSender<_>| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(number).filter(|_| !CANCEL.is_cancelled()) else {
                break;
            };
            let shape = shape(source, detector, max_triangles);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            meter.set("read", done as u64, Some(sources.len() as u64));
            if sender.send((number, shape)).is_err() {
                break;
            }
        }
    };
    // As many as compare pairs, but threads of its own: they wait for files.
    let threads = rayon::current_num_threads();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(sources.len()) {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work(sender));
        }
        drop(sender);
        let mut loaded: Vec<Option<Loaded>> = vec![None; sources.len()];
        let mut of_part = of_part.iter().peekable();
        // Dropped on any way out, so that nobody waits to send.
        let receiver = receiver;
        loop {
            let mut ready = receiver.try_recv();
            if matches!(ready, Err(TryRecvError::Empty)) {
                each(Event::Waiting)?;
                ready = receiver.recv().map_err(TryRecvError::from);
            }
            if CANCEL.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            let Ok((number, shape)) = ready else { return Ok(()) };
            loaded[number] = Some(shape);
            while let Some(shape) = of_part.peek().and_then(|number| loaded[**number].clone()) {
                of_part.next();
                each(Event::Loaded(shape))?;
            }
        }
    })
}

/// The meshes of all parts, each once, and the number of the mesh of each part.
fn sources(parts: &[Part]) -> (Vec<&Source>, Vec<usize>) {
    let mut number_of = HashMap::new();
    let mut sources = Vec::new();
    let of_part = (parts.iter())
        .map(|part| {
            *number_of.entry(Key::of(&part.source)).or_insert_with(|| {
                sources.push(&part.source);
                sources.len() - 1
            })
        })
        .collect();
    (sources, of_part)
}

/// What makes two sources the same.
#[derive(PartialEq, Eq, Hash)]
enum Key<'s> {
    File(&'s Path),
    Mesh(usize),
    /// By its address.
    Error(usize),
}

impl<'s> Key<'s> {
    fn of(source: &'s Source) -> Self {
        match source {
            Source::File(path) => Self::File(path),
            Source::Mesh(_, number) => Self::Mesh(*number),
            Source::Unread(error) => Self::Error(Arc::as_ptr(error).addr()),
        }
    }
}

fn shape(source: &Source, detector: &dyn Detector, max_triangles: u64) -> Loaded {
    match source {
        Source::Mesh(mesh, _) => prepared(mesh, detector),
        Source::Unread(error) => Err(Failure::reading(Arc::clone(error)).to_string()),
        Source::File(path) => {
            let reading = Reading { format: None, max_triangles };
            // A part is a file, also one of this name: standard input would wait.
            let path = if input::is_standard(path) { Path::new("./-") } else { path.as_path() };
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

fn prepared(mesh: &Mesh, detector: &dyn Detector) -> Loaded {
    let control = Control::NONE.cancelled_by(&CANCEL);
    Shape::new(detector, mesh, &control).map_err(|error| error.to_string())
}
