//! The last kernel of every submission writes the submission's token into a mark. A read-back
//! without its token is an error: discarded work reads as zeros, and a zero must never mean "no
//! collision".

use crate::shader::{Entry, Shader, Stage};

/// The shader `wgsl/sentinel.wgsl`.
pub const SHADER: Shader = Shader {
    name: "sentinel",
    entries: &[Entry { name: FINISH, stage: Stage::Compute { group: [1, 1, 1] } }],
};

/// The entry point; one invocation. Bindings of group 0: the token (uniform), the mark (storage).
pub const FINISH: &str = "finish";

/// The token of submission `number`: never 0, and repeated only after 2³² − 1 submissions.
#[must_use]
pub fn token(number: u64) -> u32 {
    // A value below 2³² - 1, so adding one neither wraps nor gives 0.
    (number % u64::from(u32::MAX)) as u32 + 1
}

/// The kernel's CPU twin: writes the token into the mark.
pub fn finish(token: u32, mark: &mut u32) {
    *mark = token;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_never_zero_and_changes_each_time() {
        let numbers = [0, 1, 2, u64::from(u32::MAX) - 1, u64::from(u32::MAX), u64::MAX - 1];
        for number in numbers {
            assert_ne!(token(number), 0, "{number}");
            assert_ne!(token(number), token(number + 1), "{number}");
        }
    }
}
