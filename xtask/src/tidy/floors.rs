//! Rule: a crate depends only on crates of lower layers, as in `docs/architecture.md`. Tests and
//! benchmarks may also use `models` and `testkit`.

use serde_json::Value;

use super::Finding;

/// Every package of the workspace and its allowed dependencies. A new package needs a row here.
const FLOORS: &[(&str, &[&str])] = &[
    ("impinge-geometry", &[]),
    ("impinge-records", &[]),
    ("impinge-threads", &[]),
    ("impinge-shaders", &[]),
    ("impinge-picture", &["impinge-geometry"]),
    ("impinge-query", &["impinge-geometry", "impinge-threads"]),
    ("impinge-gpu", &["impinge-shaders"]),
    ("impinge-models", &["impinge-geometry"]),
    ("impinge-hierarchy", &["impinge-geometry", "impinge-query"]),
    ("impinge-wide", &["impinge-geometry", "impinge-query", "impinge-threads"]),
    ("impinge-decompose", &["impinge-geometry", "impinge-threads"]),
    ("impinge-testkit", &["impinge-geometry", "impinge-query", "impinge-models"]),
    ("impinge-parallel", OVER_TREES),
    ("impinge-separate", OVER_TREES),
    ("impinge-continuous", OVER_BOTH_TREES),
    ("impinge-scene", OVER_BOTH_TREES),
    (
        "impinge-stream",
        &[
            "impinge-geometry",
            "impinge-query",
            "impinge-hierarchy",
            "impinge-gpu",
            "impinge-shaders",
        ],
    ),
    (
        "impinge-image",
        &[
            "impinge-geometry",
            "impinge-query",
            "impinge-decompose",
            "impinge-gpu",
            "impinge-shaders",
        ],
    ),
    (
        "impinge",
        &[
            "impinge-geometry",
            "impinge-query",
            "impinge-models",
            "impinge-gpu",
            "impinge-hierarchy",
            "impinge-wide",
            "impinge-decompose",
            "impinge-parallel",
            "impinge-separate",
            "impinge-continuous",
            "impinge-scene",
            "impinge-stream",
            "impinge-image",
        ],
    ),
    ("impinge-cli", &["impinge", "impinge-models", "impinge-picture"]),
    (
        "impinge-benches",
        &[
            "impinge",
            "impinge-models",
            "impinge-picture",
            "impinge-records",
            "impinge-testkit",
            "impinge-gpu",
            "impinge-shaders",
        ],
    ),
    ("impinge-peers", &["impinge", "impinge-models", "impinge-records", "impinge-benches"]),
    ("xtask", &["impinge-records"]),
];

const OVER_TREES: &[&str] =
    &["impinge-geometry", "impinge-query", "impinge-hierarchy", "impinge-threads"];

const OVER_BOTH_TREES: &[&str] =
    &["impinge-geometry", "impinge-query", "impinge-threads", "impinge-hierarchy", "impinge-wide"];

/// Packages that tests and benchmarks may use in addition.
const FOR_TESTS: &[&str] = &["impinge-models", "impinge-testkit"];

/// The only package that may name the graphics library.
const GRAPHICS: (&str, &str) = ("wgpu", "impinge-gpu");

/// Checks the JSON of `cargo metadata --no-deps`.
pub(crate) fn check(metadata: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    let empty = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&empty);
    if packages.is_empty() {
        findings.push(Finding::new("Cargo.toml", 1, "cargo metadata lists no package"));
    }
    for package in packages {
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let path = manifest.strip_prefix(root).unwrap_or(manifest).trim_start_matches('/');
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = FLOORS.iter().find(|(word, _)| *word == name) else {
            let message = format!("{name} has no floor; give it a row in xtask/src/tidy/floors.rs");
            findings.push(Finding::new(path, 1, message));
            continue;
        };
        let needs = package["dependencies"].as_array().unwrap_or(&empty);
        findings.extend(needs.iter().filter_map(|need| judge(path, name, allowed, need)));
    }
    findings
}

fn judge(path: &str, name: &str, allowed: &[&str], need: &Value) -> Option<Finding> {
    let other = need["name"].as_str().unwrap_or_default();
    if other == GRAPHICS.0 && name != GRAPHICS.1 {
        let message = format!("{name} names {other}; only {} may", GRAPHICS.1);
        return Some(Finding::new(path, 1, message));
    }
    let ours = FLOORS.iter().any(|(word, _)| *word == other) || other.starts_with("impinge");
    let for_tests = need["kind"].as_str() == Some("dev") && FOR_TESTS.contains(&other);
    // Tests may not use higher packages of their family either, only `models` and `testkit` below
    // it.
    if !ours || allowed.contains(&other) || (for_tests && name != "xtask") {
        return None;
    }
    let message = format!("{name} must not depend on {other}: arrows point down only");
    Some(Finding::new(path, 1, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn house(name: &str, dependency: &Value) -> Value {
        json!({
            "workspace_root": "/house",
            "packages": [{
                "name": name,
                "manifest_path": "/house/crates/x/Cargo.toml",
                "dependencies": [dependency],
            }],
        })
    }

    fn findings(name: &str, other: &str, kind: &Value) -> Vec<Finding> {
        check(&house(name, &json!({ "name": other, "kind": kind })))
    }

    #[test]
    fn an_arrow_up_is_found() {
        let found = findings("impinge-geometry", "impinge-query", &Value::Null);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/x/Cargo.toml");
        assert!(found[0].message.contains("must not depend on impinge-query"));
        assert_eq!(findings("impinge-hierarchy", "impinge-wide", &Value::Null).len(), 1);
        assert_eq!(findings("xtask", "impinge-geometry", &Value::Null).len(), 1);
        assert_eq!(findings("xtask", "impinge-models", &json!("dev")).len(), 1);
        assert_eq!(findings("impinge-query", "impinge-testkit", &Value::Null).len(), 1);
        assert_eq!(findings("impinge-hierarchy", "wgpu", &Value::Null).len(), 1);
    }

    #[test]
    fn arrows_down_and_tests_are_fine() {
        assert!(findings("impinge-query", "impinge-geometry", &Value::Null).is_empty());
        assert!(findings("impinge-query", "impinge-testkit", &json!("dev")).is_empty());
        assert!(findings("impinge-query", "serde", &Value::Null).is_empty());
        assert!(findings("impinge-gpu", "wgpu", &Value::Null).is_empty());
    }

    #[test]
    fn a_package_without_a_floor_and_an_empty_house_are_found() {
        assert_eq!(findings("impinge-attic", "serde", &Value::Null).len(), 1);
        assert_eq!(check(&json!({})).len(), 1);
    }

    #[test]
    fn the_table_itself_has_no_cycle() {
        // No row reaches itself through the rows it names.
        for (name, allowed) in FLOORS {
            let mut open: Vec<&str> = allowed.to_vec();
            let mut seen = Vec::new();
            while let Some(next) = open.pop() {
                assert_ne!(next, *name, "{name} reaches itself");
                if !seen.contains(&next) {
                    seen.push(next);
                    let row = FLOORS.iter().find(|(word, _)| *word == next);
                    open.extend(row.expect("every name has a row").1);
                }
            }
        }
    }
}
