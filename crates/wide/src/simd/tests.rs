//! Every operation of every instruction set present, lane by lane, against plain arithmetic.

use super::{Simd, Task, Width};

type Lanes = [f32; 16];

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;
/// No two pairs of lanes alike: both orders, zeros of both signs, NaN and infinities.
const A: Lanes =
    [1.5, -2.0, 0.0, -0.0, 3.25, 1e30, -7.0, NAN, 1.0, INF, -INF, 1e-40, -1.0, 0.1, NAN, 4.0];
const B: Lanes =
    [2.5, -3.0, 0.0, 1.0, -3.25, 1e-30, -7.0, 1.0, 1.0, 2.0, -INF, 1.0, 1.0, 0.3, NAN, 4.5];
const C: Lanes =
    [0.5, 7.0, 1.0, -1.0, 1e-7, 1.0, 49.0, 2.0, 1.0, -1.0, INF, 1.0, -1.0, 0.03, 1.0, -18.0];
const FOUR: [f32; 4] = [3.0, -5.0, 7.0, -11.0];
const OPERATIONS: usize = 12;

/// A set's results for `A`, `B`, `C` and `FOUR`.
#[derive(Debug, Default)]
struct All {
    lanes: [Lanes; OPERATIONS],
    /// `a > b`, `b > a`, both, either, none.
    masks: [u32; 5],
}

struct Everything;

impl Task for Everything {
    type Out = All;
    #[inline(always)]
    fn run<S: Simd>(self) -> All {
        let mut out = All::default();
        let mut at = 0;
        while at < 16 {
            let (a, b, c) = (S::load(&A, at), S::load(&B, at), S::load(&C, at));
            let (over, under) = (S::gt(a, b), S::gt(b, a));
            let lanes: [S::F; OPERATIONS] = [
                a,
                S::splat(FOUR[1]),
                S::repeat(&FOUR),
                S::spread(&FOUR, at),
                S::add(a, b),
                S::sub(a, b),
                S::mul(a, b),
                S::div(a, b),
                S::mul_add(a, b, c),
                S::mul_sub(a, b, c),
                S::abs(a),
                S::select(over, a, b),
            ];
            for (to, x) in out.lanes.iter_mut().zip(lanes) {
                S::store(x, to, at);
            }
            let masks = [over, under, S::and(over, under), S::or(over, under), S::never()];
            for (to, m) in out.masks.iter_mut().zip(masks) {
                *to |= S::bits(m) << at;
            }
            at += S::LANES;
        }
        out
    }
}

struct Larger;

impl Task for Larger {
    type Out = [Lanes; 2];
    #[inline(always)]
    fn run<S: Simd>(self) -> [Lanes; 2] {
        let mut out = [[0.0; 16]; 2];
        let mut at = 0;
        while at < 16 {
            let a = S::load(&A, at);
            S::store(S::max(a, S::load(&B, at)), &mut out[0], at);
            S::store(S::max(a, S::splat(0.0)), &mut out[1], at);
            at += S::LANES;
        }
        out
    }
}

struct Raised([f32; 8], [f32; 8]);

impl Task for Raised {
    type Out = [f32; 8];
    #[inline(always)]
    fn run<S: Simd>(mut self) -> [f32; 8] {
        S::raise(&mut self.0, &self.1);
        self.0
    }
}

#[test]
fn the_larger_of_eight_numbers_are_kept() {
    let numbers = [1.5, -2.0, 3.0, -INF, INF, 1e-40, -1e30, 7.0];
    for width in here() {
        for turn in 0..8 {
            let mut by = numbers;
            by.rotate_left(turn);
            let most: [f32; 8] = std::array::from_fn(|k| numbers[k].max(by[k]));
            assert_eq!(width.run(Raised(numbers, by)), most, "{width} {turn}");
        }
    }
}

/// Masks from bits, and the least lane of what they select.
struct Selected(u32);

impl Task for Selected {
    type Out = (u32, f32);
    #[inline(always)]
    fn run<S: Simd>(self) -> (u32, f32) {
        let (mut bits, mut least, mut at) = (0, f32::INFINITY, 0);
        while at < 16 {
            let mask = S::mask(self.0 >> at);
            bits |= S::bits(mask) << at;
            least = least.min(S::least(S::select(mask, S::load(&B, at), S::splat(INF))));
            at += S::LANES;
        }
        (bits, least)
    }
}

#[test]
fn masks_are_their_bits_and_the_least_lane_is_found() {
    let not_nan = !(1 << 14);
    for width in here() {
        for k in 0..400u32 {
            let bits = (k.wrapping_mul(0x9e37_79b9) >> 7) & not_nan & 0xffff;
            let least = (0..16).filter(|l| bits >> l & 1 == 1).map(|l| B[l]).fold(INF, f32::min);
            assert_eq!(width.run(Selected(bits)), (bits, least), "{width} {bits:b}");
        }
        for l in (0..16).filter(|l| *l != 14) {
            assert_eq!(width.run(Selected(1 << l)), (1 << l, B[l]), "{width} {l}");
        }
    }
}

