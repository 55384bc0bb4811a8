//! A loaded model is the stored one, bit for bit; and why each step of loading is needed.

use impinge_geometry::{Mesh, Point, Pose, Vector, exact};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Contact, Control, Engine};

use super::error::StoredError;
use super::header::{CHECKSUM, HEADER, Header};
use super::{checksum, read, shape};
use crate::build;
use crate::frame::Frame;
use crate::model::WideModel;
use crate::simd::Width;
use crate::tree::Tree;
use crate::validate::{InvalidTree, Place};
use crate::{Quality, WideParams, wide, wide_with};

fn prepare(mesh: &Mesh, quality: Quality) -> WideModel {
    let engine = wide_with(WideParams { quality, ..WideParams::default() });
    engine.prepare(mesh, &Control::NONE).expect("a mesh")
}

fn load(bytes: &[u8]) -> Result<WideModel, StoredError> {
    WideModel::from_bytes(bytes, &Control::NONE)
}

/// Every number of a tree as text; zeros of both signs differ.
fn numbers(tree: &Tree) -> String {
    format!("{tree:?}")
}

/// Triangles of points, three by three.
fn soup(vertices: Vec<Point>) -> Mesh {
    let n = vertices.len() as u32 / 3;
    Mesh::new(vertices, (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).expect("legal")
}

/// Triangles, each `factor` times as large as the one before.
fn shrinking(n: i32, factor: f64) -> Mesh {
    let triangle = |k| {
        let s: f64 = factor.powi(k);
        [Point::new(s, 0.0, -0.0), Point::new(s, s, 0.3 * s), Point::new(s, -0.0, s)]
    };
    soup((0..n).flat_map(triangle).collect())
}

fn meshes() -> Vec<Mesh> {
    let mut random = Random::new(5);
    let some = (0..900).map(|_| Point::from(random.vector(-1.0, 1.0))).collect();
    // Coordinates on a grid around zero: flat boxes, equal ends, zeros of both signs.
    let zeros = [-1.0, -0.0, 0.0, 1.0];
    let grid =
        (0..600).map(|_| Point::from([0; 3].map(|_| zeros[random.below(4) as usize]))).collect();
    let cube = Shape::Cube.mesh(12, 0);
    let faces = (0..cube.triangles().len() as u32).map(|t| t / 2).collect();
    vec![
        soup(some),
        soup(grid),
        soup(vec![Point::new(-0.0, 0.0, -0.0); 60]),
        soup(vec![Point::origin(), Point::new(1.0, -0.0, 2.0), Point::new(0.0, 1.0, 0.5)]),
        cube.with_faces(faces).expect("one each"),
        Shape::Torus.mesh(3_000, 0),
        Shape::Hand.mesh(1_500, 0),
        shrinking(900, 0.5),
        shrinking(20_000, 0.9995),
    ]
}

#[test]
fn what_is_loaded_is_what_was_stored() {
    for (which, mesh) in meshes().iter().enumerate() {
        for scale in [1e-150, 1.0, 1e150] {
            let mesh = mesh.scaled(scale).expect("in range");
            for quality in [Quality::SurfaceArea, Quality::Morton] {
                let model = prepare(&mesh, quality);
                let bytes = model.to_bytes();
                let loaded = load(&bytes).expect("as it was stored");
                assert_eq!(loaded.mesh(), &mesh, "mesh {which} at {scale:e}");
                let same = numbers(&loaded.tree) == numbers(&model.tree);
                assert!(same, "mesh {which} at {scale:e}, {quality:?}");
                assert_eq!(loaded.wear(), model.wear());
                assert!(loaded.to_bytes() == bytes, "mesh {which} at {scale:e}");
            }
        }
    }
}

#[test]
fn coordinates_may_be_of_any_magnitude() {
    let mut random = Random::new(11);
    let magnitudes = [0, 299, -300, -320, -150, 150, -20, -40];
    for round in 0..600 {
        let few = 1 + random.below(4) as usize;
        let from = random.below(5) as usize;
        let n = 3 * (1 + random.below(40));
        let mut coordinate = || {
            let e = magnitudes[from + random.below(few as u64) as usize];
            let x = if random.chance(0.2) { -1.0 } else { random.range(-1.0, 1.0) };
            if random.chance(0.1) { -0.0 } else { x * 10f64.powi(e) }
        };
        let corners = (0..n).map(|_| Point::from([0; 3].map(|_| coordinate()))).collect();
        let quality = if round % 2 == 0 { Quality::SurfaceArea } else { Quality::Morton };
        let model = prepare(&soup(corners), quality);
        let loaded = load(&model.to_bytes()).expect("as it was stored");
        assert!(numbers(&loaded.tree) == numbers(&model.tree), "round {round}");
        assert!(loaded.to_bytes() == model.to_bytes(), "round {round}");
    }
}

#[test]
fn so_is_a_tree_that_has_followed_its_mesh() {
    let (engine, mesh) = (wide(), Shape::Hand.mesh(1_000, 0));
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    let mut random = Random::new(2);
    let mut worn = 0;
    for amount in [0.01, 0.3, 1.0, 1e-3] {
        let vertices: Vec<Point> =
            (mesh.vertices().iter()).map(|p| p + random.vector(-amount, amount)).collect();
        engine.refit(&mut model, &vertices, &Control::NONE).expect("as many");
        let mut loaded = load(&model.to_bytes()).expect("as it was stored");
        assert!(numbers(&loaded.tree) == numbers(&model.tree), "{amount}");
        assert_eq!(loaded.wear(), model.wear());
        worn += u32::from(model.wear().1);
        // Both behave alike afterwards: refitted, or rebuilt.
        let mut copy = model.clone();
        for model in [&mut copy, &mut loaded] {
            engine.refit(model, mesh.vertices(), &Control::NONE).expect("as many");
        }
        assert!(numbers(&loaded.tree) == numbers(&copy.tree), "{amount}");
    }
    assert!(worn > 0, "none had become costly");
}

/// Recomputes the checksum of changed bytes.
fn seal(bytes: &mut [u8]) {
    if let Some((sealed, sum)) = bytes.split_last_chunk_mut::<CHECKSUM>() {
        *sum = checksum(sealed).to_le_bytes();
    }
}

/// Where a section of the stored form starts.
fn section(bytes: &[u8], index: usize) -> usize {
    let header = Header::read(bytes).expect("a header");
    HEADER + header.sections()[..index].iter().sum::<u64>() as usize
}

/// The contacts among all pairs, one by one.
fn truth(a: &Mesh, b: &Mesh, pose: &Pose) -> Vec<Contact> {
    let b = b.posed(pose).expect("in range");
    let pairs = (0u32..).zip(a.corners()).flat_map(|(i, p)| {
        (0u32..)
            .zip(b.corners())
            .filter(move |(_, q)| exact::triangles_meet(&p, q))
            .map(move |(j, _)| Contact { a: i, b: j })
    });
    pairs.collect()
}

fn contacts(a: &WideModel, b: &WideModel, pose: &Pose) -> Vec<Contact> {
    let (engine, mut answer, ask) = (wide(), Answer::default(), Ask::all_contacts());
    let mut memory = engine.memory();
    engine.query(a, b, pose, &mut memory, &ask, &Control::NONE, &mut answer).expect("an answer");
    answer.contacts
}

/// Number of poses for which the answer for `a` and `b` is wrong.
fn wrong(a: &WideModel, b: &WideModel) -> usize {
    let mut random = Random::new(8);
    let poses = (0..40).map(|_| random.pose(0.8));
    poses.filter(|pose| contacts(a, b, pose) != truth(a.mesh(), b.mesh(), pose)).count()
}

#[test]
fn boxes_that_were_only_copied_would_be_wrong() {
    let mesh = Shape::Torus.mesh(150, 0);
    let model = prepare(&mesh, Quality::SurfaceArea);
    let mut bytes = model.to_bytes();
    // A vertex moved within the mesh's bounds, with the checksum of the new bytes.
    let at = section(&bytes, 0);
    bytes[at..at + 24].copy_from_slice(&[0; 24]);
    seal(&mut bytes);
    let loaded = load(&bytes).expect("a mesh like any other");
    assert_eq!(loaded.mesh().vertices()[0], Point::origin());
    let copied = WideModel::new(loaded.mesh().clone(), model.tree.clone());
    assert!(wrong(&copied, &model) > 0, "the fault");
    assert_eq!(wrong(&loaded, &model), 0);
    // Half-lengths as a file might have them: all smaller by a tenth.
    let mut shrunk = model.clone();
    shrunk.tree.break_by(|tree| {
        for half in tree.nodes.iter_mut().flat_map(|node| node.half.as_flattened_mut()) {
            *half *= 0.9;
        }
    });
    assert!(wrong(&shrunk, &model) > 0, "the fault");
    let loaded = load(&shrunk.to_bytes()).expect("half-lengths are not stored");
    assert_eq!(wrong(&loaded, &model), 0);
    assert!(numbers(&loaded.tree) == numbers(&model.tree));
}

#[test]
fn axes_that_were_not_checked_would_be_wrong() {
    let mesh = Shape::Torus.mesh(150, 0);
    let model = prepare(&mesh, Quality::SurfaceArea);
    let bytes = model.to_bytes();
    let (axes, mut refused, mut harmful) = (section(&bytes, 6), 0, 0);
    let unchecked = |bytes: &[u8]| {
        let header = Header::read(bytes).expect("a header");
        let parts = read::Parts::of(bytes, &header);
        let mut tree = parts.tree(&header, &mesh).expect("a tree");
        build::refit(&mut tree, &mesh, Frame::of(&mesh), Width::fastest());
        WideModel::new(mesh.clone(), tree)
    };
    for index in [0, 1, 5, 20] {
        for factor in [0.0f32, 0.5, -3.0, f32::NAN, f32::INFINITY, 1.000_000_5] {
            let mut bad = bytes.clone();
            for number in bad[axes + 36 * index..][..36].as_chunks_mut::<4>().0 {
                *number = (f32::from_le_bytes(*number) * factor).to_le_bytes();
            }
            seal(&mut bad);
            let error = load(&bad).expect_err("no frame");
            assert!(matches!(
                error,
                StoredError::Invalid(InvalidTree { place: Place::Lane { .. }, .. })
            ));
            assert!(error.to_string().contains("not orthonormal"), "{error}");
            refused += 1;
            harmful += usize::from(factor == 0.0 && wrong(&unchecked(&bad), &model) > 0);
        }
    }
    assert_eq!(refused, 24);
    assert!(harmful > 0, "the fault: without the check");
    // Another orthonormal frame is valid: its box is recomputed.
    let mut turned = bytes;
    let frame = [[0.0f32, 0.6, 0.8], [1.0, 0.0, 0.0], [0.0, 0.8, -0.6]];
    for (number, x) in
        turned[axes..][..36].as_chunks_mut::<4>().0.iter_mut().zip(frame.as_flattened())
    {
        *number = x.to_le_bytes();
    }
    seal(&mut turned);
    let loaded = load(&turned).expect("a frame");
    assert_eq!(wrong(&loaded, &model), 0);
}

/// A node's lanes, and one bit for each that is a leaf.
type Hung = (u32, u32);

/// Number of nodes that these words give.
fn shaped(nodes: &[Hung], leaves: u32) -> Result<usize, StoredError> {
    let words: Vec<[u8; 4]> =
        nodes.iter().map(|(lanes, bits)| (lanes | bits << 16).to_le_bytes()).collect();
    let header = Header {
        vertices: 3,
        triangles: leaves,
        nodes: nodes.len() as u32,
        leaves,
        faces: false,
        degraded: false,
        built: 1.0,
    };
    shape::nodes(&words, &header).map(|nodes| nodes.len())
}

#[test]
fn only_trees_are_trees() {
    let node = |n| Some(Place::Node(n));
    let lane = |node, lane| Some(Place::Lane { node, lane });
    let cases: [(&[Hung], u32, Option<Place>); 16] = [
        (&[(1, 1)], 1, None),
        (&[(1, 0), (3, 0b101), (2, 0b11)], 4, None),
        (&[(1, 0), (16, 0xffff)], 16, None),
        (&[(1, 0), (3, 0b101), (2, 0b11)], 3, node(2)),
        (&[(1, 0), (3, 0b101), (2, 0b11)], 5, Some(Place::Leaf(4))),
        (&[(1, 0), (3, 0b101)], 2, lane(1, 1)),
        (&[(1, 0)], 1, lane(0, 0)),
        (&[(1, 1), (2, 0b11)], 3, node(1)),
        (&[(1, 0), (2, 0b11), (2, 0b11)], 4, node(2)),
        (&[(0, 0)], 1, node(0)),
        (&[(2, 0b11)], 2, node(0)),
        (&[(1, 0), (1, 1)], 1, node(1)),
        (&[(1, 0), (0, 0)], 1, node(1)),
        (&[(1, 0), (17, 1)], 1, node(1)),
        (&[(1, 0), (2, 0b111)], 2, node(1)),
        (&[(1, 0), (0xffff, 0xffff)], 16, node(1)),
    ];
    for (nodes, leaves, expected) in cases {
        let place = match shaped(nodes, leaves) {
            Ok(n) => {
                assert_eq!(n, nodes.len());
                None
            }
            Err(StoredError::Invalid(InvalidTree { place, .. })) => Some(place),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(place, expected, "{nodes:?}");
    }
}

#[test]
fn a_tree_without_end_is_refused_before_anything_goes_down_it() {
    // Each node has a leaf and a node: fitting boxes recurses once per node.
    for n in [95, 96, 97, 300_000] {
        let mut nodes = vec![(2, 0b01); n];
        nodes[0] = (1, 0);
        nodes[n - 1] = (2, 0b11);
        assert_eq!(shaped(&nodes, n as u32).is_ok(), n <= 96, "{n}");
    }
    // The deepest trees that the builder makes fit in.
    let deepest = |model: &WideModel| {
        let mut ways = vec![(0u32, 1)];
        let mut most = 0;
        while let Some((node, depth)) = ways.pop() {
            most = most.max(depth);
            let node = &model.tree.nodes[node as usize];
            let below = node.child[..node.lanes as usize].iter().filter(|c| *c >> 31 == 0);
            ways.extend(below.map(|c| (*c, depth + 1)));
        }
        most
    };
    for quality in [Quality::SurfaceArea, Quality::Morton] {
        for factor in [0.5, 0.1, 0.9, 0.99] {
            let model = prepare(&shrinking(2_000, factor), quality);
            let depth = deepest(&model);
            assert!(depth < 80, "{depth} for {quality:?}, {factor}");
        }
    }
}

#[test]
fn models_that_moved_in_their_place_meet_as_before() {
    let mesh = Shape::Gear.mesh(400, 0);
    let model = prepare(&mesh, Quality::SurfaceArea);
    let loaded = load(&model.to_bytes()).expect("as it was stored");
    let aside = Pose::translation_by(Vector::new(0.3, 0.1, 0.0)).expect("finite");
    assert!(!contacts(&model, &model, &aside).is_empty());
    assert_eq!(contacts(&loaded, &model, &aside), contacts(&model, &model, &aside));
    assert_eq!(wrong(&model, &loaded), 0);
}

/// A stored model with the structure of these words over the triangles in their order, one per
/// leaf; all axes are the model's.
fn made(nodes: &[Hung], mesh: &Mesh) -> Vec<u8> {
    let triangles = mesh.triangles().len() as u32;
    let header = Header {
        vertices: mesh.vertices().len() as u32,
        triangles,
        nodes: nodes.len() as u32,
        leaves: triangles,
        faces: false,
        degraded: false,
        built: 1.0,
    };
    let mut to = Vec::new();
    header.write(&mut to);
    to.extend(mesh.vertices().iter().flat_map(|p| p.iter()).flat_map(|x| x.to_le_bytes()));
    to.extend(mesh.triangles().as_flattened().iter().flat_map(|v| v.to_le_bytes()));
    to.extend(nodes.iter().flat_map(|(lanes, bits)| (lanes | bits << 16).to_le_bytes()));
    to.extend((0..triangles).map(|_| 1u8));
    to.extend((0..triangles).flat_map(u32::to_le_bytes));
    for _ in 0..header.boxes() {
        let axes = [1.0f32, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        to.extend(axes.iter().flat_map(|x| x.to_le_bytes()));
    }
    to.resize(to.len() + CHECKSUM, 0);
    seal(&mut to);
    to
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn the_deepest_tree_leaves_room_on_the_stack() {
    // Each node has a leaf and a node, down to a bush for which several threads fit boxes at every
    // depth.
    let mut nodes = vec![(2, 0b01); 93];
    nodes[0] = (1, 0);
    nodes.push((16, 0));
    for _ in 0..16 {
        nodes.push((16, 0));
        nodes.extend([(16, 0xffff); 16]);
    }
    let leaves: u32 = nodes.iter().map(|(_, bits): &Hung| bits.count_ones()).sum();
    let mut random = Random::new(4);
    let mut corners = Vec::new();
    for _ in 0..leaves {
        let middle = random.vector(-1.0, 1.0);
        corners.extend([0; 3].map(|_| Point::from(middle + random.vector(-0.1, 0.1))));
    }
    let mesh = soup(corners);
    let bytes = made(&nodes, &mesh);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).stack_size(1 << 20).build();
    let pool = pool.expect("threads");
    for _ in 0..20 {
        let model = pool.install(|| load(&bytes)).expect("a tree");
        let good = prepare(&mesh, Quality::SurfaceArea);
        let pose = random.pose(0.3);
        assert_eq!(contacts(&model, &good, &pose), contacts(&good, &good, &pose));
    }
}
