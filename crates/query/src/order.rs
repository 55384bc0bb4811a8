//! The canonical order of contacts, and sorts of long lists that can be cancelled.

use std::cmp::Ordering;

use crate::{Cancelled, Contact, Control};

/// Contacts sorted or moved between two checks for cancellation: some milliseconds.
const AT_ONCE: usize = 1 << 16;

/// Elements sorted or moved between two checks where a comparison may take a microsecond.
const RUN: usize = 1 << 12;

/// Bits of the key by which one pass partitions a long list.
const DIGIT: u32 = 8;

/// Shorter lists are not sorted by counting.
const FEW: usize = 256;

/// Shorter lists are not worth memory for other numbers.
const SHORT: usize = 32;

/// The contact as one number in canonical order, to compare once instead of twice.
pub const fn key(contact: Contact) -> u64 {
    (contact.a as u64) << 32 | contact.b as u64
}

/// Sorts contacts into canonical order. O(n log n); O(n) if each triangle has few contacts. A list of
/// more than 65,536 is first partitioned by its leading bytes (Bostic, `McIlroy` 1993: American flag
/// sort); a part takes as much memory again.
///
/// # Errors
/// [`Cancelled`]; the list is then a permutation of the input.
pub fn sort(contacts: &mut [Contact], control: &Control<'_>) -> Result<(), Cancelled> {
    let key = |contact: &Contact| key(*contact);
    sort_by(contacts, key, sort_short, control)
}

/// Sorts a list in one go: by counting where triangles of A are numbered densely, then by those of B.
fn sort_short(list: &mut [Contact]) {
    let (mut low, mut high) = (u32::MAX, 0);
    for contact in &*list {
        (low, high) = (low.min(contact.a), high.max(contact.a));
    }
    let rows = high.saturating_sub(low) as usize + 1;
    if list.len() < FEW || rows > list.len() {
        return sort_packed(list, low, high);
    }
    let row = |contact: &Contact| (contact.a - low) as usize;
    // Where the next contact of each row goes.
    let mut next = vec![0_u32; rows + 1];
    for contact in &*list {
        next[row(contact) + 1] += 1;
    }
    for r in 1..rows {
        next[r] += next[r - 1];
    }
    let unsorted = list.to_vec();
    for contact in unsorted {
        let at = &mut next[row(&contact)];
        list[*at as usize] = contact;
        *at += 1;
    }
    for row in list.chunk_by_mut(|x, y| x.a == y.a) {
        row.sort_unstable_by_key(|contact| contact.b);
    }
}

/// Sorts a list whose triangles of A are numbered from `low` to `high`: as numbers of 32 bits where both
/// triangles have room in one.
fn sort_packed(list: &mut [Contact], low: u32, high: u32) {
    if list.len() < SHORT {
        return list.sort_unstable_by_key(|contact| key(*contact));
    }
    let (mut first, mut last) = (u32::MAX, 0);
    for contact in &*list {
        (first, last) = (first.min(contact.b), last.max(contact.b));
    }
    let bits = |span: u32| u32::BITS - span.leading_zeros();
    let shift = bits(last.saturating_sub(first));
    if bits(high - low) + shift > u32::BITS || shift == u32::BITS {
        return list.sort_unstable_by_key(|contact| key(*contact));
    }
    let packed = |contact: &Contact| (contact.a - low) << shift | (contact.b - first);
    let mut keys: Vec<u32> = list.iter().map(packed).collect();
    keys.sort_unstable();
    for (contact, key) in list.iter_mut().zip(keys) {
        *contact = Contact { a: low + (key >> shift), b: first + (key & ((1 << shift) - 1)) };
    }
}

/// Sorts any elements the same way. `sort` sorts a short list; `key` must be non-decreasing in its
/// order. A part whose keys are all equal is passed to `sort` whole, however long.
///
/// # Errors
/// [`Cancelled`]; the list is then a permutation of the input.
pub fn sort_by<T>(
    list: &mut [T],
    key: impl Fn(&T) -> u64 + Copy,
    sort: impl Fn(&mut [T]) + Copy,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    if list.len() <= AT_ONCE {
        sort(list);
        return Ok(());
    }
    by_digit(list, u64::BITS, key, sort, control)
}

