//! A join of boxes by cells, for work that is shared out: the pairs of boxes that overlap, each in
//! one cell.
//!
//! Cells are half-open boxes, `low ≤ x < high`, that cover all of space: a tree of planes, each through
//! the least corner of a box. A box is a *member* of the cells that it shares a point with; a cell *owns*
//! the pairs of its members whose intersection has its least corner there.
//!
//! **Each pair is owned once.** The least corner of the intersection of two boxes is a point of both, and
//! of one cell only. On the way down to it: where its coordinate is below a plane, so are the least
//! coordinates of both boxes, and both go below; otherwise the largest of both are on or above the
//! plane, and both go above. Nothing but comparisons decides, so no rounding, no size of boxes and no
//! place changes this.

use impinge_geometry::Point;
use impinge_geometry::volume::Aabb;
use impinge_query::{BroadPhase, Cancelled, Control, Objects};

use crate::broad::BoxTree;

/// A half-open box: the points `x` with `low ≤ x < high` in every coordinate. Cells at the rim reach to
/// infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Least coordinates, which belong to it.
    pub low: Point,
    /// Largest coordinates, which do not.
    pub high: Point,
}

impl Cell {
    /// All of space; no coordinate is infinite.
    pub const ALL: Self = Self { low: Aabb::EMPTY.max, high: Aabb::EMPTY.min };

    /// Whether a point is in the cell.
    pub fn holds(&self, p: &Point) -> bool {
        (0..3).all(|k| self.low[k] <= p[k] && p[k] < self.high[k])
    }

    /// Whether the cell owns the pair of two boxes that overlap.
    pub fn owns(&self, a: &Aabb, b: &Aabb) -> bool {
        self.holds(&a.min.sup(&b.min))
    }
}

/// A cell and its pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Portion {
    /// The cell.
    pub cell: Cell,
    /// The pairs that it owns, the lower index first, ascending.
    pub pairs: Vec<[u32; 2]>,
}

/// A box enlarged by `room` on all sides, rounded outwards.
pub fn enlarged(one: &Aabb, room: f64) -> Aabb {
    if room == 0.0 {
        return *one;
    }
    let min = one.min.map(|x| (x - room).next_down().max(f64::MIN));
    let max = one.max.map(|x| (x + room).next_up().min(f64::MAX));
    Aabb { min, max }
}

/// The pairs of boxes that overlap, by cells with about `most` members or fewer; a cell has more where
/// no plane parts its members well, and is right all the same. Cells without pairs are left out; cells
/// that follow each other are near each other. The same for every machine.
///
/// `boxes[i]` is the box of object `i`, `None` if there is no such object; boxes without points have no
/// pairs. O(n log n) for boxes that are small beside their distances.
///
/// # Errors
/// [`Cancelled`].
///
/// ```
/// use impinge_scene::geometry::{Point, volume::Aabb};
/// use impinge_scene::join::join;
/// use impinge_query::Control;
/// let at = |x: f64| Aabb { min: Point::new(x, 0.0, 0.0), max: Point::new(x + 1.0, 1.0, 1.0) };
/// let boxes: Vec<_> = (0..100).map(|i| Some(at(f64::from(i)))).collect(); // each meets the next
/// let portions = join(&boxes, 10, &Control::NONE)?;
/// assert!(portions.len() > 9);
/// assert_eq!(portions.iter().map(|portion| portion.pairs.len()).sum::<usize>(), 99);
/// # Ok::<(), impinge_query::Cancelled>(())
/// ```
pub fn join(
    boxes: &[Option<Aabb>],
    most: usize,
    control: &Control<'_>,
) -> Result<Vec<Portion>, Cancelled> {
    join_by(&HALF_OPEN, boxes, most, control)
}

/// What decides, so that tests can decide otherwise.
struct Rule {
    below: fn(&Aabb, usize, f64) -> bool,
    above: fn(&Aabb, usize, f64) -> bool,
    owns: fn(&Cell, &Aabb, &Aabb) -> bool,
}

const HALF_OPEN: Rule = Rule {
    below: |one, axis, plane| one.min[axis] < plane,
    above: |one, axis, plane| one.max[axis] >= plane,
    owns: Cell::owns,
};

/// Members of which no plane is sought at a time, between two looks at the caller's flag.
const STRETCH: usize = 1 << 14;

