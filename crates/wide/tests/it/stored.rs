//! Stored models: what is changed, cut off or foreign is an error; what is well sealed but made up is
//! an error or a model that answers right for its mesh.

use std::io::{self, Read};
use std::sync::Mutex;

use impinge_geometry::{Mesh, Point, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Cancel, Control, Engine, Model, Progress};
use impinge_testkit::oracle;
use impinge_wide::{Place, Quality, StoredError, Wide, WideModel, WideParams, wide, wide_with};
use twox_hash::XxHash3_128;

use crate::brute::{Truth, ask, engines};

/// Bytes of the header and of the checksum.
const HEADER: usize = 40;
const CHECKSUM: usize = 16;

fn prepare(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("a mesh")
}

fn load(bytes: &[u8]) -> Result<WideModel, StoredError> {
    WideModel::from_bytes(bytes, &Control::NONE)
}

fn small() -> WideModel {
    let model = prepare(&Shape::Sphere.mesh(20, 0));
    assert!(model.triangles() >= 20 && model.nodes() >= 2, "{} nodes", model.nodes());
    model
}

/// Bytes with their checksum made right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some((before, sum)) = bytes.split_last_chunk_mut::<CHECKSUM>() {
        *sum = XxHash3_128::oneshot(before).to_le_bytes();
    }
    bytes
}

#[test]
fn any_byte_that_changes_is_an_error() {
    let bytes = small().to_bytes();
    load(&bytes).expect("as it was stored");
    let mut damaged = 0;
    for at in 0..bytes.len() {
        for change in 1..=255 {
            let mut bad = bytes.clone();
            bad[at] ^= change;
            let error = load(&bad).map(drop).expect_err("it has changed");
            damaged += usize::from(matches!(error, StoredError::Damaged));
        }
    }
    // In the header they may mean something else before the checksum is reached.
    assert!(damaged >= 255 * (bytes.len() - HEADER), "{damaged}");
}

#[test]
fn any_other_length_is_an_error() {
    let bytes = small().to_bytes();
    for n in 0..bytes.len() {
        let error = load(&bytes[..n]).expect_err("it is cut off");
        let StoredError::CutOff { expected, found } = error else { panic!("{n}: {error}") };
        assert!(found == n as u64 && expected > found, "{n}: {error}");
        let error = WideModel::read_from(&bytes[..n], &Control::NONE).expect_err("it is cut off");
        assert!(matches!(error, StoredError::CutOff { .. }), "{n}: {error}");
    }
    for more in 1..100 {
        let mut long = bytes.clone();
        long.resize(bytes.len() + more, 0);
        assert!(matches!(load(&long), Err(StoredError::TooLong { .. })), "{more}");
        let twice = [bytes.as_slice(), &bytes[..more]].concat();
        assert!(matches!(load(&twice), Err(StoredError::TooLong { .. })), "{more}");
    }
}

#[test]
fn foreign_and_other_versions_are_told_apart() {
    let bytes = small().to_bytes();
    for foreign in [b"\x89PNG\r\n\x1a\n".as_slice(), b"solid cube", b"ply\nformat", &[0; 400]] {
        assert!(matches!(load(foreign), Err(StoredError::Foreign)));
    }
    // What turns line ends into others shows in the first bytes.
    let text: Vec<u8> = bytes.iter().copied().filter(|b| *b != b'\r').collect();
    assert!(matches!(load(&text), Err(StoredError::Foreign)));
    let with = |at: usize, value: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + value.len()].copy_from_slice(value);
        load(&sealed(changed)).map(drop).expect_err("it is not of this form")
    };
    for version in [0u32, 2, 77, u32::MAX] {
        let error = with(8, &version.to_le_bytes());
        let told = matches!(error, StoredError::Version { found, expected: 1 } if found == version);
        assert!(told && error.to_string().contains(&format!("version {version} ")), "{error}");
    }
    let error = with(12, &[8]);
    assert!(matches!(error, StoredError::Layout { found: 8, expected: 16, .. }), "{error}");
    let error = with(13, &[8]);
    assert!(matches!(error, StoredError::Layout { found: 8, expected: 4, .. }), "{error}");
}

