//! Two lists of triangles against all pairs.

use std::ops::ControlFlow;

use impinge_geometry::{Point, Triangle, exact};
use impinge_query::lists::Lists;
use impinge_query::{Cancel, Contact, Control, Counter, Statistics};

/// Numbers from a seed, in [−1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Triangles of a size, their corners on a lattice, so that many touch.
    fn triangles(&mut self, n: u32, size: f64) -> Vec<(u32, Triangle)> {
        let snap = |x: f64| (x * 32.0).round() / 32.0;
        (0..n)
            .map(|index| {
                let middle = [0; 3].map(|_| self.next());
                let corner = |numbers: &mut Self| {
                    Point::from([0, 1, 2].map(|k| snap(middle[k] + size * numbers.next())))
                };
                (7 * index, [corner(self), corner(self), corner(self)])
            })
            .collect()
    }
}

fn found(a: &[(u32, Triangle)], b: &[(u32, Triangle)]) -> (Vec<Contact>, Statistics) {
    let (mut lists, mut list, mut counter) = (Lists::default(), Vec::new(), Statistics::default());
    lists.fill(a.iter().copied(), b.iter().copied(), &Control::NONE).expect("nobody cancels");
    let ended = lists.meet(&mut counter, &Control::NONE, |contact| {
        list.push(contact);
        ControlFlow::Continue(())
    });
    assert!(ended.expect("nobody cancels").is_continue());
    list.sort_unstable();
    (list, counter.finish().expect("it counts"))
}

#[test]
fn lists_give_every_pair_that_meets_once() {
    let mut numbers = Numbers(3);
    let mut sum = 0;
    for (n, m, size) in
        [(1, 1, 1.0), (30, 40, 0.5), (300, 200, 0.3), (700, 3, 0.6), (900, 900, 0.1)]
    {
        let (a, b) = (numbers.triangles(n, size), numbers.triangles(m, size));
        let mut expected = Vec::new();
        for &(i, p) in &a {
            let meets = b.iter().filter(|(_, q)| exact::triangles_meet(&p, q));
            expected.extend(meets.map(|&(j, _)| Contact { a: i, b: j }));
        }
        let (list, statistics) = found(&a, &b);
        assert_eq!(list, expected, "{n} {m} {size}");
        assert_eq!(list, found(&a, &b).0, "the same again");
        sum += list.len();
        // Long lists of small triangles are divided.
        let all = u64::from(n) * u64::from(m);
        assert!(all < 500_000 || statistics.volume_tests < all / 40, "{statistics:?}");
    }
    assert!(sum > 300, "{sum}");
}

#[test]
fn a_search_ends_at_its_first_hit_and_hears_a_cancellation() {
    let mut numbers = Numbers(8);
    let (a, b) = (numbers.triangles(400, 0.3), numbers.triangles(400, 0.3));
    let mut lists = Lists::default();
    lists.fill(a.iter().copied(), b.iter().copied(), &Control::NONE).expect("nobody cancels");
    let mut hits = 0;
    let ended = lists.meet(&mut (), &Control::NONE, |_| {
        hits += 1;
        ControlFlow::Break(())
    });
    assert!(ended.expect("nobody cancels").is_break() && hits == 1);
    // A pile cannot be divided, and its pairs are compared with looks between.
    let pile: Vec<_> = (0..300).map(|index| (index, a[0].1)).collect();
    lists.fill(pile.iter().copied(), pile.iter().copied(), &Control::NONE).expect("fine");
    let cancel = Cancel::at_look(20);
    let control = Control::NONE.cancelled_by(&cancel);
    assert!(lists.meet(&mut (), &control, |_| ControlFlow::Continue(())).is_err());
    assert_eq!(found(&pile, &pile).0.len(), 90_000);
}

/// The longest axis divides nothing, another one does.
#[test]
fn lists_are_divided_across_any_axis() {
    // Two nested prisms along x: every triangle has the whole length.
    let prism = |radius: f64| -> Vec<(u32, Triangle)> {
        let at = |x: f64, side: u32| {
            let turn = std::f64::consts::TAU * f64::from(side) / 2000.0;
            Point::new(x, radius * turn.cos(), radius * turn.sin())
        };
        (0..2000).map(|k| (k, [at(-9.0, k), at(9.0, k), at(9.0, k + 1)])).collect()
    };
    // Two grids, each with a mast three times as high as they are wide.
    let grid = |z: f64| -> Vec<(u32, Triangle)> {
        let at = |x: u32, y: u32| Point::new(f64::from(x), f64::from(y), z);
        let mut all: Vec<_> = (0..2500)
            .map(|k| (k, [at(k % 50, k / 50), at(k % 50 + 1, k / 50), at(k % 50, k / 50 + 1)]))
            .collect();
        let mast = [at(0, 0), at(0, 1), Point::new(0.0, 0.0, 150.0)];
        all.push((2500, mast));
        all
    };
    for (a, b, least) in [(prism(1.0), prism(0.999), 0), (grid(0.0), grid(1e-3), 1)] {
        let (list, statistics) = found(&a, &b);
        assert!(list.len() >= least);
        let all = (a.len() * b.len()) as u64;
        assert!(statistics.volume_tests < all / 20, "{} of {all}", statistics.volume_tests);
    }
}

