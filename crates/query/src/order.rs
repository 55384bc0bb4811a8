//! The canonical order of contacts, found so that a caller who cancels does not wait for it.

use crate::{Cancelled, Contact, Control};

/// So many contacts are sorted, or moved, between two looks at whether the caller has cancelled: some
/// milliseconds.
const AT_ONCE: usize = 1 << 16;

/// Bits that tell the parts of a long list apart.
const DIGIT: u32 = 8;

/// The canonical order as one number: one comparison instead of two.
pub const fn key(contact: Contact) -> u64 {
    (contact.a as u64) << 32 | contact.b as u64
}

/// Puts contacts in canonical order, in place. O(n log n); a list of more than 65,536 is taken apart
/// by its leading bytes first (Bostic, `McIlroy` 1993: American flag sort).
///
/// # Errors
/// [`Cancelled`]; the list then has the same contacts in some order.
pub fn sort(contacts: &mut [Contact], control: &Control<'_>) -> Result<(), Cancelled> {
    if contacts.len() <= AT_ONCE {
        contacts.sort_unstable_by_key(|contact| key(*contact));
        return Ok(());
    }
    by_digit(contacts, u64::BITS, control)
}

/// Sorts contacts that differ in the last `left` bits of their keys at most.
fn by_digit(list: &mut [Contact], left: u32, control: &Control<'_>) -> Result<(), Cancelled> {
    control.check()?;
    if list.len() <= AT_ONCE {
        list.sort_unstable_by_key(|contact| key(*contact));
        return Ok(());
    }
    let Some(left) = left.checked_sub(DIGIT) else { return Ok(()) };
    let digit = |contact: &Contact| (key(*contact) >> left) as usize % (1 << DIGIT);
    let mut counts = [0_usize; 1 << DIGIT];
    for part in list.chunks(AT_ONCE) {
        control.check()?;
        for contact in part {
            counts[digit(contact)] += 1;
        }
    }
    // What is left of each part is between `next` and `ends`.
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
        by_digit(part, left, control)?;
        rest = after;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cancel;

    /// Numbers without order (Marsaglia 2003).
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
        for (n, bits) in [(10, 3), (AT_ONCE, 20), (200_000, 2), (300_000, 17), (150_000, 32)] {
            let mut list = scrambled(n, bits);
            let mut truth = list.clone();
            truth.sort_unstable();
            assert_eq!(sort(&mut list, &Control::NONE), Ok(()));
            assert!(list == truth, "{n} of {bits} bits");
        }
    }

    #[test]
    fn a_long_list_is_given_up_when_the_caller_cancels() {
        let (cancel, mut list) = (Cancel::new(), scrambled(100_000, 20));
        cancel.cancel();
        assert_eq!(sort(&mut list, &Control::NONE.cancelled_by(&cancel)), Err(Cancelled));
    }
}