/// One triangle in one box along the model's axes, as version 1 has it: part by part.
const ONE: [&str; 8] = [
    "89696d70770d0a1a 01000000 10 04 0000 03000000 01000000 01000000 01000000 000000000000f83f",
    "0000000000000000 0000000000000000 0000000000000000 000000000000f03f 0000000000000000",
    "0000000000000000 0000000000000000 0000000000000040 0000000000000080",
    "00000000 01000000 02000000",
    "01000100",
    "01 00000000",
    "0000803f 00000000 00000000 00000000 0000803f 00000000 00000000 00000000 0000803f",
    "c0345d3b4668f2168ab6c91b79acf5af",
];

#[test]
fn what_was_stored_on_any_machine_stays_readable() {
    let digits: Vec<u8> = ONE.concat().bytes().filter(u8::is_ascii_hexdigit).collect();
    let bytes: Vec<u8> = (digits.as_chunks().0.iter())
        .map(|[a, b]| [a, b].map(|digit| char::from(*digit).to_digit(16).unwrap_or(0) as u8))
        .map(|[a, b]| 16 * a + b)
        .collect();
    let model = load(&bytes).expect("version 1");
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, -0.0]].map(Point::from);
    assert_eq!(model.mesh(), &Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("legal"));
    assert!(model.to_bytes() == bytes);
}

#[test]
fn counts_take_no_space_that_is_not_there() {
    let bytes = small().to_bytes();
    let most: u32 = 1 << 28;
    // Vertices, triangles, nodes, leaves.
    for counts in [
        [u32::MAX, most, most, most],
        [u32::MAX, 20, 1, 1],
        [12, most, 1, 1],
        [12, most, most, most],
        [0, 0, 0, 0],
        [12, u32::MAX, 2, 5],
        [12, 20, 2, 21],
        [12, 20, 21, 20],
        [12, 20, 0, 20],
        [12, 20, u32::MAX, u32::MAX],
    ] {
        let mut bad = bytes.clone();
        for (to, count) in bad[16..32].as_chunks_mut::<4>().0.iter_mut().zip(counts) {
            *to = count.to_le_bytes();
        }
        let bad = sealed(bad);
        let error = load(&bad).expect_err("the counts are wrong");
        assert!(!matches!(error, StoredError::Damaged), "{counts:?}: {error}");
        WideModel::read_from(bad.as_slice(), &Control::NONE).expect_err("the counts are wrong");
    }
}

/// All questions to a model that was accepted, compared with all pairs; whether something was hit.
fn check(a: &WideModel, b: &WideModel, pose: &Pose, engines: &[Wide], name: &str) -> bool {
    let truth = Truth::of(a.mesh(), b.mesh(), pose);
    let tame = a.mesh().max_abs_coordinate().max(b.mesh().max_abs_coordinate()) < 1e100;
    for &engine in engines {
        let answer = ask(engine, a, b, pose, &Ask::all_contacts());
        assert!(answer.contacts == truth.contacts, "{name}, {}", engine.width());
        let first = ask(engine, a, b, pose, &Ask::first_contact());
        assert_eq!(first.verdict.is_hit(), !truth.contacts.is_empty(), "{name}");
        let distance = ask(engine, a, b, pose, &Ask::distance()).nearest.expect("there is one");
        if tame {
            // Surfaces that do not meet are not at distance 0, even where 64 bits say so.
            let least = if truth.contacts.is_empty() { f64::from_bits(1) } else { 0.0 };
            let expected = truth.distance.max(least);
            assert_eq!(distance.distance, expected, "{name}, {}", engine.width());
        }
    }
    !truth.contacts.is_empty()
}

/// By rational arithmetic.
fn check_exactly(a: &WideModel, b: &WideModel, pose: &Pose, name: &str) {
    let posed = b.mesh().posed(pose).expect("in range");
    let found = ask(wide(), a, b, pose, &Ask::all_contacts()).contacts;
    let found: Vec<(u32, u32)> = found.into_iter().map(|c| (c.a, c.b)).collect();
    assert_eq!(found, oracle::contacts(a.mesh(), &posed), "{name}");
}

#[derive(Debug, Default)]
struct Tally {
    refused: usize,
    other_mesh: usize,
    same_mesh: usize,
    hits: usize,
    misses: usize,
}

