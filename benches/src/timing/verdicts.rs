//! Answers of a method at one step, compared with the expected ones.

use std::cmp::Ordering;

use impinge::Contact;
use impinge::query::{Answer, Ask, Question};

/// Counts over the queries of one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Queries answered "hit".
    pub hits: usize,
    /// Contacts reported.
    pub contacts: u64,
    /// `N_v`, `N_p`, `N_u` and exact tests; `None` if the method reported no statistics.
    pub counters: Option<[u64; 4]>,
    /// Queries checked.
    pub judged: usize,
    /// Queries answered "hit" although there is none.
    pub false_hits: usize,
    /// Queries answered "apart" although there is a hit.
    pub false_misses: usize,
    /// Reported pairs that do not meet.
    pub extra_pairs: u64,
    /// Pairs that meet and were not reported.
    pub missing_pairs: u64,
    /// Queries that failed.
    pub errors: usize,
}

impl Tally {
    /// Adds an answer to `ask`. `truth` holds all pairs that meet, in canonical order.
    pub fn add(&mut self, answer: &Answer, truth: &[Contact], ask: &Ask) {
        let (hit, is) = (answer.verdict.is_hit(), !truth.is_empty());
        self.judged += 1;
        self.hits += usize::from(hit);
        self.contacts += answer.contacts.len() as u64;
        self.false_hits += usize::from(hit && !is);
        self.false_misses += usize::from(is && !hit);
        let extra = answer.contacts.iter().filter(|c| truth.binary_search(c).is_err());
        self.extra_pairs += extra.count() as u64;
        if ask.question == Question::AllContacts {
            self.missing_pairs += missing(&answer.contacts, truth);
        }
        if let Some(statistics) = &answer.statistics {
            let counters = self.counters.get_or_insert([0; 4]);
            counters[0] += statistics.volume_tests;
            counters[1] += statistics.primitive_tests;
            counters[2] += statistics.volumes_updated;
            counters[3] += statistics.exact_tests;
        }
    }
}

/// The number of `truth` that are not in `reported`. Both ascend; a pair reported twice counts
/// once.
fn missing(reported: &[Contact], truth: &[Contact]) -> u64 {
    let (mut at, mut missing) = (0, 0);
    for pair in truth {
        while reported.get(at).is_some_and(|other| other.cmp(pair) == Ordering::Less) {
            at += 1;
        }
        missing += u64::from(reported.get(at) != Some(pair));
    }
    missing
}

/// The largest difference between distances, over their common steps.
pub(super) fn distance_error(distances: &[f64], reference: &[f64]) -> Option<f64> {
    let both = distances.iter().zip(reference);
    both.map(|(d, r)| (d - r).abs()).filter(|error| error.is_finite()).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Verdict;

    fn contact(a: u32, b: u32) -> Contact {
        Contact { a, b }
    }

    fn tally(verdict: Verdict, contacts: &[Contact], truth: &[Contact], ask: &Ask) -> Tally {
        let answer = Answer { verdict, contacts: contacts.to_vec(), ..Answer::default() };
        let mut tally = Tally::default();
        tally.add(&answer, truth, ask);
        tally
    }

    #[test]
    fn a_right_answer_has_no_fault() {
        let truth = [contact(0, 1), contact(2, 0)];
        let all = tally(Verdict::Intersecting, &truth, &truth, &Ask::all_contacts());
        assert_eq!(all, Tally { hits: 1, contacts: 2, judged: 1, ..Tally::default() });
        let first = tally(Verdict::Intersecting, &truth[1..], &truth, &Ask::first_contact());
        assert_eq!((first.extra_pairs, first.missing_pairs, first.false_misses), (0, 0, 0));
        let apart = tally(Verdict::Separated, &[], &[], &Ask::first_contact());
        assert_eq!(apart, Tally { judged: 1, ..Tally::default() });
    }

    #[test]
    fn every_kind_of_wrong_answer_is_noticed() {
        let truth = [contact(0, 1), contact(2, 0)];
        let missed = tally(Verdict::Separated, &[], &truth, &Ask::all_contacts());
        assert_eq!((missed.false_misses, missed.missing_pairs), (1, 2));
        let invented = [contact(0, 0), contact(2, 0)];
        let wrong = tally(Verdict::Intersecting, &invented, &truth, &Ask::all_contacts());
        assert_eq!((wrong.extra_pairs, wrong.missing_pairs), (1, 1));
        let hit = tally(Verdict::Intersecting, &[], &[], &Ask::first_contact());
        assert_eq!(hit.false_hits, 1);
        let untrue = tally(Verdict::Intersecting, &invented[..1], &truth, &Ask::first_contact());
        assert_eq!(untrue.extra_pairs, 1);
    }

    #[test]
    fn distances_are_compared_where_both_have_one() {
        assert_eq!(distance_error(&[1.0, 2.5], &[1.0, 2.0, 7.0]), Some(0.5));
        assert_eq!(distance_error(&[f64::NAN], &[1.0]), None);
    }
}
