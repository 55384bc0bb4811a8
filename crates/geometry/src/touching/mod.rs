//! Whether two meshes that share points only touch, or go into each other.
//!
//! Closed meshes *only touch* if no point is inside both: a part that lies flush inside another
//! goes into it. Where one of the meshes is open, they only touch if their surfaces nowhere cross:
//! neither inside two triangles, nor along an edge with parts of one surface on both sides of the
//! other (`sheets`). Every decision is an exact sign.
//!
//! For closed meshes, if some point is inside both, then so is a region of space, and part of its
//! border lies on one of the surfaces. That part either ends at a curve in which the surfaces meet,
//! or is a whole component of a surface, perhaps without single points. So it is enough to look
//!
//! 1. at every pair of triangles that share a segment along a side or across both: the solids
//!    around a point of it are half-spaces or wedges, which overlap or not (`fan`). What faces in
//!    one plane share ends at such segments;
//! 2. at every component that shares no segment with the other solid: one of its points tells
//!    whether it is inside (`solid`).
//!
//! This needs surfaces whose sides are known: each component must be a closed manifold that does
//! not meet itself. What cannot be decided without that is an error, [`Undecided`].

mod fan;
mod inside;
mod relation;
mod sheets;
mod solid;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::exact::meet_elsewhere;
use crate::volume::Aabb;
use crate::{Mesh, Point, Topology};

use inside::Component;
use relation::{Relation, relation};
use sheets::Edges;
use solid::Solid;

/// How two meshes that share points do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Touch {
    /// They only touch: no point is inside both.
    Touches,
    /// They go into each other.
    Pierces,
}

/// Why closed meshes that do not visibly cross are neither known to touch nor to pierce. `mesh` is
/// 0 for the first mesh and 1 for the second.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Undecided {
    /// The surface meets itself, so its inside is not certain where it does.
    #[error("triangles {} and {} meet, so what is inside is not certain", .triangles[0], .triangles[1])]
    MeetsItself {
        /// Which mesh.
        mesh: usize,
        /// The triangles.
        triangles: [u32; 2],
    },
    /// More than two triangles share an edge.
    #[error(
        "{triangles} triangles share the edge between vertices {from} and {to}, so what is inside is not certain there"
    )]
    NonManifold {
        /// Which mesh.
        mesh: usize,
        /// The edge's first vertex.
        from: u32,
        /// The edge's second vertex.
        to: u32,
        /// The number of triangles at the edge.
        triangles: usize,
    },
    /// A triangle at the contact, or a whole component, has no area, so the surface has no sides
    /// there.
    #[error("triangle {triangle} has no area, so the surface has no sides there")]
    Degenerate {
        /// Which mesh.
        mesh: usize,
        /// The triangle.
        triangle: u32,
    },
    /// A component touches the other mesh in so many points that none was found off it.
    #[error(
        "the component of triangle {triangle} touches the other mesh at every point that was tried"
    )]
    Crowded {
        /// Which mesh.
        mesh: usize,
        /// A triangle of the component.
        triangle: u32,
    },
}

impl Undecided {
    /// The mesh that it is about: 0 for the first, 1 for the second.
    pub const fn mesh(&self) -> usize {
        match *self {
            Self::MeetsItself { mesh, .. }
            | Self::NonManifold { mesh, .. }
            | Self::Degenerate { mesh, .. }
            | Self::Crowded { mesh, .. } => mesh,
        }
    }
}

/// Pairs that are looked at for a crossing before the meshes are examined.
const SAMPLE: usize = 4096;
/// Crossing pairs of the sample that are examined.
const TRIED: usize = 16;
/// Pairs decided between two looks.
const AT_ONCE: usize = 1024;

