//! Translations along a line: first and last contact, and the first free place.

use impinge_continuous::Interval;
use impinge_continuous::translation::{
    Free, Passage, TranslationBody, TranslationError, Translations,
};
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Cancel, Contact, Control};

use crate::translation_oracle::{Ratio, ends};

const ALL: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const BEYOND: [f64; 2] = [0.0, f64::INFINITY];

fn model(mesh: &Mesh) -> TranslationBody {
    TranslationBody::new(mesh, &Control::NONE).expect("not cancelled")
}

/// Triangles with small integer coordinates; some without area.
fn soup(random: &mut Random, triangles: u32, reach: u64) -> Mesh {
    let mut at = || random.below(2 * reach + 1) as f64 - reach as f64;
    let points = (0..3 * triangles).map(|_| Point::new(at(), at(), at())).collect();
    Mesh::new(points, (0..triangles).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
        .expect("small")
}

fn direction(random: &mut Random) -> [i128; 3] {
    loop {
        let d = [0; 3].map(|_| random.below(7) as i128 - 3);
        if d != [0; 3] {
            return d;
        }
    }
}

fn vector(d: [i128; 3]) -> Vector {
    Vector::from(d.map(|x| x as f64))
}

/// All intervals of contact, by the reference.
fn intervals(a: &Mesh, b: &Mesh, d: [i128; 3]) -> Vec<[Ratio; 2]> {
    let pairs = a.corners().flat_map(|p| b.corners().map(move |q| (p, q)));
    pairs.filter_map(|(p, q)| ends(&p, &q, d)).collect()
}

fn holds(at: Interval, expected: Ratio) -> bool {
    Ratio::of(at.low) <= expected && expected <= Ratio::of(at.high)
}

/// The last number of the intervals within a range.
fn last(all: &[[Ratio; 2]], [from, to]: [Ratio; 2]) -> Option<Ratio> {
    let within = all.iter().filter(|[low, high]| *low <= to && *high >= from);
    within.map(|[_, high]| (*high).min(to)).max()
}

/// The end of the intervals that begin at 0.
fn first_free(all: &[[Ratio; 2]]) -> Ratio {
    let mut front = Ratio(0, 1);
    loop {
        let next = all.iter().filter(|[low, high]| *low <= front && *high > front);
        let Some([_, high]) = next.max_by_key(|ends| ends[1]) else { return front };
        front = *high;
    }
}

#[test]
fn triangles_meet_where_the_reference_says() {
    let mut seen = [0; 3];
    for number in 0..6000 {
        let mut random = Random::stream(0x7a5, number);
        let reach = 1 + number % 4;
        let (a, b) = (soup(&mut random, 1, reach), soup(&mut random, 1, reach));
        let d = direction(&mut random);
        let (p, q) = (model(&a), model(&b));
        let translations = Translations::new(&p, &q, &Pose::identity());
        let found =
            translations.triangles(Contact { a: 0, b: 0 }, &vector(d)).expect("a direction");
        let truth = ends(&a.triangle(0), &b.triangle(0), d);
        match (found, truth) {
            (None, None) => seen[0] += 1,
            (Some(found), Some(truth)) => {
                for k in 0..2 {
                    let Interval { low, high } = found[k];
                    assert!(holds(found[k], truth[k]), "{number}: {found:?} for {truth:?}");
                    assert!(low == high || low.next_up() == high, "{number}");
                }
                seen[if truth[0] == truth[1] { 1 } else { 2 }] += 1;
            }
            both => panic!("{number}: {both:?}"),
        }
    }
    assert!(seen.iter().all(|n| *n > 300), "{seen:?}");
}

#[test]
fn soups_meet_where_the_reference_says() {
    let mut seen = [0; 4];
    for number in 0..400 {
        let mut random = Random::stream(0x50f, number);
        let reach = 2 + number % 5;
        let (a, b) = (soup(&mut random, 6, reach), soup(&mut random, 6, reach));
        let d = direction(&mut random);
        let (p, q) = (model(&a), model(&b));
        let translations = Translations::new(&p, &q, &Pose::identity());
        let truth = intervals(&a, &b, d);
        for range in [ALL, BEYOND, [0.0, 1.0], [-0.5, 0.25], [1.0, 1.0], [2.0, 3.0]] {
            let limits = range.map(|x| Ratio::of(x.clamp(-1e6, 1e6)));
            let found =
                translations.last_contact(&vector(d), range, &Control::NONE).expect("a range");
            let expected = last(&truth, limits);
            assert_eq!(found.is_some(), expected.is_some(), "{number} {range:?}");
            seen[usize::from(found.is_some())] += 1;
            let Some((found, expected)) = found.zip(expected) else { continue };
            assert!(holds(found.at, expected), "{number} {range:?}: {found:?}, not {expected:?}");
            let named = translations.triangles(found.triangles, &vector(d)).expect("a direction");
            let named = named.expect("they meet");
            assert!(named[0].low <= found.at.high && found.at.low <= named[1].high);
            let back = translations.first_contact(&-vector(d), range.map(|x| -x), &Control::NONE);
            assert!(back.is_err() || range[0] == range[1]);
            let back =
                translations.first_contact(&-vector(d), [-range[1], -range[0]], &Control::NONE);
            let back = back.expect("a range").expect("the same contact");
            assert_eq!((back.at.low, back.at.high), (-found.at.high, -found.at.low));
        }
        let free = translations.first_free(&vector(d), &Control::NONE).expect("a direction");
        let expected = first_free(&truth);
        assert!(holds(free.at, expected), "{number}: {free:?}, not {expected:?}");
        seen[2] += usize::from(expected > Ratio(0, 1));
        let last = last(&truth, [Ratio(0, 1), Ratio(1_000_000, 1)]);
        seen[3] += usize::from(last.is_some_and(|last| last > expected && expected > Ratio(0, 1)));
    }
    assert!(seen.iter().all(|n| *n > 30), "{seen:?}");
}

/// The checks of this file notice ends that are swapped or rounded inward.
#[test]
fn wrong_ends_are_noticed() {
    let (mut swapped, mut inward, mut met) = (0, 0, 0);
    for number in 0..2000 {
        let mut random = Random::stream(0x7a5, number);
        let (a, b) = (soup(&mut random, 1, 3), soup(&mut random, 1, 3));
        let d = direction(&mut random);
        let (p, q) = (model(&a), model(&b));
        let translations = Translations::new(&p, &q, &Pose::identity());
        let found =
            translations.triangles(Contact { a: 0, b: 0 }, &vector(d)).expect("a direction");
        let truth = ends(&a.triangle(0), &b.triangle(0), d);
        let Some((found, truth)) = found.zip(truth) else { continue };
        if found[0].low == 0.0 {
            continue;
        }
        met += 1;
        swapped += usize::from(!holds(found[1], truth[0]));
        let one = Interval { low: found[0].low.next_up(), ..found[0] };
        let other = Interval { high: found[0].high.next_down(), ..found[0] };
        inward += usize::from(!holds(one, truth[0]) || !holds(other, truth[0]));
    }
    assert!(2 * swapped > met && inward == met, "{swapped} and {inward} of {met}");
}

/// All pairs, each by integers.
fn every_pair(translations: &Translations<'_>, sizes: [u32; 2], d: &Vector) -> Vec<[Interval; 2]> {
    let pairs = (0..sizes[0]).flat_map(|a| (0..sizes[1]).map(move |b| Contact { a, b }));
    pairs.filter_map(|pair| translations.triangles(pair, d).expect("a direction")).collect()
}

/// Turned bodies of any size, along directions of any length, as by all pairs.
#[test]
fn trees_find_what_all_pairs_have() {
    let shapes = [[Shape::Torus, Shape::Trefoil], [Shape::Torus; 2], [Shape::Hand; 2]];
    let mut gaps = 0;
    for (number, (scale, length)) in
        [(1.0, 1.0), (1e100, 1e-200), (1e-100, 1e100), (1e-3, 1e-300), (1e200, 1e200)]
            .into_iter()
            .enumerate()
    {
        let mut random = Random::stream(0xa11, number as u64);
        for shapes in shapes {
            let [a, b] = shapes.map(|shape| shape.mesh(50, 0).scaled(scale).expect("in range"));
            let (p, q) = (model(&a), model(&b));
            let pose = random.turned_to(random.clone().in_ball() * (0.2 * scale));
            let (translations, d) =
                (Translations::new(&p, &q, &pose), random.unit_vector() * length);
            let sizes = [&a, &b].map(|mesh| mesh.triangles().len() as u32);
            let all = every_pair(&translations, sizes, &d);
            let ends = [
                translations.first_contact(&d, ALL, &Control::NONE),
                translations.last_contact(&d, ALL, &Control::NONE),
            ];
            if all.is_empty() {
                assert_eq!(ends, [Ok(None), Ok(None)]);
                continue;
            }
            let [first, last] = ends.map(|end| end.expect("a direction").expect("they meet").at);
            let reach = a.max_abs_coordinate() + 2.0 * b.max_abs_coordinate();
            let reach = (reach + pose.translation().amax()) / d.amax();
            for Interval { low, high } in [first, last] {
                let narrow = high - low <= 2f64.powi(-42) * reach * 1.001;
                assert!(narrow || low.next_up() == high, "{low} {high}");
            }
            if last.low > 0.0 {
                let width = (2f64.powi(-33) * last.low).max(2f64.powi(-45) * reach * 1.001);
                let narrow = last.high - last.low <= width;
                assert!(narrow || last.low.next_up() == last.high, "{last:?}");
            }
            let least = all.iter().map(|ends| ends[0].low).fold(f64::INFINITY, f64::min);
            let most = all.iter().map(|ends| ends[1].high).fold(f64::NEG_INFINITY, f64::max);
            assert!(first.low <= least && least <= first.high, "{first:?} {least}");
            assert!(last.low <= most && most <= last.high, "{last:?} {most}");
            let mut front = 0.0;
            while let Some(next) = (all.iter())
                .filter(|[begin, end]| begin.low <= front && end.high > front)
                .map(|[_, end]| end.high)
                .max_by(f64::total_cmp)
            {
                front = next;
            }
            let free = translations.first_free(&d, &Control::NONE).expect("a direction").at;
            assert!(free.low <= front && front <= free.high, "{free:?} {front}");
            gaps += usize::from(front < most);
        }
    }
    assert!(gaps > 0, "{gaps} are free before the last contact");
}

/// Two unit cubes along an axis end exactly where faces touch, also of many triangles each.
#[test]
fn cubes_touch_where_they_should() {
    for triangles in [12, 400] {
        cubes_touch(&Shape::Cube.mesh(triangles, 0));
    }
}

fn cubes_touch(cube: &Mesh) {
    let (low, high) = cube.bounds();
    let side = high.x - low.x;
    let p = model(cube);
    for (d, pose, expected) in [
        ([1.0, 0.0, 0.0], [0.25 * side, 0.0, 0.0], 0.75 * side),
        ([0.0, -2.0, 0.0], [0.0, 0.0, 0.5 * side], 0.5 * side),
        ([0.0, 0.0, 4.0], [0.0, 0.0, -0.5 * side], 0.375 * side),
        // Along a diagonal, edges meet last.
        ([1.0, 1.0, 0.0], [0.0, 0.0, 0.0], side),
        // Flat faces along the direction slide on each other.
        ([1.0, 0.0, 0.0], [0.0, side, 0.0], side),
    ] {
        let pose = Pose::translation_by(Vector::from(pose)).expect("small");
        let translations = Translations::new(&p, &p, &pose);
        let d = Vector::from(d);
        let found =
            translations.last_contact(&d, BEYOND, &Control::NONE).expect("good").expect("meets");
        assert!(found.at.low <= expected && expected <= found.at.high, "{found:?}, {expected}");
        let free = translations.first_free(&d, &Control::NONE).expect("good");
        assert_eq!((free.at.low, free.at.high), (expected, expected));
    }
}

/// Cancelled at each look in turn; every answer is an error until it is the whole one.
#[test]
fn a_raised_flag_ends_the_search() {
    let (a, b) = (Shape::Torus.mesh(2000, 0), Shape::Trefoil.mesh(2000, 0));
    let (p, q) = (model(&a), model(&b));
    let translations = Translations::new(&p, &q, &Pose::identity());
    let d = Vector::new(0.3, 0.2, 0.9);
    let whole = translations.last_contact(&d, BEYOND, &Control::NONE).expect("good");
    let free = translations.first_free(&d, &Control::NONE).expect("good");
    let mut cancelled = 0;
    for look in 1..1000 {
        let flags = [Cancel::at_look(look), Cancel::at_look(look)];
        let [first, second] = flags.each_ref().map(|flag| Control::NONE.cancelled_by(flag));
        let found = translations.last_contact(&d, BEYOND, &first);
        let end = translations.first_free(&d, &second);
        if let (Ok(found), Ok(end)) = (&found, &end) {
            assert_eq!((found, end), (&whole, &free));
            break;
        }
        let stopped = Err(TranslationError::Cancelled(impinge_query::Cancelled));
        assert!(found == Ok(whole) || found == stopped);
        assert!(end == Ok(free) || end == stopped.map(|_: Option<Passage>| free));
        cancelled += 1;
    }
    assert!((3..999).contains(&cancelled), "{cancelled}");
    let _: Free = free;
}
