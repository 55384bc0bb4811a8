//! Every measured statement of the papers by its id, with its experiment.

use std::time::Duration;

use impinge_benches::progress::Listener;
use impinge_records::claims::Claim;

use super::outcome::{Effort, Outcome};
use super::{
    a1_octree_and_rapid, a2_front, a3_octree_depth, a4_ordered_axes, a5_tip_first, a6_octree_scene,
    a7_edge_nodes, a8_operation_count, a9_assignment, f1_images_and_rapid, f2_steadiness,
    f3_strips, f4_culled_streams, f5_streams_on_an_adapter, f6_streams_and_rapid,
    f7_streams_and_images, f8_parallel_speed_up, f9_edges_serially, l1_many_teapots,
    l2_centroid_fit, l3_growth, over_seeds, v1_few_samples, v2_convergence, v3_deforming_hand,
    v4_one_step, x1_five_axes, x2_regions, x3_restart,
};

/// A paper, or a collection of papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paper {
    /// Image-based and streaming detection.
    Fan,
    /// Separating bounding volumes.
    Sbv,
    /// Hybrid trees.
    Li,
    /// Reduced axes and locality.
    Xie,
    /// Six shorter papers in one collection.
    Anthology,
}

impl Paper {
    /// Authors, title and year.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Fan => {
                "Fan Zhaowei: Research on Real-Time Collision Detection, doctoral thesis, 2003"
            }
            Self::Sbv => {
                "Collision detection by separating bounding volumes (SBV), approximated by SVM"
            }
            Self::Li => {
                "Li Yuhu, Wang Zongyan: Improvement of Collision Algorithm Based on Mixed Level \
                 Bounding Box, 2019"
            }
            Self::Xie => {
                "Xie Zhijiang et al.: Collision detection for down-load system in large-scale \
                 superpower laser facility, 2011"
            }
            Self::Anthology => "Collection of papers on collision detection with bounding boxes",
        }
    }
}

/// Where a claim is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// The paper that makes it.
    pub(crate) paper: Paper,
    /// Paper and section in short form.
    pub(crate) place: &'static str,
}

/// The experiment behind a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// An experiment. It looks up the methods that it needs. It depends on no seed, or looks at
    /// several itself.
    Experiment(over_seeds::Run),
    /// An experiment that is repeated with several seeds.
    Seeded(over_seeds::Run),
}

/// One claim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Its id, e.g. `F1`.
    pub(crate) id: &'static str,
    /// The claim in one sentence.
    pub(crate) sentence: &'static str,
    /// Where the claim is made.
    pub(crate) source: Source,
    /// The figures that the paper prints.
    pub(crate) paper_figures: &'static str,
    /// The experiment.
    pub(crate) work: Work,
}

impl Row {
    /// Runs the experiment.
    ///
    /// # Errors
    /// If the experiment itself failed. A claim that does not hold is not an error.
    pub(crate) fn run(&self, effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
        match self.work {
            Work::Experiment(run) => run(effort, listener),
            Work::Seeded(run) => over_seeds::run(run, effort, listener),
        }
    }

    /// The claim's record for an experiment that took `took`.
    pub(crate) fn record(&self, outcome: Outcome, effort: &Effort, took: Duration) -> Claim {
        Claim {
            id: self.id.to_owned(),
            claim: self.sentence.to_owned(),
            source: self.source.place.to_owned(),
            paper: self.source.paper.title().to_owned(),
            paper_figures: self.paper_figures.to_owned(),
            ours: outcome.ours,
            statements: outcome.statements,
            scene: outcome.scene,
            plots: outcome.plots,
            seed: effort.seed,
            seconds: took.as_secs_f64(),
        }
    }
}

