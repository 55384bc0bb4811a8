//! `Serialize` and `Deserialize`: the stored bytes, as a byte string.
//!
//! There is only one format, with one version, one checksum and one validation. A format without
//! byte strings, like JSON, writes them as a list of numbers, several times as long; to be
//! human-readable, store the mesh instead.

use std::fmt;

use impinge_query::Control;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::WideModel;

/// Most bytes allocated because of an announced length.
const TRUSTED: usize = 1 << 16;

impl Serialize for WideModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl<'de> Deserialize<'de> for WideModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = WideModel;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a stored model")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<WideModel, E> {
        WideModel::from_bytes(bytes, &Control::NONE).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<WideModel, A::Error> {
        let mut bytes = Vec::with_capacity(list.size_hint().unwrap_or(0).min(TRUSTED));
        while let Some(byte) = list.next_element()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}
