//! Triangles that occur several times in a mesh: equal as sets of corners, whatever their indices
//! and order. Corners are equal if their coordinates are (−0 equals 0).
//!
//! Equal triangles are the same set of points in every pose, since a pose maps equal coordinates to
//! equal coordinates. A search for a verdict or a distance therefore needs only the first of each
//! class.

use crate::{Mesh, Point};

/// Bloom filter bits per triangle. About one in fifty unique triangles is a false positive.
const BITS: usize = 16;

/// The classes of equal triangles of a mesh that have several members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coincident {
    /// The classes one after the other, ordered by first member; members ascending.
    members: Vec<u32>,
    /// Class `c` is `members[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    /// One bit per triangle: whether an equal triangle has a lower index.
    repeats: Vec<u64>,
}

impl Coincident {
    /// Finds the classes; `None` if no two triangles are equal. Expected O(n), plus O(m log m) for
    /// m triangles that are in a class.
    pub fn of(mesh: &Mesh) -> Option<Self> {
        let mut suspects = suspects(mesh);
        suspects.sort_unstable();
        let same = |x: &(Key, u32), y: &(Key, u32)| x.0 == y.0;
        let mut classes: Vec<&[(Key, u32)]> =
            suspects.chunk_by(same).filter(|class| class.len() > 1).collect();
        if classes.is_empty() {
            return None;
        }
        classes.sort_unstable_by_key(|class| class[0].1);
        let (mut members, mut starts) = (Vec::new(), vec![0]);
        let mut repeats = vec![0; mesh.triangles().len().div_ceil(64)];
        for class in classes {
            for &(_, t) in &class[1..] {
                repeats[t as usize / 64] += 1 << (t % 64);
            }
            members.extend(class.iter().map(|&(_, t)| t));
            starts.push(members.len() as u32);
        }
        members.shrink_to_fit();
        starts.shrink_to_fit();
        Some(Self { members, starts, repeats })
    }

    /// Whether an equal triangle has a lower index.
    #[inline]
    pub fn repeats(&self, t: u32) -> bool {
        self.repeats[t as usize / 64] >> (t % 64) & 1 == 1
    }

    /// The classes with several members, ordered by first member; members ascending.
    pub fn classes(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|w| &self.members[w[0] as usize..w[1] as usize])
    }

    /// The class whose first member is `t`, with `t`. Empty if `t` is unique or not the first of
    /// its class. O(log of the number of classes).
    pub fn class(&self, t: u32) -> &[u32] {
        let firsts = &self.starts[..self.starts.len() - 1];
        match firsts.binary_search_by_key(&t, |&start| self.members[start as usize]) {
            Ok(c) => &self.members[self.starts[c] as usize..self.starts[c + 1] as usize],
            Err(_) => &[],
        }
    }

    /// The bytes of the vectors, without the struct itself.
    pub fn bytes(&self) -> usize {
        (self.members.capacity() + self.starts.capacity()) * size_of::<u32>()
            + self.repeats.capacity() * size_of::<u64>()
    }
}

/// A set of corners: sorted, without duplicates, padded with the last.
type Key = [[u64; 3]; 3];

/// Bits of the coordinates. Adding zero turns −0 into 0.
pub(crate) fn bits(p: &Point) -> [u64; 3] {
    [0, 1, 2].map(|k| (p[k] + 0.0).to_bits())
}

fn key(corners: [Point; 3]) -> Key {
    let mut key = corners.map(|p| bits(&p));
    key.sort_unstable();
    if key[0] == key[1] {
        key[1] = key[2];
    }
    key
}

/// Triangles whose hash of the corner set occurs more than once: all repeated triangles, and hardly
/// any others.
fn suspects(mesh: &Mesh) -> Vec<(Key, u32)> {
    let hashes: Vec<u64> = mesh.vertices().iter().map(hash).collect();
    let sum = |t: &[u32; 3]| {
        let [h, i, j] = t.map(|v| hashes[v as usize]);
        // Sum each corner once, in any order.
        let (i, j) = (if i == h { 0 } else { i }, if j == h || j == i { 0 } else { j });
        mixed(h.wrapping_add(i).wrapping_add(j))
    };
    let all = || mesh.triangles().iter().map(sum);
    let again = seen_again(all(), mesh.triangles().len());
    let mut found = like_one_of(&again, all());
    found.sort_unstable();
    let same = found.chunk_by(|x: &(u64, u32), y| x.0 == y.0).filter(|same| same.len() > 1);
    same.flatten().map(|&(_, t)| (key(mesh.triangle(t)), t)).collect()
}