/// Whether two meshes in one frame only touch. `closed` says whether a mesh is closed, if it is
/// known; finding out takes O(n log n). `pairs` are all pairs of their triangles that share
/// a point, at least one; `itself` lists the pairs of triangles of one mesh, 0 or 1, that
/// [meet elsewhere](meet_elsewhere), and is called only if it matters: of the meshes as given here,
/// since posing a mesh rounds its vertices, and a clean mesh may then meet itself. `look` is called every few
/// milliseconds.
///
/// Cost: about that of finding the pairs if triangles cross; otherwise also O(n log n) for the
/// meshes' connectivity, and `itself`.
///
/// # Errors
/// [`Undecided`], and the errors of `itself` and `look`.
///
/// # Panics
/// If a pair names a triangle that does not exist.
pub fn touch<E: From<Undecided>>(
    meshes: [&Mesh; 2],
    closed: [Option<bool>; 2],
    pairs: &[[u32; 2]],
    itself: &mut dyn FnMut(usize) -> Result<Vec<[u32; 2]>, E>,
    look: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Touch, E> {
    let mut all_closed = true;
    for (mesh, known) in meshes.into_iter().zip(closed) {
        all_closed &= match known {
            Some(known) => known,
            None => all_closed && is_closed(mesh, look)?,
        };
    }
    if !all_closed {
        let sample = pairs.iter().step_by(pairs.len().div_ceil(SAMPLE).max(1));
        if sample.copied().any(|pair| relation_of(meshes, pair) == Relation::Cross) {
            return Ok(Touch::Pierces);
        }
        let edges = meshes.map(Edges::new);
        for some in pairs.chunks(AT_ONCE) {
            look()?;
            let triangles = |pair: &[u32; 2]| [0, 1].map(|m| meshes[m].triangle(pair[m]));
            let cross = |pair| sheets::cross([&edges[0], &edges[1]], &triangles(pair));
            if some.iter().any(cross) {
                return Ok(Touch::Pierces);
            }
        }
        return Ok(Touch::Touches);
    }
    if crossing_is_evident(meshes, pairs, look)? {
        return Ok(Touch::Pierces);
    }
    let mut known = [None, None];
    let found = {
        let mut itself = |mesh: usize| {
            let list = itself(mesh).map_err(Failed::Other)?;
            known[mesh] = Some(list.clone());
            Ok(list)
        };
        of_solids(meshes, pairs, &mut itself, &mut || look().map_err(Failed::Other))
    };
    match found {
        Ok(touch) => Ok(touch),
        Err(Failed::Other(error)) => Err(error),
        Err(Failed::Undecided(why)) => {
            let mut restless = [HashSet::new(), HashSet::new()];
            for (mesh, list) in known.into_iter().enumerate() {
                let list = list.map_or_else(|| itself(mesh), Ok)?;
                restless[mesh].extend(list.into_iter().flatten());
            }
            let cross = some_cross(meshes, pairs, &restless, look)?;
            if cross { Ok(Touch::Pierces) } else { Err(why.into()) }
        }
    }
}

/// Whether a pair crosses whose triangles are not `restless`: meet their own meshes nowhere else. Then the
/// meshes go into each other, whatever is undecided of other pairs, and in whatever order they are.
fn some_cross<E>(
    meshes: [&Mesh; 2],
    pairs: &[[u32; 2]],
    restless: &[HashSet<u32>; 2],
    look: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let is_evident = |pair: &[u32; 2]| {
        let alone = (0..2).all(|mesh| !restless[mesh].contains(&pair[mesh]));
        alone && relation_of(meshes, *pair) == Relation::Cross
    };
    for some in pairs.chunks(AT_ONCE) {
        look()?;
        if some.iter().any(is_evident) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Why meshes were not examined to the end.
enum Failed<E> {
    Undecided(Undecided),
    /// An error of a caller's function.
    Other(E),
}

impl<E> From<Undecided> for Failed<E> {
    fn from(why: Undecided) -> Self {
        Self::Undecided(why)
    }
}

/// As [`touch`], of closed meshes.
fn of_solids<E: From<Undecided>>(
    meshes: [&Mesh; 2],
    pairs: &[[u32; 2]],
    itself: &mut dyn FnMut(usize) -> Result<Vec<[u32; 2]>, E>,
    look: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Touch, E> {
    let mut solids = Vec::with_capacity(2);
    for (number, mesh) in meshes.into_iter().enumerate() {
        solids.push(Solid::new(number, mesh, &itself(number)?, look)?);
    }
    let [a, b] = [&solids[0], &solids[1]];
    let mut joined = Joined::default();
    for some in pairs.chunks(AT_ONCE) {
        look()?;
        for pair in some {
            let relation = relation_of(meshes, *pair);
            if relation == Relation::Nothing {
                continue;
            }
            joined.add(a, b, *pair);
            if fan::overlap([a, b], *pair, relation)? {
                return Ok(Touch::Pierces);
            }
        }
    }
    let inside = component_inside([a, b], pairs, &joined.of_a, look)?
        || component_inside([b, a], &swapped(pairs), &joined.of_b, look)?;
    Ok(if inside { Touch::Pierces } else { Touch::Touches })
}

fn relation_of(meshes: [&Mesh; 2], [p, q]: [u32; 2]) -> Relation {
    relation(&meshes[0].triangle(p), &meshes[1].triangle(q))
}

fn swapped(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    pairs.iter().map(|&[a, b]| [b, a]).collect()
}

fn is_closed<E>(mesh: &Mesh, look: &mut dyn FnMut() -> Result<(), E>) -> Result<bool, E> {
    Ok(Topology::watched(mesh, &mut || look())?.closed().is_ok())
}

/// Whether a sample of `pairs`, some or all of those that share a point, has triangles that cross, and that
/// meet no other triangle of their own mesh elsewhere: the winding number then changes across both, so one of
/// the four regions around a common point is inside both solids. [`touch`] never says that such meshes only
/// touch, closed or not. `look` as there. O(n) for each of a few pairs.
///
/// # Errors
/// Those of `look`.
///
/// # Panics
/// If a pair names a triangle that does not exist.
pub fn crossing_is_evident<E>(
    meshes: [&Mesh; 2],
    pairs: &[[u32; 2]],
    look: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let step = pairs.len().div_ceil(SAMPLE).max(1);
    let sample = pairs.iter().step_by(step);
    let crossing = sample.filter(|pair| relation_of(meshes, **pair) == Relation::Cross);
    for pair in crossing.take(TRIED) {
        look()?;
        let alone = |m: usize| meets_itself_nowhere(meshes[m], pair[m]);
        if alone(0) && alone(1) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a triangle meets no other of its mesh elsewhere than neighbours do. O(n): which sides of the triangle's
/// box each vertex is beyond tells of most others that they are beside it.
fn meets_itself_nowhere(mesh: &Mesh, triangle: u32) -> bool {
    let own = mesh.triangle(triangle);
    let bounds = Aabb::of_triangle(&own);
    let beyond: Vec<u8> = mesh.vertices().iter().map(|p| sides_beyond(&bounds, p)).collect();
    (0..).zip(mesh.triangles()).all(|(other, corners)| {
        let [a, b, c] = corners.map(|v| beyond[v as usize]);
        a & b & c != 0 || other == triangle || !meet_elsewhere(&own, &mesh.triangle(other))
    })
}

/// A bit for each side of the box that the point is beyond.
fn sides_beyond(bounds: &Aabb, p: &Point) -> u8 {
    (0..3).fold(0, |bits, k| {
        let [below, above] = [p[k] < bounds.min[k], p[k] > bounds.max[k]].map(u8::from);
        bits | below << (2 * k) | above << (2 * k + 1)
    })
}

/// Which components of one solid share a segment with which bodies of the other.
#[derive(Default)]
struct Joined {
    of_a: HashSet<[u32; 2]>,
    of_b: HashSet<[u32; 2]>,
}

impl Joined {
    fn add(&mut self, a: &Solid<'_>, b: &Solid<'_>, [p, q]: [u32; 2]) {
        self.of_a.insert([a.component(p), b.body(q)]);
        self.of_b.insert([b.component(q), a.body(p)]);
    }
}

/// Whether a component of `own` that shares no segment with a body of `other` is inside it. `pairs`
/// name triangles of `own` first.
fn component_inside<E: From<Undecided>>(
    [own, other]: [&Solid<'_>; 2],
    pairs: &[[u32; 2]],
    joined: &HashSet<[u32; 2]>,
    look: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let mut in_contact = vec![false; own.mesh.triangles().len()];
    for pair in pairs {
        in_contact[pair[0] as usize] = true;
    }
    let components = Component::all(own, &in_contact);
    for (number, component) in (0..).zip(&components) {
        for body in other.bodies() {
            if joined.contains(&[number, body.number]) || !component.bounds.overlaps(&body.bounds) {
                continue;
            }
            look()?;
            if component.is_inside(own, body, other)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
