//! The correspondence of Rust records and WGSL structs, field by field. The records are
//! `#[repr(C)]`; a test compares their offsets with those of the shader compiler's own types.

/// One field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in Rust and WGSL.
    pub name: &'static str,
    /// The offset from the start of the Rust record, in bytes.
    pub offset: usize,
    /// The size in Rust, in bytes.
    pub size: usize,
}

/// A record shared by Rust and WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The name in Rust and WGSL.
    pub name: &'static str,
    /// The size in Rust, in bytes.
    pub size: usize,
    /// The fields in order.
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
