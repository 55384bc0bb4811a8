//! Stored meshes: `impinge prepare` writes them, every command reads them.

use std::io::Read;
use std::path::Path;

use impinge::models::files::{MAX_FILE_BYTES, RegularFile};
use impinge::query::{Control, PrepareError};
use impinge::wide::WideModel;
use impinge::{Body, Error, Mesh, Method, Settings, SettingsError};

use crate::arguments::{Prepare, Reading};
use crate::failure::Failure;
use crate::input;
use crate::interrupt::{CANCEL, waiting};
use crate::mapped::map;
use crate::meter::Meter;
use crate::output::{self, counted};

/// What to do where images are to be drawn on an adapter and cannot be.
const NO_GRAPHICS: &str = "this build draws on no adapter; install impinge with its feature gpu: \
    cargo install impinge-cli --features gpu";

/// Whether a file's name says that it is a stored mesh.
pub(crate) fn is_stored(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("impinge"))
}

/// Reads a stored mesh, prepared.
pub(crate) fn read(path: &Path, reading: &Reading) -> Result<Body, Failure> {
    let name = input::name(path);
    // No mesh of that many triangles takes more, unless most of its vertices are unused: a node has two
    // lanes at least, and each triangle may be a leaf.
    let most = reading.max_triangles.saturating_mul(2048).saturating_add(1 << 20);
    let mut file = RegularFile::open(path, most.min(MAX_FILE_BYTES))?;
    let at = |message: String| Failure::file(&name, message);
    let mut bytes = Vec::new();
    let mark = WideModel::IMAGE_MARK;
    let mut first =
        |file: &mut RegularFile| file.by_ref().take(mark.len() as u64).read_to_end(&mut bytes);
    waiting(|| first(&mut file)).map_err(|error| at(error.to_string()))?;
    let control = Control::NONE.cancelled_by(&CANCEL);
    let body = if bytes == mark {
        let map = waiting(|| map(&file.into_file())).map_err(|error| at(error.to_string()))?;
        Body::view(&map, &control)
    } else {
        bytes.reserve_exact(usize::try_from(file.size()).unwrap_or(0));
        waiting(|| file.read_to_end(&mut bytes)).map_err(|error| at(error.to_string()))?;
        Body::from_bytes_with(&bytes, &control)
    };
    let body = body.map_err(|error| {
        if CANCEL.is_cancelled() { Failure::Cancelled } else { at(error.to_string()) }
    })?;
    let (triangles, limit) = (body.prepared().triangles() as u64, reading.max_triangles);
    if triangles > limit {
        return Err(Failure::limit(
            &name,
            format!(
                "{triangles} triangles, at most {limit} are read; raise the limit with --max-triangles"
            ),
        ));
    }
    Ok(body)
}

/// Prepares a mesh, with progress on the terminal.
pub(crate) fn prepare(
    name: &str,
    (method, settings): (Method, &Settings),
    mesh: &Mesh,
) -> Result<Body, Failure> {
    let meter = Meter::new(format!("{method}: {name}"));
    let report = |progress| meter.report(progress);
    let control = Control::NONE.cancelled_by(&CANCEL).reporting(&report);
    Body::with_settings(method, settings, mesh, &control).map_err(|error| match error {
        Error::Prepare { source: PrepareError::Cancelled(_), .. } => Failure::Cancelled,
        Error::Prepare { source, .. } => Failure::at(name, source.to_string()),
        Error::Settings(SettingsError::NoGraphics) => Failure::usage("--backend", NO_GRAPHICS),
        Error::Settings(SettingsError::NoSuchChoice { word, what }) => {
            // The choice begins with the name of its option.
            let option = what.split(' ').next().unwrap_or("method");
            Failure::usage(format!("--{option}"), format!("the method {word} has no {what}"))
        }
        error => Failure::usage("--method", error.to_string()),
    })
}

/// `impinge prepare`.
pub(crate) fn run(arguments: &Prepare) -> Result<(), Failure> {
    input::check(&[&arguments.file], None, &arguments.reading)?;
    let name = input::name(&arguments.file);
    let mesh = input::read(&arguments.file, &arguments.reading)?.mesh;
    let body = prepare(&name, (Method::Wide, &Settings::default()), &mesh)?;
    let to = arguments.output.display().to_string();
    let stored = if arguments.image {
        body.to_image().map(|image| Box::new(image) as Box<dyn AsRef<[u8]>>)
    } else {
        body.to_bytes().map(|bytes| Box::new(bytes) as Box<dyn AsRef<[u8]>>)
    };
    let stored = stored.map_err(|error| Failure::at(&to, error.to_string()))?;
    let bytes = stored.as_ref().as_ref();
    output::replace(&arguments.output, |file| file.write_all(bytes))?;
    let triangles = counted(mesh.triangles().len(), "triangle");
    output::line(&format!("wrote {to}: {triangles}, {} bytes", bytes.len()))
}
