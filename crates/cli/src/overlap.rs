//! `impinge overlap`: how far two solids overlap, measured in layered depth images.

use std::path::PathBuf;
use std::process::ExitCode;

use impinge::image::Drawing;
use impinge::image::ldi::{Estimate, Overlap as Found, OverlapOptions, Params, ldi_with};
use impinge::query::{Backend, Control, PrepareError, Side};
use impinge::{Ask, Body, Device, Error, Method, Pair, Point, Settings};
use serde::Serialize;

use crate::arguments::Overlap;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::CANCEL;
use crate::output::{self, JSON_VERSION, counted, number, triple};
use crate::stored;

/// The names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The JSON object. Lengths and volumes are in the files' unit.
#[derive(Serialize)]
struct Report<'r> {
    version: u32,
    a: &'r str,
    b: &'r str,
    /// Whether each surface is closed.
    closed: [bool; 2],
    contacts: Vec<[u32; 2]>,
    contacts_found: u64,
    volume: Measure,
    /// The volume as a share of the region.
    share: Measure,
    /// The intersection of the boxes around both meshes.
    region: Option<[[f64; 3]; 2]>,
    directions: Vec<Seen>,
    backend: Backend,
}

/// A value, and how far the truth may be from it. Both are null if they leave the range of numbers.
#[derive(Serialize)]
struct Measure {
    value: f64,
    error: f64,
}

/// What the image along one axis shows.
#[derive(Serialize)]
struct Seen {
    axis: &'static str,
    size: [u32; 2],
    pixel: f64,
    volume: Measure,
    share: Measure,
    depth: Measure,
    contact_pixels: u64,
    unpaired: [u64; 2],
    layers: [u32; 2],
    passes: u32,
    /// Ends of the common intervals, as far as wanted.
    intervals: Vec<[[f64; 3]; 2]>,
}

impl From<Estimate> for Measure {
    fn from(Estimate { value, error }: Estimate) -> Self {
        Self { value, error }
    }
}

/// Measures the overlap and prints it. The exit status says whether the solids share a point.
pub(crate) fn run(arguments: &Overlap) -> Result<ExitCode, Failure> {
    let files = [&arguments.a, &arguments.b];
    input::check(&files.map(PathBuf::as_path), None, &arguments.reading)?;
    let names = files.map(|path| input::name(path));
    let drawing = match arguments.backend {
        Device::Adapter if cfg!(feature = "gpu") => Drawing::Adapter,
        Device::Software => Drawing::Software,
        _ => {
            let message = "there are software and, in a build with the feature gpu, adapter";
            return Err(Failure::usage("--backend", message));
        }
    };
    let body = |k: usize| -> Result<Body, Failure> {
        let read = input::read(files[k], &arguments.reading)?;
        let method = (Method::default(), &Settings::default());
        let prepare = || stored::prepare(&names[k], method, &read.mesh);
        read.body.clone().map_or_else(prepare, Ok)
    };
    let (a, b) = (body(0)?, body(1)?);
    let options = OverlapOptions {
        resolution: arguments.resolution,
        contacts: arguments.cap,
        intervals: arguments.intervals,
    };
    let engine = ldi_with(Params { drawing, ..Params::default() });
    let control = Control::NONE.cancelled_by(&CANCEL);
    let pose = arguments.pose.unwrap_or_default();
    let mut pair = Pair::of(&a, &b).map_err(|error| failure(&names, &error))?;
    let overlap = pair.overlap_with(&pose, &engine, &options, &control);
    let overlap = overlap.map_err(|error| failure(&names, &error))?;
    let hit = if overlap.closed == [true; 2] {
        let ask = Ask::first_contact().solids().verdict_only();
        let answer = pair.ask_with(&pose, &ask, &control);
        answer.map_err(|error| failure(&names, &error))?.verdict.is_hit()
    } else {
        overlap.contacts_found > 0
    };
    if arguments.json {
        output::json(&report(&names, &overlap))?;
    } else {
        output::line(&text(&names, &overlap))?;
    }
    Ok(ExitCode::from(u8::from(hit)))
}

fn failure([a, b]: &[String; 2], error: &Error) -> Failure {
    match error {
        Error::Query(error) => Failure::query(b, error),
        Error::Prepare { source: PrepareError::Cancelled(_), .. } => Failure::Cancelled,
        Error::Prepare { side: Side::A, source } => Failure::at(a, source.to_string()),
        error => Failure::at(b, error.to_string()),
    }
}