/// Sorts by any order; equal elements keep theirs. O(n log n); takes as much memory again.
///
/// # Errors
/// [`Cancelled`].
pub fn sorted<T>(
    list: Vec<T>,
    order: impl Fn(&T, &T) -> Ordering + Copy,
    control: &Control<'_>,
) -> Result<Vec<T>, Cancelled> {
    let (mut list, mut runs) = (list.into_iter(), Vec::new());
    while list.len() > 0 {
        control.check()?;
        let mut run: Vec<T> = list.by_ref().take(RUN).collect();
        run.sort_by(order);
        runs.push(run);
    }
    while runs.len() > 1 {
        let (mut longer, mut rest) = (Vec::new(), runs.into_iter());
        while let Some(first) = rest.next() {
            longer.push(match rest.next() {
                Some(second) => merged(first, second, order, control)?,
                None => first,
            });
        }
        runs = longer;
    }
    Ok(runs.pop().unwrap_or_default())
}

/// Two sorted lists as one. Of equal elements those of the first come first.
fn merged<T>(
    first: Vec<T>,
    second: Vec<T>,
    order: impl Fn(&T, &T) -> Ordering,
    control: &Control<'_>,
) -> Result<Vec<T>, Cancelled> {
    let mut all = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(x), Some(y)) = (first.peek(), second.peek()) {
        if all.len().is_multiple_of(RUN) {
            control.check()?;
        }
        all.extend(if order(y, x) == Ordering::Less { second.next() } else { first.next() });
    }
    all.extend(first.chain(second));
    Ok(all)
}

