//! Ratios to the baseline: per scene, and as geometric means over the scenes that both finished.
//! The matrices of the report, its sentences and the table on the terminal show these.

use super::record::{
    BASELINE, Cost, GROUPS, Measurement, MethodInfo, QUESTIONS, Results, Scene, cost, query_ratio,
};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aspect {
    /// The time of a question, by its name in records; where meshes deform, with the update.
    Question(&'static str),
    /// The time to prepare the meshes of a scene.
    Preparation,
    /// The bytes of the prepared models.
    Memory,
}

impl Aspect {
    /// All aspects in the order of tables, with their titles.
    pub(super) fn all() -> Vec<(Self, &'static str)> {
        let questions = QUESTIONS.iter().map(|(word, title)| (Self::Question(word), *title));
        questions.chain([(Self::Preparation, "Preparation"), (Self::Memory, "Memory")]).collect()
    }

    /// The measurement that tells about a method in a scene.
    fn find<'r>(self, results: &'r Results, scene: &str, method: &str) -> Option<&'r Measurement> {
        results.measurements.iter().find(|row| {
            row.scene == scene
                && row.method == method
                && !matches!(self, Self::Question(word) if word != row.question)
        })
    }

    fn entry(self, row: &Measurement) -> Entry<'_> {
        let preparation = &row.preparation;
        let once = |value| Cost { median: value, p99: value };
        match self {
            Self::Question(_) => {
                Entry { row, cost: cost(row), whole: row.all.steps == row.all.of, ratio: None }
            }
            Self::Preparation => {
                Entry { row, cost: once(preparation.seconds * 1e9), whole: true, ratio: None }
            }
            Self::Memory => {
                Entry { row, cost: once(preparation.bytes_per_triangle), whole: true, ratio: None }
            }
        }
    }
}

/// A method in a scene.
#[derive(Clone, Debug)]
pub(super) struct Entry<'r> {
    pub(super) row: &'r Measurement,
    /// Nanoseconds, or bytes per triangle.
    pub(super) cost: Cost,
    /// Whether the method finished all steps.
    pub(super) whole: bool,
    /// Its cost relative to the baseline's, if both finished.
    pub(super) ratio: Option<f64>,
}

impl Entry<'_> {
    /// Its cost relative to that of `base`: of queries alone by label, else that of the medians.
    fn over(&self, base: &Self, aspect: Aspect) -> Option<f64> {
        let updates = self.row.updates_ns.is_some() || base.row.updates_ns.is_some();
        match aspect {
            Aspect::Question(_) if !updates => query_ratio(self.row, base.row),
            _ => Some(self.cost.median / base.cost.median),
        }
    }
}

/// A method in all scenes of a matrix.
#[derive(Clone, Debug)]
pub(super) struct Row<'r> {
    pub(super) method: &'r MethodInfo,
    /// One per scene; `None` where the method was not asked.
    pub(super) entries: Vec<Option<Entry<'r>>>,
    /// The geometric mean of the ratios.
    pub(super) mean: Option<f64>,
    /// Number of scenes in the mean.
    pub(super) over: usize,
    /// Number of wrong answers, where the aspect is a question.
    pub(super) wrong: u64,
}

/// Methods and scenes of one aspect. Methods that finished every scene of the baseline come first,
/// by their mean; means of the others are over fewer scenes and follow.
#[derive(Clone, Debug)]
pub(super) struct Matrix<'r> {
    pub(super) scenes: Vec<&'r Scene>,
    pub(super) rows: Vec<Row<'r>>,
    /// Number of scenes that the baseline finished.
    pub(super) compared: usize,
}

impl<'r> Matrix<'r> {
    /// The matrix of the wanted scenes.
    pub(super) fn new(
        results: &'r Results,
        aspect: Aspect,
        wanted: impl Fn(&Scene) -> bool,
    ) -> Self {
        let grouped = GROUPS
            .iter()
            .flat_map(|(group, _)| results.scenes.iter().filter(|s| s.group == *group));
        let methods = &results.run.methods;
        let is_asked = |scene: &&Scene| {
            methods.iter().any(|m| aspect.find(results, &scene.scene, &m.word).is_some())
        };
        let scenes: Vec<&Scene> = grouped.filter(|s| wanted(s)).filter(is_asked).collect();
        let rows: Vec<Row<'_>> =
            methods.iter().filter_map(|method| row(results, aspect, &scenes, method)).collect();
        let compared =
            rows.iter().find(|row| row.method.word == BASELINE).map_or(0, |row| row.over);
        let mut matrix = Self { scenes, rows, compared };
        matrix.rows.sort_by(|a, b| {
            let key = |row: &Row<'_>| (row.over < compared, row.mean.unwrap_or(f64::INFINITY));
            let ((a_part, a_mean), (b_part, b_mean)) = (key(a), key(b));
            a_part.cmp(&b_part).then(a_mean.total_cmp(&b_mean))
        });
        matrix
    }

    /// Whether a row's mean is over all scenes that the baseline finished.
    pub(super) fn is_complete(&self, row: &Row<'_>) -> bool {
        row.over == self.compared && row.over > 0
    }
}

