//! The figures of claim A5, by topic.

use super::leaf_forms::{BLOCKS, Form};
use super::leaf_survey::{Found, OTHER_ORDERS};
use super::leaf_walks::TipCount;
use super::outcome::Figure;

/// The paper's figures, in percent and milliseconds.
const PAPER_TIP: f64 = 68.0;
const PAPER_SAVED: f64 = 30.0;
const PAPER_CORRECT: f64 = 99.6;
const PAPER_MILLISECONDS: f64 = 8.9;

/// Numbers of self-contacts of leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selves {
    /// On the whole leaf.
    pub(crate) all: usize,
    /// Among the triangles nearest to the tip.
    pub(crate) tip: usize,
}

/// All figures. `plants` are leaves placed independently of the tip. `selves` are self-contacts of
/// leaves as modelled and with vertices moved.
pub(crate) fn figures(found: &Found, plants: &TipCount, selves: [Selves; 2]) -> Vec<Figure> {
    let mut list = of_tips(&found.tips, plants);
    list.extend(of_blocks(found));
    list.extend(of_orders(found));
    list.extend(of_answers(found));
    for (kind, Selves { all, tip }) in ["as drawn", "vertices moved"].iter().zip(selves) {
        list.push(Figure::new(format!("self-contacts, {kind}: all"), all as f64, ""));
        list.push(Figure::new(format!("self-contacts, {kind}: found at the tip"), tip as f64, ""));
    }
    list
}

/// The saving in percent, from a ratio of costs.
fn saved(ratio: f64) -> f64 {
    100.0 * (1.0 - ratio)
}

/// A part in percent of the whole.
fn of(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}

/// Where on the leaf contacts lie.
fn of_tips(near: &TipCount, plants: &TipCount) -> Vec<Figure> {
    let mut list = Vec::new();
    for (scene, tips) in [("pairs near the tips", near), ("neighbouring plants", plants)] {
        let add =
            |what: &str, percent| Figure::new(format!("tip half, {scene}: {what}"), percent, "%");
        let ends = add("overlapping end nodes", tips.ends.percent());
        list.push(ends.paper(scene.starts_with("pairs").then_some(PAPER_TIP)));
        list.push(add("tip-side nodes among overlapping children", tips.children.percent()));
        list.push(add("contacts", tips.contacts.percent()));
    }
    list
}

/// The saving of the block.
fn of_blocks(found: &Found) -> Vec<Figure> {
    let mut list = Vec::new();
    let [first, all] = &found.questions;
    for form in BLOCKS {
        for (question, asked) in [("all contacts", all), ("first contact", first)] {
            let none = Form::Tip;
            let name =
                |what: &str| format!("saved by the block {}, {question}: {what}", form.word());
            let time = saved(asked.all[form].primitive / asked.all[none].primitive);
            let time = Figure::new(name("time of triangle tests"), time, "%");
            let papers = form == Form::Letter && question == "all contacts";
            list.push(time.paper(papers.then_some(PAPER_SAVED)));
            let colliding = asked.colliding[form].primitive / asked.colliding[none].primitive;
            list.push(Figure::new(name("the same, colliding pairs"), saved(colliding), "%"));
            let tests = saved(asked.all[form].tests / asked.all[none].tests);
            list.push(Figure::new(name("triangle tests"), tests, "%"));
            let culled = saved(asked.all[form].culled / asked.all[none].culled);
            list.push(Figure::new(name("triangle tests after comparing bounds"), culled, "%"));
            let query = saved(asked.all[form].query / asked.all[none].query);
            list.push(Figure::new(name("time of the query"), query, "%"));
        }
    }
    list
}

/// The saving of the order.
fn of_orders(found: &Found) -> Vec<Figure> {
    let mut list = Vec::new();
    let [first, _] = &found.questions;
    let plain = first.colliding[Form::Plain].tests;
    let priority = first.colliding[Form::Tip].tests;
    let name = |what: &str| format!("tests to the first contact, colliding pairs: {what}");
    let each = found.colliding as f64;
    list.push(Figure::new(name("tip first"), priority / each, ""));
    list.push(Figure::new(name("equal weights"), plain / each, ""));
    for (order, tests) in OTHER_ORDERS.iter().zip(found.other_orders) {
        list.push(Figure::new(name(order), tests as f64 / each, ""));
    }
    let culled = first.colliding[Form::Tip].culled / first.colliding[Form::Plain].culled;
    let name = "tests to the first contact after comparing bounds, tip first over equal weights";
    list.push(Figure::new(name, culled, "×"));
    let query = first.all[Form::Tip].query / first.all[Form::Plain].query;
    list.push(Figure::new("time to the verdict, tip first over equal weights", query, "×"));
    list
}

/// Correctness of the forms with a block, and the time of a pair.
fn of_answers(found: &Found) -> Vec<Figure> {
    let mut list = Vec::new();
    for (form, answers) in BLOCKS.iter().zip(found.answers) {
        let name = |what: &str| format!("block {}: {what}", form.word());
        let papers = (*form == Form::Letter).then_some(PAPER_CORRECT);
        let verdicts = of(answers.verdicts, found.pairs);
        list.push(Figure::new(name("right verdicts"), verdicts, "%").paper(papers));
        let contacts = of(answers.contacts, found.contacts);
        list.push(Figure::new(name("contacts found"), contacts, "%"));
        let complete = of(answers.complete, found.pairs);
        list.push(Figure::new(name("pairs with all contacts"), complete, "%"));
    }
    list.push(
        Figure::new("time of a pair with both trees built", found.pair_nanoseconds() * 1e-6, "ms")
            .paper(PAPER_MILLISECONDS),
    );
    list.push(Figure::new("part of it that builds the trees", found.built_percent(), "%"));
    list
}
