//! The source files of a crate that are compiled on this machine, found from `lib.rs` through
//! `mod`, without tests.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, Meta};

use super::Wanted;
use crate::repository::root;

/// A parsed file of a crate.
pub(super) struct SourceFile {
    /// Path from the root of the repository, with `/`.
    pub(super) path: String,
    /// The file's text.
    pub(super) text: String,
    /// The parsed text.
    pub(super) syntax: syn::File,
}

/// All files of a crate that are compiled on this machine, `lib.rs` first.
///
/// # Errors
/// If a file cannot be read or parsed.
pub(super) fn files(wanted: Wanted) -> Result<Vec<SourceFile>, String> {
    let folder = root().join("crates").join(wanted.name).join("src");
    let mut found = Vec::new();
    let mut open = vec![(folder.join("lib.rs"), folder)];
    while let Some((path, folder)) = open.pop() {
        let file = read(&path)?;
        modules(&file.syntax.items, &folder, wanted, &mut open)?;
        found.push(file);
    }
    Ok(found)
}

fn read(path: &Path) -> Result<SourceFile, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let syntax = syn::parse_file(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let inner = path.strip_prefix(root()).unwrap_or(path);
    Ok(SourceFile { path: inner.to_string_lossy().replace('\\', "/"), text, syntax })
}

/// Adds the files of `mod name;`, each with the folder of its own modules.
fn modules(
    items: &[Item],
    folder: &Path,
    wanted: Wanted,
    open: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<(), String> {
    for item in items {
        let Item::Mod(module) = item else { continue };
        if !is_compiled(&module.attrs, wanted) {
            continue;
        }
        let inner = folder.join(module.ident.to_string());
        if let Some((_, items)) = &module.content {
            modules(items, &inner, wanted, open)?;
            continue;
        }
        let candidates = [inner.with_extension("rs"), inner.join("mod.rs")];
        let Some(path) = candidates.iter().find(|path| path.exists()) else {
            return Err(format!("module `{}` has no file in {}", module.ident, folder.display()));
        };
        open.push((path.clone(), inner));
    }
    Ok(())
}

/// Whether an item with these attributes is compiled here and is not a test.
pub(super) fn is_compiled(attributes: &[Attribute], wanted: Wanted) -> bool {
    attributes.iter().all(|attribute| match &attribute.meta {
        Meta::Path(path) => !path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            list.parse_args::<Meta>().map_or(true, |meta| holds(&meta, wanted))
        }
        _ => true,
    })
}

/// Whether a `cfg` condition holds in the build of the mutants. Unknown conditions count as true.
fn holds(meta: &Meta, wanted: Wanted) -> bool {
    match meta {
        Meta::Path(path) => !path.is_ident("test") && !path.is_ident("loom"),
        Meta::List(list) => {
            let parse = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
            let Ok(inner) = list.parse_args_with(parse) else { return true };
            if list.path.is_ident("not") {
                !inner.iter().all(|meta| holds(meta, wanted))
            } else if list.path.is_ident("any") {
                inner.iter().any(|meta| holds(meta, wanted))
            } else {
                inner.iter().all(|meta| holds(meta, wanted))
            }
        }
        Meta::NameValue(pair) => {
            let syn::Expr::Lit(literal) = &pair.value else { return true };
            let syn::Lit::Str(text) = &literal.lit else { return true };
            if pair.path.is_ident("target_arch") {
                text.value() == std::env::consts::ARCH
            } else if pair.path.is_ident("feature") {
                wanted.all_features
            } else {
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::CRATES;

    fn compiled(text: &str) -> bool {
        let item: syn::ItemFn = syn::parse_str(text).expect("an item");
        is_compiled(&item.attrs, Wanted { name: "x", all_features: false })
    }

    #[test]
    fn tests_and_other_machines_are_left_out() {
        assert!(compiled("fn f() {}"));
        assert!(compiled("#[inline] fn f() {}"));
        assert!(!compiled("#[test] fn f() {}"));
        assert!(!compiled("#[cfg(test)] fn f() {}"));
        assert!(!compiled("#[cfg(all(test, unix))] fn f() {}"));
        assert!(compiled("#[cfg(not(test))] fn f() {}"));
        assert!(!compiled("#[cfg(feature = \"x\")] fn f() {}"));
        assert!(compiled("#[cfg(not(feature = \"x\"))] fn f() {}"));
        assert!(!compiled("#[cfg(target_arch = \"pdp11\")] fn f() {}"));
    }

    #[test]
    fn every_crate_has_files() {
        for wanted in CRATES {
            let files = files(*wanted).expect("the crate's files");
            assert!(files.len() > 5, "{}: {} files", wanted.name, files.len());
            assert!(files.iter().all(|file| !file.path.ends_with("/tests.rs")));
        }
    }
}