fn row<'r>(
    results: &'r Results,
    aspect: Aspect,
    scenes: &[&Scene],
    method: &'r MethodInfo,
) -> Option<Row<'r>> {
    let entry = |scene: &&Scene| {
        let mut entry = aspect.entry(aspect.find(results, &scene.scene, &method.word)?);
        let base = aspect.find(results, &scene.scene, BASELINE).map(|row| aspect.entry(row));
        let base = base.filter(|base| base.whole && entry.whole && base.cost.median > 0.0);
        entry.ratio = base.and_then(|base| entry.over(&base, aspect)).filter(|r| *r > 0.0);
        Some(entry)
    };
    let entries: Vec<Option<Entry<'_>>> = scenes.iter().map(entry).collect();
    let found = || entries.iter().flatten();
    found().next()?;
    let logs: Vec<f64> = found().filter_map(|entry| entry.ratio).map(f64::ln).collect();
    let over = logs.len();
    let mean = (over > 0).then(|| (logs.iter().sum::<f64>() / over as f64).exp());
    let is_question = matches!(aspect, Aspect::Question(_));
    let wrong = if is_question { found().map(|entry| entry.row.all.wrong()).sum() } else { 0 };
    Some(Row { method, entries, mean, over, wrong })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Aspect = Aspect::Question("first-contact");

    fn sample() -> Results {
        Results::parse(include_str!("report/sample.jsonl")).expect("a whole file")
    }

    fn word_and_count<'r>(matrix: &Matrix<'r>) -> Vec<(&'r str, usize)> {
        matrix.rows.iter().map(|row| (row.method.word.as_str(), row.over)).collect()
    }

    #[test]
    fn the_fastest_comes_first_and_the_baseline_has_ratio_one() {
        let sample = sample();
        let matrix = Matrix::new(&sample, FIRST, |_| true);
        assert_eq!(word_and_count(&matrix), [("wide", 4), ("parry-pairs", 4), ("obbtree", 4)]);
        let base = &matrix.rows[2];
        assert_eq!((base.mean, matrix.compared), (Some(1.0), 4));
        assert!(matrix.rows[0].mean < Some(1.0) && matrix.rows[1].wrong > 0);
    }

    #[test]
    fn a_mean_counts_only_scenes_that_both_finished() {
        let mut sample = sample();
        let late = sample.measurements.iter_mut().find(|row| row.method == "wide");
        late.expect("it is measured").all.steps -= 1;
        let matrix = Matrix::new(&sample, FIRST, |_| true);
        // A mean over fewer scenes is not ranked among the others.
        assert_eq!(word_and_count(&matrix), [("parry-pairs", 4), ("obbtree", 4), ("wide", 3)]);
        assert!(!matrix.is_complete(&matrix.rows[2]) && matrix.is_complete(&matrix.rows[0]));
        let own = matrix.rows[2].entries.iter().flatten().filter_map(|entry| entry.ratio);
        let logs: Vec<f64> = own.map(f64::ln).collect();
        let mean = (logs.iter().sum::<f64>() / 3.0).exp();
        assert!(matrix.rows[2].mean.is_some_and(|found| (found / mean - 1.0).abs() < 1e-12));
    }

    /// A method that is ahead at one distance and behind at the other: the median over all steps is that
    /// of the other.
    #[test]
    fn every_label_counts_the_same() {
        let mut sample = sample();
        for row in sample.measurements.iter_mut().filter(|row| row.question == "first-contact") {
            let of = if row.method == BASELINE { [1.0, 8.0] } else { [4.0, 8.0] };
            for (at, group) in row.groups.iter_mut().enumerate() {
                group.median_ns = of[at % 2];
            }
            row.all.median_ns = 8.0;
        }
        let matrix = Matrix::new(&sample, FIRST, |scene| scene.group == "placed");
        let wide = matrix.rows.iter().find(|row| row.method.word == "wide").expect("measured");
        for entry in wide.entries.iter().flatten() {
            let labels = entry.row.groups.len();
            assert_eq!(labels, 2, "{}", entry.row.scene);
            assert!(entry.ratio.is_some_and(|ratio| (ratio - 2.0).abs() < 1e-12));
        }
    }

    #[test]
    fn updates_count_where_meshes_deform() {
        let sample = sample();
        let matrix = Matrix::new(&sample, FIRST, |scene| scene.group == "deforming");
        for entry in matrix.rows.iter().flat_map(|row| row.entries.iter().flatten()) {
            assert!(entry.cost.median > entry.row.all.median_ns, "{}", entry.row.method);
            assert!(entry.cost.p99 >= entry.cost.median);
        }
    }

    #[test]
    fn without_the_baseline_nothing_is_compared() {
        let mut sample = sample();
        sample.measurements.retain(|row| row.method != BASELINE);
        let matrix = Matrix::new(&sample, FIRST, |_| true);
        assert!(matrix.compared == 0 && matrix.rows.iter().all(|row| row.mean.is_none()));
        assert!(matrix.rows.iter().all(|row| !matrix.is_complete(row)));
    }
}
