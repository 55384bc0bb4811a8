//! The bars: required speed of the default engine relative to other libraries, and whether it is
//! reached.

use super::record::{Measurement, REFERENCE, Results};

/// FCL and Coal in all their forms; the fastest of them counts.
const TREES: &[&str] = &["fcl", "fcl-obbrss", "coal", "coal-obbrss", "coal-default"];
/// parry3d, used as in its documentation.
const PARRY: &[&str] = &["parry"];
/// parry3d with its simultaneous descent, as an expert would use it.
const PARRY_PAIRS: &[&str] = &["parry-pairs"];
/// Least size for "from 10,000 triangles on", since shapes reach a wanted count only approximately.
/// Unit: triangles of the larger mesh.
const FROM_10K: usize = 9_500;

#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    /// The workload of the bar.
    pub(super) title: &'static str,
    /// The compared libraries, for tables.
    against: &'static str,
    /// Required speed-up.
    pub(super) needs: f64,
    /// The question; `None` for all.
    question: Option<&'static str>,
    /// The targets; empty for all.
    targets: &'static [&'static str],
    /// The contenders; empty for all.
    peers: &'static [&'static str],
    /// Least triangle count of a scene's larger mesh.
    from_triangles: usize,
}

const fn trees(
    title: &'static str,
    needs: f64,
    question: &'static str,
    targets: &'static [&'static str],
) -> Bar {
    let against = "FCL, Coal";
    let question = Some(question);
    Bar { title, against, needs, question, targets, peers: TREES, from_triangles: 0 }
}

const fn parry(
    title: &'static str,
    against: &'static str,
    question: &'static str,
    peers: &'static [&'static str],
) -> Bar {
    let question = Some(question);
    Bar { title, against, needs: 100.0, question, targets: &[], peers, from_triangles: FROM_10K }
}

/// All bars, in the order of the table.
pub(super) const BARS: [Bar; 12] = [
    trees("first contact, 0.01 % apart", 25.0, "first", &["0.01 % apart"]),
    trees("first contact, 0.1 % apart", 25.0, "first", &["0.1 % apart"]),
    trees("first contact, 1 % apart", 15.0, "first", &["1 % apart"]),
    trees("first contact, 1 % deep", 15.0, "first", &["1 % deep"]),
    trees("first contact, 2 % deep", 15.0, "first", &["2 % deep"]),
    trees("all contacts", 15.0, "all", &[]),
    trees("distance", 10.0, "distance", &[]),
    parry("first contact, 10k triangles and more", "parry3d", "first", PARRY),
    parry("distance, 10k triangles and more", "parry3d", "distance", PARRY),
    parry("first contact, 10k triangles and more", "parry3d by pairs", "first", PARRY_PAIRS),
    parry("all contacts, 10k triangles and more", "parry3d by pairs", "all", PARRY_PAIRS),
    Bar {
        title: "no workload slower",
        against: "any of them",
        needs: 1.0,
        question: None,
        targets: &[],
        peers: &[],
        from_triangles: 0,
    },
];

/// A compared workload: the reference against the fastest contender of the bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Workload {
    /// The contender's time over the reference's.
    pub(super) ratio: f64,
    /// The contender's name.
    pub(super) peer: String,
    /// The scene's name.
    pub(super) scene: String,
    /// The question's name in records.
    pub(super) question: String,
    /// The relative position of the meshes.
    pub(super) target: String,
}

/// The result of a bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Found {
    /// Every workload that could be compared, by ascending ratio.
    pub(super) workloads: Vec<Workload>,
    /// Number of measurements that could not be compared: no right answer, or no answer.
    pub(super) left_out: usize,
}

impl Found {
    /// The number of workloads that reach `needs`.
    pub(super) fn reach(&self, needs: f64) -> usize {
        self.workloads.iter().filter(|work| work.ratio >= needs).count()
    }

    /// Whether every workload reaches it; `None` if none was compared.
    pub(super) fn is_met(&self, needs: f64) -> Option<bool> {
        (!self.workloads.is_empty()).then(|| self.reach(needs) == self.workloads.len())
    }

    /// The median ratio (the upper one of an even number).
    pub(super) fn middle(&self) -> Option<f64> {
        self.workloads.get(self.workloads.len() / 2).map(|work| work.ratio)
    }
}

impl Bar {
    /// The compared libraries, and which of them did not take part.
    pub(super) fn whom(&self, results: &Results) -> String {
        let absent = results.run.absent.iter().map(|absent| absent.word.as_str());
        let absent: Vec<&str> =
            absent.filter(|word| self.peers.is_empty() || self.peers.contains(word)).collect();
        match &absent[..] {
            [] => self.against.to_owned(),
            words => format!("{} but {}", self.against, words.join(", ")),
        }
    }

    /// Whether it concerns a single question.
    pub(super) const fn is_of_one_question(&self) -> bool {
        self.question.is_some()
    }

    fn is_about(&self, results: &Results, row: &Measurement) -> bool {
        let listed = |list: &[&str], word: &str| list.is_empty() || list.contains(&word);
        let scene = results.scenes.iter().find(|scene| scene.scene == row.scene);
        let most = scene.and_then(|s| s.meshes.iter().map(|mesh| mesh.triangles).max());
        row.peer != REFERENCE
            && self.question.is_none_or(|question| question == row.question)
            && listed(self.targets, &row.target)
            && listed(self.peers, &row.peer)
            && most.unwrap_or(0) >= self.from_triangles
    }

    /// Compares the measurements of a run.
    pub(super) fn find(&self, results: &Results) -> Found {
        let mut found = Found::default();
        for row in results.measurements.iter().filter(|row| self.is_about(results, row)) {
            let Some(ratio) = results.ratio(row).filter(|ratio| ratio.is_finite()) else {
                found.left_out += 1;
                continue;
            };
            let same = |work: &&mut Workload| {
                work.scene == row.scene
                    && work.question == row.question
                    && work.target == row.target
            };
            match found.workloads.iter_mut().find(same) {
                Some(known) if known.ratio <= ratio => {}
                Some(known) => (known.ratio, known.peer) = (ratio, row.peer.clone()),
                None => found.workloads.push(Workload {
                    ratio,
                    peer: row.peer.clone(),
                    scene: row.scene.clone(),
                    question: row.question.clone(),
                    target: row.target.clone(),
                }),
            }
        }
        found.workloads.sort_by(|x, y| x.ratio.total_cmp(&y.ratio));
        found
    }
}