/// A few large triangles make common bounds whose middle divides nothing.
#[test]
fn lists_are_divided_where_most_triangles_are() {
    let grid = |side: u32, z: [f64; 3]| -> Vec<(u32, Triangle)> {
        let step = 1.0 / f64::from(side);
        let triangle = |x: f64, y: f64, size: f64| {
            [[x, y, z[0]], [x + size, y, z[1]], [x, y + size, z[2]]].map(Point::from)
        };
        let at = |k: u32| f64::from(k) * step;
        let small = (0..side * side).map(|k| triangle(at(k % side), at(k / side), 0.7 * step));
        let large = [(-4e3, 9e2), (4e3, 9e2), (-2e3, 5e3)].map(|(x, size)| triangle(x, x, size));
        (0..).zip(small.chain(large)).collect()
    };
    for side in [20, 60, 120] {
        let (a, b) = (grid(side, [0.0, 0.0, 1.0]), grid(side, [1.0, 0.0, 0.0]));
        let (list, statistics) = found(&a, &b);
        if side == 20 {
            let meets = |p: &Triangle, q: &Triangle| exact::triangles_meet(p, q);
            let pairs = a.iter().flat_map(|&(i, p)| b.iter().map(move |&(j, q)| (i, p, j, q)));
            let expected: Vec<_> = pairs
                .filter(|(_, p, _, q)| meets(p, q))
                .map(|(a, _, b, _)| Contact { a, b })
                .collect();
            assert_eq!(list, expected);
        }
        let each = statistics.volume_tests as f64 / a.len() as f64;
        println!("{} contacts, {each:.1} tests for each of {} triangles", list.len(), a.len());
        assert!(list.len() >= a.len() && each < 50.0, "{each}");
    }
}

/// A long list is looked at often while it is filled, counted and copied.
#[test]
fn long_lists_hear_a_cancellation_before_any_pair() {
    let mut numbers = Numbers(5);
    let (a, b) = (numbers.triangles(40_000, 0.01), numbers.triangles(40_000, 0.01));
    let (mut lists, cancel) = (Lists::default(), Cancel::at_look(7));
    let control = Control::NONE.cancelled_by(&cancel);
    assert!(lists.fill(a.iter().copied(), b.iter().copied(), &control).is_err());
    lists.fill(a.iter().copied(), b.iter().copied(), &Control::NONE).expect("nobody cancels");
    let cancel = Cancel::at_look(20);
    let control = Control::NONE.cancelled_by(&cancel);
    let mut counter = Statistics::default();
    assert!(lists.meet(&mut counter, &control, |_| ControlFlow::Continue(())).is_err());
    assert_eq!(counter.volume_tests, 0);
}

/// Triangles that no plane divides are looked at while they are sorted.
#[test]
fn a_long_pile_hears_a_cancellation_while_it_is_sorted() {
    let mut numbers = Numbers(6);
    let pile: Vec<(u32, Triangle)> = (0..200_000)
        .map(|index| {
            let ends = [-9.0, 9.0].map(|x| [0; 3].map(|_| x + numbers.next()));
            (index, [ends[0], ends[1], ends[1]].map(Point::from))
        })
        .collect();
    let across = [(0, [[-5.0; 3], [5.0; 3], [5.0, 5.0, 4.0]].map(Point::from))];
    let mut lists = Lists::default();
    // Looks before the first test.
    let mut looks = |n: usize| {
        lists.fill(pile[..n].iter().copied(), across, &Control::NONE).expect("nobody cancels");
        let (mut before, mut after) = (0, 1 << 13);
        while after - before > 1 {
            let cancel = Cancel::at_look(u64::midpoint(before, after));
            let control = Control::NONE.cancelled_by(&cancel);
            let mut counter = Statistics::default();
            let _ = lists.meet(&mut counter, &control, |_| ControlFlow::Continue(()));
            let tested = counter.volume_tests > 0;
            *(if tested { &mut after } else { &mut before }) = u64::midpoint(before, after);
        }
        before
    };
    let (short, long) = (looks(60_000), looks(200_000));
    println!("{short} and {long} looks");
    // Copying and counting alone look some 100 times more.
    assert!(long > short + 400, "{short} {long}");
}
