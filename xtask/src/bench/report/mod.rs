//! The report: one self-contained HTML file that helps to choose a method. Text and tables come from
//! `xtask/templates/report.html`; matrices and charts are made here.

mod dots;
mod growth;
mod matrix;
mod sampled;
mod steadiness;
mod tables;
mod uses;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use impinge_records::streams::Streams;
use serde_json::{Value, json};

use super::record::{Picture, Results, Scene, role};
use super::streams::{self, Requirement};
use crate::numbers::{date, digits, grouped};
use crate::page;

/// The page's template.
const TEMPLATE: &str = include_str!("../../../templates/report.html");

/// The report as HTML. `picture` returns the bytes of a picture by its file name; missing pictures
/// are left out.
///
/// # Errors
/// If the template is invalid.
pub(super) fn html(
    results: &Results,
    picture: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<String, String> {
    let scenes: Vec<_> = results.scenes.iter().map(|s| scene(results, s, picture)).collect();
    let first = |s: &Scene| shot(s, s.pictures.first()?, picture);
    let closeup = |s: &Scene| shot(s, s.pictures.get(1)?, picture);
    let context = json!({
        "run": run(results),
        "uses": uses(results),
        "cover": results.scenes.iter().find_map(closeup),
        "shots": results.scenes.iter().filter_map(first).collect::<Vec<_>>(),
        "matrices": matrix::all(results),
        "growth": growth::plots(results),
        "steadiness": steadiness::table(results),
        "sampled": sampled::section(results),
        "streams": results.streams.as_ref().map(|found| streams(results, found)),
        "methods": tables::methods(results),
        "wrong": tables::wrong(results),
        "costs": tables::costs(results),
        "scenes": scenes,
    });
    page::render(TEMPLATE, context)
}

/// The sentences of each use as HTML.
fn uses(results: &Results) -> Vec<Value> {
    let marked = |text: &str| {
        let parts = text.split('`').enumerate();
        let html = |(k, part)| {
            let text = page::escaped(part);
            let role = role(part).class();
            if k % 2 == 1 { format!("<b class=\"word {role}\">{text}</b>") } else { text }
        };
        parts.map(html).collect::<String>()
    };
    let list = uses::sentences(results).into_iter();
    list.map(|(title, text)| json!({ "title": title, "text": marked(&text) })).collect()
}

/// The run's machine, build and settings, formatted.
fn run(results: &Results) -> Value {
    let (run, host) = (&results.run, &results.run.host);
    let gib = host.memory_bytes as f64 / f64::from(1 << 30);
    json!({
        "date": date(host.started_unix_s),
        "cpu": host.cpu,
        "cores": host.cores,
        "extensions": host.extensions.join(", "),
        "memory": if host.memory_bytes == 0 { "unknown".to_owned() } else { format!("{} GiB", digits(gib)) },
        "system": host.system,
        "load": host.load.map(digits),
        "rustc": host.rustc.as_deref().unwrap_or("unknown compiler"),
        "commit": host.commit.as_deref().unwrap_or("unknown"),
        "debug": host.debug,
        "threads": run.threads,
        "adapter": run.adapter,
        "quick": run.quick,
        "seed": run.seed,
        "passes": run.passes,
        "budget": digits(run.budget_s),
        "seconds": digits(results.end.seconds),
        "scenes": results.scenes.len(),
        "measurements": results.end.measurements,
        "judged": grouped(results.measurements.iter().map(|m| m.all.judged as u64).sum()),
        "wrong_exact": results.end.wrong_answers_of_exact_methods,
    })
}

/// The times of streams, and what is required of them.
fn streams(results: &Results, found: &Streams) -> Value {
    let required = streams::requirements(results, found);
    let row =
        |found: &Requirement| json!([found.what, found.needed, found.measured, found.verdict]);
    json!({
        "conditions": streams::conditions(found),
        "heads": streams::HEADS,
        "lines": streams::lines(found),
        "required": required.iter().map(row).collect::<Vec<_>>(),
    })
}

/// A picture of a scene; `None` if its file is missing.
fn shot(
    scene: &Scene,
    shown: &Picture,
    picture: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Option<Value> {
    let data = STANDARD.encode(picture(&shown.file)?);
    Some(json!({ "scene": scene.scene, "data": data, "caption": shown.caption }))
}

fn scene(results: &Results, scene: &Scene, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> Value {
    let meshes: Vec<_> = scene
        .meshes
        .iter()
        .map(|mesh| {
            json!({
                "name": mesh.name,
                "triangles": grouped(mesh.triangles as u64),
                "vertices": grouped(mesh.vertices as u64),
                "diagonal": format!("{:.4}", mesh.diagonal),
                "closed": mesh.closed,
            })
        })
        .collect();
    let judge = &scene.judge;
    let overlap = scene.pictures.iter().find(|shown| shown.file.ends_with("-overlap.png"));
    json!({
        "name": scene.scene,
        "title": scene.title,
        "about": scene.about,
        "notes": scene.notes,
        "meshes": meshes,
        "closeup": scene.pictures.get(1).and_then(|shown| shot(scene, shown, picture)),
        "overlap": overlap.and_then(|shown| shot(scene, shown, picture)),
        "bodies": scene.bodies,
        "triangles": grouped(scene.triangles as u64),
        "labels": scene.labels.iter().map(|l| format!("{} ({})", l.label, l.steps)).collect::<Vec<_>>(),
        "judge": {
            "name": judge.name,
            "queries": grouped(judge.queries as u64),
            "hits": grouped(judge.hits as u64),
            "pairs": grouped(judge.pairs),
            "seconds": digits(judge.seconds),
        },
        "preparations": tables::preparations(results, scene),
        "tables": tables::of_scene(results, scene),
    })
}

#[cfg(test)]
mod tests {
    use impinge_records::bench::Costs;

    use super::*;
    use crate::bench::record::update_words;

    /// A results file of two methods, with placed, moving and deforming scenes.
    const SAMPLE: &str = include_str!("sample.jsonl");

    fn sample() -> Results {
        Results::parse(SAMPLE).expect("the sample is a whole file")
    }

    #[test]
    fn the_report_needs_nothing_from_outside() {
        let html = html(&sample(), &|_| Some(vec![1, 2, 3])).expect("the template is whole");
        for outside in ["<link", "<script src", "src=\"http", "url(http", "@import"] {
            assert!(!html.contains(outside), "{outside}");
        }
        assert!(html.contains("data:image/png;base64,AQID"));
    }

    #[test]
    fn the_report_names_every_method_and_scene_and_draws_plots() {
        let results = sample();
        let html = html(&results, &|_| None).expect("the template is whole");
        for method in &results.run.methods {
            assert!(html.contains(&method.word), "{}", method.word);
        }
        for scene in &results.scenes {
            assert!(html.contains(&scene.title), "{}", scene.title);
        }
        assert!(html.matches("<svg").count() >= 10);
        assert!(html.contains(&results.run.host.cpu));
        assert!(!html.contains("&lt;svg"), "a plot was escaped");
    }

    #[test]
    fn updates_of_deforming_meshes_are_shown() {
        let results = sample();
        let following = results.measurements.iter().filter(|m| m.update.is_some());
        let words: Vec<String> = following.filter_map(update_words).collect();
        assert_eq!(words.len(), 3, "the sample has a deforming scene");
        assert!(words.iter().all(|word| word.ends_with(" rebuild")), "{words:?}");
        let html = html(&results, &|_| None).expect("the template is whole");
        assert!(html.contains("follows by") && html.contains("Deforming meshes"));
    }

    #[test]
    fn sampled_forms_are_shown() {
        let mut results = sample();
        let page = html(&results, &|_| None).expect("the template is whole");
        assert!(page.contains("Sampled forms") && page.contains("23 of 240 wrong"));
        results.samplings.clear();
        let page = html(&results, &|_| None).expect("the template is whole");
        assert!(!page.contains("Sampled forms"));
    }

    #[test]
    fn streams_are_shown_if_they_were_measured() {
        let (mut results, found) = streams::tests::on_hardware();
        assert!(!html(&results, &|_| None).expect("the template is whole").contains("<h2>Streams"));
        results.streams = Some(found);
        let page = html(&results, &|_| None).expect("the template is whole");
        for part in ["<h2>Streams", "does not hold", "8.00×", "Sample adapter"] {
            assert!(page.contains(part), "{part}");
        }
    }

    #[test]
    fn unit_costs_are_shown_where_something_was_counted() {
        let mut results = sample();
        assert!(!html(&results, &|_| None).expect("the template is whole").contains("C<sub>v"));
        let (volume_ns, primitive_ns, update_ns, query_ns, off) = (21.5, 45.25, 7.5, 345.0, 0.125);
        let costs = Costs { volume_ns, primitive_ns, update_ns, query_ns, off };
        let all = &mut results.measurements[0].all;
        (all.volume_tests, all.primitive_tests) = (Some(11.0), Some(22.0));
        all.volumes_updated = Some(0.0);
        results.measurements[0].costs = Some(costs);
        let page = html(&results, &|_| None).expect("the template is whole");
        assert!(page.contains("<td>21.5</td><td>45.2</td><td>–</td><td>345</td>"), "costs");
        assert!(page.contains("<td>12.5 %</td>"), "the error");
    }

    #[test]
    fn wrong_answers_are_shown() {
        let results = sample();
        assert!(results.measurements.iter().any(|m| m.all.wrong() > 0), "the sample has none");
        let html = html(&results, &|_| None).expect("the template is whole");
        assert!(html.contains("false hit"));
    }

    #[test]
    fn the_page_is_whole_without_its_script() {
        let results = sample();
        let page = html(&results, &|_| None).expect("the template is whole");
        let (before, rest) = page.split_once("<script>").expect("tables are sorted by a script");
        let (script, after) = rest.split_once("</script>").expect("it ends");
        assert!(!script.contains("innerHTML") && !after.contains("<script"));
        let without = format!("{before}{after}");
        for part in results
            .run
            .methods
            .iter()
            .map(|m| &m.word)
            .chain(results.scenes.iter().map(|s| &s.about))
        {
            assert!(without.contains(part.as_str()), "{part}");
        }
    }
}
