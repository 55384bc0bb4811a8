//! The list of clashes against judges that share no code with it. Contacts, winding and distance are
//! judged by rational arithmetic in coarse meshes, and by exact predicates in those of a plant;
//! touching by `geometry` in both.

use std::collections::{BTreeMap, BTreeSet};

use impinge_geometry::touching::{Touch, Undecided, touch};
use impinge_geometry::{Point, Topology, exact};
use impinge_testkit::oracle;

use super::*;

/// A mesh under a pose.
fn posed(mesh: &Mesh, pose: &Pose) -> Mesh {
    let vertices = mesh.vertices().iter().map(|p| pose.apply(p)).collect();
    mesh.with_vertices(vertices).expect("as many vertices as before, all finite")
}

/// The corners of all triangles, without their order and first corner.
fn triangles(mesh: &Mesh) -> BTreeSet<[[u64; 3]; 3]> {
    let key = |p: &Point| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits);
    let turned = |t: [Point; 3]| {
        let mut t = t.map(|p| key(&p));
        let least = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
        t.rotate_left(least);
        t
    };
    mesh.corners().map(turned).collect()
}

/// The ends of points along each axis.
fn ends(points: &[Point]) -> [[f64; 2]; 3] {
    [0, 1, 2].map(|k| {
        points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
            [low.min(p[k]), high.max(p[k])]
        })
    })
}

/// How two boxes stand to each other: the largest gap along an axis, negative if they overlap.
fn gap(a: &[[f64; 2]; 3], b: &[[f64; 2]; 3]) -> f64 {
    (0..3).map(|k| (a[k][0] - b[k][1]).max(b[k][0] - a[k][1])).fold(f64::NEG_INFINITY, f64::max)
}

/// What decides about two meshes in one frame.
struct Judge {
    /// The pairs of triangles that share a point.
    contacts: fn(&Mesh, &Mesh) -> Vec<(u32, u32)>,
    inside: fn(&Mesh, &Point) -> bool,
    /// Whether meshes that are apart are at most the clearance apart.
    near: fn(&Mesh, &Mesh) -> bool,
}

/// Rational arithmetic, for coarse meshes.
const ORACLE: Judge = Judge {
    contacts: oracle::contacts,
    inside: |mesh, p| oracle::winding(mesh, p) != oracle::Location::Outside,
    near: |a, b| oracle::at_most(&oracle::mesh_squared_distance(a, b), Plant::CLEARANCE),
};

/// Exact predicates, for any mesh.
const EXACT: Judge = Judge {
    contacts: |a, b| {
        let mut pairs = candidates(a, b, 0.0);
        pairs.retain(|&(i, j)| exact::triangles_meet(&a.triangle(i), &b.triangle(j)));
        pairs
    },
    inside: |mesh, p| exact::locate(mesh, p) != exact::Location::Outside,
    near: |a, b| {
        let is_near =
            |&(i, j): &(u32, u32)| exact::within(&a.triangle(i), &b.triangle(j), Plant::CLEARANCE);
        candidates(a, b, Plant::CLEARANCE).iter().any(is_near)
    },
};

/// The pairs of triangles whose boxes are at most about `margin` apart.
fn candidates(a: &Mesh, b: &Mesh, margin: f64) -> Vec<(u32, u32)> {
    // Gaps are rounded.
    let margin = margin + 1e-9;
    let whole = [ends(a.vertices()), ends(b.vertices())];
    let near = |mesh: &Mesh, other: &[[f64; 2]; 3]| -> Vec<(u32, [[f64; 2]; 3])> {
        let boxes = (0..).zip(mesh.corners().map(|corners| ends(&corners)));
        boxes.filter(|(_, own)| gap(own, other) <= margin).collect()
    };
    let (of_a, of_b) = (near(a, &whole[1]), near(b, &whole[0]));
    let mut pairs = Vec::new();
    for (i, own) in &of_a {
        let beside = of_b.iter().filter(|(_, other)| gap(own, other) <= margin);
        pairs.extend(beside.map(|&(j, _)| (*i, j)));
    }
    pairs
}

