//! Orders triangles along a Morton curve (Morton 1966, as used by Lauterbach 2009): sorted by code,
//! cut where the highest bit changes.

use impinge_query::{Cancelled, Control};

use super::record::Record;
use crate::tree::TRIANGLES;

/// Bits of a code per axis.
pub(crate) const BITS: u32 = 12;
/// Bits of an index: as many as [`crate::tree::Tree::MAX_TRIANGLES`] needs.
pub(crate) const INDEX: u32 = 28;
/// Bits per pass of the radix sort; three passes sort by the whole code.
const DIGIT: u32 = 12;

/// Keys between two looks at the caller's flag: some 100 µs.
const STRETCH: usize = 1 << 14;

/// A code, with the triangle's index in the lowest `INDEX` bits.
pub(crate) type Key = u64;

/// The key of an item in a cell. A coordinate is less than 2 to the power of `BITS`.
#[inline(always)]
pub(crate) fn key(cell: [u64; 3], index: u32) -> Key {
    let code = apart(cell[0]) << 2 | apart(cell[1]) << 1 | apart(cell[2]);
    code << INDEX | u64::from(index)
}

/// Sorts keys by their codes. Keys of one code keep their order. O(n).
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn sort(
    keys: &mut Vec<Key>,
    spare: &mut Vec<Key>,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    spare.clear();
    spare.resize(keys.len(), 0);
    for number in 0..3 {
        pass(keys, spare, INDEX + number * DIGIT, control)?;
        std::mem::swap(keys, spare);
    }
    Ok(())
}

/// Keys of all records, sorted. O(n).
///
/// # Errors
/// [`Cancelled`].
pub(super) fn keys(records: &[Record], control: &Control<'_>) -> Result<Vec<Key>, Cancelled> {
    let scale = (1 << (BITS - 2)) as f32;
    let cell = |x: f32| ((x + 2.0) * scale).clamp(0.0, ((1 << BITS) - 1) as f32) as u64;
    let key = |r: &Record| {
        let [x, y, z, _] = r.twice();
        key([cell(x), cell(y), cell(z)], r.id())
    };
    let mut keys: Vec<Key> = records.iter().map(key).collect();
    sort(&mut keys, &mut Vec::new(), control)?;
    Ok(keys)
}

/// The triangle's index.
#[inline(always)]
pub(crate) fn index(key: Key) -> u32 {
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
fn pass(keys: &[Key], out: &mut [Key], from: u32, control: &Control<'_>) -> Result<(), Cancelled> {
    const MASK: u64 = (1 << DIGIT) - 1;
    let mut at = vec![0usize; 1 << DIGIT];
    for stretch in keys.chunks(STRETCH) {
        control.check()?;
        for key in stretch {
            at[(key >> from & MASK) as usize] += 1;
        }
    }
    let mut sum = 0;
    for place in &mut at {
        sum += std::mem::replace(place, sum);
    }
    for stretch in keys.chunks(STRETCH) {
        control.check()?;
        for &key in stretch {
            let place = &mut at[(key >> from & MASK) as usize];
            out[*place] = key;
            *place += 1;
        }
    }
    Ok(())
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
        let record = |i: usize| {
            let x = |f: usize| ((i * f) % 997) as f32 / 498.5 - 1.0;
            let at = [x(31), x(57), x(101)];
            Record::new(i as u32, at, at)
        };
        let records: Vec<Record> = (0..1000).map(record).collect();
        let sorted = keys(&records, &Control::NONE).expect("not cancelled");
        assert!(sorted.is_sorted());
        let middle = cut(&sorted);
        assert!(middle > 0 && middle < sorted.len());
        let mut ids: Vec<u32> = sorted.into_iter().map(index).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..1000));
    }
}
