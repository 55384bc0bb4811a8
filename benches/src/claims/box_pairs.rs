//! Random pairs of oriented boxes with a given share of overlaps, and posed leaf-like meshes whose
//! trees produce such pairs.

use std::f64::consts::TAU;

use impinge::geometry::Vector;
use impinge::geometry::volume::Obb;
use impinge::{Mesh, Point, Pose};
use impinge_models::Random;
use impinge_models::procedural::{Leaf, leaf};

/// Two boxes in one frame.
pub(crate) type BoxPair = (Obb, Obb);

/// Centres of random boxes are at most this far apart. Unit: the longest half-length.
const REACH: f64 = 3.0;

/// `n` pairs with half-lengths between 0.1 and 1 (log-uniform), random axes, and centres uniform in
/// a ball of radius 3. The fraction `overlapping` of them overlaps.
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

/// A [`Leaf`] of length 1 with 136 feature points and 212 triangles, within the ranges of anthology
/// 5 §1 (119 to 150 points, 195 to 240 triangles). `seed` sets rise, droop, twist and waves.
pub(crate) fn blade(seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    let shape = Leaf {
        rise: random.range(0.7, 1.3),
        droop: random.range(1.5, 2.5),
        twist: random.range(-0.8, 0.8),
        phase: random.range(0.0, TAU),
        ..Leaf::default()
    };
    leaf(&shape).expect("these parameters are those of a leaf")
}

/// Blades of neighbouring plants whose axis-aligned boxes overlap; anthology 5 sends only those to
/// its trees. B is rotated about the vertical at random, and its base moved by up to 1.2
/// horizontally and 0.15 vertically.
pub(crate) fn blade_poses(n: usize, seed: u64) -> Vec<(Mesh, Mesh, Pose)> {
    let mut random = Random::new(seed);
    let mut list = Vec::with_capacity(n);
    while list.len() < n {
        let (a, b) = (blade(random.bits()), blade(random.bits()));
        let aside = random.in_ball();
        let turn = random.unit_vector();
        let half_turn = [0.0, 0.0, turn.x, turn.y].map(|x| x / turn.x.hypot(turn.y));
        let place = [1.2 * aside.x, 1.2 * aside.y, 0.15 * aside.z];
        // A direction along the vertical gives no rotation; draw again.
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
