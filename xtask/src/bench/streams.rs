//! Streams: their times, and what is required of them on hardware.

use impinge_records::streams::{StreamAdapter, StreamQueries, Streams};

use super::record::Results;
use crate::numbers::{digits, grouped, ratio, time};

/// A requirement, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Requirement {
    /// What is compared with what.
    pub(crate) what: &'static str,
    pub(crate) needed: String,
    /// `"–"` if it was not measured.
    pub(crate) measured: String,
    /// `"holds"`, `"does not hold"`, or why it cannot be told.
    pub(crate) verdict: &'static str,
}

/// Heads of the table of [`Streams::queries`] and of the batch.
pub(crate) const HEADS: [&str; 7] =
    ["method", "form", "triangles", "poses", "time", "tests", "submissions"];

/// The cells of a line for each method and form, and of two for the batch.
pub(crate) fn lines(streams: &Streams) -> Vec<[String; 7]> {
    let count = |n: usize| grouped(n as u64);
    let query = |found: &StreamQueries| {
        [
            found.method.clone(),
            found.form.clone(),
            count(found.triangles),
            count(found.poses),
            time(found.median_ns),
            grouped(found.tests.round() as u64),
            mean(found.submissions),
        ]
    };
    let mut lines: Vec<_> = streams.queries.iter().map(query).collect();
    if let Some(batch) = &streams.batch {
        let form = if streams.adapter.is_some() { "batch, compute" } else { "batch, processor" };
        let line = |method: &str, form: &str, ns: f64, submissions: String| {
            let [triangles, poses] = [batch.triangles, batch.poses].map(count);
            [
                method.to_owned(),
                form.to_owned(),
                triangles,
                poses,
                time(ns),
                "–".into(),
                submissions,
            ]
        };
        lines.push(line("stream-pairs", form, batch.pairs_ns, grouped(batch.submissions)));
        lines.push(line("wide", "batch, all threads", batch.wide_ns, "–".into()));
    }
    lines
}

/// A mean of counts: whole if it is.
fn mean(count: f64) -> String {
    if count.fract() == 0.0 { grouped(count as u64) } else { digits(count) }
}

/// The adapter and the conditions, in a sentence or two.
pub(crate) fn conditions(streams: &Streams) -> String {
    let on = match &streams.adapter {
        None => "no adapter (--gpu software or required); the processor alone".to_owned(),
        Some(StreamAdapter { name, hardware, peak_per_s, .. }) => {
            let kind = if *hardware { "hardware" } else { "a software driver" };
            format!("{name}, {kind}, {} Gop/s in multiply-adds", digits(peak_per_s / 1e9))
        }
    };
    let batch = streams.batch.as_ref().map_or_else(String::new, |batch| {
        let [hits, poses] = [batch.hits, batch.poses].map(|n| grouped(n as u64));
        let noise = 100.0 * batch.noise;
        format!(
            "; batches: all poses together, {hits} of {poses} hit, passes differ by {noise:.0} %"
        )
    });
    format!(
        "{on}; single queries: median over poses without a hit; submissions on the processor: the \
         draws of the paper{batch}"
    )
}

/// What is required, and whether it holds.
pub(crate) fn requirements(results: &Results, streams: &Streams) -> Vec<Requirement> {
    let hardware = streams.adapter.as_ref().is_some_and(|adapter| adapter.hardware);
    let judge = |measured: Option<f64>, needed: f64| match measured {
        _ if !hardware => "cannot be run here: no hardware adapter",
        _ if results.run.quick => "cannot be told: --quick is too small",
        None => "was not measured",
        Some(measured) if measured >= needed => "holds",
        Some(_) => "does not hold",
    };
    let or_dash = |measured: Option<f64>| measured.map_or_else(|| "–".to_owned(), times);
    let share = share_of_peak(streams);
    let shrink = ["raster", "compute"].map(|form| found(streams, "stream-shrink", form));
    let shrink = match shrink {
        [Some(raster), Some(compute)] => Some(raster.median_ns / compute.median_ns),
        _ => None,
    };
    let batch = streams.batch.as_ref().map(|batch| batch.wide_ns / batch.pairs_ns);
    vec![
        Requirement {
            what: "stream-basic, compute: share of the peak rate",
            needed: "30 %".to_owned(),
            measured: share.map_or_else(|| "–".to_owned(), |share| percent(streams, share)),
            verdict: judge(share, 0.3),
        },
        Requirement {
            what: "stream-shrink: raster against compute",
            needed: "5×".to_owned(),
            measured: or_dash(shrink),
            verdict: judge(shrink, 5.0),
        },
        Requirement {
            what: "batch: wide on all threads against stream-pairs",
            needed: "5×".to_owned(),
            measured: or_dash(batch),
            verdict: judge(batch, 5.0),
        },
    ]
}

fn found<'s>(streams: &'s Streams, method: &str, form: &str) -> Option<&'s StreamQueries> {
    streams.queries.iter().find(|found| found.method == method && found.form == form)
}

