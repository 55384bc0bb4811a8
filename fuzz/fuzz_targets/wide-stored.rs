//! Stored models, compact or as they lie in memory: arbitrary bytes, and valid ones that were modified
//! and given a new checksum. They are refused, or answer correctly for the mesh they contain.
#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use impinge::query::{Control, Engine};
use impinge::wide::{AlignedBytes, StoredError, WideModel};
use impinge_fuzz::wide::{engines, judge, scene};
use twox_hash::XxHash3_128;

/// Length of the checksum in bytes.
const CHECKSUM: usize = 16;

#[derive(Arbitrary, Debug)]
enum Forgery {
    Byte { at: u16, value: u8 },
    Bit { at: u16, bit: u8 },
    Word { at: u16, value: u32 },
    Copy { at: u16, from: u16, count: u8 },
    Exchange { at: u16, with: u16, count: u8 },
    Insert { at: u16, value: u8 },
    Remove { at: u16, count: u8 },
}

#[derive(Arbitrary, Debug)]
struct Made {
    copies: u8,
    step: u8,
    morton: bool,
    forgeries: Vec<Forgery>,
}

impl Forgery {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let n = bytes.len();
        let place = |at: u16, count: usize| usize::from(at) % (n - count.min(n - 1));
        match *self {
            Self::Byte { at, value } => bytes[place(at, 1)] = value,
            Self::Bit { at, bit } => bytes[place(at, 1)] ^= 1 << (bit % 8),
            Self::Word { at, value } => {
                let at = place(at, 4) / 4 * 4;
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
            Self::Copy { at, from, count } => {
                let count = usize::from(count).min(n / 2);
                let (at, from) = (place(at, count), place(from, count));
                bytes.copy_within(from..from + count, at);
            }
            Self::Exchange { at, with, count } => {
                let count = usize::from(count).min(n / 2);
                let (at, with) = (place(at, count), place(with, count));
                (0..count).for_each(|k| bytes.swap(at + k, with + k));
            }
            Self::Insert { at, value } => bytes.insert(place(at, 1), value),
            Self::Remove { at, count } => {
                let count = usize::from(count).min(n / 8);
                let at = place(at, count);
                drop(bytes.drain(at..at + count));
            }
        }
    }
}

fn seal(bytes: &mut [u8]) {
    if let Some((before, sum)) = bytes.split_last_chunk_mut::<CHECKSUM>() {
        *sum = XxHash3_128::oneshot(before).to_le_bytes();
    }
}

/// Loads a model by both functions; `None` if it is refused.
fn load(bytes: &[u8]) -> Option<WideModel> {
    let read = WideModel::read_from(bytes, &Control::NONE);
    match WideModel::from_bytes(bytes, &Control::NONE) {
        Ok(model) => {
            assert_eq!(read.expect("the same bytes").to_bytes(), bytes);
            assert_eq!(model.to_bytes(), bytes, "a model has one form");
            Some(model)
        }
        Err(error) => {
            let long = matches!(error, StoredError::TooLong { .. });
            assert!(read.is_err() || long, "{error}");
            assert!(error.to_string().len() < 200, "{error}");
            None
        }
    }
}

/// Views an image; `None` if it is refused.
fn view(bytes: &[u8]) -> Option<WideModel> {
    match WideModel::view(&AlignedBytes::copied(bytes).shared(), &Control::NONE) {
        Ok(model) => {
            assert_eq!(model.to_image().as_ref(), bytes, "a model has one image");
            Some(model)
        }
        Err(error) => {
            assert!(error.to_string().len() < 200, "{error}");
            None
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    load(bytes);
    view(bytes);
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    load(&sealed);
    view(&sealed);
    let mut source = Unstructured::new(bytes);
    let Ok(made) = Made::arbitrary(&mut source) else { return };
    let rest = source.take_rest();
    let Some((a, b, pose)) = scene(rest, made.copies, made.step) else { return };
    let Some(engine) = engines(made.morton).last() else { return };
    let prepare = |mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh will do");
    let (model, other) = (prepare(&a), prepare(&b));
    let forged = |mut bytes: Vec<u8>| {
        for forgery in made.forgeries.iter().take(16) {
            forgery.apply(&mut bytes);
        }
        seal(&mut bytes);
        bytes
    };
    let viewed = view(&forged(model.to_image().as_ref().to_vec()));
    for model in [load(&forged(model.to_bytes())), viewed].into_iter().flatten() {
        judge(&model, &other, &pose, made.morton);
    }
});
