//! Volume and depth of overlaps, and their bounds.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_image::ldi::{Direction, Estimate, Ldi, Overlap, OverlapOptions, ldi};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancel, Control, Engine, QueryError};

use super::clip;
use crate::bodies::shifted;

fn options(resolution: u32) -> OverlapOptions {
    OverlapOptions { resolution, ..OverlapOptions::default() }
}

fn measured(a: &Mesh, b: &Mesh, pose: &Pose, options: &OverlapOptions) -> Overlap {
    let engine = ldi();
    let [a, b] = [a, b].map(|mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh"));
    engine.overlap(&a, &b, pose, options, &Control::NONE).expect("in range")
}

/// Checks every direction against the true volume, and the stated bounds against each other.
fn check(overlap: &Overlap, truth: f64, share: f64) {
    assert_eq!((overlap.closed, overlap.directions.len()), ([true; 2], 3));
    assert!(overlap.agrees(), "{overlap:?}");
    for Direction { volume, unpaired, axis, .. } in &overlap.directions {
        let off = (volume.value - truth).abs();
        assert!(off <= volume.error, "axis {axis}: {volume:?}, not {truth}");
        assert!(off <= share * truth, "axis {axis}: {:.3} % off", 100.0 * off / truth);
        assert_eq!(*unpaired, [0; 2]);
        // A bound that allows anything would hold, too.
        assert!(volume.error < 0.1 * truth, "axis {axis}: {volume:?}");
    }
    let all = overlap.volume();
    assert!((all.value - truth).abs() <= all.error, "{all:?}, not {truth}");
}

/// Poses at which two bodies of about unit size overlap by a good part.
fn poses(seed: u64) -> impl Iterator<Item = Pose> {
    (0..4).map(move |index| Random::stream(seed, index).pose(0.4))
}

#[test]
fn boxes_overlap_by_what_clipping_says() {
    let [a, b] = [Shape::Cube.mesh(12, 0), Shape::Cube.mesh(48, 0)];
    for pose in poses(601).chain([shifted([0.3, 0.1, -0.2])]) {
        let truth = clip::volume(&a, &b.posed(&pose).expect("in range"));
        check(&measured(&a, &b, &pose, &options(512)), truth, 0.01);
    }
}

#[test]
fn balls_overlap_by_what_clipping_says() {
    let ball = Shape::Sphere.mesh(20_000, 0);
    assert!(ball.triangles().len() > 19_000);
    let pose = Random::stream(602, 0).turned_to(Vector::new(0.4, 0.2, 0.1));
    let truth = clip::volume(&ball, &ball.posed(&pose).expect("in range"));
    check(&measured(&ball, &ball, &pose, &options(512)), truth, 0.01);
}

/// With `IMPINGE_JUDGE=4096` the judge has so many pixels a side, and takes a minute.
#[test]
fn a_gear_and_a_torus_overlap_by_what_a_finer_image_says() {
    let judge = std::env::var("IMPINGE_JUDGE").map(|pixels| pixels.parse());
    let judge = judge.unwrap_or(Ok(2048)).expect("a number of pixels");
    assert!((1024..=4096).contains(&judge), "{judge} pixels");
    let (gear, torus) = (Shape::Gear.mesh(2_000, 0), Shape::Torus.mesh(2_000, 0));
    let pose = shifted([0.4, 0.05, 0.02]);
    let coarse = measured(&gear, &torus, &pose, &options(512));
    let fine = measured(&gear, &torus, &pose, &options(judge));
    assert!(fine.agrees() && coarse.agrees(), "{fine:?} {coarse:?}");
    assert!(coarse.contacts_found > 50, "{}", coarse.contacts_found);
    let truth = fine.volume();
    println!("{judge} pixels: {truth:?}, 512: {:?}", coarse.volume());
    for Direction { volume, axis, .. } in &coarse.directions {
        let off = (volume.value - truth.value).abs();
        assert!(off <= volume.error + truth.error, "axis {axis}: {volume:?}, not {truth:?}");
        println!("axis {axis}: {:.4} % off", 100.0 * off / truth.value);
        assert!(off + truth.error <= 0.01 * truth.value, "axis {axis}: {volume:?}, {truth:?}");
    }
}

#[test]
fn a_depth_is_that_of_the_longest_segment() {
    let cube = Shape::Cube.mesh(12, 0);
    let side = cube.bounds().1.x - cube.bounds().0.x;
    let shift = [0.625, 0.25, 0.0].map(|x| x * side);
    let overlap = measured(&cube, &cube, &shifted(shift), &options(64));
    for (direction, shift) in overlap.directions.iter().zip(shift) {
        let off = (direction.depth.value - (side - shift)).abs();
        assert!(off <= direction.depth.error && direction.depth.error < 1e-6, "{direction:?}");
        assert_eq!(direction.layers, [2; 2]);
        let [columns, rows] = direction.size;
        // The last column or row may be outside.
        assert!(direction.contact_pixels >= u64::from((columns - 1) * (rows - 1)));
    }
}

#[test]
fn a_unit_of_measure_changes_nothing_but_the_unit() {
    let (gear, ball) = (Shape::Gear.mesh(300, 0), Shape::Sphere.mesh(300, 0));
    let pose = Random::stream(604, 2).pose(0.4);
    let plain = measured(&gear, &ball, &pose, &options(64));
    for power in [-600, -500, -20, 20, 500, 990] {
        let scale = 2.0_f64.powi(power);
        let [a, b] = [&gear, &ball].map(|mesh| mesh.scaled(scale).expect("in range"));
        let posed = Pose::new(*pose.rotation(), pose.translation() * scale).expect("in range");
        let overlap = measured(&a, &b, &posed, &options(64));
        assert_eq!(overlap.contacts, plain.contacts, "2^{power}");
        for (own, plain) in overlap.directions.iter().zip(&plain.directions) {
            assert!((own.share.value - plain.share.value).abs() < 1e-9, "2^{power}: {own:?}");
            assert!((own.share.error - plain.share.error).abs() < 1e-9, "2^{power}: {own:?}");
            assert!((own.depth.value / scale - plain.depth.value).abs() < 1e-9, "2^{power}");
            assert_eq!((own.contact_pixels, own.layers), (plain.contact_pixels, plain.layers));
        }
    }
}

#[test]
fn an_open_mesh_is_told_by_its_pixels() {
    let ball = Shape::Sphere.mesh(300, 0);
    let half = ball.triangles().iter().copied().step_by(2).collect();
    let holes = Mesh::new(ball.vertices().to_vec(), half).expect("a mesh");
    let whole = measured(&ball, &ball, &shifted([0.2, 0.0, 0.0]), &options(64));
    let overlap = measured(&ball, &holes, &shifted([0.2, 0.0, 0.0]), &options(64));
    assert_eq!(overlap.closed, [true, false]);
    for (direction, whole) in overlap.directions.iter().zip(&whole.directions) {
        assert!(direction.unpaired[0] == 0 && direction.unpaired[1] > 500, "{direction:?}");
        assert_eq!(whole.unpaired, [0; 2]);
        assert!(direction.contact_pixels < whole.contact_pixels);
    }
}

#[test]
fn many_layers_are_drawn_in_several_passes_and_none_is_lost() {
    // Shells inside each other, alternately outward and inward: solid and hollow.
    let shell = |k: u32| {
        let ball = Shape::Cube.mesh(12, 0).scaled(f64::from(60 - k) / 60.0).expect("in range");
        if k.is_multiple_of(2) { ball } else { ball.flipped() }
    };
    let shells: Vec<Mesh> = (0..40).map(shell).collect();
    let shells = Mesh::union(&shells).expect("a mesh");
    let cube = Shape::Cube.mesh(12, 0).scaled(1.25).expect("in range");
    let side = 2.0 * shells.bounds().1.x;
    let truth: f64 =
        (0..40).map(|k| (-1.0_f64).powi(k) * (side * f64::from(60 - k) / 60.0).powi(3)).sum();
    let overlap = measured(&shells, &cube, &shifted([0.0; 3]), &options(256));
    assert!(overlap.contacts.is_empty());
    for direction in &overlap.directions {
        assert!(direction.passes > 1 && direction.layers == [80, 2], "{direction:?}");
        let volume = direction.volume;
        assert!((volume.value - truth).abs() <= volume.error.min(0.02 * truth), "{volume:?}");
        assert_eq!(direction.unpaired, [0; 2]);
    }
}

#[test]
fn long_needles_are_drawn_where_they_are_and_not_where_their_boxes_are() {
    let needles = |count: u32| {
        let needle = |k: u32| {
            let at = f64::from(k) / f64::from(count) * 0.1;
            [[at, 0.0, at], [1.0, 1.0 - at, 1.0], [1.0, 1.001 - at, 1.0]].map(Point::from)
        };
        let corners = (0..count).flat_map(needle).collect();
        let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        Mesh::new(corners, triangles).expect("a mesh")
    };
    let cube = Shape::Cube.mesh(12, 0).scaled(3.0).expect("in range");
    let windows = |count| {
        let overlap = measured(&needles(count), &cube, &shifted([0.0; 3]), &options(512));
        assert_eq!(overlap.directions.len(), 3);
        overlap.directions.iter().map(|direction| direction.passes).sum::<u32>()
    };
    // In an image a needle has some 1,500 fragments, and its box 2^18 pixels: 500 windows of them.
    let [few, many] = [250, 1_000].map(windows);
    println!("{few} and {many} windows");
    assert!(few <= 8 && many <= 32, "{few} {many}");
}

#[test]
fn solids_that_are_apart_or_touch_overlap_by_nothing() {
    let (cube, ball) = (Shape::Cube.mesh(12, 0), Shape::Sphere.mesh(300, 0));
    let side = cube.bounds().1.x - cube.bounds().0.x;
    let apart = measured(&cube, &ball, &shifted([9.0, 0.0, 0.0]), &options(64));
    assert!(apart.region.is_none() && apart.directions.is_empty() && apart.agrees());
    let flush = measured(&cube, &cube, &shifted([side, 0.0, 0.0]), &options(64));
    assert!(flush.region.is_some() && flush.directions.is_empty() && flush.contacts_found > 0);
    assert_eq!(flush.volume().value, 0.0);
    // Boxes overlap, and the solids do not: no length is certain anywhere.
    let corner = measured(&ball, &ball, &shifted([0.65; 3]), &options(64));
    assert!(corner.contacts_found == 0 && corner.directions.len() == 3);
    for direction in &corner.directions {
        assert_eq!((direction.volume.value, direction.contact_pixels), (0.0, 0));
        assert!(direction.depth.value == 0.0 && direction.share.error < 0.01, "{direction:?}");
    }
}

#[test]
fn intervals_of_contact_pixels_lie_in_both() {
    let ball = Shape::Sphere.mesh(300, 0);
    let pose = shifted([0.3, 0.1, 0.0]);
    let centres = [Point::origin(), pose.apply(&Point::origin())];
    let most = ball.vertices().iter().fold(0.0_f64, |most, p| most.max(p.coords.norm()));
    let wanted = OverlapOptions { intervals: 100, ..options(32) };
    let overlap = measured(&ball, &ball, &pose, &wanted);
    for direction in &overlap.directions {
        assert_eq!(direction.intervals.len(), 100);
        for interval in &direction.intervals {
            let along: Vector = interval.to - interval.from;
            assert!(along[direction.axis] > 0.0 && along.amax() == along[direction.axis]);
            for (end, centre) in [interval.from, interval.to]
                .iter()
                .zip(&centres)
                .chain([interval.to, interval.from].iter().zip(&centres))
            {
                assert!((end - centre).norm() <= most + 1e-9, "{interval:?}");
            }
        }
    }
}

#[test]
fn a_contact_that_an_engine_finds_is_reported() {
    let (gear, torus) = (Shape::Gear.mesh(300, 0), Shape::Torus.mesh(400, 0));
    let engine = ldi();
    let [a, b] = [&gear, &torus].map(|mesh| engine.prepare(mesh, &Control::NONE).expect("ok"));
    let pose = Random::stream(605, 0).pose(0.5);
    let few = OverlapOptions { contacts: 5, ..options(16) };
    let overlap = engine.overlap(&a, &b, &pose, &few, &Control::NONE).expect("in range");
    let all: Answer = engine.ask(&a, &b, &pose, &Ask::all_contacts()).expect("in range");
    assert!(all.contacts.len() > 5 && overlap.contacts == all.contacts[..5]);
    assert_eq!(overlap.contacts_found, all.contacts_found);
    assert_eq!(engine.overlap(&a, &b, &pose, &few, &Control::NONE), Ok(overlap));
}

#[test]
fn no_mesh_is_too_bad_to_be_measured() {
    let one = |corners: [[f64; 3]; 3]| {
        Mesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2]]).expect("a mesh")
    };
    let cube = Shape::Cube.mesh(12, 0);
    let scaled = |mesh: &Mesh, by: f64| mesh.scaled(by).expect("in range");
    let meshes = [
        one([[0.0; 3]; 3]),
        one([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        one([[-1e8, 0.0, 0.0], [1e8, 1e-8, 0.1], [1e8, 0.0, 0.2]]),
        Mesh::union([&cube, &cube, &cube.flipped()]).expect("a mesh"),
        Mesh::union([&scaled(&cube, 1e150), &scaled(&cube, 1e-150)]).expect("a mesh"),
        scaled(&cube, 1e-300),
        scaled(&cube, 1e300),
        scaled(&cube, 5e-324),
    ];
    let mut drawn = 0;
    for a in &meshes {
        for b in &meshes {
            for resolution in [0, 1, 33] {
                let wanted = OverlapOptions { intervals: 5, ..options(resolution) };
                let overlap = measured(a, b, &shifted([0.0; 3]), &wanted);
                drawn += overlap.directions.len();
                assert!(overlap.closed != [true; 2] || overlap.agrees(), "{overlap:?}");
                for direction in &overlap.directions {
                    let share = direction.share;
                    assert!((0.0..=1.0).contains(&share.value) && share.error >= 0.0, "{share:?}");
                }
            }
        }
    }
    assert!(drawn > 30, "{drawn}");
}

#[test]
fn a_region_far_below_a_pixel_has_true_bounds() {
    // A body so large that a pixel is 1e288, and a box of side 1e-40 in a corner of its box.
    let far = 1e300;
    let corners = [[far, 0.0, 0.0], [0.0, far, 0.0], [0.0, 0.0, far], [far; 3]];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let beside = Mesh::new(corners.map(Point::from).to_vec(), triangles).expect("a mesh");
    let cube = Shape::Cube.mesh(12, 0);
    let side = cube.bounds().1.x - cube.bounds().0.x;
    let [around, small] = [1e300, 1e-40].map(|by| cube.scaled(by / side).expect("in range"));
    for (a, volume, depth) in [(&beside, 0.0, 0.0), (&around, 1e-120, 1e-40)] {
        for resolution in [1, 64] {
            let overlap = measured(a, &small, &shifted([1.5e-40; 3]), &options(resolution));
            assert_eq!((overlap.closed, overlap.directions.len()), ([true; 2], 3));
            assert!(overlap.agrees(), "{overlap:?}");
            let holds = |of: &Estimate, truth: f64| (of.value - truth).abs() <= of.error;
            for direction in &overlap.directions {
                assert!(holds(&direction.volume, volume), "{direction:?}, not {volume:e}");
                assert!(holds(&direction.depth, depth), "{direction:?}, not {depth:e}");
                let share = if volume > 0.0 { 1.0 } else { 0.0 };
                assert!(holds(&direction.share, share), "{direction:?}, not {share}");
            }
            assert!(holds(&overlap.volume(), volume), "{overlap:?}");
        }
    }
}

#[test]
fn an_overlap_can_be_cancelled_at_any_look() {
    let engine: Ldi = ldi();
    let torus = engine.prepare(&Shape::Torus.mesh(2_000, 0), &Control::NONE).expect("ok");
    let pose = shifted([0.1, 0.0, 0.0]);
    let run = |look| {
        let cancel = Cancel::at_look(look);
        let control = Control::NONE.cancelled_by(&cancel);
        let done = engine.overlap(&torus, &torus, &pose, &options(256), &control);
        (done, cancel.looks().expect("a flag that counts").number)
    };
    // A model keeps what the first question computes: that its surface is closed.
    assert!(run(u64::MAX).0.is_ok());
    let (done, all) = run(u64::MAX);
    assert!(done.is_ok() && all > 100, "{all} looks");
    for look in [1, 2, all / 3, all / 2, all] {
        let (done, looks) = run(look);
        assert!(matches!(done, Err(QueryError::Cancelled(_))), "look {look} of {all}");
        assert_eq!(looks, look);
    }
}