/// Sorts elements whose keys differ at most in the last `left` bits.
fn by_digit<T>(
    list: &mut [T],
    left: u32,
    key: impl Fn(&T) -> u64 + Copy,
    sort: impl Fn(&mut [T]) + Copy,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    control.check()?;
    let left = match left.checked_sub(DIGIT) {
        Some(left) if list.len() > AT_ONCE => left,
        _ => {
            sort(list);
            return Ok(());
        }
    };
    let digit = |element: &T| (key(element) >> left) as usize % (1 << DIGIT);
    let mut counts = [0_usize; 1 << DIGIT];
    for part in list.chunks(AT_ONCE) {
        control.check()?;
        for element in part {
            counts[digit(element)] += 1;
        }
    }
    // The elements of part `d` not yet placed are at `next[d]..ends[d]`.
    let (mut next, mut ends, mut sum) = ([0; 1 << DIGIT], [0; 1 << DIGIT], 0);
    for (d, count) in counts.iter().enumerate() {
        next[d] = sum;
        sum += count;
        ends[d] = sum;
    }
    let mut moved = 0;
    for d in 0..1 << DIGIT {
        while next[d] < ends[d] {
            moved += 1;
            if moved % AT_ONCE == 0 {
                control.check()?;
            }
            let home = digit(&list[next[d]]);
            list.swap(next[d], next[home]);
            next[home] += 1;
        }
    }
    let mut rest = list;
    for count in counts {
        let (part, after) = rest.split_at_mut(count);
        by_digit(part, left, key, sort, control)?;
        rest = after;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cancel;

    /// Pseudo-random contacts (xorshift, Marsaglia 2003).
    fn scrambled(n: usize, bits: u32) -> Vec<Contact> {
        let mut x = 0x9e37_79b9_u32;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            x >> (32 - bits)
        };
        (0..n).map(|_| Contact { a: next(), b: next() }).collect()
    }

    #[test]
    fn long_lists_are_in_the_order_of_short_ones() {
        for (n, bits) in [
            (10, 3),
            (300, 3),
            (5_000, 12),
            (5_000, 10),
            (AT_ONCE, 20),
            (200_000, 2),
            (300_000, 17),
            (150_000, 32),
        ] {
            let mut list = scrambled(n, bits);
            // Rows that begin anywhere, up to the last number.
            let most = list.iter().map(|contact| contact.a).max().unwrap_or(0);
            for contact in &mut list {
                contact.a += u32::MAX - most;
            }
            let mut truth = list.clone();
            truth.sort_unstable();
            assert_eq!(sort(&mut list, &Control::NONE), Ok(()));
            assert!(list == truth, "{n} of {bits} bits");
        }
    }

    /// Elements of equal keys are sorted too.
    #[test]
    fn the_order_may_be_finer_than_the_keys() {
        let mut list: Vec<(u64, u32)> =
            scrambled(200_000, 20).iter().map(|c| (u64::from(c.a % 2) << 63, c.b)).collect();
        let mut truth = list.clone();
        truth.sort_unstable();
        let sorted = sort_by(&mut list, |x| x.0, <[_]>::sort_unstable, &Control::NONE);
        assert!(sorted.is_ok() && list == truth);
    }

    /// At the head of each part, for each 65,536 that are counted, and for each 65,536 that are
    /// moved; what is short is sorted in one go.
    #[test]
    fn a_long_list_looks_every_so_many_elements() {
        for (n, bits, looks) in
            [(AT_ONCE, 32, None), (200_000, 32, Some(1 + 4 + 3 + 256)), (0, 1, None)]
        {
            let (cancel, mut list) = (Cancel::at_look(u64::MAX), scrambled(n, bits));
            assert_eq!(sort(&mut list, &Control::NONE.cancelled_by(&cancel)), Ok(()));
            assert_eq!(cancel.looks().map(|looks| looks.number), looks.or(Some(0)), "{n}");
        }
    }

    /// Numbers from 0, from the middle and up to the largest, of spans that fit into 32 bits together and
    /// that do not, by one bit.
    #[test]
    fn numbers_of_any_span_are_in_order() {
        for (a, b) in
            [(0, 0), (1, 0), (0, 1), (10, 10), (16, 16), (16, 17), (31, 1), (32, 1), (1, 32)]
        {
            let end = |bits: u32| (1_u64 << bits) as u32;
            let within = |value: u32, bits: u32| value & end(bits).wrapping_sub(1);
            let list: Vec<Contact> = (scrambled(99, 32).into_iter())
                .map(|c| Contact { a: within(c.a, a), b: within(c.b, b) })
                .chain([Contact { a: within(u32::MAX, a), b: within(u32::MAX, b) }])
                .collect();
            for (past_a, past_b) in [
                (0, 0),
                (u32::MAX - end(a).wrapping_sub(1), 0),
                (0, u32::MAX - end(b).wrapping_sub(1)),
            ] {
                let mut list: Vec<Contact> =
                    list.iter().map(|c| Contact { a: c.a + past_a, b: c.b + past_b }).collect();
                let mut truth = list.clone();
                truth.sort_unstable();
                assert_eq!(sort(&mut list, &Control::NONE), Ok(()));
                assert_eq!(list, truth, "{a} and {b} bits");
            }
        }
    }

    /// Only elements of equal keys are sorted in a long part.
    #[test]
    fn no_long_part_is_sorted_in_one_go() {
        let longest = std::cell::Cell::new(0);
        let sort = |list: &mut [Contact]| {
            longest.set(longest.get().max(list.len()));
            list.sort_unstable();
        };
        for (bits, most) in [(32, 2_000), (17, AT_ONCE), (1, 200_000 / 3)] {
            longest.set(0);
            let mut list = scrambled(200_000, bits);
            let key = |contact: &Contact| key(*contact);
            assert_eq!(sort_by(&mut list, key, sort, &Control::NONE), Ok(()));
            assert!(list.is_sorted() && longest.get() <= most, "{bits}: {}", longest.get());
        }
    }

    #[test]
    fn a_long_list_is_given_up_when_the_caller_cancels() {
        let (cancel, mut list) = (Cancel::new(), scrambled(100_000, 20));
        cancel.cancel();
        assert_eq!(sort(&mut list, &Control::NONE.cancelled_by(&cancel)), Err(Cancelled));
    }

    /// As the standard library's stable sort, from an empty list on, at any number of runs.
    #[test]
    fn any_order_is_sorted_and_equal_elements_keep_theirs() {
        for n in [0, 1, 2, RUN, RUN + 1, 2 * RUN, 3 * RUN + 5, 6 * RUN] {
            let list: Vec<(u32, usize)> = scrambled(n, 9).iter().map(|c| c.a).zip(0..).collect();
            let order = |x: &(u32, usize), y: &(u32, usize)| y.0.cmp(&x.0);
            let mut truth = list.clone();
            truth.sort_by(order);
            assert_eq!(sorted(list, order, &Control::NONE), Ok(truth), "{n}");
        }
    }

    /// At each run, and where runs are merged at every so many elements; the next look ends it.
    #[test]
    fn a_sort_by_any_order_looks_every_so_many_elements() {
        let n = 8 * RUN;
        let looks = |look: u64| {
            let cancel = Cancel::at_look(look);
            let list = scrambled(n, 32);
            let end = sorted(list, Contact::cmp, &Control::NONE.cancelled_by(&cancel));
            (end.is_ok(), cancel.looks().map_or(0, |looks| looks.number))
        };
        let (ended, all) = looks(u64::MAX);
        // A list may be used up before the last look of a merge.
        assert!(ended && (8 + 3 * 8 - 7..=8 + 3 * 8).contains(&all), "{all}");
        for look in 1..=all {
            assert_eq!(looks(look), (false, look), "of {all}");
        }
    }
}
