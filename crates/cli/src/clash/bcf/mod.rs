//! `--bcf`: the clashes as issues for BIM tools, in the BIM Collaboration Format 2.1 of buildingSMART.
//!
//! A zip file with `bcf.version` and a folder per clash, named by its GUID, with
//! 1. [`markup`]: `markup.bcf`, the issue in words;
//! 2. [`viewpoint`]: `viewpoint.bcfv`, a camera, and the two parts;
//! 3. [`snapshot`]: `snapshot.png`, what that camera sees of the two parts.
//!
//! GUIDs are made of both names. The same scene and date give the same bytes.

mod fails_once;
mod markup;
mod snapshot;
mod viewpoint;
mod xml;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use impinge::Object;
use impinge::report::identity;
use sha1::{Digest, Sha1};
use uuid::{Builder, Uuid};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::arguments::Clash;
use crate::failure::Failure;
use crate::output;

use super::kept::{Kept, Scene};
use fails_once::FailsOnce;

/// The space of the names that GUIDs are made of: itself one of a name that only this program has.
const SPACE: &str = "https://github.com/impinge/impinge#clash";

/// What an issue is made of.
struct Issue<'s> {
    guid: Uuid,
    /// The place in the list, from 1.
    number: usize,
    scene: &'s Scene,
    /// By index.
    objects: &'s [&'s Object],
    clash: &'s Kept,
    date: &'s str,
}

impl Issue<'_> {
    fn names(&self) -> [&str; 2] {
        self.clash.parts.map(|part| self.scene.name(part))
    }

    fn viewpoint(&self) -> Uuid {
        named(&self.guid, "viewpoint")
    }
}

/// Writes the file.
pub(super) fn write(
    path: &Path,
    scene: &Scene,
    kept: &[Kept],
    arguments: &Clash,
) -> Result<(), Failure> {
    let (date, objects) = (arguments.date(), scene.objects());
    output::replace(path, |file| {
        let mut zip = ZipWriter::new(BufWriter::new(FailsOnce::new(file)));
        let mut put = |name: &str, bytes: &[u8], method: CompressionMethod| -> io::Result<()> {
            // The earliest date of the format: that of writing would change the bytes.
            let options = SimpleFileOptions::default()
                .compression_method(method)
                .last_modified_time(DateTime::default());
            zip.start_file(name, options)?;
            zip.write_all(bytes)
        };
        let (text, picture) = (CompressionMethod::Deflated, CompressionMethod::Stored);
        put("bcf.version", &xml::version()?, text)?;
        for (number, clash) in (1..).zip(kept) {
            let [a, b] = clash.parts.map(|part| scene.name(part));
            let (guid, objects, date) = (guid(a, b), &objects[..], &date);
            let issue = Issue { guid, number, scene, objects, clash, date };
            let snapshot = arguments.bcf_snapshots;
            put(&format!("{}/markup.bcf", issue.guid), &markup::of(&issue, snapshot)?, text)?;
            let viewpoint = viewpoint::of(&issue, arguments)?;
            put(&format!("{}/viewpoint.bcfv", issue.guid), &viewpoint, text)?;
            if snapshot {
                let png = snapshot::of(&issue, arguments)?;
                put(&format!("{}/{}", issue.guid, snapshot::FILE), &png, picture)?;
            }
        }
        zip.finish()?.flush()
    })
}

/// The GUID of two parts, in either order.
fn guid(a: &str, b: &str) -> Uuid {
    named(&named(&Uuid::NAMESPACE_URL, SPACE), &identity(a, b))
}

/// The UUID of version 5 that a name has in a space.
fn named(space: &Uuid, name: &str) -> Uuid {
    let hash = Sha1::new().chain_update(space.as_bytes()).chain_update(name).finalize();
    let (mut bytes, hash): ([u8; 16], &[u8]) = ([0; 16], &hash);
    bytes.copy_from_slice(&hash[..16]);
    Builder::from_sha1_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_uuids_of_the_standard() {
        let of = named(&Uuid::NAMESPACE_DNS, "python.org");
        assert_eq!(of.to_string(), "886313e1-3b8a-5372-9b90-0c9aee199e5d");
        assert_eq!(guid("flange 111", "flange 112"), guid("flange 112", "flange 111"));
        let known = "045384f6-d812-54c4-a137-0259d07bdfb1";
        assert_eq!(guid("flange 111", "flange 112").to_string(), known);
    }
}
