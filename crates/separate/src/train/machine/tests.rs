//! Steps of the machine: on problems that a hand solves, and against its definitions.

use impinge_models::Random;
use impinge_query::Cancel;

use super::*;

fn at(x: f64, y: f64) -> Point {
    Point::new(x, y, 0.0)
}

fn train(machine: Machine, a: &[Point], b: &[Point]) -> Training {
    machine.train(a, b, &Control::NONE).expect("nobody cancels")
}

/// Samples on both sides of the plane `x = 0`, some of them near it.
fn sides(random: &mut Random, n: usize, gap: f64) -> [Vec<Point>; 2] {
    [-1.0, 1.0].map(|side| {
        let point = |_| {
            let [y, z] = [random.range(-1.0, 1.0), random.range(-1.0, 1.0)];
            Point::new(side * (0.5 * gap + random.range(0.0, 1.0)), y, z)
        };
        (0..n).map(point).collect()
    })
}

#[test]
fn samples_are_scaled_by_one_factor_about_the_middle_of_their_bounds() {
    let a = [Point::origin(), Point::new(4.0, 2.0, 0.0)];
    let state = State::new(&a, &[Point::new(8.0, -2.0, 1.0)], 3.0);
    let scaled = [[-1.0, 0.0, -0.125], [0.0, 0.5, -0.125], [1.0, -0.5, 0.125]];
    assert_eq!(state.x, scaled.map(Vector::from));
    assert_eq!(state.y, [1.0, 1.0, -1.0]);
    assert_eq!((state.alpha, state.w, state.c), (vec![0.0; 3], Vector::zeros(), 3.0));
    // No coordinate is infinite where a sum of two would be.
    let far = crate::geometry::MAX_COORDINATE;
    let state = State::new(&[at(far, 0.0)], &[at(-far, 0.0)], 1.0);
    assert_eq!(state.x, [Vector::x(), -Vector::x()]);
}

/// Two points: one step finds the normal, and the multipliers are half each.
#[test]
fn one_step_separates_two_points() {
    let (a, b) = ([at(-1.0, 0.0)], [at(1.0, 0.0)]);
    let hard = Machine { penalty: None, ..Machine::default() };
    let expected =
        Trained { normal: Vector::x(), vectors: [vec![0], vec![0]], steps: 1, within: Some(0.0) };
    assert_eq!(train(hard, &a, &b), Training::Separable(expected.clone()));
    // From B to A it is the opposite.
    assert_eq!(train(hard, &b, &a).normal(), Some(&-Vector::x()));
    // A bound below: the multipliers stop there, and one step is all that may be made.
    let soft = Machine { penalty: Some(0.25), ..hard };
    let expected = Trained { within: None, ..expected };
    assert_eq!(train(soft, &a, &b), Training::Separable(expected));
    // The excess is 2 before the first step: an ε of 2 stops there, without a direction.
    let early = Machine { epsilon: 2.0, ..hard };
    assert_eq!(train(early, &a, &b), Training::inseparable(0, None));
    // Nothing is left to gain after it, whatever ε.
    let never = Machine { epsilon: -1.0, ..hard };
    assert_eq!(train(never, &a, &b).steps(), 1);
}

#[test]
fn the_first_of_equal_samples_is_chosen() {
    let (a, b) = ([at(-1.0, 0.0); 3], [at(1.0, 0.0); 3]);
    let training = train(Machine::default(), &a, &b);
    assert_eq!(training.plane().expect("apart").vectors, [vec![0], vec![0]]);
}

/// Sets that share a point: the soft margin has a normal, and a margin of 0 separates nothing.
#[test]
fn a_margin_of_zero_separates_nothing() {
    let (a, b) = ([at(-1.0, 0.0), at(0.0, 0.0)], [at(0.0, 0.0), at(1.0, 0.0)]);
    let training = train(Machine::as_printed(), &a, &b);
    assert_eq!(training.plane(), None);
    assert_eq!(training.normal(), Some(&Vector::x()));
    // Equal samples only: one step, and no direction.
    let (a, b) = ([at(2.0, 1.0)], [at(2.0, 1.0)]);
    for machine in [Machine::as_printed(), Machine::default()] {
        assert_eq!(train(machine, &a, &b), Training::inseparable(1, None));
    }
}

#[test]
fn as_printed_has_a_bound_of_one_on_the_multipliers() {
    let printed = Machine { epsilon: 1e-3, penalty: Some(1.0), most_steps: 10_000_000 };
    assert_eq!(Machine::as_printed(), printed);
}

