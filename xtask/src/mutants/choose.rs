//! Selects the mutants to run: all, a seeded sample, or those in changed functions.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::Mutant;
use crate::changes::{self, git};

/// A sample of `count` without repetition, determined by the seed and the mutants.
pub(super) fn sample(mut mutants: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    mutants.sort_by_key(Mutant::name);
    let mut state = seed;
    for n in 0..mutants.len().min(count) {
        let left = (mutants.len() - n) as u64;
        mutants.swap(n, n + (next(&mut state) % left) as usize);
    }
    mutants.truncate(count);
    mutants
}

/// The generator `SplitMix64` (Steele, Lea, Flood 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Changed lines, by file.
pub(super) type Changed = BTreeMap<String, Vec<RangeInclusive<usize>>>;

/// The lines of the working tree that differ from a base: the given one, else where this branch
/// left `main`; on `main` itself, HEAD, or HEAD~1 if `crates` has no uncommitted changes.
///
/// # Errors
/// If git fails.
pub(super) fn changed(base: Option<&str>) -> Result<(String, Changed), String> {
    let base = match base {
        Some(base) => base.to_owned(),
        None => changes::base("crates")?,
    };
    let diff = git(&["diff", "--unified=0", "--no-color", "--no-ext-diff", &base, "--", "crates"])?;
    let mut lines = lines_of(&diff);
    for path in git(&["ls-files", "--others", "--exclude-standard", "--", "crates"])?.lines() {
        lines.insert(path.to_owned(), vec![1..=usize::MAX]);
    }
    Ok((base, lines))
}

/// The changed lines on the new side of a diff.
fn lines_of(diff: &str) -> Changed {
    let (mut lines, mut file) = (Changed::new(), String::new());
    for line in diff.lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            path.clone_into(&mut file);
        } else if let Some(hunk) = line.strip_prefix("@@ ") {
            let new = hunk.split(' ').find_map(|part| part.strip_prefix('+')).unwrap_or_default();
            let (start, count) = new.split_once(',').unwrap_or((new, "1"));
            let (start, count) =
                (start.parse().unwrap_or(1_usize), count.parse().unwrap_or(1_usize));
            // Lines that were only removed count as a change of the adjacent line.
            lines.entry(file.clone()).or_default().push(start..=start + count.max(1) - 1);
        }
    }
    lines
}

/// Whether a change overlaps these lines of a file.
pub(super) fn meets(changed: &Changed, file: &str, lines: &RangeInclusive<usize>) -> bool {
    let of = changed.get(file).into_iter().flatten();
    of.into_iter().any(|range| range.start() <= lines.end() && lines.start() <= range.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix() {
        // The first values of the reference program for the seed 1234567.
        let mut state = 1_234_567;
        assert_eq!(next(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(next(&mut state), 3_203_168_211_198_807_973);
    }

    #[test]
    fn lines_are_those_of_the_new_side() {
        let diff =
            "--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +3,4 @@ fn f\n@@ -9 +12 @@\n@@ -20,3 +18,0 @@\n";
        let changed = lines_of(diff);
        assert_eq!(changed["x.rs"], [3..=6, 12..=12, 18..=18]);
        assert!(meets(&changed, "x.rs", &(1..=3)));
        assert!(!meets(&changed, "x.rs", &(7..=11)));
        assert!(!meets(&changed, "y.rs", &(1..=30)));
    }
}
