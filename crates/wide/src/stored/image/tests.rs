//! A viewed model is the stored one, in the bytes where it lies; and why each check is needed.

use impinge_geometry::{Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Engine};

use super::*;
use crate::wide;

fn prepare(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("a mesh")
}

fn view(bytes: &[u8]) -> Result<WideModel, StoredError> {
    WideModel::view(&AlignedBytes::copied(bytes).shared(), &Control::NONE)
}

/// With a checksum that matches.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - CHECKSUM;
    let sum = checksum(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&sum);
    bytes
}

/// A torus some of whose triangles occur twice, with faces.
fn repeated() -> Mesh {
    let torus = Shape::Torus.mesh(400, 0);
    let mut triangles = torus.triangles().to_vec();
    triangles.extend_from_within(..30);
    let faces = (0..triangles.len() as u32).map(|t| t / 3).collect();
    let mesh = Mesh::new(torus.vertices().to_vec(), triangles).expect("legal");
    mesh.with_faces(faces).expect("one each")
}

fn meshes() -> [Mesh; 5] {
    let large = Shape::Hand.mesh(3_000, 0);
    let tiny = Shape::Gear.mesh(300, 0).scaled(1e-200).expect("in range");
    let flat: Vec<Point> = (0..90).map(|k| Point::new(f64::from(k % 9), -0.0, 0.0)).collect();
    let flat = Mesh::new(flat, (0..30).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
    [large, tiny, flat.expect("legal"), Shape::Cube.mesh(12, 0), repeated()]
}

fn address<T>(list: &[T]) -> usize {
    list.as_ptr().addr()
}

/// Asks both about random poses of another body; every answer must be the same. Returns the number of
/// hits.
fn same_answers([a, b]: [&WideModel; 2], other: &WideModel, size: f64) -> usize {
    let (mut random, mut hits) = (Random::new(31), 0);
    for _ in 0..20 {
        let turned = random.pose(0.4);
        let pose = Pose::new(*turned.rotation(), turned.translation() * size).expect("in range");
        for ask in [Ask::all_contacts(), Ask::distance()] {
            let [a, b] = [a, b].map(|m| wide().ask(m, other, &pose, &ask).expect("an answer"));
            assert_eq!((a.verdict, &a.contacts, &a.nearest), (b.verdict, &b.contacts, &b.nearest));
            hits += usize::from(a.verdict.is_hit());
        }
    }
    hits
}

#[test]
fn what_is_viewed_is_what_was_stored_where_it_lies() {
    let mut hits = 0;
    for mesh in meshes() {
        let model = prepare(&mesh);
        let bytes = model.to_image().shared();
        let range = bytes.as_ref().as_ref().as_ptr_range();
        let (from, to) = (range.start.addr(), range.end.addr());
        let checked = WideModel::view(&bytes, &Control::NONE).expect("as it was stored");
        let again = WideModel::view_again(&bytes).expect("as it was stored");
        for viewed in [&checked, &again] {
            assert_eq!(viewed.validate(), Ok(()));
            assert_eq!((viewed.mesh(), viewed.wear()), (&mesh, model.wear()));
            assert_eq!(viewed.coincident(), model.coincident());
            let (nodes, leaves) = (&viewed.tree.nodes, &viewed.tree.leaves);
            assert!(nodes.is_view() && leaves.is_view());
            let mesh = viewed.mesh();
            for at in [
                address(nodes),
                address(leaves),
                address(mesh.vertices()),
                address(mesh.triangles()),
                mesh.faces().map_or(from, address),
            ] {
                assert!((from..to).contains(&at), "not where it lies");
            }
            assert!(viewed.to_image().as_ref() == bytes.as_ref().as_ref());
        }
        hits += same_answers([&model, &checked], &model, mesh.diagonal());
    }
    assert!(hits > 40, "{hits} hits");
}

#[test]
fn a_refit_copies_and_leaves_the_bytes() {
    let (engine, mesh) = (wide(), Shape::Hand.mesh(1_000, 0));
    let mut model = prepare(&mesh);
    let bytes = model.to_image().shared();
    let before = bytes.as_ref().as_ref().to_vec();
    let mut viewed = WideModel::view(&bytes, &Control::NONE).expect("as it was stored");
    let triangles = viewed.mesh().triangles().as_ptr().addr();
    let moved: Vec<Point> = mesh.vertices().iter().map(|p| p * 1.5).collect();
    for model in [&mut model, &mut viewed] {
        engine.refit(model, &moved, &Control::NONE).expect("as many");
        assert_eq!(model.validate(), Ok(()));
    }
    assert!(!viewed.tree.nodes.is_view() && !viewed.tree.leaves.is_view());
    assert!(viewed.mesh().triangles().as_ptr().addr() == triangles, "what stays is not copied");
    assert!(bytes.as_ref().as_ref() == before);
    let stored = [&model, &viewed].map(|model| model.to_image().as_ref().to_vec());
    assert!(stored[0] == stored[1], "the same tree");
    assert!(view(&stored[1]).is_ok(), "a refitted model is stored like any other");
}

/// All bytes but the first eight.
struct Behind(AlignedBytes);

impl AsRef<[u8]> for Behind {
    fn as_ref(&self) -> &[u8] {
        &self.0.as_ref()[8..]
    }
}

#[test]
fn bytes_that_are_no_image_are_refused() {
    let model = prepare(&Shape::Cube.mesh(12, 0));
    let image = model.to_image();
    let bytes = image.as_ref();
    for length in [0, 1, 7, 8, 127, 128, 129, bytes.len() / 2, bytes.len() - 1] {
        let error = view(&bytes[..length]).expect_err("too short");
        assert!(matches!(error, StoredError::CutOff { .. }), "{length}: {error}");
    }
    let longer = [bytes, &[0]].concat();
    assert!(matches!(view(&longer), Err(StoredError::TooLong { .. })));
    assert!(matches!(view(&model.to_bytes()), Err(StoredError::Foreign)));
    let mut damaged = bytes.to_vec();
    damaged[HEADER + 100] ^= 1;
    assert!(matches!(view(&damaged), Err(StoredError::Damaged)));
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = value;
        view(&sealed(bytes)).expect_err("changed").to_string()
    };
    assert_eq!(changed(8, 9), "stored in version 9 of the form; this release reads version 2");
    assert_eq!(changed(12, 8), "stored for 8 boxes to a node; this release has 16");
    for at in [16, 47, 127] {
        let said = changed(at, 0xf8);
        assert!(said.contains("header") || said.contains("cut off"), "{at}: {said}");
    }
    // Eight bytes too far.
    let blocks = [&[0; 8], bytes].concat();
    let shifted: SharedBytes = Arc::new(Behind(AlignedBytes::copied(&blocks)));
    let error = WideModel::view(&shifted, &Control::NONE).expect_err("not aligned").to_string();
    assert!(error.starts_with("cannot be viewed: bytes 128 to "), "{error}");
}

