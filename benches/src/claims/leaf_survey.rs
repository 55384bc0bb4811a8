//! The work of the maize-leaf forms on sets of leaves, their correctness, and the positions of the
//! contacts.

use impinge::hierarchy::traverse::{Block, LargerFirst, Priority, TipFirst};
use impinge::{Contact, Method, Pair};
use impinge_models::maize::LeafPairs;

use super::leaf_forms::{Asked, BLOCKS, Form, nanoseconds, one_pair};
use super::leaf_walks::{Blade, Meeting, TipCount, blade_of};

/// Other traversal orders to compare.
pub(crate) const OTHER_ORDERS: [&str; 3] =
    ["base first", "depth first, tip side first", "depth first, base side first"];

/// The answers of one form, compared with the exact method's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answers {
    /// Pairs with the right verdict.
    pub(crate) verdicts: usize,
    /// Pairs with all contacts.
    pub(crate) complete: usize,
    /// Contacts found.
    pub(crate) contacts: usize,
}

/// All results of the survey.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// First contact and all contacts.
    pub(crate) questions: [Asked; 2],
    /// Tests to the first contact of colliding pairs in [`OTHER_ORDERS`], without a block.
    pub(crate) other_orders: [u64; 3],
    /// Pairs of leaves.
    pub(crate) pairs: usize,
    /// Colliding pairs, by the exact method.
    pub(crate) colliding: usize,
    /// Contacts, by the exact method.
    pub(crate) contacts: usize,
    /// The answers of the forms in [`BLOCKS`].
    pub(crate) answers: [Answers; 3],
    /// Positions of the contacts.
    pub(crate) tips: TipCount,
    /// Per set of leaves: tests to the first contact with tip first minus those with equal weights.
    pub(crate) order_excess: Vec<f64>,
    /// Per set of leaves: mean time to build a tree.
    pub(crate) build: Vec<f64>,
}

impl Found {
    /// Mean time of a pair: building both trees and finding all contacts, by the letter.
    pub(crate) fn pair_nanoseconds(&self) -> f64 {
        2.0 * self.mean_build() + self.questions[1].all[Form::Letter].query / self.pairs as f64
    }

    fn mean_build(&self) -> f64 {
        self.build.iter().sum::<f64>() / self.build.len() as f64
    }

    /// Standard error of the sum of `order_excess`, assuming independent sets of leaves.
    pub(crate) fn order_error(&self) -> f64 {
        let n = self.order_excess.len() as f64;
        let mean = self.order_excess.iter().sum::<f64>() / n;
        let squares: f64 = self.order_excess.iter().map(|x| (x - mean).powi(2)).sum();
        (squares * n / (n - 1.0)).sqrt()
    }

    /// The share of building trees in it, in percent.
    pub(crate) fn built_percent(&self) -> f64 {
        200.0 * self.mean_build() / self.pair_nanoseconds()
    }
}

/// Adds the work of every form on every pair of a set of leaves.
///
/// # Errors
/// If a query fails, or an exact form gives a wrong answer.
pub(crate) fn add(found: &mut Found, set: &LeafPairs, passes: usize) -> Result<(), String> {
    let blades: Vec<Blade> = set.leaves.iter().map(blade_of).collect::<Result<_, _>>()?;
    let excess = |found: &Found| {
        let first = &found.questions[0];
        first.colliding[Form::Tip].tests - first.colliding[Form::Plain].tests
    };
    let before = excess(found);
    found.pairs += set.pairs.len();
    for pair in &set.pairs {
        let [a, b] = [pair.a, pair.b].map(|leaf| &blades[leaf]);
        let meeting = Meeting { a, b, pose: pair.pose };
        let exact = exact_contacts(&meeting)?;
        found.add_correctness(&meeting, &exact)?;
        for first in [true, false] {
            let asked = &mut found.questions[usize::from(!first)];
            one_pair(&meeting, first, !exact.is_empty(), passes, asked)?;
        }
    }
    found.order_excess.push(excess(found) - before);
    found.build.push(build(set, passes)?);
    Ok(())
}

fn exact_contacts(meeting: &Meeting<'_>) -> Result<Vec<Contact>, String> {
    let Meeting { a, b, pose } = meeting;
    let mut pair = Pair::with(Method::ObbTree, a.mesh(), b.mesh()).map_err(|e| e.to_string())?;
    pair.contacts(pose).map(<[Contact]>::to_vec).map_err(|error| error.to_string())
}

/// Mean over the leaves of the least time to build a tree.
fn build(scene: &LeafPairs, passes: usize) -> Result<f64, String> {
    let mut sum = 0.0;
    for mesh in &scene.leaves {
        let mut least = f64::INFINITY;
        for _ in 0..passes {
            least = least.min(nanoseconds(|| blade_of(mesh).map(drop))?);
        }
        sum += least;
    }
    Ok(sum / scene.leaves.len() as f64)
}

impl Found {
    fn add_correctness(&mut self, meeting: &Meeting<'_>, exact: &[Contact]) -> Result<(), String> {
        let plain = |form: Form| meeting.trace(form.rule(), false);
        for form in [Form::Plain, Form::Tip, Form::Corrected] {
            if plain(form)?.contacts != exact {
                return Err(format!("the form {} has other contacts than obbtree", form.word()));
            }
        }
        for (form, answers) in BLOCKS.iter().zip(&mut self.answers) {
            let found = plain(*form)?.contacts;
            answers.contacts += found.iter().filter(|c| exact.contains(c)).count();
            answers.verdicts += usize::from(found.is_empty() == exact.is_empty());
            answers.complete += usize::from(found == exact);
        }
        self.contacts += exact.len();
        meeting.count_tips(exact, &mut self.tips);
        if !exact.is_empty() {
            self.colliding += 1;
            let by_weight = |far, per_level| {
                let priority = Priority { far, per_level };
                meeting.trace(TipFirst { priority, block: Block::Ignored }, true)
            };
            let others =
                [by_weight(1.25, 0.1)?, meeting.trace(LargerFirst, true)?, by_weight(1.0, -0.1)?];
            for (tests, trace) in self.other_orders.iter_mut().zip(others) {
                *tests += trace.tests;
            }
        }
        Ok(())
    }
}
