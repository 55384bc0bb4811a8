//! Dispatches whose size is known on the device only: an earlier kernel counts the work, [`plan`]
//! turns the count into workgroups, and the dispatch reads those.

use crate::shader::{Entry, Shader, Stage};

/// `wgsl/counted.wgsl`.
pub const COUNTED: Shader = Shader {
    name: "counted",
    entries: &[Entry { name: PLAN, stage: Stage::Compute { group: [1, 1, 1] } }],
};

/// `wgsl/numbers.wgsl`.
pub const NUMBERS: Shader = Shader {
    name: "numbers",
    entries: &[Entry { name: NUMBER_ALL, stage: Stage::Compute { group: [64, 1, 1] } }],
};

/// The entry point of [`plan`]; one invocation. Bindings of group 0: the count (storage), the size
/// of a workgroup (uniform), the workgroups along x, y, z (storage).
pub const PLAN: &str = "plan";

/// The entry point that writes the list 0, 1, 2 …; one invocation an element. Bindings of group 0:
/// the count (storage), the list (storage).
pub const NUMBER_ALL: &str = "number_all";

/// Workgroups in a row of a counted dispatch: the limit along one dimension on every device.
pub const GROUPS_IN_A_ROW: u32 = 65_535;

/// The kernel's twin: workgroups along x, y, z of `size` invocations each, `size` at least 2, for
/// `count` invocations. The last row and the last workgroup may have invocations beyond the count.
#[must_use]
pub const fn plan(count: u32, size: u32) -> [u32; 3] {
    let needed = count.div_ceil(size);
    let x = if needed < GROUPS_IN_A_ROW { needed } else { GROUPS_IN_A_ROW };
    let y = needed.div_ceil(GROUPS_IN_A_ROW);
    [x, if y > 0 { y } else { 1 }, 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_invocation_has_a_place_and_no_row_is_too_long() {
        for size in [2, 64, 256] {
            for count in [0, 1, 63, 64, 65, 65_535 * size, 65_535 * size + 1, u32::MAX] {
                let [x, y, z] = plan(count, size).map(u64::from);
                assert!(x <= 65_535 && (1..=65_535).contains(&y) && z == 1, "{count}/{size}");
                assert!(x * y * u64::from(size) >= u64::from(count), "{count}/{size}");
                let rows = (y - 1) * x * u64::from(size);
                assert!(count == 0 && x == 0 || rows < u64::from(count), "{count}/{size}");
            }
        }
    }
}