/// The class of two meshes in one frame.
fn class_of(a: &Mesh, b: &Mesh, judge: &Judge) -> Option<&'static str> {
    if a.triangles().len() == b.triangles().len() && triangles(a) == triangles(b) {
        return Some("duplicate");
    }
    let pairs: Vec<[u32; 2]> = (judge.contacts)(a, b).into_iter().map(|(i, j)| [i, j]).collect();
    if !pairs.is_empty() {
        let clean = &mut |_| Ok::<_, Undecided>(Vec::new());
        let found =
            touch([a, b], [None; 2], &pairs, clean, &mut || Ok(())).expect("closed clean meshes");
        return Some(if found == Touch::Touches { "touches" } else { "pierces" });
    }
    // The first and the last vertex are of different components, where there are two.
    let inside = |mesh: &Mesh, other: &Mesh| {
        let vertices = mesh.vertices();
        let some = [vertices[0], vertices[vertices.len() - 1]];
        some.iter().any(|p| (judge.inside)(other, p))
    };
    if inside(a, b) || inside(b, a) {
        return Some("inside");
    }
    (judge.near)(a, b).then_some("too-near")
}

/// Every pair of a plant, by a judge. Returns the number of pairs whose boxes overlap.
fn check(plant: &Plant, judge: &Judge) -> usize {
    let known: BTreeMap<(usize, usize), &str> =
        plant.clashes.iter().map(|clash| ((clash.a, clash.b), clash.class)).collect();
    assert_eq!(known.len(), plant.clashes.len());
    let meshes: Vec<Mesh> =
        plant.parts.iter().map(|part| posed(&plant.meshes[part.mesh], &part.pose)).collect();
    let boxes: Vec<_> = meshes.iter().map(|mesh| ends(mesh.vertices())).collect();
    let mut overlapping = 0;
    for a in 0..meshes.len() {
        for b in a + 1..meshes.len() {
            let wanted = known.get(&(a, b)).copied();
            let names = [a, b].map(|part| &plant.parts[part].name);
            // Rounding moves no box by as much as a millionth.
            if gap(&boxes[a], &boxes[b]) > Plant::CLEARANCE + 1e-6 {
                assert_eq!(wanted, None, "{names:?} are far apart");
                continue;
            }
            overlapping += usize::from(gap(&boxes[a], &boxes[b]) <= 0.0);
            // As a query sees them: b in the frame of a.
            let [p, q] = [a, b].map(|part| &plant.parts[part]);
            let first = &plant.meshes[p.mesh];
            let second = posed(&plant.meshes[q.mesh], &Pose::relative(&p.pose, &q.pose));
            assert_eq!(class_of(first, &second, judge), wanted, "{names:?}");
        }
    }
    overlapping
}

#[test]
fn the_list_of_clashes_is_right() {
    for seed in 0..3 {
        let options = PlantOptions { parts: 40 + seed as usize, seed, flush: 0.3 };
        let plant = build(&options, 12);
        let overlapping = check(&plant, &ORACLE);
        assert!(overlapping > 2 * plant.clashes.len(), "{overlapping} overlapping boxes");
        let classes: BTreeSet<&str> = plant.clashes.iter().map(|clash| clash.class).collect();
        let all = ["duplicate", "inside", "pierces", "too-near", "touches"];
        assert_eq!(classes, all.into(), "seed {seed}");
    }
}

#[test]
fn the_list_is_right_for_whole_meshes() {
    let plant = plant(&PlantOptions { parts: 300, seed: 5, flush: 0.3 });
    let overlapping = check(&plant, &EXACT);
    assert!(overlapping > 5 * plant.clashes.len(), "{overlapping} overlapping boxes");
}

/// Every template, coarse, whatever a plant has of it.
#[test]
fn every_template_is_what_it_says() {
    let all = [Template::FLUSH, Template::CLASHES, Template::APART].concat();
    let mut random = Random::new(9);
    for template in all {
        for _ in 0..6 {
            let (catalogue, place) = (Catalogue::new(12), Vector::new(20.0, -7.5, 2.25));
            let mut site = Site { catalogue, parts: Vec::new(), pairs: Vec::new() };
            let station = template.station(&mut random);
            site.pair(&station, place, &mut random);
            let plant = site.shuffled(&mut random);
            check(&plant, &ORACLE);
            // It keeps to its station, and where it must be, posing it is exact.
            for part in &plant.parts {
                let mesh = posed(&plant.meshes[part.mesh], &part.pose);
                let far = |p: &Point| (p - place).coords.amax();
                assert!(mesh.vertices().iter().all(|p| far(p) <= 1.75), "{template:?}");
                let dyadic = |c: &f64| (c * 8192.0).fract() == 0.0;
                let all_dyadic = mesh.vertices().iter().all(|p| p.iter().all(dyadic));
                assert!(!station.exact || all_dyadic, "{template:?}");
            }
        }
    }
}