impl Tally {
    /// Loads bytes that were made up; what is accepted must answer right.
    fn take(&mut self, bytes: Vec<u8>, b: &WideModel, poses: &[Pose], name: &str) {
        let bytes = sealed(bytes);
        let model = match load(&bytes) {
            Ok(model) => model,
            Err(StoredError::Damaged | StoredError::Read(_) | StoredError::Cancelled(_)) => {
                panic!("{name}: refused for the wrong reason")
            }
            Err(_) => {
                self.refused += 1;
                return;
            }
        };
        assert_eq!(model.validate(), Ok(()), "{name}");
        // A model has one form.
        assert!(model.to_bytes() == bytes, "{name}");
        if model.mesh() == b.mesh() {
            self.same_mesh += 1;
        } else {
            self.other_mesh += 1;
        }
        let accepted = self.same_mesh + self.other_mesh;
        let engines = engines();
        let engines = if accepted.is_multiple_of(16) { &engines[..] } else { &engines[..1] };
        for pose in poses {
            let hit = check(&model, b, pose, engines, name);
            if model.mesh().posed(pose).is_ok() {
                check(b, &model, pose, &engines[..1], name);
            }
            *(if hit { &mut self.hits } else { &mut self.misses }) += 1;
        }
        if accepted.is_multiple_of(8) {
            check_exactly(&model, b, &poses[0], name);
        }
    }
}

#[test]
fn any_bit_that_was_forged_is_an_error_or_harmless() {
    let model = small();
    let bytes = model.to_bytes();
    let mut random = Random::new(1);
    // One into the other, and one where they all but touch.
    let way = random.unit_vector() * (1.75 * model.mesh().max_abs_coordinate());
    let poses = [random.pose(0.4), random.turned_to(way)];
    let mut tally = Tally::default();
    for bit in 0..8 * (bytes.len() - CHECKSUM) {
        let mut forged = bytes.clone();
        forged[bit / 8] ^= 1 << (bit % 8);
        tally.take(forged, &model, &poses, &format!("bit {bit}"));
    }
    println!("{tally:?}");
    assert!(tally.refused > 500 && tally.other_mesh > 500 && tally.same_mesh > 20, "{tally:?}");
    assert!(tally.hits > 200 && tally.misses > 200, "{tally:?}");
}

/// Where each part of a stored model begins, and the end: vertices, triangles, nodes, leaves, order,
/// axes. Of one without faces.
fn parts(bytes: &[u8]) -> [usize; 7] {
    let word = |i: usize| {
        let word = bytes[16 + 4 * i..].first_chunk().expect("a header");
        u32::from_le_bytes(*word) as usize
    };
    let [v, t, nodes, leaves] = [0, 1, 2, 3].map(word);
    let mut at = HEADER;
    let mut parts = [HEADER; 7];
    let sizes = [24 * v, 12 * t, 4 * nodes, leaves, 4 * t, 36 * (nodes + leaves - 1)];
    for (part, size) in parts[1..].iter_mut().zip(sizes) {
        at += size;
        *part = at;
    }
    assert_eq!(at + CHECKSUM, bytes.len());
    parts
}

/// One forgery of some part: values changed, exchanged, copied, or put in another order.
fn forge(bytes: &mut [u8], random: &mut Random) {
    let parts = parts(bytes);
    let part = random.below(6) as usize;
    let size = if part == 3 { 1 } else { 4 };
    let places = (parts[part + 1] - parts[part]) / size;
    let mut place = || parts[part] + size * random.below(places as u64) as usize;
    let (at, other) = (place(), place());
    match random.below(6) {
        0 => {
            let count = size * (1 + random.below(9) as usize);
            let (at, other) = (at.min(other), at.max(other));
            let count = count.min(other - at).min(bytes.len() - other);
            let (low, high) = bytes.split_at_mut(other);
            low[at..at + count].swap_with_slice(&mut high[..count]);
        }
        1 => bytes.copy_within(other..other + size, at),
        2 => bytes[at..at + size].fill([0, 1, 0x7f, 0xff][random.below(4) as usize]),
        3 => bytes[at] = bytes[at].wrapping_add([1, 255, 2, 16][random.below(4) as usize]),
        4 => bytes[at + random.below(size as u64) as usize] = random.below(256) as u8,
        // Two leaves or nodes trade sizes: as many triangles in all.
        _ => {
            for k in 0..size {
                bytes.swap(at + k, other + k);
            }
        }
    }
}