/// Those of `count` hashes that occurred before, and about one in fifty of the others: a Bloom
/// filter with two bits per hash in one 64-bit word per four hashes (Bloom 1970).
fn seen_again(hashes: impl Iterator<Item = u64>, count: usize) -> Vec<u64> {
    let words = (BITS * count / 64).next_power_of_two();
    let mut seen = vec![0_u64; words];
    let mut again = Vec::new();
    for hash in hashes {
        let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63);
        let word = &mut seen[(hash >> 32) as usize & (words - 1)];
        if *word & bits == bits {
            again.push(hash);
        }
        *word |= bits;
    }
    again
}

/// The hashes that occur in `few`, and at most one in fifty of the others, with their positions.
fn like_one_of(few: &[u64], hashes: impl Iterator<Item = u64>) -> Vec<(u64, u32)> {
    let words = few.len().next_power_of_two();
    let mut bits = vec![0_u64; words];
    let place = |hash: u64| ((hash >> 32) as usize & (words - 1), hash & 63);
    for (word, bit) in few.iter().copied().map(place) {
        bits[word] |= 1 << bit;
    }
    let is_one = |hash: u64| {
        let (word, bit) = place(hash);
        bits[word] >> bit & 1 == 1
    };
    hashes.zip(0..).filter(|&(hash, _)| is_one(hash)).collect()
}

/// A hash that depends on every bit of the coordinates.
pub(crate) fn hash(p: &Point) -> u64 {
    let [x, y, z] = bits(p);
    let x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let y = y.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(21);
    let z = z.wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(42);
    mixed(x ^ y ^ z)
}