/// Gaps below 2⁻²⁰ of half the extent are not looked for, gaps above are found.
#[test]
fn the_least_gap_is_where_it_is_stated() {
    let pair = |gap: f64| [-0.5, 0.5].map(|s| [at(s * gap, -1.0), at(s * gap, 1.0)]);
    for (share, found) in [(1.1, true), (0.9, false), (0.1, false)] {
        let [a, b] = pair(share / f64::from(1 << 20));
        let training = train(Machine::default(), &a, &b);
        assert_eq!(training.plane().is_some(), found, "{share}: {training:?}");
        assert!(training.steps() < 4, "{training:?}");
    }
    // A point before an edge, nearest to no sample: the dual value grows in many steps to 2 / 0.0012².
    let (a, b) = ([at(-0.0006, 0.1)], [at(0.0006, -1.0), at(0.0006, 1.0)]);
    let patient = Machine { most_steps: 50_000_000, ..Machine::default() };
    let before = train(patient, &a, &b);
    assert!(before.plane().is_some() && before.steps() > 100, "{before:?}");
}

#[test]
fn the_most_steps_are_not_exceeded() {
    let [a, b] = sides(&mut Random::new(5), 200, 0.01);
    let whole = train(Machine::default(), &a, &b);
    let steps = whole.plane().expect("apart").steps;
    assert!(steps > 5, "{steps}");
    for most_steps in [0, 1, 5, steps - 1] {
        let machine = Machine { most_steps, ..Machine::default() };
        assert_eq!(train(machine, &a, &b), Training::inseparable(most_steps, None));
    }
    let machine = Machine { most_steps: steps, ..Machine::default() };
    assert_eq!(train(machine, &a, &b), whole);
}

/// The flag is looked at once for 8,192 samples in each of the two searches of a step.
#[test]
fn looks_are_bounded_by_samples() {
    let [a, b] = sides(&mut Random::new(5), 10_000, 0.1);
    let cancel = Cancel::at_look(u64::MAX);
    let training = Machine::default().train(&a, &b, &Control::NONE.cancelled_by(&cancel));
    let steps = training.expect("to the end").steps();
    assert_eq!(cancel.looks().expect("counted").number, 6 * (steps + 1));
    for look in [1, 4, 6 * (steps + 1)] {
        let cancel = Cancel::at_look(look);
        let control = Control::NONE.cancelled_by(&cancel);
        assert!(Machine::default().train(&a, &b, &control).is_err(), "{look}");
    }
}

/// `D(α)` from all pairs of samples, by its definition.
fn dual_of(state: &State) -> f64 {
    let n = state.x.len();
    let weight = |i: usize| state.alpha[i] * state.y[i];
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let square: f64 = pairs.map(|(i, j)| weight(i) * weight(j) * state.x[i].dot(&state.x[j])).sum();
    state.alpha.iter().sum::<f64>() - 0.5 * square
}

/// `yᵢ − w · xᵢ` of the samples that may move up, and of those that may move down, by the definition
/// of step 2, with `w` from the multipliers.
fn excesses(state: &State) -> [Vec<(usize, f64)>; 2] {
    let w: Vector = (0..state.x.len()).map(|i| state.x[i] * (state.y[i] * state.alpha[i])).sum();
    let f = |i: usize| (i, state.y[i] - w.dot(&state.x[i]));
    let all = 0..state.x.len();
    let below = |i: &usize| state.alpha[*i] < state.c;
    let above = |i: &usize| state.alpha[*i] > 0.0;
    let up = all.clone().filter(|i| if state.y[*i] == 1.0 { below(i) } else { above(i) });
    let down = all.filter(|i| if state.y[*i] == 1.0 { above(i) } else { below(i) });
    [up.map(f).collect(), down.map(f).collect()]
}

