//! The lines of JSON that tell of the clashes of a scene, as `impinge clash --json` prints them:
//! `impinge schema clash` has their schema.

use impinge_query::Inner;
use impinge_scene::{Clash, Class};
use serde::Serialize;
use twox_hash::XxHash3_128;

/// Version of all JSON that the commands print. It grows if a key changes its meaning or is removed;
/// keys may be added.
pub const VERSION: u32 = 1;

/// A clash of two parts with names. Begin with [`ClashLine::new`]: keys may be added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClashLine<'r> {
    /// [`VERSION`].
    pub version: u32,
    /// [`id`] of both names.
    pub id: String,
    /// Name of the part that comes first in the scene.
    pub a: &'r str,
    /// Name of the other part.
    pub b: &'r str,
    /// How they clash.
    pub class: Class,
    /// The part inside the other, of [`Class::Inside`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<Inner>,
    /// Pairs of triangles that meet, as many as are listed.
    pub contacts: Vec<[u32; 2]>,
    /// How many meet; absent if only the class was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contacts_found: Option<u64>,
    /// Least and largest corner of [`Clash::extent`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extent: Option<[[f64; 3]; 2]>,
    /// [`Clash::nearest`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<[[f64; 3]; 2]>,
    /// [`Clash::distance`].
    pub distance: f64,
    /// [`Clash::undecided`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'r str>,
}

impl<'r> ClashLine<'r> {
    /// A line without contacts.
    pub fn new(a: &'r str, b: &'r str, class: Class) -> Self {
        Self {
            version: VERSION,
            id: id(a, b),
            a,
            b,
            class,
            inner: None,
            contacts: Vec::new(),
            contacts_found: Some(0),
            extent: None,
            nearest: None,
            distance: 0.0,
            reason: None,
        }
    }

    /// The line of a clash of parts with these names, with at most `listed` pairs of triangles.
    pub fn of(a: &'r str, b: &'r str, clash: &'r Clash, listed: usize) -> Self {
        Self {
            inner: clash.inner,
            contacts: clash.contacts.iter().take(listed).map(|c| [c.a, c.b]).collect(),
            contacts_found: clash.contacts_found,
            extent: clash.extent.map(|extent| [extent.min.into(), extent.max.into()]),
            nearest: clash.nearest.map(|ends| ends.map(Into::into)),
            distance: clash.distance,
            reason: clash.undecided.as_deref(),
            ..Self::new(a, b, clash.class)
        }
    }
}

/// An error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorLine<'r> {
    version: u32,
    error: ErrorObject<'r>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ErrorObject<'r> {
    kind: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'r str>,
    message: &'r str,
}

impl<'r> ErrorLine<'r> {
    /// The line of an error: its kind (`file`, `limit`, `query`, `usage`), the place, and what is wrong
    /// there.
    pub const fn new(kind: &'r str, place: Option<&'r str>, message: &'r str) -> Self {
        Self { version: VERSION, error: ErrorObject { kind, place, message } }
    }
}

/// The id of a clash: 32 hexadecimal digits of both names, the same in every run, and in any order of
/// the two.
pub fn id(a: &str, b: &str) -> String {
    format!("{:032x}", XxHash3_128::oneshot(identity(a, b).as_bytes()))
}

/// Both names in ascending order; none contains a zero byte in a file that can be read.
pub fn identity(a: &str, b: &str) -> String {
    format!("{}\0{}", a.min(b), a.max(b))
}