fn join_by(
    rule: &Rule,
    boxes: &[Option<Aabb>],
    most: usize,
    control: &Control<'_>,
) -> Result<Vec<Portion>, Cancelled> {
    let members: Vec<(u32, Aabb)> =
        Objects::moving(boxes).present().map(|(i, one, _)| (i, one)).collect();
    let (mut left, mut portions) = (vec![(Cell::ALL, members)], Vec::new());
    let mut work = 0;
    while let Some((cell, members)) = left.pop() {
        work += members.len();
        if work > STRETCH {
            control.check()?;
            work = 0;
        }
        if members.len() > most.max(1)
            && let Some((axis, plane)) = best_plane(rule, &members, control)?
        {
            let part = |side: fn(&Aabb, usize, f64) -> bool| {
                let chosen = members.iter().filter(|(_, one)| side(one, axis, plane));
                chosen.copied().collect::<Vec<_>>()
            };
            let (mut below, mut above) = (cell, cell);
            (below.high[axis], above.low[axis]) = (plane, plane);
            // The one below comes first.
            left.push((above, part(rule.above)));
            left.push((below, part(rule.below)));
            continue;
        }
        let pairs = owned(rule, &cell, &members, control)?;
        if !pairs.is_empty() {
            portions.push(Portion { cell, pairs });
        }
    }
    Ok(portions)
}

/// The plane, by its axis and coordinate, that leaves the fewest members on both sides together;
/// `None` if each leaves too many on a side, or on both. Then depth is logarithmic, and a level has at
/// most a quarter more members than the one above.
fn best_plane(
    rule: &Rule,
    members: &[(u32, Aabb)],
    control: &Control<'_>,
) -> Result<Option<(usize, f64)>, Cancelled> {
    let n = members.len();
    let mut best = (n + n / 4 + 1, None);
    for axis in 0..3 {
        control.check()?;
        let mut least: Vec<f64> = members.iter().map(|(_, one)| one.min[axis]).collect();
        let (_, &mut plane, _) = least.select_nth_unstable_by(n / 2, f64::total_cmp);
        let count = |side: fn(&Aabb, usize, f64) -> bool| {
            members.iter().filter(|(_, one)| side(one, axis, plane)).count()
        };
        let (below, above) = (count(rule.below), count(rule.above));
        if below.max(above) < n - n / 8 && below + above < best.0 {
            best = (below + above, Some((axis, plane)));
        }
    }
    Ok(best.1)
}