/// Each step is that of the definition: the pair is the first of largest excess with the partner of
/// largest gain; multipliers stay within their bounds and in balance; the dual value grows; and the
/// end is where the stopping rule says.
#[test]
fn steps_are_those_of_the_definition() {
    for (seed, c) in [(1, f64::INFINITY), (2, 1.0), (3, 0.3), (4, f64::INFINITY), (5, 2.0)] {
        let mut random = Random::new(seed);
        // Overlapping sides where there is a bound.
        let [a, b] = sides(&mut random, 30, if c.is_finite() { -0.3 } else { 0.2 });
        let mut state = State::new(&a, &b, c);
        let (mut last, mut steps) = (0.0, 0);
        while let Some((i, j)) = state.choose(1e-3, &Control::NONE).expect("nobody cancels") {
            let [up, down] = excesses(&state);
            let most = up.iter().map(|u| u.1).fold(f64::NEG_INFINITY, f64::max);
            let of_i = up.iter().find(|u| u.0 == i).expect("may move up").1;
            assert!(of_i >= most - 1e-9, "{of_i} {most}");
            let gain = |&(j, f): &(usize, f64)| {
                let gap = (of_i - f).max(0.0);
                gap * gap / (state.x[i] - state.x[j]).norm_squared().max(1e-12)
            };
            let best = down.iter().map(gain).fold(0.0, f64::max);
            let of_j = down.iter().find(|d| d.0 == j).expect("may move down");
            assert!(gain(of_j) >= best * (1.0 - 1e-9), "{} {best}", gain(of_j));
            state.step(i, j);
            steps += 1;
            assert!(state.alpha.iter().all(|&alpha| (0.0..=c).contains(&alpha)));
            let balance: f64 = state.alpha.iter().zip(&state.y).map(|(alpha, y)| alpha * y).sum();
            assert!(balance.abs() < 1e-10);
            let dual = dual_of(&state);
            assert!(dual > last, "{dual} {last}");
            assert!((state.dual() - dual).abs() < 1e-9 * dual);
            last = dual;
            let stepped = std::mem::replace(&mut state.w, Vector::x());
            state.refresh();
            assert!((stepped - state.w).norm() < 1e-9 * (1.0 + stepped.norm()));
        }
        assert!((5..2_000).contains(&steps), "{steps}");
        let [up, down] = excesses(&state);
        let most = up.iter().map(|u| u.1).fold(f64::NEG_INFINITY, f64::max);
        let least = down.iter().map(|d| d.1).fold(f64::INFINITY, f64::min);
        assert!(most - least <= 1e-3 + 1e-9, "{most} {least}");
        if c.is_finite() {
            assert!(state.alpha.contains(&c), "the bound is reached");
        }
        vectors_are_those_with_a_multiplier(&state);
        margin_and_angle(&state);
    }
}

fn vectors_are_those_with_a_multiplier(state: &State) {
    let [of_a, of_b] = state.vectors(30);
    for (list, start) in [(of_a, 0), (of_b, 30)] {
        let alphas: Vec<f64> = list.iter().map(|&k| state.alpha[start + k as usize]).collect();
        assert!(alphas.iter().all(|&alpha| alpha > 0.0) && alphas.is_sorted_by(|p, q| p >= q));
        let active = state.alpha[start..start + 30].iter().filter(|&&alpha| alpha > 0.0).count();
        assert!(list.len() == active && active < 30);
    }
}

/// The margin as a difference of extents, and the angle by its cosine.
fn margin_and_angle(state: &State) {
    let heights = |side: &'_ [Vector]| side.iter().map(|x| state.w.dot(x)).collect::<Vec<_>>();
    let (a, b) = (heights(&state.x[..30]), heights(&state.x[30..]));
    let least = a.into_iter().fold(f64::INFINITY, f64::min);
    let margin = least - b.into_iter().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(state.margin(), margin);
    if margin > 0.0 {
        let cosine = (2.0 * dual_of(state)).sqrt() / (2.0 * state.w.norm() / margin);
        let angle = state.angle_bound(margin);
        assert!((angle.cos() - cosine).abs() < 1e-12 && angle > 0.0, "{angle} {cosine}");
    } else {
        assert!(state.c.is_finite());
    }
}

/// With a rule that no rounded step can fulfil, training ends where steps change nothing.
#[test]
fn training_ends_whatever_the_rule_asks_for() {
    let mut random = Random::new(77);
    for epsilon in [0.0, -1.0, f64::MIN_POSITIVE, f64::NAN, f64::NEG_INFINITY] {
        for _ in 0..20 {
            let [a, b] = sides(&mut random, 12, 0.3);
            let machine = Machine { epsilon, most_steps: 10_000_000, ..Machine::default() };
            let Training::Separable(trained) = train(machine, &a, &b) else {
                panic!("{epsilon}: inseparable");
            };
            assert!(trained.steps < 1_000_000, "{epsilon}: {} steps", trained.steps);
        }
    }
}
