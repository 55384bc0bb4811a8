//! Damaged files: cut at every byte, and changed at random. The result is an error or a valid mesh.

use impinge_models::Random;
use impinge_models::files::{Format, Loaded, read_bytes};

use crate::files::samples;

/// Checks the invariants of a mesh through its public interface.
fn assert_valid(loaded: &Loaded) {
    let mesh = &loaded.mesh;
    assert!(!mesh.triangles().is_empty());
    assert!(mesh.vertices().iter().all(|p| p.iter().all(|c| c.abs() <= 1e300)));
    let count = mesh.vertices().len();
    assert!(mesh.triangles().iter().all(|t| t.iter().all(|&v| (v as usize) < count)));
    assert!(mesh.faces().is_none_or(|faces| faces.len() == mesh.triangles().len()));
}

#[test]
fn cut_off_at_every_byte() {
    for (what, format, bytes) in samples::all() {
        let whole = samples::read(&bytes, format).mesh;
        for end in 0..bytes.len() {
            let Ok(loaded) = read_bytes(&bytes[..end], format, "cut") else { continue };
            assert_valid(&loaded);
            let left = &bytes[end..];
            match format {
                // OBJ has no end mark, so the part that is left is valid.
                Format::Obj => {
                    assert!(loaded.mesh.triangles().len() <= whole.triangles().len());
                }
                // The last number of a text may lose digits, or the text its last line end.
                _ => assert!(left.len() <= 12 && !what.contains("binary"), "{what} cut at {end}"),
            }
        }
    }
}

#[test]
fn cut_binary_files_are_refused() {
    for (what, format, bytes) in samples::all() {
        if what.contains("binary") || what.contains("endian") || what == "glb" {
            for end in 0..bytes.len() {
                let error = read_bytes(&bytes[..end], format, "cut").expect_err(what);
                assert!(error.to_string().starts_with("cut: "), "{what} at {end}: {error}");
            }
        }
    }
}

/// One to four small changes.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(8) {
            0 => bytes[at] = random.bits() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 => {
                bytes.remove(at);
            }
            4 => bytes.insert(at, b"0123456789-./ \n\\e#"[random.below(18) as usize]),
            5 => {
                let end = (at + random.below(16) as usize).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() as u64) as usize;
                bytes.splice(to..to, piece);
            }
            6 => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill(if random.chance(0.5) { 0xff } else { 0x7f });
            }
            _ => {
                let end = (at + random.below(16) as usize).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
}

#[test]
fn twenty_thousand_mutations_per_kind() {
    for (stream, (what, format, bytes)) in samples::all().into_iter().enumerate() {
        let mut random = Random::stream(2026, stream as u64);
        let mut read = 0;
        for _ in 0..20_000 {
            let mut damaged = bytes.clone();
            mutate(&mut damaged, &mut random);
            match read_bytes(&damaged, format, "damaged") {
                Ok(loaded) => {
                    assert_valid(&loaded);
                    read += 1;
                }
                Err(error) => assert!(error.to_string().starts_with("damaged: ")),
            }
        }
        assert!((50..19_950).contains(&read), "{what}: {read} readable, both must occur");
    }
}

/// Every reader gets the files of all other formats.
#[test]
fn each_reader_survives_all_kinds() {
    for (_, _, bytes) in samples::all() {
        for format in Format::ALL {
            if let Ok(loaded) = read_bytes(&bytes, format, "other") {
                assert_valid(&loaded);
            }
        }
    }
}