/// The finalizer of `MurmurHash3` (Appleby 2011).
const fn mixed(mut x: u64) -> u64 {
    x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(p: [f64; 3]) -> Point {
        Point::from(p)
    }

    #[test]
    fn sets_of_corners_are_compared_whatever_their_order_and_sign_of_zero() {
        let vertices = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [-0.0, 0.0, -0.0],
            [1.0, 0.0, -0.0],
            [0.0, 1.0, 1e-300],
        ];
        let triangles = vec![
            [0, 1, 2],
            [1, 5, 0], // one coordinate differs
            [2, 0, 1],
            [3, 2, 4], // negative zeros
            [0, 0, 1], // a set of two
            [4, 4, 3],
            [2, 2, 2],
            [1, 3, 0],
        ];
        let mesh = Mesh::new(vertices.map(at).to_vec(), triangles).expect("indices are in range");
        let found = Coincident::of(&mesh).expect("some are equal");
        let classes: Vec<&[u32]> = found.classes().collect();
        assert_eq!(classes, [&[0, 2, 3][..], &[4, 5, 7]]);
        let repeats: Vec<u32> = (0..8).filter(|&t| found.repeats(t)).collect();
        assert_eq!(repeats, [2, 3, 5, 7]);
        assert_eq!((found.class(0), found.class(4)), (&[0, 2, 3][..], &[4, 5, 7][..]));
        assert!([1, 2, 6].iter().all(|&t| found.class(t).is_empty()));
    }

    /// Compares with all pairs, on grids so small that many triangles are equal.
    #[test]
    fn classes_are_those_of_all_pairs() {
        let mut x = 1_u64;
        let mut below = |n: u64| {
            x = mixed(x.wrapping_add(0x9e37_79b9_7f4a_7c15));
            x % n
        };
        let mut several = 0;
        for round in 0..60 {
            let side = 2 + round % 3;
            let vertices = (0..30).map(|_| at([(); 3].map(|()| below(side) as f64))).collect();
            let triangles = (0..90).map(|_| [(); 3].map(|()| below(30) as u32)).collect();
            let mesh = Mesh::new(vertices, triangles).expect("indices are in range");
            let set = |t: u32| {
                let mut set = mesh.triangle(t).map(|p| [p.x, p.y, p.z]).to_vec();
                set.sort_by(|p, q| p.partial_cmp(q).expect("finite"));
                set.dedup();
                set
            };
            let equal = |s: u32, t: u32| set(s) == set(t);
            let found = Coincident::of(&mesh);
            for t in 0..90 {
                let truth: Vec<u32> = (0..90).filter(|&s| equal(s, t)).collect();
                let first = truth[0] == t;
                several += u32::from(first && truth.len() > 1);
                let Some(found) = &found else {
                    assert_eq!(truth, [t]);
                    continue;
                };
                assert_eq!(found.repeats(t), !first);
                let class = if first && truth.len() > 1 { &truth[..] } else { &[] };
                assert_eq!(found.class(t), class);
            }
        }
        assert!(several > 500, "{several}");
    }

    #[test]
    fn nothing_is_kept_where_no_two_are_equal() {
        let vertices = (0..3000).map(|k| at([f64::from(k), f64::from(k * k % 97), 0.5])).collect();
        let triangles = (0..2998).map(|k| [k, k + 1, k + 2]).collect();
        let mesh = Mesh::new(vertices, triangles).expect("indices are in range");
        assert_eq!(Coincident::of(&mesh), None);
        assert!(suspects(&mesh).is_empty());
    }

    #[test]
    fn members_first_of_each_class_and_one_bit_a_triangle_are_held() {
        let vertices = (0..9).map(|k| at([f64::from(k), f64::from(k * k), 0.0])).collect();
        let mut triangles: Vec<[u32; 3]> = (0..200).map(|_| [0, 1, 2]).collect();
        triangles.extend([[3, 4, 5], [6, 7, 8], [5, 4, 3]]);
        let mesh = Mesh::new(vertices, triangles).expect("indices are in range");
        let found = Coincident::of(&mesh).expect("many are equal");
        // 202 members, two starts and the end, four words of bits.
        assert_eq!(found.bytes(), 4 * 202 + 4 * 3 + 8 * 4);
    }

    #[test]
    fn of_hashes_that_are_alone_few_are_looked_at_again() {
        for (count, least, most) in
            [(4096, 0.003, 0.02), (5000, 0.0005, 0.006), (65536, 0.003, 0.02)]
        {
            let hashes = || (0..count).map(|k| mixed(k + 1));
            let again = seen_again(hashes(), count as usize);
            let share = again.len() as f64 / count as f64;
            assert!((least..most).contains(&share), "{share}");
            let found = like_one_of(&again, hashes());
            assert!(again.iter().all(|hash| found.iter().any(|(found, _)| found == hash)));
            assert!(found.iter().all(|&(hash, k)| hash == mixed(u64::from(k) + 1)));
            let others = (found.len() - again.len()) as f64 / count as f64;
            assert!((1.0 / 256.0..1.0 / 50.0).contains(&others), "{others}");
            // A repeated hash is always found.
            let twice = || hashes().chain(hashes().step_by(7));
            let again = seen_again(twice(), count as usize);
            assert!(hashes().step_by(7).all(|hash| again.contains(&hash)) || count > 6000);
        }
        assert_eq!(seen_again([5, 5].into_iter(), 2), [5]);
        assert_eq!(like_one_of(&[], [1, 2].into_iter()), []);
    }

    /// Shows that no regular set of coordinates is hashed badly.
    #[test]
    fn points_that_differ_in_one_coordinate_have_different_hashes() {
        let mut x = 7_u64;
        let mut number = || {
            x = mixed(x.wrapping_add(0x9e37_79b9_7f4a_7c15));
            f64::from_bits(x >> 2)
        };
        // The bits that the coordinate contributes when the others are zero, without the finalizer.
        let spread = |y: f64, k: usize| {
            let factor = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb_u64];
            y.to_bits().wrapping_mul(factor[k]).count_ones()
        };
        for k in 0..3 {
            // Another coordinate whose contribution has many ones or many zeros.
            for other in [(k + 1) % 3, (k + 2) % 3] {
                let mut found = [(32, 0.0); 2];
                for _ in 0..60_000 {
                    let y = number();
                    let ones = spread(y, other);
                    if ones > found[0].0 {
                        found[0] = (ones, y);
                    }
                    if ones < found[1].0 {
                        found[1] = (ones, y);
                    }
                }
                assert!(found[0].0 > 44 && found[1].0 < 20, "{found:?}");
                for (_, y) in found {
                    let mut p = at([0.0; 3]);
                    p[other] = y;
                    let hash_at = |c: f64| {
                        let mut p = p;
                        p[k] = c;
                        hash(&p)
                    };
                    let mut hashes: Vec<u64> = (0..6000).map(|_| hash_at(number())).collect();
                    hashes.sort_unstable();
                    assert!(hashes.windows(2).all(|w| w[0] != w[1]));
                }
            }
        }
        assert_eq!((mixed(0), mixed(1)), (0, 0xb456_bcfc_34c2_cb2c), "MurmurHash3 is known");
    }
}