#[test]
fn forgeries_are_an_error_or_harmless() {
    let mut random = Random::new(6);
    let mut tally = Tally::default();
    for shape in [Shape::Torus, Shape::Gear, Shape::Sphere] {
        let mesh = shape.mesh(90, 0);
        for quality in [Quality::SurfaceArea, Quality::Morton] {
            let engine = wide_with(WideParams { quality, ..WideParams::default() });
            let model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
            let bytes = model.to_bytes();
            for round in 0..400 {
                let mut forged = bytes.clone();
                for _ in 0..=random.below(3) {
                    forge(&mut forged, &mut random);
                }
                let poses = [random.pose(0.9)];
                tally.take(forged, &model, &poses, &format!("{shape:?}, {quality:?}, {round}"));
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.refused > 500 && tally.other_mesh > 200 && tally.same_mesh > 100, "{tally:?}");
    assert!(tally.hits > 100 && tally.misses > 100, "{tally:?}");
}

#[test]
fn well_sealed_noise_is_an_error() {
    let mut random = Random::new(9);
    let begin = &small().to_bytes()[..HEADER];
    for round in 0..20_000 {
        let keep = random.below(1 + HEADER as u64) as usize;
        let mut noise: Vec<u8> = (0..random.below(600)).map(|_| random.below(256) as u8).collect();
        let keep = keep.min(noise.len());
        noise[..keep].copy_from_slice(&begin[..keep]);
        let noise = sealed(noise);
        assert!(load(&noise).is_err(), "round {round}");
        let read = WideModel::read_from(noise.as_slice(), &Control::NONE);
        assert!(read.is_err(), "round {round}");
    }
}

#[test]
fn errors_name_the_place() {
    let bytes = prepare(&Shape::Torus.mesh(90, 0)).to_bytes();
    let [vertices, triangles, nodes, leaves, order, axes, _] = parts(&bytes);
    let refused = |at: usize, value: &[u8]| {
        let mut forged = bytes.clone();
        forged[at..at + value.len()].copy_from_slice(value);
        load(&sealed(forged)).map(drop).expect_err("forged").to_string()
    };
    let nan = f64::NAN.to_le_bytes();
    let cases = [
        (refused(vertices + 24, &nan), "vertex 1: coordinate x"),
        (refused(triangles + 16, &[0xff; 4]), "triangle 1: vertex index 4294967295"),
        (refused(nodes, &[2]), "node 0: it has too few lanes, or too many"),
        (refused(leaves + 2, &[5]), "leaf 2: it has no triangles, or too many"),
        (refused(leaves + 1, &[0]), "leaf 1: it has no triangles, or too many"),
        (refused(order, &[0xff; 4]), "leaf 0: one of its triangles does not exist"),
        (refused(axes + 4, &[0xff; 4]), "node 0, lane 0: its axes are not orthonormal"),
        (refused(14, &[4]), "header: unknown flags"),
        (refused(32, &nan), "header: the tree's cost is no number"),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message:?} says nothing of {expected:?}");
    }
    let first = bytes[order..order + 4].to_vec();
    let twice = refused(order + 4, &first);
    assert!(twice.contains("one of its triangles is in a leaf already"), "{twice}");
    let place = Place::Lane { node: 3, lane: 15 };
    assert_eq!(place.to_string(), "node 3, lane 15");
}

/// A reader that gives few bytes at a time, then fails if it is to.
struct Dribble<'b> {
    rest: &'b [u8],
    random: Random,
    fails: bool,
}

impl Read for Dribble<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.random.chance(0.1) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.fails && self.rest.is_empty() {
            return Err(io::Error::other("the cable is out"));
        }
        let n = (1 + self.random.below(7) as usize).min(to.len()).min(self.rest.len());
        to[..n].copy_from_slice(&self.rest[..n]);
        self.rest = &self.rest[n..];
        Ok(n)
    }
}

