//! `impinge clash --html`: what the page holds, its escapes, its policy, and the viewer it was built
//! with. That the page works is seen by a browser, in `cargo xtask test`.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::ZlibDecoder;
use impinge_models::Shape;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::Place;

/// A name that ends a script and starts an image where it is not escaped.
const EVIL: &str = "</script><!--<img src=x onerror=alert(1)> & \u{2028}{{viewer}}";

/// A scene of clashes of every class, two of a part with a dangerous name.
fn place() -> Place {
    let place = Place::new();
    let rows = [
        "base,cube.obj,0,0,0,0,0,0,1,floor",
        "beside,cube.obj,1,0,0,0,0,0,1,wall",
        "through,cube.obj,0,0.75,0.25,0.5,0.5,0.5,0.5,wall",
        "within,small.off,0,0,0,0,0,0,1,things",
        "near,cube.obj,-1.125,0,0,0,0,0,1,things",
    ];
    let evil = format!("\"{EVIL}\",cube.obj,0,0,0,0,0,0,1,\"{EVIL}\"");
    let table =
        |rows: &[&str]| format!("name,file,tx,ty,tz,qx,qy,qz,qw,group\n{}\n", rows.join("\n"));
    let mut all = rows.to_vec();
    all.push(&evil);
    place.write("scene.csv", table(&all));
    all.reverse();
    place.write("reversed.csv", table(&all));
    place
}

const ASKED: &str = "--solids --clearance 0.125 --json --contacts";

/// The page and the scene in it.
fn page(place: &Place, arguments: &str) -> (String, Value) {
    place.run(&format!("clash {arguments} {ASKED} --html page.html")).answered(1);
    let page = std::fs::read_to_string(place.path("page.html")).expect("a page");
    let scene = between(&page, "<script id=\"scene\" type=\"application/json\">", "</script>");
    let scene = serde_json::from_str(scene).expect("JSON");
    (page, scene)
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let rest = text.split_once(before).expect("the start").1;
    rest.split_once(after).expect("the end").0
}

fn inflated(text: &Value) -> Vec<u8> {
    let bytes = BASE64_STANDARD.decode(text.as_str().expect("a text")).expect("base64");
    let mut inflated = Vec::new();
    ZlibDecoder::new(&bytes[..]).read_to_end(&mut inflated).expect("a zlib stream");
    inflated
}

/// The numbers of a list of differences.
fn numbers(bytes: &[u8]) -> Vec<u32> {
    let (mut numbers, mut last, mut value, mut shift) = (Vec::new(), 0_i64, 0_i64, 0);
    for byte in bytes {
        value |= i64::from(byte & 127) << shift;
        shift += 7;
        if *byte < 128 {
            last += if value % 2 == 0 { value / 2 } else { -(value + 1) / 2 };
            numbers.push(u32::try_from(last).expect("not negative"));
            (value, shift) = (0, 0);
        }
    }
    numbers
}

#[test]
fn the_page_has_the_clashes_that_are_printed() {
    let place = place();
    let (page_text, scene) = page(&place, "scene.csv");
    let lines = place.run(&format!("clash scene.csv {ASKED}")).answered(1).json();
    let shown = scene["clashes"].as_array().expect("clashes");
    assert_eq!((shown.len(), scene["parts_found"].as_u64()), (lines.len(), Some(6)));
    for (shown, line) in shown.iter().zip(&lines) {
        for key in
            ["id", "class", "inner", "contacts_found", "extent", "nearest", "distance", "reason"]
        {
            assert_eq!(shown.get(key), line.get(key), "{key}");
        }
        for (side, part) in ["a", "b"].into_iter().enumerate() {
            let number = shown[part].as_u64().expect("a number") as usize;
            assert_eq!(scene["parts"][number]["name"], line[part]);
            let contacts = line["contacts"].as_array().expect("contacts");
            let wanted: BTreeSet<u64> = contacts.iter().filter_map(|c| c[side].as_u64()).collect();
            let marks = &shown["marks"][side];
            let found =
                if marks["count"] == 0 { Vec::new() } else { numbers(&inflated(&marks["data"])) };
            assert_eq!(found, wanted.into_iter().map(|t| t as u32).collect::<Vec<_>>());
        }
    }
    let marked = shown.iter().filter(|clash| clash["marks"][0]["count"].as_u64() > Some(3)).count();
    assert!(marked > 4, "{marked}");
    // The same again, and the same ids with the parts in another order.
    assert!(page(&place, "scene.csv").0 == page_text);
    let ids = |scene: &Value| -> BTreeSet<String> {
        let clashes = scene["clashes"].as_array().expect("clashes");
        clashes.iter().map(|clash| clash["id"].to_string()).collect()
    };
    let reversed = page(&place, "reversed.csv").1;
    assert_eq!(ids(&reversed), ids(&scene));
    assert_eq!(ids(&scene).len(), lines.len());
}