fn report<'r>([a, b]: &'r [String; 2], overlap: &Found) -> Report<'r> {
    let ends = |low: &Point, high: &Point| [(*low).into(), (*high).into()];
    let seen = |d: &impinge::image::ldi::Direction| Seen {
        axis: AXES[d.axis],
        size: d.size,
        pixel: d.pixel,
        volume: d.volume.into(),
        share: d.share.into(),
        depth: d.depth.into(),
        contact_pixels: d.contact_pixels,
        unpaired: d.unpaired,
        layers: d.layers,
        passes: d.passes,
        intervals: d.intervals.iter().map(|i| ends(&i.from, &i.to)).collect(),
    };
    Report {
        version: JSON_VERSION,
        a,
        b,
        closed: overlap.closed,
        contacts: overlap.contacts.iter().map(|c| [c.a, c.b]).collect(),
        contacts_found: overlap.contacts_found,
        volume: overlap.volume().into(),
        share: overlap.share().into(),
        region: overlap.region.as_ref().map(|region| ends(&region.min, &region.max)),
        directions: overlap.directions.iter().map(seen).collect(),
        backend: overlap.backend.clone(),
    }
}

fn text([a, b]: &[String; 2], overlap: &Found) -> String {
    let mut lines = vec![format!("{a} and {b}: volume {}", measure(overlap.volume()))];
    lines.push(match overlap.contacts_found {
        0 => "  their surfaces have no point in common".to_owned(),
        found => format!("  {} of triangles meet", counted(found as usize, "pair")),
    });
    for (name, closed) in [a, b].into_iter().zip(overlap.closed) {
        if !closed {
            lines.push(format!("  {name} is open: volume and depth are not bounded"));
        }
    }
    if let Some(region) = &overlap.region {
        let [min, max] = [region.min, region.max].map(|p| triple(p.into()));
        lines.push(format!("  their boxes overlap from {min} to {max}"));
    }
    for direction in &overlap.directions {
        let axis = AXES[direction.axis];
        let [columns, rows] = direction.size;
        lines.push(format!(
            "  along {axis}: volume {}, depth {}, {} of {columns} x {rows}",
            measure(direction.volume),
            measure(direction.depth),
            counted(direction.contact_pixels as usize, "contact pixel"),
        ));
        for (name, pixels) in [a, b].into_iter().zip(direction.unpaired) {
            if pixels > 0 {
                let pixels = counted(pixels as usize, "pixel");
                lines.push(format!("    {name} is not left as often as entered in {pixels}"));
            }
        }
        for interval in &direction.intervals {
            let [from, to] = [interval.from, interval.to].map(|p| triple(p.into()));
            lines.push(format!("    from {from} to {to}"));
        }
    }
    lines.join("\n")
}

/// The value to the second digit of its error, and the error with what that rounding moved, itself
/// rounded up.
fn measure(Estimate { value, error }: Estimate) -> String {
    if error == 0.0 {
        return number(value);
    }
    if !(value.is_finite() && error.is_finite()) {
        return format!("{value} ± {error}");
    }
    let place = |x: f64| x.log10().floor();
    // The cast makes 0 of what is less, which is so of a value of 0.
    let digits = ((place(value.abs()) - place(error) + 1.0) as usize).min(16);
    let shown = format!("{value:.digits$e}");
    let moved = shown.parse::<f64>().map_or(value.abs(), |shown| (shown - value).abs());
    // The sum is rounded, and so is what was parsed.
    let all = (error + moved + f64::EPSILON * value.abs()) * (1.0 + 4.0 * f64::EPSILON);
    let nearest = format!("{all:.1e}");
    if nearest.parse::<f64>().is_ok_and(|printed| printed >= all) {
        return format!("{shown} ± {nearest}");
    }
    // The nearest two digits are less by at most a twentieth of the first.
    format!("{shown} ± {:.1e}", all * 1.06)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_holds_the_interval() {
        for (value, error) in [
            (0.876_543_211, 3e-11),
            (0.876_543_211, 0.014_9),
            (0.95, 0.05),
            (9.999_6e7, 9.96e2),
            (1.0, 1e-30),
            (0.0, 1.23e-5),
            (1e-9, 0.251),
            (1e-120, 1.000_000_1e-120),
            (3.456_7e299, 9.94e299),
            (-0.3, 0.001),
        ] {
            let text = measure(Estimate { value, error });
            let (shown, off) = text.split_once(" ± ").expect("a value and an error");
            let [shown, off] = [shown, off].map(|part| part.parse::<f64>().expect("a number"));
            assert!((shown - value).abs() + error <= off, "{text}: {value:e} ± {error:e}");
            assert!(off <= 1.2 * error + 1e-15 * value.abs(), "{text}: {value:e} ± {error:e}");
        }
        assert_eq!(measure(Estimate { value: 0.5, error: 0.0 }), "0.5");
        let unknown = Estimate { value: f64::INFINITY, error: f64::INFINITY };
        assert_eq!(measure(unknown), "inf ± inf");
    }
}