/// A ratio, also one that is nearly 0.
fn times(value: f64) -> String {
    if value < 0.0995 { format!("{value:.3}×") } else { ratio(value) }
}

/// Operations of all tests of `stream-basic` in its whole time, over the peak rate. At least, since
/// a test that is not settled by the first comparison does more.
fn share_of_peak(streams: &Streams) -> Option<f64> {
    let adapter = streams.adapter.as_ref()?;
    let basic = found(streams, "stream-basic", "compute")?;
    let per_s = basic.tests * f64::from(adapter.operations) * 1e9 / basic.median_ns;
    Some(per_s / adapter.peak_per_s)
}

/// The share with all operations, and with those in floating point.
fn percent(streams: &Streams, share: f64) -> String {
    let part = streams.adapter.as_ref().map_or(0.0, |adapter| {
        f64::from(adapter.in_floating_point) / f64::from(adapter.operations.max(1))
    });
    let [all, floating] = [100.0 * share, 100.0 * share * part].map(digits);
    format!("≥ {all} % ({floating} % in floating point)")
}

#[cfg(test)]
pub(crate) mod tests {
    use impinge_records::streams::StreamBatch;

    use super::*;

    /// Streams on hardware: half of the peak, raster 8 times as slow, the batch 2 times as fast.
    pub(crate) fn on_hardware() -> (Results, Streams) {
        let sample = include_str!("report/sample.jsonl");
        let mut results = Results::parse(sample).expect("a whole file");
        results.run.quick = false;
        let query = |method: &str, form: &str, median_ns: f64| StreamQueries {
            method: method.to_owned(),
            form: form.to_owned(),
            triangles: 20_000,
            poses: 5,
            median_ns,
            tests: 1e9,
            submissions: 17.5,
        };
        let adapter = StreamAdapter {
            name: "Sample adapter".to_owned(),
            hardware: true,
            peak_per_s: 2e12,
            operations: 80,
            in_floating_point: 60,
        };
        let queries = vec![
            query("stream-basic", "processor", 4e9),
            query("stream-basic", "compute", 8e7),
            query("stream-shrink", "compute", 1e6),
            query("stream-shrink", "raster", 8e6),
        ];
        let (pairs_ns, wide_ns) = (1e8, 2e8);
        let batch = StreamBatch {
            triangles: 100_000,
            poses: 10_000,
            hits: 4_000,
            submissions: 33,
            pairs_ns,
            wide_ns,
            noise: 0.01,
        };
        (results, Streams { adapter: Some(adapter), queries, batch: Some(batch) })
    }

    fn verdicts((results, streams): &(Results, Streams)) -> Vec<&'static str> {
        requirements(results, streams).iter().map(|found| found.verdict).collect()
    }

    #[test]
    fn requirements_are_judged_on_hardware_only() {
        let mut sample = on_hardware();
        assert_eq!(verdicts(&sample), ["holds", "holds", "does not hold"]);
        let found = requirements(&sample.0, &sample.1);
        assert_eq!(found[0].measured, "≥ 50.0 % (37.5 % in floating point)");
        assert_eq!((&*found[1].measured, &*found[2].measured), ("8.00×", "2.00×"));
        sample.0.run.quick = true;
        assert!(verdicts(&sample).iter().all(|verdict| verdict.contains("too small")));
        sample.0.run.quick = false;
        sample.1.adapter.as_mut().expect("it has one").hardware = false;
        let none = "cannot be run here: no hardware adapter";
        assert_eq!(verdicts(&sample), [none; 3]);
        assert_eq!(requirements(&sample.0, &sample.1)[1].measured, "8.00×", "told all the same");
    }

    #[test]
    fn what_was_left_out_is_told() {
        let mut sample = on_hardware();
        sample.1.queries.retain(|found| found.form != "raster");
        sample.1.queries[1].median_ns *= 2.0;
        sample.1.batch = None;
        assert_eq!(verdicts(&sample), ["does not hold", "was not measured", "was not measured"]);
        assert_eq!(lines(&sample.1).len(), 3);
        sample.1.adapter = None;
        let told = conditions(&sample.1);
        assert!(told.contains("no adapter") && !told.contains("batches"), "{told}");
    }

    #[test]
    fn counts_and_small_ratios_are_legible() {
        let (results, mut streams) = on_hardware();
        streams.queries[0].submissions = 4_000.0;
        let submissions: Vec<String> = lines(&streams).into_iter().map(|[.., last]| last).collect();
        assert_eq!(submissions, ["4,000", "17.5", "17.5", "17.5", "33", "–"]);
        assert!(conditions(&streams).ends_with("4,000 of 10,000 hit, passes differ by 1 %"));
        let batch = streams.batch.as_mut().expect("it has one");
        batch.wide_ns = 0.014 * batch.pairs_ns;
        let found = requirements(&results, &streams);
        assert_eq!([&*found[2].needed, &*found[2].measured], ["5×", "0.014×"]);
    }
}
