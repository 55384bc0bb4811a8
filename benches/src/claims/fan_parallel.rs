//! The scenes of claims F8 and F9, from fan §4.5.2; see [`FanScene`].
//!
//! Queries that hit and queries that miss are kept apart: a search for the first contact ends early
//! at the ones and never at the others. How many of each a scene has is counted, and weighs them.

use std::cmp::Ordering;

use impinge::parallel::methods::{EdgeBoxParams, SimpleParams};
use impinge::parallel::{Balanced, Passed};
use impinge::query::Ask;
use impinge::{Mesh, Method};
use impinge_benches::harness::{Competitor, NOISE, Query, Workload, count};
use impinge_models::FanScene;

use super::outcome::{Scene, Verdict};

/// Words of the questions; the paper's question is the first.
pub(crate) const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];

/// How the boxes are made, and whether bounds are compared before an edge meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Whether boxes are shrunk to their triangles; the thesis divides them only.
    pub(crate) shrink: bool,
    /// Whether bounds are compared first; the thesis tests every edge.
    pub(crate) bounds_first: bool,
}

impl Form {
    /// What the thesis describes.
    pub(crate) const THESIS: Self = Self { shrink: false, bounds_first: false };
    /// All forms: the thesis's first, the library's default last.
    pub(crate) const ALL: [Self; 4] = [
        Self::THESIS,
        Self { shrink: false, bounds_first: true },
        Self { shrink: true, bounds_first: false },
        Self { shrink: true, bounds_first: true },
    ];

    /// Its words in reports.
    pub(crate) const fn text(self) -> &'static str {
        match (self.shrink, self.bounds_first) {
            (false, false) => "divided boxes, no bounds",
            (false, true) => "divided boxes, bounds first",
            (true, false) => "shrunk boxes, no bounds",
            (true, true) => "shrunk boxes, bounds first",
        }
    }

    fn builder(self) -> Balanced {
        Balanced { shrink: self.shrink, ..Balanced::default() }
    }

    /// Parameters of the box-box methods.
    pub(crate) fn boxes(self) -> SimpleParams {
        let (builder, bounds_first) = (self.builder(), self.bounds_first);
        SimpleParams { builder, bounds_first, ..SimpleParams::default() }
    }

    /// Parameters of the edge-box methods.
    pub(crate) fn edges(self, passed: Passed) -> EdgeBoxParams {
        let (builder, bounds_first) = (self.builder(), self.bounds_first);
        EdgeBoxParams { builder, passed, bounds_first, ..EdgeBoxParams::default() }
    }
}

/// The words of a reading in reports.
pub(crate) const fn handed(passed: Passed) -> &'static str {
    match passed {
        Passed::AllAtLeaves => "all edges × all faces of a leaf",
        Passed::All => "all edges handed down",
        Passed::Surviving => "surviving edges",
    }
}

/// How much of a scene is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draw {
    /// Triangles of all bodies together.
    pub(crate) triangles: usize,
    /// One part of the scene for each.
    pub(crate) seeds: Vec<u64>,
    /// Steps drawn for each seed.
    pub(crate) steps: usize,
    /// Most queries kept for each seed: hits and misses.
    pub(crate) kept: [usize; 2],
}

/// A scene at several seeds, its queries apart by their answers.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    /// Hits and misses, each with one step for every seed.
    pub(crate) asked: [Workload; 2],
    /// For every seed: how many queries of the scene hit, and how many miss.
    pub(crate) drawn: Vec<[usize; 2]>,
    /// Triangles of all bodies together.
    pub(crate) triangles: usize,
}

impl Apart {
    /// Draws a scene, and asks `obbtree` which queries hit.
    ///
    /// # Errors
    /// If the motion is refused.
    pub(crate) fn draw(which: FanScene, draw: &Draw) -> Result<Self, String> {
        let mut meshes: Vec<Mesh> = Vec::new();
        let mut steps = [const { Vec::new() }; 2];
        let (mut drawn, mut triangles) = (Vec::new(), 0);
        for &seed in &draw.seeds {
            let scene = which.with(draw.triangles, seed, draw.steps).map_err(|e| e.to_string())?;
            let asked = Workload::every_pair(scene);
            triangles = asked.triangles;
            let judge = Competitor::from(Method::ObbTree);
            let hit = count(&judge, &asked, &Ask::first_contact(), false)?.hit;
            let known = asked.meshes.iter().map(|mesh| {
                meshes.iter().position(|known| known == mesh).unwrap_or_else(|| {
                    meshes.push(mesh.clone());
                    meshes.len() - 1
                })
            });
            let known: Vec<usize> = known.collect();
            let of = |answer: bool| -> Vec<Query> {
                let queries = asked.steps.iter().flatten().zip(&hit);
                let queries = queries.filter(|(_, hit)| **hit == answer).map(|(query, _)| *query);
                let place = |query: Query| Query {
                    a: known[query.a],
                    b: known[query.b],
                    pair: 0,
                    pose: query.pose,
                };
                queries.map(place).collect()
            };
            let both = [of(true), of(false)];
            drawn.push([0, 1].map(|k| both[k].len()));
            for ((steps, queries), kept) in steps.iter_mut().zip(both).zip(draw.kept) {
                steps.push(spread(&queries, kept));
            }
        }
        let asked = steps.map(|steps| Workload::new(meshes.clone(), steps));
        Ok(Self { asked, drawn, triangles })
    }

