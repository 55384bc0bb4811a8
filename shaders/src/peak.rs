//! The rate of an adapter: a kernel of fused multiply-adds that do nothing else.

use bytemuck::{Pod, Zeroable};

use crate::layout::{Layout, layout};
use crate::shader::{Entry, Shader, Stage};

/// `wgsl/peak.wgsl`.
pub const SHADER: Shader = Shader {
    name: "peak",
    entries: &[Entry { name: MULTIPLY_ADD, stage: Stage::Compute { group: [GROUP, 1, 1] } }],
};

/// The entry point. Bindings of group 0: a [`PeakJob`] (uniform), a number for each invocation
/// (storage).
pub const MULTIPLY_ADD: &str = "multiply_add";

/// Invocations of a workgroup.
pub const GROUP: u32 = 64;

/// Operations of an invocation in a round: 8 fused multiply-adds of 4 numbers, each of which counts
/// as two.
pub const OPERATIONS: u32 = 8 * 4 * 2;

/// The most rounds whose results 32 bits hold exactly.
pub const ROUNDS: u32 = 1 << 20;

/// What a dispatch does.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PeakJob {
    /// 1, in a place where no compiler knows it.
    pub factor: f32,
    /// The same.
    pub term: f32,
    /// Rounds of each invocation, at most [`ROUNDS`].
    pub rounds: u32,
}

impl PeakJob {
    pub(crate) const LAYOUT: Layout = layout!(PeakJob { factor: f32, term: f32, rounds: u32 });

    /// So many rounds.
    #[must_use]
    pub const fn of(rounds: u32) -> Self {
        Self { factor: 1.0, term: 1.0, rounds }
    }
}

/// The kernel's twin: what invocation `local` of a workgroup writes. Every number is a whole one that
/// 32 bits hold, so no addition is rounded.
#[must_use]
pub const fn end(local: u32, rounds: u32) -> f32 {
    (local + 7 + 4 * rounds) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_addition_is_rounded_up_to_the_last_round() {
        const { assert!(4 * ROUNDS + GROUP + 7 < 1 << f32::MANTISSA_DIGITS) };
        let rounds = 1 << 16;
        let mut most = 7.0_f32 + 63.0;
        for _ in 0..4 * rounds {
            most = most.mul_add(1.0, 1.0);
        }
        assert_eq!(end(63, rounds), most);
        assert_eq!(f64::from(end(63, ROUNDS)), f64::from(4 * ROUNDS + 70));
    }
}
