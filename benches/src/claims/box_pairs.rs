//! Pairs of oriented boxes to test, drawn at random with a stated share of overlaps, and leaf-like
//! meshes in poses whose trees give such pairs.

use impinge::geometry::Vector;
use impinge::geometry::volume::Obb;
use impinge::{Mesh, Point, Pose};
use impinge_models::Random;

/// Two boxes in one frame.
pub(crate) type BoxPair = (Obb, Obb);

/// Centres of random boxes are at most this far apart. Unit: the longest half-length.
const REACH: f64 = 3.0;

/// `n` pairs with half-lengths between 0.1 and 1 (uniform in the logarithm), random axes and
/// centres uniform in a ball of radius 3; the given part of them overlaps.
pub(crate) fn random(n: usize, overlapping: f64, seed: u64) -> Vec<BoxPair> {
    let mut random = Random::new(seed);
    let hits = (n as f64 * overlapping).round() as usize;
    let mut left = [n - hits.min(n), hits.min(n)];
    let mut pairs = Vec::with_capacity(n);
    while pairs.len() < n {
        let a = random_box(&mut random, Point::origin());
        let center = Point::from(random.in_ball() * REACH);
        let b = random_box(&mut random, center);
        let room = &mut left[usize::from(a.overlaps(&b))];
        if *room > 0 {
            *room -= 1;
            pairs.push((a, b));
        }
    }
    pairs
}

fn random_box(random: &mut Random, center: Point) -> Obb {
    let axes = *random.turned_to(Vector::zeros()).rotation();
    let half = Vector::from_fn(|_, _| 10.0_f64.powf(random.range(-1.0, 0.0)));
    Obb { center, axes, half }
}

/// A blade of grass or maize, 1 long: 4 quads across, 28 along, 224 triangles over 145 vertices,
/// within what anthology 5 §1 gives for its leaves (119 to 150 points, 195 to 240 triangles). Its
/// midrib droops, its edges wave, both by `seed`.
pub(crate) fn blade(seed: u64) -> Mesh {
    const ACROSS: usize = 4;
    const ALONG: usize = 28;
    let mut random = Random::new(seed);
    let (droop, aside) = (random.range(0.3, 0.9), random.range(-0.2, 0.2));
    let (wave, beat) = (random.range(0.01, 0.03), random.range(2.0, 4.0));
    let vertex = |i: usize, j: usize| {
        let s = j as f64 / ALONG as f64;
        let v = i as f64 / ACROSS as f64 * 2.0 - 1.0;
        // Broad soon after the base, then narrowing to a tip of a tenth of the width.
        let width = 0.06 * ((4.0 * s).min(1.0) * (1.05 - s) + 0.05);
        let phase = (s * beat).fract() * 2.0 - 1.0;
        let waving = wave * v * v * phase * (1.0 - phase.abs()) * 4.0;
        Point::new(s, aside * s * s + width * v, 0.5 * s - droop * s * s + waving)
    };
    let vertices = (0..=ALONG).flat_map(|j| (0..=ACROSS).map(move |i| vertex(i, j))).collect();
    let at = |i: usize, j: usize| (j * (ACROSS + 1) + i) as u32;
    let quads = (0..ALONG).flat_map(|j| (0..ACROSS).map(move |i| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Mesh::new(vertices, triangles.collect()).expect("a grid of finite points is a mesh")
}

/// Blades of neighbouring plants whose axis-aligned boxes overlap, as anthology 5 sends only those
/// on to its trees: B turned about the vertical at random, its base up to 1.2 aside and 0.15 up or
/// down.
pub(crate) fn blade_poses(n: usize, seed: u64) -> Vec<(Mesh, Mesh, Pose)> {
    let mut random = Random::new(seed);
    let mut list = Vec::with_capacity(n);
    while list.len() < n {
        let (a, b) = (blade(random.bits()), blade(random.bits()));
        let aside = random.in_ball();
        let turn = random.unit_vector();
        let half_turn = [0.0, 0.0, turn.x, turn.y].map(|x| x / turn.x.hypot(turn.y));
        let place = [1.2 * aside.x, 1.2 * aside.y, 0.15 * aside.z];
        // A direction along the vertical gives no turn; it is drawn anew.
        let Ok(pose) = Pose::from_quaternion(place, half_turn) else { continue };
        let Ok(posed) = b.posed(&pose) else { continue };
        let ((a0, a1), (b0, b1)) = (a.bounds(), posed.bounds());
        if (0..3).all(|k| a0[k] <= b1[k] && b0[k] <= a1[k]) {
            list.push((a, b, pose));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stated_share_overlaps() {
        let pairs = random(400, 0.25, 3);
        assert_eq!(pairs.iter().filter(|(a, b)| a.overlaps(b)).count(), 100);
        assert!(pairs.iter().all(|(a, b)| a.validate() && b.validate()));
    }

    #[test]
    fn a_blade_is_as_large_as_the_papers() {
        let mesh = blade(5);
        assert!((119..=150).contains(&mesh.vertices().len()));
        assert!((195..=240).contains(&mesh.triangles().len()));
        assert_ne!(blade(5).vertices(), blade(6).vertices());
    }
}