    /// Queries of the step of a seed.
    fn queries(&self, answer: usize, seed: usize) -> usize {
        self.asked[answer].steps[seed].len()
    }

    /// Mean time of a query with this answer at a seed, in nanoseconds; `None` if there is none.
    /// `times`: of the steps, one for each seed.
    pub(crate) fn mean_of(&self, answer: usize, times: &[f64], seed: usize) -> Option<f64> {
        let queries = self.queries(answer, seed);
        (queries > 0).then(|| times[seed] / queries as f64)
    }

    /// Mean time of a query of the scene at a seed, in nanoseconds: that of hits and that of misses
    /// weighed by how many the scene has.
    pub(crate) fn mean(&self, hits_and_misses: [&[f64]; 2], seed: usize) -> f64 {
        let [hits, misses] = [0, 1].map(|answer| {
            let mean = self.mean_of(answer, hits_and_misses[answer], seed).unwrap_or(0.0);
            mean * self.drawn[seed][answer] as f64
        });
        (hits + misses) / self.drawn[seed].iter().sum::<usize>().max(1) as f64
    }

    /// `scene` with the sizes of this part.
    pub(crate) fn sized(&self, scene: Scene, part: &str) -> Scene {
        let name = |what: &str| format!("{part}: {what}");
        let sum = |answer: usize| self.drawn.iter().map(|both| both[answer]).sum::<usize>();
        let kept = |answer: usize| self.asked[answer].steps.iter().map(Vec::len).sum::<usize>();
        scene
            .count(name("triangles"), self.triangles)
            .count(name("queries drawn that hit"), sum(0))
            .count(name("queries drawn that miss"), sum(1))
            .count(name("hits asked"), kept(0))
            .count(name("misses asked"), kept(1))
    }
}

/// At most `kept` of the queries, evenly spread over them.
fn spread(queries: &[Query], kept: usize) -> Vec<Query> {
    let kept = kept.min(queries.len());
    (0..kept).map(|k| queries[k * queries.len() / kept]).collect()
}

/// Ratios of edge-box to box-box, one for each seed that has such a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ratios(pub(crate) Vec<f64>);

impl Ratios {
    /// The geometric mean.
    pub(crate) fn mean(&self) -> f64 {
        let logarithms: f64 = self.0.iter().map(|ratio| ratio.ln()).sum();
        (logarithms / self.0.len() as f64).exp()
    }

    fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn greatest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }

    /// The mean and the range.
    pub(crate) fn text(&self) -> String {
        format!("{:.2} ({:.2}-{:.2})", self.mean(), self.least(), self.greatest())
    }

    /// `Less` or `Greater` if every seed says so by more than the noise.
    fn told(&self) -> Option<Ordering> {
        if self.0.is_empty() {
            None
        } else if self.greatest() < 1.0 - NOISE {
            Some(Ordering::Less)
        } else if self.least() > 1.0 / (1.0 - NOISE) {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// The verdict over the scenes on "`wanted` than 1": true of each, or the opposite of one, or
    /// the seeds disagree.
    pub(crate) fn verdict(scenes: &[Self], wanted: Ordering) -> Verdict {
        let told: Vec<Option<Ordering>> = scenes.iter().map(Self::told).collect();
        if told.contains(&Some(wanted.reverse())) {
            Verdict::Fails
        } else if told.iter().all(|one| *one == Some(wanted)) {
            Verdict::Holds
        } else {
            Verdict::Untold
        }
    }
}

/// The seeds that are looked at: 1 to 5, and the run's own.
pub(crate) fn seeds(own: u64) -> Vec<u64> {
    let mut seeds: Vec<u64> = (1..=5).collect();
    if !seeds.contains(&own) {
        seeds.push(own);
    }
    seeds
}

/// The description of the scenes.
pub(crate) const ABOUT: &str = "Scene 1: 15 bodies of nine shapes in random flight in a box of \
     edge 3 (bodies are 1 long), all 105 pairs at every step. Scene 2: two trefoil knots; scene 3: \
     two tori; at unrelated random poses, centres at most 0.5 apart along each axis. The paper \
     gives the numbers of triangles and a picture of each scene; models, motion and poses are \
     chosen. For every seed 40 steps are drawn, and some of the hits and some of the misses are \
     asked.";
