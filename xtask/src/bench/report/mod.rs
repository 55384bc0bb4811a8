//! The report: one self-contained HTML file. Text and tables come from
//! `xtask/templates/report.html`; the charts are drawn here.

mod bars;
mod growth;
mod sampled;
mod steadiness;
mod summary;
mod tables;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde_json::{Value, json};

use super::record::{GROUPS, QUESTIONS, Results, Scene};
use crate::numbers::{date, digits, grouped};

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
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("report", TEMPLATE).map_err(|error| error.to_string())?;
    let template = environment.get_template("report").map_err(|error| error.to_string())?;
    let scenes: Vec<_> = results.scenes.iter().map(|s| scene(results, s, picture)).collect();
    let context = json!({
        "run": run(results),
        "methods": summary::methods(results),
        "findings": summary::findings(results),
        "bars": bar_charts(results),
        "growth": growth::plots(results),
        "steadiness": steadiness::plots(results),
        "sampled": sampled::section(results),
        "wrong": tables::wrong(results),
        "scenes": scenes,
    });
    template.render(Serde(context)).map_err(|error| format!("{error:#}"))
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
        "rustc": host.rustc.as_deref().unwrap_or("unknown compiler"),
        "commit": host.commit.as_deref().unwrap_or("unknown"),
        "debug": host.debug,
        "threads": run.threads,
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

/// Bar charts: per question and group of scenes.
fn bar_charts(results: &Results) -> Vec<Value> {
    let mut plots = Vec::new();
    for (question, asked) in QUESTIONS {
        for (group, title) in GROUPS {
            if let Some(svg) = bars::plot(results, group, question) {
                plots.push(json!({ "title": format!("{asked} · {title}"), "svg": svg }));
            }
        }
    }
    plots
}

fn scene(results: &Results, scene: &Scene, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> Value {
    let pictures: Vec<_> = scene
        .pictures
        .iter()
        .filter_map(|shown| {
            let data = STANDARD.encode(picture(&shown.file)?);
            Some(json!({ "data": data, "caption": shown.caption }))
        })
        .collect();
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
    json!({
        "name": scene.scene,
        "title": scene.title,
        "about": scene.about,
        "notes": scene.notes,
        "meshes": meshes,
        "pictures": pictures,
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
        assert!(html.matches("<svg").count() >= 3);
        assert!(html.contains(&results.run.host.cpu));
        assert!(!html.contains("&lt;svg"), "a plot was escaped");
    }

    #[test]
    fn updates_of_deforming_meshes_are_shown() {
        let results = sample();
        let following = results.measurements.iter().filter(|m| m.update.is_some());
        let words: Vec<String> = following.filter_map(update_words).collect();
        assert_eq!(words.len(), 2, "the sample has a deforming scene");
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
    fn wrong_answers_are_shown() {
        let results = sample();
        assert!(results.measurements.iter().any(|m| m.all.wrong() > 0), "the sample has none");
        let html = html(&results, &|_| None).expect("the template is whole");
        assert!(html.contains("false hit"));
    }
}