/// A wrong list must not pass: a part moved, and a class changed.
#[test]
#[should_panic(expected = "assertion")]
fn a_wrong_class_is_seen() {
    let mut plant = build(&PlantOptions { parts: 10, seed: 1, flush: 0.0 }, 12);
    let clash = plant.clashes.iter_mut().find(|clash| clash.class == "pierces");
    clash.expect("one pierces").class = "touches";
    check(&plant, &ORACLE);
}

#[test]
#[should_panic(expected = "assertion")]
fn a_missing_clash_is_seen() {
    let mut plant = build(&PlantOptions { parts: 10, seed: 1, flush: 0.0 }, 12);
    plant.clashes.pop();
    check(&plant, &ORACLE);
}

#[test]
fn three_thousand_parts() {
    let options = PlantOptions::default();
    let plant = plant(&options);
    assert_eq!(plant.parts.len(), 3000);
    assert!(plant.meshes.len() <= 200, "{} meshes", plant.meshes.len());
    for mesh in &plant.meshes {
        let count = mesh.triangles().len();
        assert!((2000..=4400).contains(&count), "{count} triangles");
        Topology::new(mesh).closed().expect("closed and consistently wound");
        let volume: f64 =
            mesh.corners().map(|[a, b, c]| a.coords.dot(&b.coords.cross(&c.coords))).sum();
        assert!(volume > 0.0, "wound outward");
    }
    let placed: usize =
        plant.parts.iter().map(|part| plant.meshes[part.mesh].triangles().len()).sum();
    let distinct: usize = plant.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
    assert!((9_000_000..11_000_000).contains(&placed), "{placed} placed");
    assert!(distinct < 1_000_000, "{distinct} distinct");
    let names: BTreeSet<&str> = plant.parts.iter().map(|part| &*part.name).collect();
    assert_eq!(names.len(), 3000);
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    for clash in &plant.clashes {
        assert!(clash.a < clash.b);
        *classes.entry(clash.class).or_default() += 1;
    }
    assert!(plant.clashes.is_sorted_by_key(|clash| (clash.a, clash.b)));
    assert_eq!(plant.clashes.len(), 889);
    assert!(classes.len() == 5 && classes.values().all(|&count| count > 50), "{classes:?}");
    assert_eq!(super::plant(&options), plant, "the same options, the same plant");
}

#[test]
fn the_share_of_flush_pairs() {
    for (flush, wanted) in [(0.0, 0), (0.1, 20), (0.5, 100), (1.0, 200), (f64::NAN, 0), (7.0, 200)]
    {
        let templates = templates(300, flush, &mut Random::new(0));
        let flush = templates.iter().filter(|template| Template::FLUSH.contains(template));
        assert_eq!(flush.count(), wanted);
        let apart = templates.iter().filter(|template| Template::APART.contains(template));
        assert_eq!(apart.count(), 100);
    }
}

#[test]
fn any_number_of_parts() {
    for parts in 0..60 {
        let plant = build(&PlantOptions { parts, ..PlantOptions::default() }, 100);
        assert_eq!(plant.parts.len(), parts);
        assert!(plant.clashes.iter().all(|clash| clash.b < parts));
    }
}

#[cfg(feature = "table")]
#[test]
fn written_plants_are_read_bit_for_bit() {
    use crate::files::{read, read_table};
    let plant = build(&PlantOptions { parts: 60, ..PlantOptions::default() }, 10);
    let folder = tempfile::tempdir().expect("a folder for test files");
    let folder = folder.path().join("a new folder");
    write_plant(&plant, &folder).expect("writable");
    let rows = read_table(folder.join("scene.csv")).expect("a table");
    assert_eq!(rows.len(), 60);
    for (row, part) in rows.iter().zip(&plant.parts) {
        assert_eq!(
            (&row.name, row.pose, row.group.as_deref()),
            (&part.name, part.pose, Some(part.group))
        );
        assert_eq!(read(&row.file).expect("a mesh").mesh, plant.meshes[part.mesh]);
    }
    let clashes = std::fs::read_to_string(folder.join("clashes.csv")).expect("a list");
    assert_eq!(clashes.lines().count(), 1 + plant.clashes.len());
    assert!(clashes.starts_with("a,b,class\n"));
}
