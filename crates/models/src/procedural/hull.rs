//! Convex hulls, with exact predicates.
//!
//! Incremental insertion with outside sets, after C. B. Barber, D. P. Dobkin and H. Huhdanpaa,
//! "The Quickhull Algorithm for Convex Hulls", ACM TOMS 22(4), 1996, doi:10.1145/235815.235821:
//!
//! 1. Start from a tetrahedron of four points in general position.
//! 2. Assign every other point that sees a facet to one facet it sees.
//! 3. Take a point, find the facets it sees, starting from its own, replace them by the cone from
//!    the point to their horizon, and reassign their points to the new facets.
//!
//! Differences: points are taken in shuffled order instead of farthest first, and "sees" is the
//! sign of an exact determinant, so no facets are merged and there is no tolerance. A point in the
//! plane of a facet does not see it.

use impinge_geometry::predicates::{Sign, collinear, orient3d};
use impinge_geometry::{Mesh, MeshError, Point};

use super::MAX_TRIANGLES;
use crate::Random;

/// Least magnitude of a nonzero coordinate; its reciprocal is the largest. Within this range the
/// exact predicates neither overflow nor underflow. Unit: the user's. Usual value: 1e-60.
pub const HULL_LEAST_COORDINATE: f64 = 1e-60;

/// Why there is no hull.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// All points lie in one plane, or there are fewer than four.
    #[error("the {points} points lie in one plane, so their hull has no volume")]
    Flat {
        /// Number of points.
        points: usize,
    },
    /// A coordinate is not finite or outside the range in which the predicates are exact.
    #[error("point {point}: a coordinate is {value:e}; it must be 0 or between 1e-60 and 1e60")]
    Coordinate {
        /// Index of the point.
        point: usize,
        /// The refused value.
        value: f64,
    },
    /// More points than `MAX_TRIANGLES / 2`.
    #[error("a hull of {points} points exceeds the limit of {} points", MAX_TRIANGLES / 2)]
    TooMany {
        /// Number of points.
        points: usize,
    },
    /// The mesh of the hull was refused.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// The distribution of random points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cloud {
    /// Uniform on the sphere of radius 0.5: all points are vertices of the hull.
    Sphere,
    /// Uniform in the ball of radius 0.5: about `n^(1/2)` points are vertices of the hull.
    Ball,
}

/// `n` random points about the origin.
pub fn random_points(cloud: Cloud, n: usize, seed: u64) -> Vec<Point> {
    let mut random = Random::new(seed);
    let draw = |_| match cloud {
        Cloud::Sphere => Point::from(random.unit_vector() * 0.5),
        Cloud::Ball => Point::from(random.in_ball() * 0.5),
    };
    (0..n).map(draw).collect()
}

/// The convex hull of `n` random points, see [`convex_hull`] and [`random_points`].
///
/// On the sphere it has `2n − 4` triangles (fewer only if points coincide to within rounding).
///
/// # Errors
/// [`HullError`] for `n < 4` or `n > MAX_TRIANGLES / 2`.
pub fn hull_of_random_points(cloud: Cloud, n: usize, seed: u64) -> Result<Mesh, HullError> {
    check_count(n)?;
    convex_hull(&random_points(cloud, n, seed))
}

/// The convex hull of `points` as a closed triangle mesh, wound outward.
///
/// Convex by exact predicates: no input point is strictly outside any facet's plane, and no facet
/// is degenerate. Facets may be coplanar, and vertices may lie inside a flat side or an edge of the
/// hull. Vertices keep the input's order; duplicates and inner points are left out. O(n log n)
/// expected, in an insertion order shuffled with a fixed seed.
///
/// # Errors
/// [`HullError`] if the points are flat, too many, or have coordinates out of range.
pub fn convex_hull(points: &[Point]) -> Result<Mesh, HullError> {
    check_count(points.len())?;
    for (point, p) in points.iter().enumerate() {
        let good = |c: f64| {
            c == 0.0 || (HULL_LEAST_COORDINATE..=1.0 / HULL_LEAST_COORDINATE).contains(&c.abs())
        };
        if let Some(&value) = p.iter().find(|c| !good(**c)) {
            return Err(HullError::Coordinate { point, value });
        }
    }
    let flat = HullError::Flat { points: points.len() };
    let mut hull = Hull::start(points).ok_or(flat)?;
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    Random::new(0).shuffle(&mut order);
    hull.hand_on(&order, &[0, 1, 2, 3]);
    for point in order {
        if hull.kept_by[point as usize] != NONE {
            hull.insert(point);
        }
    }
    hull.mesh()
}

fn check_count(points: usize) -> Result<(), HullError> {
    if points < 4 {
        return Err(HullError::Flat { points });
    }
    if points > MAX_TRIANGLES / 2 { Err(HullError::TooMany { points }) } else { Ok(()) }
}

const NONE: u32 = u32::MAX;

struct Facet {
    /// Corners, counter-clockwise from outside.
    corners: [u32; 3],
    /// Facet across the edge from corner k to corner (k + 1) mod 3.
    next: [u32; 3],
    /// The outside set: points assigned to this facet, all of which see it.
    kept: Vec<u32>,
    /// `false` once replaced.
    alive: bool,
}