/// The rows with these ids, in the given order without repetitions; all of them if `ids` is empty.
/// Case does not matter.
///
/// # Errors
/// Names the unknown id and lists the known ones.
pub(crate) fn chosen(ids: &[String]) -> Result<Vec<&'static Row>, String> {
    if ids.is_empty() {
        return Ok(CLAIMS.iter().collect());
    }
    let mut rows: Vec<&Row> = Vec::new();
    for id in ids {
        let Some(row) = CLAIMS.iter().find(|row| row.id.eq_ignore_ascii_case(id)) else {
            let known: Vec<&str> = CLAIMS.iter().map(|row| row.id).collect();
            return Err(format!("unknown claim \"{id}\"; known are {}", known.join(" ")));
        };
        if !rows.iter().any(|other| other.id == row.id) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// One row: id, paper and place, experiment, the claim, and the paper's figures.
macro_rules! claims {
    ($($id:ident $paper:ident $place:literal: $kind:ident $module:ident :: run;
        $sentence:literal; $figures:literal;)+) => {
        &[$(Row {
            id: stringify!($id),
            sentence: $sentence,
            source: Source { paper: Paper::$paper, place: $place },
            paper_figures: $figures,
            work: work!($kind $module),
        }),+]
    };
}

/// An experiment that is run once, or with several seeds.
macro_rules! work {
    (run $module:ident) => {
        Work::Experiment($module::run)
    };
    (seeds $module:ident) => {
        Work::Seeded($module::run)
    };
}

/// All claims, paper by paper.
pub(crate) const CLAIMS: &[Row] = claims! {
    F1 Fan "fan fig. 2-17 to 2-19": seeds f1_images_and_rapid::run;
        "IBCD beats RECODE on the same scene, more so as triangles grow, and is compared with \
         RAPID.";
        "curves without figures; 130 moving objects, and a moving hand";
    F2 Fan "fan fig. 2-20": seeds f2_steadiness::run;
        "IBCD's time varies less from step to step than RAPID's (η, eq. 2-12).";
        "curves";
    F3 Fan "fan §2.3.4": seeds f3_strips::run;
        "Triangle strips cut the vertices sent towards one third and speed up drawing.";
        "towards ⅓ of the vertices";
    F4 Fan "fan table 3-1": seeds f4_culled_streams::run;
        "OBB-tree culling (S1) and sub-textures (S2) speed up the basic streaming algorithm (S0).";
        "S1 139.2, 42.4, 265.5, 132.7 ×; S2 288.2, 55.8, 646.8, 367.6 ×; scenes of 21,292, 18,217, \
         40,419 and 18,378 triangles";
    F5 Fan "fan fig. 3-16": seeds f5_streams_on_an_adapter::run;
        "Streaming on the GPU beats the same algorithm on the CPU.";
        "curves";
    F6 Fan "fan table 3-1": seeds f6_streams_and_rapid::run;
        "RAPID wins in simple scenes, S2 wins in the complex one.";
        "scene 1: 1.0 against 23.0 ms; scene 3: 161.6 against 24.1 ms; S2 also beats RECODE: 23.0 \
         against 29.3 ms";
    F7 Fan "fan fig. 2-19 against 3-18": seeds f7_streams_and_images::run;
        "Streaming is steadier and, at high complexity, faster than IBCD.";
        "curves on the same machine";
    F8 Fan "fan table 4-1, §4.4": run f8_parallel_speed_up::run;
        "The edge-box traversal scales better in parallel than box-box, and makes fewer tasks.";
        "4 processors: 2.59, 2.77, 2.66 × (the last is 581.7/222.4 = 2.62) against 2.26, 2.53, \
         2.05 ×";
    F9 Fan "fan table 4-1": run f9_edges_serially::run;
        "Edge-box beats box-box even serially.";
        "231.2 against 246.9; 349.1 against 3652.1; 581.7 against 14832.7 ms; 28,853, about 10,000 \
         and about 20,000 triangles";
    V1 Sbv "sbv table 1": seeds v1_few_samples::run;
        "Few points train the machine, in milliseconds, and the region holds mostly real \
         contacts.";
        "intersecting: 288+3 of 3,000+3,000, 8 ms, 95 %; 119+38 of 7,000+10,000, 7 ms, 86 %; \
         separated: 290+5, 8 ms; 153+65, 7 ms";
    V2 Sbv "sbv table 2": seeds v2_convergence::run;
        "The separating direction converges with the sample.";
        "10°, 4°, 2°, 2°, 0° for 100+100, 250+250, 500+500, 2500+2500, 7000+10000 samples";
    V3 Sbv "sbv fig. 9": run v3_deforming_hand::run;
        "SBV with LDI beats an AABB tree with refit on a deforming hand and ball.";
        "curves, 100 steps";
    V4 Sbv "sbv §1, §2.2": seeds v4_one_step::run;
        "Separated models are told apart in one step where AABB and OBB need a hierarchy; finding \
         the region is about linear in the vertices.";
        "none";
    L1 Li "li table 2": seeds l1_many_teapots::run;
        "The AABB-OBB hybrid tree beats the sphere-AABB hybrid, more so with more objects.";
        "25, 50, 100 teapots: 30.262 against 40.593, 223.582 against 310.205, 2038.266 against \
         3462.964 s";
    L2 Li "li §3.1": seeds l2_centroid_fit::run;
        "Area centroids make the box independent of how finely a part is triangulated.";
        "none";
    L3 Li "li §3.2": seeds l3_growth::run;
        "Intersection grows as O(log n) instead of O(n).";
        "none: stated, not measured";
    X1 Xie "xie §3.2": seeds x1_five_axes::run;
        "Five axes instead of fifteen save 15 to 20 % of the time.";
        "32,062 faces: 65.36 → 56.21 ms at 1 % distance (14.0 %), 12.03 → 9.672 ms at 5 % (19.6 \
         %)";
    X2 Xie "xie eq. 1-4": seeds x2_regions::run;
        "Regions lower the number of pair tests.";
        "none: an inequality";
    X3 Xie "xie §3.4": seeds x3_restart::run;
        "Restarting at the last contact visits fewer nodes.";
        "none";
    A1 Anthology "anthology 2": seeds a1_octree_and_rapid::run;
        "Octree, AABB trees and fronts beat RAPID, more so with more overlapping pairs, with \
         little variation.";
        "two teapots of 8,455 vertices, at most 18.4 ms";
    A2 Anthology "anthology 2 §2.3.2": seeds a2_front::run;
        "Starting at the front visits fewer nodes than starting at the root.";
        "6 against 9";
    A3 Anthology "anthology 2 §2.1": run a3_octree_depth::run;
        "An octree is shallower and faster to build than a binary tree for the same leaves.";
        "none";
    A4 Anthology "anthology 5": seeds a4_ordered_axes::run;
        "Ordered axes end the box test earlier.";
        "5.8 against 6.4 axes";
    A5 Anthology "anthology 5": run a5_tip_first::run;
        "Tip-first priority and the split-plane block save primitive tests.";
        "68 % of hits at the tip, about 30 % of primitive tests saved, 99.6 % correct, 8.9 ms per \
         leaf pair";
    A6 Anthology "anthology 6": seeds a6_octree_scene::run;
        "An octree scene beats a linear scan, more so with more objects.";
        "its table is missing; it admits that view culling contributed";
    A7 Anthology "anthology 1 (abstract)": run a7_edge_nodes::run;
        "Simplified boundary nodes speed up the AABB method.";
        "none";
    A8 Anthology "anthology 4 §2.1": run a8_operation_count::run;
        "A box-box test costs at most 15 comparisons, 60 additions, 81 multiplications and 24 \
         absolute values.";
        "15 comparisons, 60 additions, 81 multiplications, 24 absolute values";
    A9 Anthology "anthology 2 §2.5.2": seeds a9_assignment::run;
        "Element assignment and re-assignment save tests.";
        "none";
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of ids per paper, in this project's numbering.
    const SERIES: [(char, usize); 5] = [('F', 9), ('V', 4), ('L', 3), ('X', 3), ('A', 9)];

    #[test]
    fn no_claim_is_missing() {
        let wanted: Vec<String> = SERIES
            .iter()
            .flat_map(|&(letter, n)| (1..=n).map(move |k| format!("{letter}{k}")))
            .collect();
        let found: Vec<&str> = CLAIMS.iter().map(|row| row.id).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn ids_are_chosen_once_and_wrong_ones_refused() {
        let ids =
            |list: &[&str]| -> Vec<String> { list.iter().map(|id| (*id).to_owned()).collect() };
        let rows = chosen(&ids(&["a8", "L2", "A8"])).expect("known ids");
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), ["A8", "L2"]);
        assert_eq!(chosen(&[]).expect("all").len(), CLAIMS.len());
        let why = chosen(&ids(&["A8", "B1"])).expect_err("unknown");
        assert!(why.contains("\"B1\"") && why.contains("A9"), "{why}");
    }
}
