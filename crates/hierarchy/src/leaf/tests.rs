//! The bounds that dismiss pairs within leaves, on integers.

use impinge_models::Random;
use impinge_query::{Answer, Ask, Control, Engine, Statistics};

use super::*;
use crate::methods::edge_nodes;

fn triangle(random: &mut Random, reach: f64) -> Triangle {
    let shift = random.vector(-reach, reach).map(f64::round);
    [(); 3].map(|()| Point::from(random.vector(-2.0, 2.0).map(f64::round) + shift))
}

fn range(t: &[Point], k: usize) -> [f64; 2] {
    t.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], p| [l.min(p[k]), h.max(p[k])])
}

/// The gap along each axis; negative where the ranges overlap.
fn over(p: &[Point], q: &[Point]) -> [f64; 3] {
    [0, 1, 2].map(|k| {
        let ([a, b], [c, d]) = (range(p, k), range(q, k));
        (c - b).max(a - d)
    })
}

/// Ranges that share an end overlap; each comparison counts once.
#[test]
fn bounds_overlap_if_all_their_ranges_do() {
    let (mut counted, mut touching, mut apart) = (Statistics::default(), 0, 0);
    for index in 0..4000 {
        let mut random = Random::stream(171, index);
        let (p, q) = (triangle(&mut random, 3.0), triangle(&mut random, 3.0));
        let most = over(&p, &q).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let bounds = Bounds::new(&p);
        assert_eq!(bounds.overlap(&q, &mut counted), most <= 0.0, "{p:?} {q:?}");
        assert_eq!(counted.volume_tests, index + 1);
        touching += u32::from(most == 0.0);
        apart += u32::from(most > 0.0);
    }
    assert!(touching > 200 && apart > 500, "{touching} {apart}");
}

/// A leaf of one triangle against one of two: the bounds dismiss the pair that is apart.
#[test]
fn bounds_are_compared_where_one_leaf_has_several() {
    let mesh = |corners: &[[f64; 3]]| {
        let triangles = (0..corners.len() as u32).step_by(3).map(|k| [k, k + 1, k + 2]).collect();
        let mesh = Mesh::new(corners.iter().copied().map(Point::from).collect(), triangles);
        edge_nodes().prepare(&mesh.expect("legal"), &Control::NONE).expect("not cancelled")
    };
    let one = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
    let through = [[0.2, 0.2, -1.], [0.2, 0.2, 1.], [0.9, 0.9, 1.]];
    let beside = through.map(|[x, y, z]| [x + 3.0, y, z]);
    let (one, two) = (mesh(&one), mesh(&[through, beside].concat()));
    for (a, b) in [(&one, &two), (&two, &one)] {
        let (mut memory, mut answer) = (edge_nodes().memory(), Answer::default());
        let ask = Ask::all_contacts().counted();
        edge_nodes()
            .query(a, b, &Pose::identity(), &mut memory, &ask, &Control::NONE, &mut answer)
            .expect("an answer");
        assert_eq!(answer.contacts, [Contact { a: 0, b: 0 }]);
        assert_eq!(answer.statistics.map(|s| s.primitive_tests), Some(1));
    }
}

/// The gap is the distance of the boxes, minus an allowance for rounding.
#[test]
fn a_gap_of_bounds_is_the_distance_of_their_boxes_from_below() {
    let mut counted = Statistics::default();
    let mut by_axes = [0; 4];
    for index in 0..2000 {
        let mut random = Random::stream(172, index);
        let (p, q) = (triangle(&mut random, 5.0), triangle(&mut random, 5.0));
        let over = over(&p, &q).map(|x| x.max(0.0));
        let apart = over.iter().map(|x| x * x).sum::<f64>().sqrt();
        let gap = Bounds::new(&p).gap(&Bounds::new(&q), &mut counted);
        assert!(gap <= apart && gap >= apart * (1.0 - 1e-12), "{p:?} {q:?}: {gap} {apart}");
        assert!(gap < apart || apart == 0.0, "{gap}");
        assert_eq!(counted.volume_tests, index + 1);
        by_axes[over.iter().filter(|x| **x > 0.0).count()] += 1;
    }
    assert!(by_axes.iter().all(|n| *n > 50), "{by_axes:?}");
}

/// An edge through a face is a hit by either triangle's edges, and a certainly separated pair is a
/// miss.
#[test]
fn edges_and_faces_decide_like_the_exact_test_or_not_at_all() {
    let (mut hits, mut misses, mut open) = (0, 0, 0);
    for index in 0..2000 {
        let mut random = Random::stream(173, index);
        let mut corner = || Point::from(random.vector(-1.0, 1.0));
        let (p, q) = ([corner(), corner(), corner()], [corner(), corner(), corner()]);
        let truth = exact::triangles_meet(&p, &q);
        for said in [EdgeFace.filter(&p, &q), EdgeFace.filter(&q, &p)] {
            match said {
                Outcome::Hit => assert!(truth),
                Outcome::Miss => assert!(!truth),
                Outcome::Undecided => open += 1,
            }
            hits += u32::from(said == Outcome::Hit);
            misses += u32::from(said == Outcome::Miss);
        }
    }
    assert!(hits > 300 && misses > 2000 && open < 4, "{hits} {misses} {open}");
}