/// The pairs of a cell.
fn owned(
    rule: &Rule,
    cell: &Cell,
    members: &[(u32, Aabb)],
    control: &Control<'_>,
) -> Result<Vec<[u32; 2]>, Cancelled> {
    let boxes: Vec<Option<Aabb>> = members.iter().map(|(_, one)| Some(*one)).collect();
    let (mut phase, mut found) = (BoxTree::default(), Vec::new());
    phase.update(&Objects::moving(&boxes), control)?;
    phase.pairs(control, &mut found)?;
    let of = |i: u32| &members[i as usize];
    found.retain(|[i, j]| (rule.owns)(cell, &of(*i).1, &of(*j).1));
    // Members are in the order of their indices.
    let mut pairs: Vec<[u32; 2]> = found.iter().map(|pair| pair.map(|i| of(i).0)).collect();
    pairs.sort_unstable();
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;

    /// Boxes with many coordinates in common, so that they lie on borders of cells; some huge, some
    /// points, some equal, some missing.
    fn boxes(random: &mut Random, n: usize) -> Vec<Option<Aabb>> {
        let one = |random: &mut Random| {
            let min = Point::from(random.vector(0.0, 12.0).map(f64::floor));
            let side = match random.below(12) {
                0 => random.vector(0.0, 1e9),
                1 => random.vector(0.0, 0.0),
                _ => random.vector(0.0, 3.0).map(f64::floor),
            };
            Aabb { min, max: min + side }
        };
        let missing = |random: &mut Random| random.below(20) == 0;
        (0..n).map(|_| (!missing(random)).then(|| one(random))).collect()
    }

    fn all_pairs(boxes: &[Option<Aabb>]) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for (j, b) in (0u32..).zip(boxes) {
            for (i, a) in (0u32..j).zip(boxes) {
                if matches!((a, b), (Some(a), Some(b)) if a.overlaps(b)) {
                    pairs.push([i, j]);
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    fn joined(rule: &Rule, boxes: &[Option<Aabb>], most: usize) -> (usize, Vec<[u32; 2]>) {
        let portions = join_by(rule, boxes, most, &Control::NONE).expect("not cancelled");
        let mut pairs = Vec::new();
        for portion in &portions {
            assert!(portion.pairs.is_sorted());
            pairs.extend(&portion.pairs);
        }
        pairs.sort_unstable();
        (portions.len(), pairs)
    }

    /// How many of 200 random sets a rule gives other pairs of, and the cells of all.
    fn wrong(rule: &Rule) -> (usize, usize) {
        let (mut random, mut wrong, mut cells) = (Random::stream(0x101a, 0), 0, 0);
        for _ in 0..200 {
            let n = 1 + random.below(150) as usize;
            let boxes = boxes(&mut random, n);
            let most = random.below(30) as usize;
            let (portions, pairs) = joined(rule, &boxes, most);
            cells += portions;
            wrong += usize::from(pairs != all_pairs(&boxes));
        }
        (wrong, cells)
    }

    #[test]
    fn every_pair_is_owned_once() {
        let (wrong, cells) = wrong(&HALF_OPEN);
        assert_eq!(wrong, 0);
        assert!(cells > 1_000, "{cells} cells");
    }

    #[test]
    fn other_rules_lose_pairs_or_have_them_twice() {
        let closed: fn(&Cell, &Aabb, &Aabb) -> bool = |cell, a, b| {
            let p = a.min.sup(&b.min);
            (0..3).all(|k| cell.low[k] <= p[k] && p[k] <= cell.high[k])
        };
        let twins = [
            Rule { below: |one, axis, plane| one.min[axis] <= plane, owns: closed, ..HALF_OPEN },
            Rule { owns: |_, _, _| true, ..HALF_OPEN },
            Rule { owns: |cell, a, _| cell.holds(&a.min), ..HALF_OPEN },
            Rule { above: |one, axis, plane| one.max[axis] > plane, ..HALF_OPEN },
            Rule { above: |one, axis, plane| one.min[axis] >= plane, ..HALF_OPEN },
            Rule { below: |one, axis, plane| one.max[axis] < plane, ..HALF_OPEN },
        ];
        for (number, twin) in twins.iter().enumerate() {
            let (wrong, _) = wrong(twin);
            assert!(wrong > 5, "twin {number} is wrong of {wrong} sets only");
        }
    }

    #[test]
    fn scenes_that_no_plane_divides() {
        let at = |x: f64, side: f64| {
            let min = Point::new(x, 0.0, 0.0);
            Some(Aabb { min, max: min + impinge_geometry::Vector::repeat(side) })
        };
        let none: [Option<Aabb>; 3] = [None, Some(Aabb::EMPTY), None];
        assert_eq!(join(&none, 1, &Control::NONE), Ok(Vec::new()));
        let equal = vec![at(0.0, 1.0); 60];
        assert_eq!(joined(&HALF_OPEN, &equal, 4), (1, all_pairs(&equal)));
        let nested: Vec<_> = (1..60).map(|i| at(-f64::from(i), 2.0 * f64::from(i))).collect();
        assert_eq!(joined(&HALF_OPEN, &nested, 4).1, all_pairs(&nested));
        let far: Vec<_> = (0..60).map(|i| at(10f64.powi(5 * i - 150), 1e-200)).collect();
        assert_eq!(joined(&HALF_OPEN, &far, 4).1, all_pairs(&far));
        let ends = [at(f64::MIN, f64::MAX), at(-1.0, 2.0), at(f64::MAX, 0.0), at(f64::MAX, 0.0)];
        assert_eq!(joined(&HALF_OPEN, &ends, 1).1, all_pairs(&ends));
    }

    #[test]
    fn cells_are_few_and_small() {
        let mut random = Random::stream(0x101a, 1);
        let one = |_| {
            let min = Point::from(random.vector(0.0, 30.0));
            Some(Aabb { min, max: min + random.vector(0.0, 1.0) })
        };
        let boxes: Vec<_> = (0..20_000).map(one).collect();
        let portions = join(&boxes, 400, &Control::NONE).expect("not cancelled");
        let members = |portion: &Portion| {
            let mut all: Vec<u32> = portion.pairs.iter().flatten().copied().collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let held: usize = portions.iter().map(members).sum();
        assert!(portions.iter().all(|portion| members(portion) <= 400));
        assert!((40..=140).contains(&portions.len()), "{} cells", portions.len());
        assert!(held < 30_000, "{held} members");
    }

    #[test]
    fn enlarged_boxes_hold_all_within_the_room() {
        let mut random = Random::stream(0x101a, 2);
        for _ in 0..10_000 {
            let scale = 10f64.powi(random.below(40) as i32 - 20);
            let min = Point::from(random.vector(-1.0, 1.0));
            let one = Aabb { min, max: min + random.vector(0.0, 1.0) };
            let room = scale * random.vector(0.0, 1.0).x;
            let big = enlarged(&one, room);
            for k in 0..3 {
                // The difference is exact enough to tell: it rounds towards no less than the room.
                assert!(big.min[k] < one.min[k] && one.min[k] - big.min[k] >= room, "{room}");
                assert!(big.max[k] > one.max[k] && big.max[k] - one.max[k] >= room, "{room}");
            }
            assert_eq!(enlarged(&one, 0.0), one);
        }
        let all = enlarged(&Aabb { min: Point::origin(), max: Point::origin() }, f64::MAX);
        assert_eq!((all.min.x, all.max.z), (f64::MIN, f64::MAX));
    }

    #[test]
    fn a_join_can_be_cancelled() {
        let cancel = impinge_query::Cancel::new();
        cancel.cancel();
        let boxes = boxes(&mut Random::stream(0x101a, 3), 100);
        assert!(join(&boxes, 4, &Control::NONE.cancelled_by(&cancel)).is_err());
    }
}