fn here() -> impl Iterator<Item = Width> {
    Width::ALL.into_iter().filter(|width| width.is_present())
}

struct Number;

impl Task for Number {
    type Out = usize;
    #[inline(always)]
    fn run<S: Simd>(self) -> usize {
        S::LANES
    }
}

/// A set that is present runs the task itself; plain Rust runs it for the others.
#[test]
fn work_is_done_by_the_set_that_was_asked() {
    let sets = [(Width::Avx512, 16), (Width::Avx2, 8), (Width::Neon, 4), (Width::Simd128, 4)];
    for (width, lanes) in sets {
        assert_eq!(width.run(Number), if width.is_present() { lanes } else { 4 }, "{width}");
    }
    assert_eq!(Width::Portable.run(Number), 4);
}

/// Whether they are the same number (zeros of either sign are equal), or both NaN.
fn same(x: f32, y: f32) -> bool {
    x == y || x.is_nan() && y.is_nan()
}

#[test]
fn numbers_are_those_of_plain_arithmetic() {
    for width in here() {
        let out = width.run(Everything);
        for l in 0..16 {
            let (a, b, c) = (A[l], B[l], C[l]);
            let selected = if a > b { a } else { b };
            let plain: [[f32; 2]; OPERATIONS] = [
                [a; 2],
                [FOUR[1]; 2],
                [FOUR[l % 4]; 2],
                [FOUR[l / 4]; 2],
                [a + b; 2],
                [a - b; 2],
                [a * b; 2],
                [a / b; 2],
                [a * b + c, a.mul_add(b, c)],
                [a * b - c, a.mul_add(b, -c)],
                [a.abs(); 2],
                [selected; 2],
            ];
            for (k, of_k) in plain.iter().enumerate() {
                let found = out.lanes[k][l];
                let right = of_k.iter().any(|&x| same(x, found));
                assert!(right, "{width}, operation {k}, lane {l}: {found}, not {of_k:?}");
            }
        }
    }
}

#[test]
fn bit_l_is_lane_l() {
    let bits = |holds: &dyn Fn(f32, f32) -> bool| {
        (0..16).fold(0, |bits, l| bits | u32::from(holds(A[l], B[l])) << l)
    };
    let (over, under) = (bits(&|a, b| a > b), bits(&|a, b| a < b));
    for width in here() {
        assert_eq!(width.run(Everything).masks, [over, under, 0, over | under, 0], "{width}");
    }
}

/// Bounds are clamped at zero by `max(bound, 0)`, which must be zero if the bound is NaN.
#[test]
fn larger_of_two() {
    for width in here() {
        let [of_both, cut] = width.run(Larger);
        for l in 0..16 {
            if !(A[l].is_nan() || B[l].is_nan()) {
                assert!(same(of_both[l], A[l].max(B[l])), "{width}, lane {l}: {}", of_both[l]);
            }
            assert!(same(cut[l], A[l].max(0.0)), "{width}, lane {l}: {}", cut[l]);
        }
    }
}

#[test]
fn the_fastest_is_what_this_target_promises() {
    let here: Vec<Width> = here().collect();
    assert_eq!(here.first(), Some(&Width::fastest()));
    assert_eq!(here.last(), Some(&Width::Portable));
    if cfg!(target_arch = "aarch64") {
        assert_eq!(here, [Width::Neon, Width::Portable]);
    } else if cfg!(target_arch = "wasm32") {
        assert_eq!(here, [Width::Simd128, Width::Portable], "-C target-feature=+simd128 is off");
    } else {
        assert!(!here.contains(&Width::Neon) && !here.contains(&Width::Simd128));
    }
}

/// A set's features are listed once, for detection and for the compiler.
#[cfg(target_arch = "x86_64")]
#[test]
fn what_is_switched_on_was_asked_for() {
    for (set, source) in [("avx2", include_str!("avx2.rs")), ("avx512", include_str!("avx512.rs"))]
    {
        assert_eq!(source.matches("x86::features!(").count(), 1, "{set}");
        for other in ["target_feature", "is_x86_feature_detected"] {
            assert!(!source.contains(other), "{set} names features beside its list");
        }
        assert!(source.contains("\"popcnt\"") && source.contains("\"fma\""), "{set}");
    }
    let list = include_str!("x86.rs");
    assert_eq!(list.matches("is_x86_feature_detected!($feature)").count(), 1);
    assert_eq!(list.matches("#[target_feature(enable = $feature)]").count(), 1);
}

#[test]
fn a_set_is_called_by_its_word() {
    let words = ["avx512", "avx2", "neon", "simd128", "portable"];
    assert_eq!(Width::ALL.map(Width::word), words);
    for (width, word) in Width::ALL.into_iter().zip(words) {
        assert_eq!((width.to_string().as_str(), word.parse()), (word, Ok(width)));
    }
}