struct Hull<'a> {
    points: &'a [Point],
    facets: Vec<Facet>,
    /// Slots of replaced facets, for reuse.
    free: Vec<u32>,
    /// Per point, the facet it is assigned to, or `NONE`.
    kept_by: Vec<u32>,
    /// Per facet, `2·insertion + seen` of the last insertion that visited it.
    looked: Vec<u64>,
    insertion: u64,
    /// Per vertex, the new facet whose horizon edge starts there; scratch of `insert`.
    starting: Vec<u32>,
}

impl<'a> Hull<'a> {
    /// Step 1; `None` if all points lie in one plane.
    fn start(points: &'a [Point]) -> Option<Self> {
        let mut hull = Self {
            points,
            facets: Vec::new(),
            free: Vec::new(),
            kept_by: vec![NONE; points.len()],
            looked: Vec::new(),
            insertion: 0,
            starting: vec![NONE; points.len()],
        };
        let a = 0;
        let b = (1..points.len()).find(|&b| points[b] != points[a])?;
        let c = (b + 1..points.len()).find(|&c| !collinear(&points[a], &points[b], &points[c]))?;
        let sign = |d: usize| orient3d(&points[a], &points[b], &points[c], &points[d]);
        let d = (c + 1..points.len()).find(|&d| !sign(d).is_zero())?;
        let [a, mut b, mut c, d] = [a, b, c, d].map(|v| v as u32);
        if sign(d as usize) == Sign::Positive {
            (b, c) = (c, b);
        }
        // d is below a b c.
        let facets = [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ];
        for (corners, next) in facets {
            hull.add(corners, next);
        }
        Some(hull)
    }

    fn add(&mut self, corners: [u32; 3], next: [u32; 3]) -> u32 {
        let facet = Facet { corners, next, kept: Vec::new(), alive: true };
        if let Some(place) = self.free.pop() {
            self.facets[place as usize] = facet;
            self.looked[place as usize] = 0;
            return place;
        }
        self.facets.push(facet);
        self.looked.push(0);
        self.facets.len() as u32 - 1
    }

    fn sees(&self, point: u32, facet: u32) -> bool {
        let [a, b, c] = self.facets[facet as usize].corners.map(|v| &self.points[v as usize]);
        orient3d(a, b, c, &self.points[point as usize]) == Sign::Positive
    }

    /// Step 2: assigns each of `points` to the first of `facets` that it sees.
    fn hand_on(&mut self, points: &[u32], facets: &[u32]) {
        for &point in points {
            let keeper = facets.iter().copied().find(|&facet| self.sees(point, facet));
            self.kept_by[point as usize] = keeper.unwrap_or(NONE);
            if let Some(facet) = keeper {
                self.facets[facet as usize].kept.push(point);
            }
        }
    }

    /// Step 3 for one point.
    fn insert(&mut self, point: u32) {
        let (seen, horizon) = self.look_from(point);
        let mut orphans = Vec::new();
        for &facet in &seen {
            let facet = &mut self.facets[facet as usize];
            facet.alive = false;
            orphans.append(&mut facet.kept);
        }
        orphans.retain(|&orphan| orphan != point);
        self.kept_by[point as usize] = NONE;
        let mut cone = Vec::with_capacity(horizon.len());
        for &(from, to, beyond) in &horizon {
            let facet = self.add([from, to, point], [beyond, NONE, NONE]);
            let neighbour = &mut self.facets[beyond as usize];
            let edge = (0..3).find(|&k| neighbour.corners[k] == to);
            neighbour.next[edge.expect("facets across an edge share its ends")] = facet;
            self.starting[from as usize] = facet;
            cone.push(facet);
        }
        for &facet in &cone {
            let end = self.facets[facet as usize].corners[1];
            let after = self.starting[end as usize];
            self.facets[facet as usize].next[1] = after;
            self.facets[after as usize].next[2] = facet;
        }
        self.hand_on(&orphans, &cone);
        self.free.extend(seen);
    }

    /// The facets that `point` sees, and the horizon edges as `(from, to, facet beyond)`.
    fn look_from(&mut self, point: u32) -> (Vec<u32>, Vec<(u32, u32, u32)>) {
        self.insertion += 1;
        let stamp = 2 * self.insertion;
        let first = self.kept_by[point as usize];
        self.looked[first as usize] = stamp + 1;
        let (mut seen, mut horizon) = (vec![first], Vec::new());
        let mut at = 0;
        while at < seen.len() {
            let Facet { corners, next, .. } = self.facets[seen[at] as usize];
            for k in 0..3 {
                let facet = next[k];
                if self.looked[facet as usize] < stamp {
                    let sees = self.sees(point, facet);
                    self.looked[facet as usize] = stamp + u64::from(sees);
                    if sees {
                        seen.push(facet);
                    }
                }
                if self.looked[facet as usize] == stamp {
                    horizon.push((corners[k], corners[(k + 1) % 3], facet));
                }
            }
            at += 1;
        }
        (seen, horizon)
    }

    fn mesh(self) -> Result<Mesh, HullError> {
        let alive = || self.facets.iter().filter(|facet| facet.alive);
        let mut index = vec![NONE; self.points.len()];
        for v in alive().flat_map(|facet| facet.corners) {
            index[v as usize] = 0;
        }
        let mut vertices = Vec::new();
        for (slot, point) in index.iter_mut().zip(self.points) {
            if *slot == 0 {
                *slot = vertices.len() as u32;
                vertices.push(*point);
            }
        }
        let triangles = alive().map(|facet| facet.corners.map(|v| index[v as usize])).collect();
        Ok(Mesh::new(vertices, triangles)?)
    }
}
