//! Which Rust record a WGSL struct is, field by field. The records are `#[repr(C)]`, and a test
//! reads the offsets of the WGSL structs from the compiler's own types and compares them.

/// One field: its name on both sides, and its offset in the Rust record. Unit: bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// Offset from the start of the record. Unit: bytes.
    pub offset: usize,
    /// Size in Rust. Unit: bytes.
    pub size: usize,
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Name on both sides.
    pub name: &'static str,
    /// Size in Rust. Unit: bytes.
    pub size: usize,
    /// Fields in order.
    pub fields: &'static [Field],
}

/// The [`Layout`] of a `#[repr(C)]` record from its field names.
macro_rules! layout {
    ($record:ident { $($field:ident: $kind:ty),+ $(,)? }) => {
        $crate::layout::Layout {
            name: stringify!($record),
            size: ::core::mem::size_of::<$record>(),
            fields: &[$($crate::layout::Field {
                name: stringify!($field),
                offset: ::core::mem::offset_of!($record, $field),
                size: ::core::mem::size_of::<$kind>(),
            }),+],
        }
    };
}
pub(crate) use layout;