/// The place of a node's field in the bytes.
fn of_node(node: usize, field: usize) -> usize {
    HEADER + node * size_of::<Node>() + field
}

/// Half-lengths a tenth smaller, with a checksum that matches: refused; without the check, contacts
/// are lost.
#[test]
fn boxes_that_were_not_checked_would_be_wrong() {
    let model = prepare(&Shape::Torus.mesh(300, 0));
    let mut bytes = model.to_image().as_ref().to_vec();
    for node in 0..model.nodes() {
        let half = of_node(node, std::mem::offset_of!(Node, half));
        for number in bytes[half..half + 192].as_chunks_mut::<4>().0 {
            *number = (0.9 * f32::from_le_bytes(*number)).to_le_bytes();
        }
    }
    let bytes = sealed(bytes);
    let error = view(&bytes).expect_err("too small").to_string();
    assert!(error.contains("its boxes or marks are not those of the mesh"), "{error}");
    let believed = WideModel::view_again(&AlignedBytes::copied(&bytes).shared()).expect("believed");
    let mut lost = 0;
    for index in 0..30 {
        let pose = Random::stream(32, index).pose(0.9);
        let all = Ask::all_contacts();
        let [right, wrong] = [&model, &believed]
            .map(|a| wide().ask(a, &model, &pose, &all).expect("an answer").contacts.len());
        lost += right - wrong.min(right);
    }
    assert!(lost > 0, "nothing was lost");
}

