//! The binary's answers agree with the rational oracle on hundreds of posed pairs.

use std::fmt::Write as _;

use impinge::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_testkit::oracle;
use serde_json::Value;

use crate::harness::Place;

/// A pose as text, and as the program should parse it.
struct Typed {
    text: String,
    pose: Pose,
}

impl Typed {
    fn new(t: [f64; 3], q: [f64; 4]) -> Self {
        let numbers = t.iter().chain(&q).map(f64::to_string).collect::<Vec<_>>();
        Self { text: numbers.join(","), pose: Pose::from_quaternion(t, q).expect("a rotation") }
    }
}

/// Random poses, and poses on a lattice, where cubes touch.
fn poses(random: &mut Random, count: usize, reach: f64) -> Vec<Typed> {
    let lattice = |random: &mut Random| (random.below(9) as f64 - 4.0) * reach / 4.0;
    (0..count)
        .map(|i| {
            if i % 3 == 0 {
                let t = std::array::from_fn(|_| lattice(random));
                let q = if i % 2 == 0 { [0.0, 0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0, 0.0] };
                Typed::new(t, q)
            } else {
                let t = random.vector(-reach, reach);
                Typed::new(t.into(), random.quaternion())
            }
        })
        .collect()
}

fn lines(place: &Place, options: &str, poses: &[Typed]) -> Vec<Value> {
    let mut input = String::new();
    for typed in poses {
        writeln!(input, "{}", typed.text).expect("a string");
    }
    let run = place.run_with(&format!("check a.obj b.obj --poses - --json {options}"), &input);
    assert!(run.status < 2, "{}", run.err);
    let lines = run.json();
    assert_eq!(lines.len(), poses.len());
    let hit = lines.iter().any(|line| line["verdict"] != "separated");
    assert_eq!(run.status, i32::from(hit));
    lines
}

fn pairs(line: &Value) -> Vec<(u32, u32)> {
    let index = |v: &Value| u32::try_from(v.as_u64().expect("an index")).expect("32 bits");
    let contacts = line["contacts"].as_array().expect("an array");
    contacts.iter().map(|pair| (index(&pair[0]), index(&pair[1]))).collect()
}

fn meshes(place: &Place, a: &Mesh, b: &Mesh) {
    place.write_mesh("a.obj", a);
    place.write_mesh("b.obj", b);
}

/// 1,000 posed pairs of five kinds, curved, sharp, open, thin and of several components.
#[test]
fn contacts_are_the_oracles() {
    let pairs_of_shapes = [
        (Shape::Torus.mesh(96, 0), Shape::Cube.mesh(48, 0)),
        (Shape::Teapot.mesh(240, 0), Shape::Gear.mesh(200, 0)),
        (Shape::Hand.mesh(244, 0), Shape::Sphere.mesh(120, 0)),
        (Shape::Trefoil.mesh(216, 0), Shape::Hull.mesh(60, 0)),
        (Shape::Chain.mesh(200, 0), Shape::Comb.mesh(60, 0)),
    ];
    let (mut hits, mut misses) = (0, 0);
    for (seed, (a, b)) in (1..).zip(&pairs_of_shapes) {
        let place = Place::new();
        meshes(&place, a, b);
        let poses = poses(&mut Random::new(seed), 200, 0.6);
        for (line, typed) in lines(&place, "--contacts", &poses).iter().zip(&poses) {
            let want = oracle::contacts(a, &b.posed(&typed.pose).expect("in range"));
            assert_eq!(pairs(line), want, "pair {seed}: {}", typed.text);
            let word = if want.is_empty() { "separated" } else { "intersecting" };
            assert_eq!(line["verdict"], word, "pair {seed}: {}", typed.text);
            *if want.is_empty() { &mut misses } else { &mut hits } += 1;
        }
    }
    assert_eq!(hits + misses, 1000);
    assert!((300..=700).contains(&hits), "{hits} of 1000 hit");
}

#[test]
fn solids_are_the_oracles() {
    let place = Place::new();
    let a = Shape::Cube.mesh(12, 0);
    let b = a.scaled(0.25).expect("smaller");
    meshes(&place, &a, &b);
    let poses = poses(&mut Random::new(2), 240, 0.75);
    let mut seen = std::collections::BTreeMap::new();
    for (line, typed) in lines(&place, "--solids", &poses).iter().zip(&poses) {
        let want = oracle::solids(&a, &b.posed(&typed.pose).expect("in range")).word();
        assert_eq!(line["verdict"], want, "{}", typed.text);
        *seen.entry(want).or_insert(0) += 1;
    }
    assert!(seen.len() == 3 && seen.values().all(|&n| n > 8), "{seen:?}");
}

#[test]
fn distances_are_the_oracles() {
    let place = Place::new();
    let (a, b) = (Shape::Cube.mesh(12, 0), Shape::Hull.mesh(20, 5));
    meshes(&place, &a, &b);
    let poses = poses(&mut Random::new(3), 60, 1.5);
    let (mut zero, mut apart) = (0, 0);
    for (line, typed) in lines(&place, "--distance", &poses).iter().zip(&poses) {
        let want = oracle::mesh_distance(&a, &b.posed(&typed.pose).expect("in range"));
        let got = line["distance"]["value"].as_f64().expect("a distance");
        assert_eq!(got == 0.0, want == 0.0, "{}: {got} for {want}", typed.text);
        assert!((got - want).abs() <= 1e-12 * (1.0 + want), "{}: {got} for {want}", typed.text);
        *if want == 0.0 { &mut zero } else { &mut apart } += 1;
    }
    assert!(zero > 5 && apart > 15, "{zero} touch, {apart} apart");
}
