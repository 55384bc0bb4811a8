//! The expected answers: the pairs of triangles that really meet, found without any tree of this
//! project.
//!
//! Candidates come from a [`sweep`] over axis-aligned boxes of the posed triangles. In small scenes
//! `testkit`'s rational oracle decides each candidate; it shares no code with the methods. In
//! larger ones `geometry::exact` decides, which the methods also use at their leaves. Then only
//! culling is checked independently, and records say so.

pub mod sweep;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use impinge::geometry::{MeshError, Triangle, exact};
use impinge::{Contact, Mesh};
use impinge_testkit::oracle;

use crate::progress::Listener;
use crate::scene::{MeshesAt, Query, Scene, Step};
use impinge_records::bench as record;
use sweep::Boxes;

/// The oracle decides in scenes whose larger mesh has at most this many triangles. Larger values
/// are slower: the oracle takes some 10 µs a candidate.
const ORACLE_LIMIT: usize = 2_500;

/// The oracle decides in scenes of at most this many queries.
const ORACLE_QUERIES: usize = 500;

/// The arithmetic that decides about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// Rational arithmetic.
    Oracle,
    /// Adaptive exact predicates.
    Exact,
}

impl Authority {
    /// The arithmetic for a scene of this size.
    pub fn over(scene: &Scene) -> Self {
        let most = scene.meshes.iter().map(|mesh| mesh.mesh.triangles().len()).max();
        let queries: usize = scene.steps.iter().map(|step| step.queries.len()).sum();
        let small = most.unwrap_or(0) <= ORACLE_LIMIT && queries <= ORACLE_QUERIES;
        if small { Self::Oracle } else { Self::Exact }
    }

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Oracle => "rational oracle",
            Self::Exact => "exact brute force",
        }
    }

    fn meet(self, p: &Triangle, q: &Triangle) -> bool {
        match self {
            Self::Oracle => oracle::triangles_meet(p, q),
            Self::Exact => exact::triangles_meet(p, q),
        }
    }
}

/// The expected answers of a scene.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Per step, per query of that step: all true pairs in canonical order. Empty means apart.
    pub contacts: Vec<Vec<Vec<Contact>>>,
    /// The line about this check in the scene's record.
    pub record: record::Judge,
}

impl Expected {
    /// Whether query `query` of step `step` is a hit.
    pub fn is_hit(&self, step: usize, query: usize) -> bool {
        !self.contacts[step][query].is_empty()
    }
}

/// The index of a step, and the true pairs of each of its queries.
type ExpectedStep = (usize, Vec<Vec<Contact>>);

/// Finds the expected answers to every query of every step, on all processors.
///
/// # Errors
/// If a pose moves a mesh out of range.
pub fn find(scene: &Scene, listener: Listener<'_>) -> Result<Expected, String> {
    let start = Instant::now();
    let authority = Authority::over(scene);
    let boxes: Vec<Boxes> = scene.meshes.iter().map(|mesh| Boxes::of(&mesh.mesh)).collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Result<Vec<ExpectedStep>, String> {
        let mut found = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(step) = scene.steps.get(at) else { return Ok(found) };
            let meshes = scene.meshes_at(at);
            let all = step.queries.iter().map(|q| find_one(&meshes, step, q, &boxes, authority));
            let all = all.collect::<Result<_, _>>();
            found.push((at, all.map_err(|error| format!("{}: {error}", scene.name))?));
            listener.stage("expected answers", at + 1, scene.steps.len());
        }
    };
    let parts = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| {
                Err("a thread that computes expected answers panicked".to_owned())
            })
        };
        running.into_iter().map(join).collect::<Result<Vec<_>, String>>()
    })?;
    let mut contacts = vec![Vec::new(); scene.steps.len()];
    for (at, found) in parts.into_iter().flatten() {
        contacts[at] = found;
    }
    let of_queries = || contacts.iter().flatten();
    let record = record::Judge {
        name: authority.name().to_owned(),
        queries: of_queries().count(),
        hits: of_queries().filter(|pairs| !pairs.is_empty()).count(),
        pairs: of_queries().map(|pairs| pairs.len() as u64).sum(),
        seconds: start.elapsed().as_secs_f64(),
    };
    Ok(Expected { contacts, record })
}

fn find_one(
    meshes: &MeshesAt<'_>,
    step: &Step,
    query: &Query,
    boxes: &[Boxes],
    authority: Authority,
) -> Result<Vec<Contact>, MeshError> {
    let [a, b] = [query.a, query.b].map(|body| step.bodies[body].mesh);
    let posed = meshes.mesh(b).posed(&query.pose)?;
    let moved = meshes.moved().iter().find(|(index, _)| *index == a);
    Ok(match moved {
        Some((_, mesh)) => pairs(mesh, &Boxes::of(mesh), &posed, authority),
        None => pairs(meshes.mesh(a), &boxes[a], &posed, authority),
    })
}

/// All pairs of triangles of `a` (with its boxes) and `posed` that meet, in canonical order.
fn pairs(a: &Mesh, boxes: &Boxes, posed: &Mesh, authority: Authority) -> Vec<Contact> {
    let mut found = Vec::new();
    sweep::candidates(boxes, &Boxes::of(posed), &mut |i, j| {
        if authority.meet(&a.triangle(i), &posed.triangle(j)) {
            found.push(Contact { a: i, b: j });
        }
    });
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::{Random, Shape};

    #[test]
    fn both_authorities_and_every_pair_agree() {
        let mesh = Shape::Torus.mesh(200, 0);
        let boxes = Boxes::of(&mesh);
        let mut random = Random::new(3);
        let mut hits = 0;
        for _ in 0..30 {
            let posed = mesh.posed(&random.pose(0.9)).expect("the pose is small");
            let mut all = Vec::new();
            for i in 0..mesh.triangles().len() as u32 {
                for j in 0..mesh.triangles().len() as u32 {
                    if exact::triangles_meet(&mesh.triangle(i), &posed.triangle(j)) {
                        all.push(Contact { a: i, b: j });
                    }
                }
            }
            assert_eq!(pairs(&mesh, &boxes, &posed, Authority::Exact), all);
            assert_eq!(pairs(&mesh, &boxes, &posed, Authority::Oracle), all);
            hits += usize::from(!all.is_empty());
        }
        assert!((5..=25).contains(&hits), "{hits} of 30 hit");
    }
}
