//! Orders triangles along a Morton curve (Morton 1966, as used by Lauterbach 2009): sorted by code,
//! cut where the highest bit changes.

use super::record::Record;
use crate::tree::TRIANGLES;

/// Bits of a code per axis.
const BITS: u32 = 12;
/// Bits of an index: as many as [`crate::tree::Tree::MAX_TRIANGLES`] needs.
const INDEX: u32 = 28;
/// Bits per pass of the radix sort; three passes sort by the whole code.
const DIGIT: u32 = 12;

/// A code, with the triangle's index in the lowest `INDEX` bits.
pub(super) type Key = u64;

/// Keys of all records, sorted. O(n).
pub(super) fn keys(records: &[Record]) -> Vec<Key> {
    let scale = (1 << (BITS - 2)) as f32;
    let cell = |x: f32| ((x + 2.0) * scale).clamp(0.0, ((1 << BITS) - 1) as f32) as u64;
    let key = |r: &Record| {
        let c = r.twice();
        let code = apart(cell(c[0])) << 2 | apart(cell(c[1])) << 1 | apart(cell(c[2]));
        code << INDEX | u64::from(r.id)
    };
    let mut keys: Vec<Key> = records.iter().map(key).collect();
    let mut other = vec![0; keys.len()];
    for pass in 0..3 {
        sort(&keys, &mut other, INDEX + pass * DIGIT);
        std::mem::swap(&mut keys, &mut other);
    }
    keys
}

/// The triangle's index.
#[inline(always)]
pub(super) fn index(key: Key) -> u32 {
    (key & ((1 << INDEX) - 1)) as u32
}

/// Spreads twelve bits: two zeros between each and the next.
#[inline(always)]
fn apart(x: u64) -> u64 {
    let x = (x | x << 16) & 0x0f00_00ff;
    let x = (x | x << 8) & 0x0f00_f00f;
    let x = (x | x << 4) & 0xc30c_30c3;
    (x | x << 2) & 0x2_4924_9249
}

/// One stable pass by the digit that begins at bit `from`.
fn sort(keys: &[Key], out: &mut [Key], from: u32) {
    const MASK: u64 = (1 << DIGIT) - 1;
    let mut at = vec![0usize; 1 << DIGIT];
    for key in keys {
        at[(key >> from & MASK) as usize] += 1;
    }
    let mut sum = 0;
    for place in &mut at {
        sum += std::mem::replace(place, sum);
    }
    for &key in keys {
        let place = &mut at[(key >> from & MASK) as usize];
        out[*place] = key;
        *place += 1;
    }
}

/// The number of keys before the highest bit that changes, or half if all codes are equal, rounded
/// so that the leaves before it are full. Needs more keys than a leaf holds.
pub(super) fn cut(keys: &[Key]) -> usize {
    let n = keys.len();
    let (first, last) = (keys[0] >> INDEX, keys[n - 1] >> INDEX);
    let middle = if first == last {
        n / 2
    } else {
        let bit = (first ^ last).ilog2() + INDEX;
        keys.partition_point(|key| key >> bit & 1 == 0)
    };
    let full = (middle + TRIANGLES / 2) / TRIANGLES * TRIANGLES;
    full.clamp(TRIANGLES, (n - 1) / TRIANGLES * TRIANGLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_and_keys_are_sorted() {
        for x in [0u64, 1, 2, 0b1010_1100_0111, 0xfff] {
            let slow = (0..12).fold(0, |sum, b| sum | (x >> b & 1) << (3 * b));
            assert_eq!(apart(x), slow, "{x}");
        }
        let mut records = vec![Record::default(); 1000];
        for (i, r) in records.iter_mut().enumerate() {
            let x = |f: usize| ((i * f) % 997) as f32 / 498.5 - 1.0;
            (r.low, r.id) = ([x(31), x(57), x(101)], i as u32);
            r.high = r.low;
        }
        let sorted = keys(&records);
        assert!(sorted.is_sorted());
        let middle = cut(&sorted);
        assert!(middle > 0 && middle < sorted.len());
        let mut ids: Vec<u32> = sorted.into_iter().map(index).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..1000));
    }
}