/// Corners twice as far from the middle of their leaf, with a checksum that matches: refused; without the
/// check, contacts are wrong.
#[test]
fn corners_that_were_not_checked_would_be_wrong() {
    let model = prepare(&Shape::Torus.mesh(300, 0));
    let mut bytes = model.to_image().as_ref().to_vec();
    let leaves = of_node(model.nodes(), 0);
    for leaf in 0..model.leaves() {
        let unit = leaves + leaf * size_of::<Leaf>() + std::mem::offset_of!(Leaf, unit);
        let number = f32::from_bits(u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[unit + k])));
        bytes[unit..unit + 4].copy_from_slice(&(2.0 * number).to_le_bytes());
    }
    let bytes = sealed(bytes);
    let error = view(&bytes).expect_err("too large").to_string();
    assert!(error.contains("leaf 0: its corners are not those of the mesh"), "{error}");
    let believed = WideModel::view_again(&AlignedBytes::copied(&bytes).shared()).expect("believed");
    let mut wrong = 0;
    for index in 0..30 {
        let pose = Random::stream(32, index).pose(0.9);
        let all = Ask::all_contacts();
        let [a, b] = [&model, &believed]
            .map(|a| wide().ask(a, &model, &pose, &all).expect("an answer").contacts);
        wrong += usize::from(a != b);
    }
    assert!(wrong > 5, "{wrong}");
}

/// A mark of repeats that the mesh does not have hides triangles.
#[test]
fn marks_that_were_not_checked_would_be_wrong() {
    let model = prepare(&Shape::Torus.mesh(300, 0));
    let mut bytes = model.to_image().as_ref().to_vec();
    for node in 0..model.nodes() {
        let marks = of_node(node, std::mem::offset_of!(Node, repeats));
        bytes[marks..marks + 2].copy_from_slice(&[0xff; 2]);
    }
    let bytes = sealed(bytes);
    let error = view(&bytes).expect_err("no repeats").to_string();
    assert!(error.contains("node 0: its boxes or marks"), "{error}");
    let believed = WideModel::view_again(&AlignedBytes::copied(&bytes).shared()).expect("believed");
    let at = Pose::translation_by(Vector::new(0.1, 0.0, 0.0)).expect("in range");
    let hit = |a| wide().ask(a, &model, &at, &Ask::first_contact()).expect("ok").verdict.is_hit();
    assert!(hit(&model) && !hit(&believed), "the mark hides all");
}

/// Any changed byte is refused, or changes nothing that an answer depends on.
#[test]
fn changed_bytes_are_refused_or_give_a_valid_model() {
    let mut random = Random::new(33);
    let (mut refused, mut accepted) = (0, 0);
    for mesh in [Shape::Gear.mesh(60, 0), repeated()] {
        let image = prepare(&mesh).to_image();
        for _ in 0..400 {
            let mut bytes = image.as_ref().to_vec();
            let parts = [HEADER, bytes.len()];
            for _ in 0..=random.below(3) {
                let part = parts[usize::from(random.chance(0.7))];
                let at = random.below(part as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
            }
            match view(&sealed(bytes)) {
                Ok(model) => {
                    assert_eq!(model.validate(), Ok(()));
                    accepted += 1;
                }
                Err(error) => {
                    assert!(error.to_string().len() < 200, "{error}");
                    refused += 1;
                }
            }
        }
    }
    println!("{refused} refused, {accepted} accepted");
    assert!(refused > 500 && accepted > 5, "{refused} refused, {accepted} accepted");
}
