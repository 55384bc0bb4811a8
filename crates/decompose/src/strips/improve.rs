//! Improves strips by taking a few neighbouring ones apart and covering their triangles with
//! another rule and another order. The result is kept if it is not longer.

use std::collections::VecDeque;

use impinge_threads::{Cancelled, Control};

use super::cover::{Cover, Run, Turn};
use super::sent;
use crate::surface::NONE;

/// Hulls up to this many triangles get less patience, since their few strips often cannot reach the
/// goal.
const SMALL: u32 = 50;
/// Attempts without gain before a larger hull is given up, in addition to four times its number of
/// triangles. More: slower, fewer vertices.
const PATIENCE: u32 = 4096;
/// The most strips taken apart at a time; the least is 2.
const STRIPS: u32 = 6;
/// Attempts between two looks at the caller's flag: some milliseconds.
const LOOK: u32 = 256;

/// Improves strips of all triangles until they send at most `goal` vertices, or patience ends.
/// Deterministic.
///
/// # Errors
/// [`Cancelled`].
pub(super) fn improve(
    cover: &mut Cover<'_>,
    mut runs: Vec<Run>,
    goal: usize,
    control: &Control<'_>,
) -> Result<Vec<Run>, Cancelled> {
    let n = cover.across.len() as u32;
    let mut now = sent(&runs);
    let mut run_of = vec![0u32; n as usize];
    for (k, run) in (0u32..).zip(&runs) {
        run.faces.iter().for_each(|&f| run_of[f as usize] = k);
    }
    let patience = if n <= SMALL { n } else { n.saturating_mul(4).saturating_add(PATIENCE) };
    let (mut step, mut last_gain) = (0u32, 0);
    while now > goal && step - last_gain < patience {
        if step.is_multiple_of(LOOK) {
            control.check()?;
        }
        let chance = scrambled(step);
        let chosen = neighbours(cover, &run_of, chance % n, 2 + (chance >> 8) % (STRIPS - 1));
        let mut faces: Vec<u32> =
            chosen.iter().flat_map(|&k| runs[k as usize].faces.iter().copied()).collect();
        faces.sort_unstable();
        let old: usize = chosen.iter().map(|&k| runs[k as usize].sent.len()).sum();
        let made = cover.strips(&faces, Turn::ALL[step as usize % 4], step + 1);
        let new = sent(&made);
        step += 1;
        if new > old {
            continue;
        }
        if new < old {
            last_gain = step;
        }
        now = now - old + new;
        let mut places = chosen.into_iter();
        for run in made {
            let place = places.next().unwrap_or(runs.len() as u32);
            if place as usize == runs.len() {
                runs.push(Run::default());
            }
            run.faces.iter().for_each(|&f| run_of[f as usize] = place);
            runs[place as usize] = run;
        }
        places.for_each(|k| runs[k as usize] = Run::default());
    }
    runs.retain(|r| !r.sent.is_empty());
    Ok(runs)
}

/// The first `count` strips reached from a triangle, breadth-first.
fn neighbours(cover: &Cover<'_>, run_of: &[u32], from: u32, count: u32) -> Vec<u32> {
    let mut chosen = vec![run_of[from as usize]];
    let mut seen = std::collections::BTreeSet::from([from]);
    let mut queue = VecDeque::from([from]);
    while let Some(f) = queue.pop_front() {
        for g in cover.across[f as usize] {
            if g == NONE || !seen.insert(g) {
                continue;
            }
            let run = run_of[g as usize];
            if !chosen.contains(&run) {
                if chosen.len() as u32 == count {
                    return chosen;
                }
                chosen.push(run);
            }
            queue.push_back(g);
        }
    }
    chosen
}

/// A pseudo-random number (the finaliser of `MurmurHash3`, A. Appleby, 2011).
fn scrambled(x: u32) -> u32 {
    let x = (x ^ (x >> 16)).wrapping_mul(0x85EB_CA6B);
    let x = (x ^ (x >> 13)).wrapping_mul(0xC2B2_AE35);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use impinge_models::Shape;

    use super::*;

    #[test]
    fn strips_at_the_goal_are_left_as_they_are() {
        let mesh = Shape::Hull.mesh(200, 1);
        let all: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        let mut cover = Cover::new(mesh.triangles());
        let runs = cover.strips(&all, Turn::Never, 0);
        let code = |runs: &[Run]| runs.iter().map(|run| run.sent.clone()).collect::<Vec<_>>();
        let (before, length) = (code(&runs), sent(&runs));
        let mut improved = |length| {
            let improved = improve(&mut cover, runs.clone(), length, &Control::NONE);
            improved.expect("not cancelled")
        };
        assert_eq!(code(&improved(length)), before);
        assert!(sent(&improved(length - 1)) < length);
    }
}
