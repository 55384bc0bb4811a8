//! Lists that are owned, or borrowed from bytes that are kept alive with them.
#![expect(
    unsafe_code,
    reason = "a slice is kept beside its owner, so that reading it has no branch"
)]

use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use bytemuck::{AnyBitPattern, PodCastError};

/// Bytes that several owners keep: a mapped file, shared memory, or a vector.
///
/// They must not change while something borrows from them. A file that another process writes while
/// it is mapped breaks that rule; map only files that nobody changes.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// An immutable list: its elements, or a view of them in [`SharedBytes`]. A clone shares both.
///
/// Reading costs what reading a slice costs. Changing goes through [`Column::into_vec`], which copies
/// only what is shared. A list that was never cloned takes one allocation, as a boxed slice does.
pub struct Column<T> {
    /// A boxed slice, or a part of the bytes of the owner.
    elements: NonNull<[T]>,
    /// None while this column alone has the boxed slice.
    owner: OnceLock<Arc<Owner>>,
}

enum Owner {
    /// All columns of this owner have the boxed slice together. The last one frees it.
    Columns,
    Bytes {
        _kept: SharedBytes,
    },
}

// SAFETY: columns give shared references to the elements, and the last one drops them, so the elements
// must be `Send` and `Sync`; the owner is both.
unsafe impl<T: Send + Sync> Send for Column<T> {}
// SAFETY: likewise.
unsafe impl<T: Send + Sync> Sync for Column<T> {}

/// Why bytes cannot be viewed as a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bytes {} to {} of {length}: {what}", range.start, range.end)]
pub struct ViewError {
    /// The bytes of the list.
    pub range: Range<usize>,
    /// The number of all bytes.
    pub length: usize,
    /// What is wrong with them.
    pub what: String,
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(elements: Vec<T>) -> Self {
        let elements = NonNull::from(Box::leak(elements.into_boxed_slice()));
        Self { elements, owner: OnceLock::new() }
    }
}

impl<T: AnyBitPattern> Column<T> {
    /// A list that lies in this range of the bytes. O(1): nothing is copied or looked at.
    ///
    /// # Errors
    /// [`ViewError`] if the range ends behind the bytes, does not begin where a `T` may, or is not a
    /// whole number of them.
    pub fn view(bytes: &SharedBytes, range: Range<usize>) -> Result<Self, ViewError> {
        let elements = NonNull::from(slice(bytes.as_ref().as_ref(), &range)?);
        let owner = Arc::new(Owner::Bytes { _kept: Arc::clone(bytes) });
        Ok(Self { elements, owner: owner.into() })
    }
}

fn slice<'b, T: AnyBitPattern>(
    bytes: &'b [u8],
    range: &Range<usize>,
) -> Result<&'b [T], ViewError> {
    let error = |what| ViewError { range: range.clone(), length: bytes.len(), what };
    let part = bytes.get(range.clone()).ok_or_else(|| error("there are not so many".to_owned()))?;
    bytemuck::try_cast_slice(part).map_err(|why| {
        error(match why {
            PodCastError::TargetAlignmentGreaterAndInputNotAligned => {
                format!("they do not begin at a multiple of {} in memory", align_of::<T>())
            }
            _ => format!("they are no whole number of {} bytes", size_of::<T>()),
        })
    })
}

impl<T: Clone> Column<T> {
    /// The elements, to change them. O(1) if they are owned and nothing else shares them; otherwise
    /// they are copied.
    pub fn into_vec(self) -> Vec<T> {
        match self.owner.get().map(|owner| (&**owner, Arc::strong_count(owner))) {
            None | Some((Owner::Columns, 1)) => {}
            Some(_) => return self.to_vec(),
        }
        let mut column = ManuallyDrop::new(self);
        drop(column.owner.take());
        // SAFETY: the slice was boxed, as no bytes own it. No other column has it: one that had it would
        // count as an owner, and none can be cloned from this one any more.
        unsafe { Box::from_raw(column.elements.as_ptr()) }.into_vec()
    }

    /// Changes the elements in place, or a copy of them if they are shared. If `change` panics, the
    /// list is empty.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let mut elements = std::mem::take(self).into_vec();
        let result = change(&mut elements);
        *self = elements.into();
        result
    }
}