#[test]
fn a_reader_is_read_as_far_as_the_model_goes() {
    let models = [small(), prepare(&Shape::Torus.mesh(500, 0))];
    let mut stream = Vec::new();
    for model in &models {
        model.write_to(&mut stream).expect("a vector takes everything");
    }
    stream.extend_from_slice(b"and more");
    let mut from = Dribble { rest: &stream, random: Random::new(2), fails: false };
    for model in &models {
        let read = WideModel::read_from(&mut from, &Control::NONE).expect("a model");
        assert!(read.to_bytes() == model.to_bytes());
        assert_ne!(read.id(), model.id(), "a memory of the other must notice");
    }
    assert_eq!(from.rest, b"and more");
    let half = &stream[..600];
    let from = Dribble { rest: half, random: Random::new(3), fails: true };
    let error = WideModel::read_from(from, &Control::NONE).expect_err("it cannot be read");
    assert!(matches!(&error, StoredError::Read(_)), "{error}");
    assert!(error.to_string().contains("the cable is out"), "{error}");
}

#[test]
fn loading_can_be_cancelled_and_tells_how_far_it_is() {
    let bytes = small().to_bytes();
    let told = Mutex::new(Vec::new());
    let tell = |progress: Progress| told.lock().expect("no panic").push(progress);
    WideModel::from_bytes(&bytes, &Control::NONE.reporting(&tell)).expect("a model");
    let told = told.into_inner().expect("no panic");
    assert!(told.iter().map(|p| p.done).eq(0..=4) && told.iter().all(|p| p.total == 4));
    let cancel = Cancel::new();
    for step in 0..4 {
        cancel.reset();
        let stop = |progress: Progress| {
            if progress.done == step {
                cancel.cancel();
            }
        };
        let control = Control::NONE.cancelled_by(&cancel).reporting(&stop);
        let stopped = WideModel::from_bytes(&bytes, &control);
        assert!(matches!(stopped, Err(StoredError::Cancelled(_))), "step {step}");
    }
    let control = Control::NONE.cancelled_by(&cancel);
    let stopped = WideModel::read_from(bytes.as_slice(), &control);
    assert!(matches!(stopped, Err(StoredError::Cancelled(_))));
}

#[test]
fn a_loaded_model_answers_like_the_stored_one() {
    let (torus, hand) = (prepare(&Shape::Torus.mesh(700, 0)), prepare(&Shape::Hand.mesh(600, 0)));
    let loaded = load(&torus.to_bytes()).expect("as it was stored");
    let engines = engines();
    let mut random = Random::new(3);
    let mut hits = 0;
    for round in 0..12 {
        let pose = random.pose(0.8);
        hits += u32::from(check(&loaded, &hand, &pose, &engines, &format!("round {round}")));
        check(&hand, &loaded, &pose, &engines, &format!("round {round}"));
    }
    assert!((2..=10).contains(&hits), "{hits} of 12 hit");
}

#[cfg(feature = "serde")]
mod as_serde_sees_it {
    use serde::Deserialize;
    use serde::de::value::{BytesDeserializer, Error};

    use super::{WideModel, small};

    #[test]
    fn there_and_back() {
        let model = small();
        let bytes = model.to_bytes();
        let binary = BytesDeserializer::<Error>::new(&bytes);
        let read = WideModel::deserialize(binary).expect("as it was stored");
        assert!(read.to_bytes() == bytes);
        let text = serde_json::to_string(&model).expect("writes");
        let read: WideModel = serde_json::from_str(&text).expect("reads");
        assert!(read.to_bytes() == bytes);
    }

    #[test]
    fn damage_is_an_error() {
        let mut bytes = small().to_bytes();
        bytes[100] ^= 4;
        let damaged = WideModel::deserialize(BytesDeserializer::<Error>::new(&bytes));
        let error = damaged.expect_err("it has changed").to_string();
        assert!(error.contains("the checksum does not match"), "{error}");
        let text = serde_json::to_string(&bytes).expect("writes");
        assert!(serde_json::from_str::<WideModel>(&text).is_err());
        for text in ["[]", "[1, 2, 3]", "[300]", "\"text\"", "{}", "7"] {
            assert!(serde_json::from_str::<WideModel>(text).is_err(), "{text}");
        }
    }
}