#[test]
fn every_mesh_is_there_once_and_placed() {
    let place = place();
    let (_, scene) = page(&place, "scene.csv");
    let (cube, small) = (Shape::Cube.mesh(48, 0), Shape::Cube.mesh(48, 0).scaled(1.0 / 3.0));
    let meshes = scene["meshes"].as_array().expect("meshes");
    assert_eq!(meshes.len(), 2);
    for (packed, mesh) in meshes.iter().zip([cube, small.expect("smaller")]) {
        let bytes = inflated(&packed["data"]);
        let count = 3 * packed["vertices"].as_u64().expect("a number") as usize;
        let corner = |at: usize| -> [f64; 3] {
            std::array::from_fn(|k| {
                let byte = |place: usize| bytes[place * count + 3 * at + k];
                let own = f32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
                f64::from(own) + packed["middle"][k].as_f64().expect("a number")
            })
        };
        let found: Vec<[f64; 3]> =
            numbers(&bytes[4 * count..]).iter().map(|&v| corner(v as usize)).collect();
        let wanted = mesh.triangles().iter().flatten().map(|&v| mesh.vertices()[v as usize]);
        assert_eq!(found.len(), 3 * mesh.triangles().len());
        for (found, wanted) in found.into_iter().zip(wanted) {
            let off = (impinge::Point::from(found) - wanted).amax();
            assert!(off < 1e-7, "{found:?} {wanted:?}");
        }
    }
    let parts: Vec<u64> = scene["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .filter_map(|p| p["mesh"].as_u64())
        .collect();
    assert_eq!(parts, [0, 0, 0, 1, 0, 0]);
    let through = &scene["parts"][2];
    assert_eq!(through["translation"], json!([0.0, 0.75, 0.25]));
    // x to y, y to z, z to x.
    assert_eq!(through["rotation"], json!([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
}

#[test]
fn names_cannot_leave_the_data() {
    let place = place();
    let (text, scene) = page(&place, "scene.csv");
    let name = scene["parts"][5]["name"].as_str();
    assert_eq!((name, scene["parts"][5]["group"].as_str()), (Some(EVIL), Some(EVIL)));
    let data = between(&text, "application/json\">", "</script>");
    assert!(!data.contains('<'));
    let viewer = between(&text, "<script>", "</script>");
    let rest = text.replace(viewer, "");
    assert_eq!(rest.matches("<script").count(), 2, "{}", rest.len());
    assert!(!rest.contains("<img") && !rest.contains("<!--"));
    // The policy allows the viewer and nothing else.
    let hash = BASE64_STANDARD.encode(Sha256::digest(viewer.as_bytes()));
    let policy = between(&text, "Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with(&format!("default-src 'none'; script-src 'sha256-{hash}'; ")));
    assert!(!text.contains("{{style}}") && !text.contains("{{hash}}"));
}

#[test]
fn large_meshes_can_be_left_out() {
    let place = place();
    place.write_mesh("torus.ply", &Shape::Torus.mesh(800, 0));
    let run = |limit: u64| {
        let asked = format!("clash cube.obj torus.ply --html page.htm --html-triangles {limit}");
        let run = place.run(&asked);
        assert_eq!(run.status, 1, "{run:?}");
        let text = std::fs::read_to_string(place.path("page.htm")).expect("a page");
        let scene = between(&text, "application/json\">", "</script>");
        let scene: Value = serde_json::from_str(scene).expect("JSON");
        let there = [0, 1].map(|mesh| scene["meshes"][mesh].get("data").is_some());
        (there, run.err, scene["notes"].clone())
    };
    assert_eq!(run(1_000), ([true, true], String::new(), json!([])));
    let (there, said, notes) = run(100);
    assert_eq!(there, [true, false]);
    assert!(said.starts_with("impinge: page.htm: 1 of 2 meshes are left out"), "{said}");
    assert!(notes[0].as_str().is_some_and(|note| said.contains(note)), "{notes}");
    assert_eq!(run(0).0, [false, false]);
}

#[test]
fn the_axis_that_points_up_is_known() {
    let place = place();
    assert_eq!(page(&place, "scene.csv").1["up"], "z");
    assert_eq!(page(&place, "scene.csv --up y").1["up"], "y");
    let words = ["the name must end in .html or .htm"];
    place.run("clash scene.csv --html page.txt").refused(&words);
    place.run("clash scene.csv --html-triangles 5").refused(&["--html"]);
    place.run("clash scene.csv --html none/page.html").refused(&["none/page.html"]);
}

fn viewer(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("viewer").join(name)
}

/// viewer.js was built from the sources beside it. If this fails, build it: see `build.mjs`.
#[test]
fn the_viewer_is_that_of_its_sources() {
    let read = |name: &str| std::fs::read(viewer(name)).expect("a file of the viewer");
    let sums = String::from_utf8(read("SHA256SUMS")).expect("UTF-8");
    let mut named = BTreeSet::new();
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").expect("a sum and a name");
        let digest = Sha256::digest(read(name));
        let byte = |at| u8::from_str_radix(&sum[at..at + 2], 16).expect("hexadecimal digits");
        let wanted: Vec<u8> = (0..sum.len()).step_by(2).map(byte).collect();
        assert_eq!(digest[..], wanted[..], "{name} has changed since viewer.js was built");
        named.insert(name.to_owned());
    }
    let sources = std::fs::read_dir(viewer("src")).expect("the sources");
    for source in sources {
        let path = source.expect("a source").path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let name = path.file_name().expect("a name").to_string_lossy();
            assert!(named.contains(&format!("src/{name}")), "{name}");
        }
    }
    let fixed = ["build.mjs", "package-lock.json", "package.json", "viewer.js"];
    assert!(fixed.iter().all(|name| named.contains(*name)), "{named:?}");
    // The version that the sources ask for, and its licence, are named in the file.
    let asked: Value = serde_json::from_slice(&read("package.json")).expect("JSON");
    let version = asked["devDependencies"]["three"].as_str().expect("a version");
    let script = String::from_utf8(read("viewer.js")).expect("UTF-8");
    let head = between(&script, "/*!", "*/");
    assert!(head.contains(&format!("three.js {version}, ")), "{head}");
    assert!(head.contains("The MIT License") && head.contains("Permission is hereby granted"));
}