impl<T> Column<T> {
    /// Whether the elements lie in [`SharedBytes`].
    pub fn is_view(&self) -> bool {
        matches!(self.owner.get().map(|owner| &**owner), Some(Owner::Bytes { .. }))
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: a boxed slice lives until the last of its columns is dropped; a part of bytes until the
        // owner is, which this column has. Nothing changes or moves the elements before.
        unsafe { self.elements.as_ref() }
    }
}

impl<T> Drop for Column<T> {
    fn drop(&mut self) {
        let last = match self.owner.take().map(Arc::into_inner) {
            None | Some(Some(Owner::Columns)) => true,
            Some(None | Some(Owner::Bytes { .. })) => false,
        };
        if last {
            // SAFETY: the slice was boxed, as no bytes own it, and this was its last column: of those that
            // share an owner, only one gets it back.
            drop(unsafe { Box::from_raw(self.elements.as_ptr()) });
        }
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        let owner = self.owner.get_or_init(|| Arc::new(Owner::Columns));
        Self { elements: self.elements, owner: Arc::clone(owner).into() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: PartialEq> PartialEq for Column<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::from(Vec::from_iter(elements))
    }
}

impl<'c, T> IntoIterator for &'c Column<T> {
    type Item = &'c T;
    type IntoIter = std::slice::Iter<'c, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for Column<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Words(Vec<u32>);

    impl AsRef<[u8]> for Words {
        fn as_ref(&self) -> &[u8] {
            bytemuck::cast_slice(&self.0)
        }
    }

    /// Sixteen words, in memory where any word may begin.
    fn bytes() -> (SharedBytes, Vec<u32>) {
        let words: Vec<u32> = (0..16).map(|k| 7 * k).collect();
        (Arc::new(Words(words.clone())), words)
    }

    #[test]
    fn a_view_shows_the_bytes_where_they_are() {
        let (bytes, words) = bytes();
        let all: &[u8] = bytes.as_ref().as_ref();
        let at = all.as_ptr_range();
        let view: Column<u32> = Column::view(&bytes, 8..64).expect("whole words");
        assert_eq!(&*view, &words[2..]);
        assert!(view.is_view() && at.contains(&view.as_ptr().cast()));
        assert_eq!((view.clone().as_ptr(), view.len()), (view.as_ptr(), 14));
        drop(bytes);
        assert_eq!(view.into_vec(), &words[2..], "the bytes live on");
    }

    #[test]
    fn what_is_no_list_of_the_type_is_an_error() {
        let (bytes, _) = bytes();
        let view = |range| Column::<u32>::view(&bytes, range);
        for (range, why) in [
            (0..65, "bytes 0 to 65 of 64: there are not so many"),
            (2..6, "they do not begin at a multiple of 4 in memory"),
            (0..6, "they are no whole number of 4 bytes"),
        ] {
            let error = view(range.clone()).expect_err("no list").to_string();
            assert!(error.contains(why), "{range:?}: {error}");
        }
        assert!(view(64..64).expect("an empty list").is_empty());
    }

    #[test]
    fn elements_are_copied_only_if_they_are_shared() {
        let mut list = Column::from(vec![1, 2, 3]);
        let place = list.as_ptr();
        list.change(|list| list[0] = 4);
        assert_eq!((&*list, list.as_ptr()), (&[4, 2, 3][..], place));
        let kept = list.clone();
        assert_eq!(kept.as_ptr(), place, "a clone shares");
        list.change(|list| list.push(5));
        assert_eq!((&*list, &*kept), (&[4, 2, 3, 5][..], &[4, 2, 3][..]));
        assert!(list != kept && !list.is_view() && kept.as_ptr() == place);
        let alone = kept.into_vec();
        assert_eq!(alone.as_ptr(), place);
        assert_eq!(Column::<u8>::default().into_vec(), Vec::<u8>::new());
    }

    #[test]
    fn the_last_column_drops_the_elements_once() {
        let element = Arc::new(());
        let list = || Column::from(vec![Arc::clone(&element); 3]);
        let (alone, shared) = (list(), list());
        let clones: Vec<_> = (0..8).map(|_| shared.clone()).collect();
        assert_eq!(Arc::strong_count(&element), 7);
        drop((alone, shared));
        assert_eq!(Arc::strong_count(&element), 4, "clones keep them");
        std::thread::scope(|scope| {
            for clone in clones {
                scope.spawn(move || assert_eq!(clone.clone().into_vec().len(), 3));
            }
        });
        assert_eq!(Arc::strong_count(&element), 1);
    }
}
