//! Parts of several files: names, groups and sources, and what is refused.

use std::path::{Path, PathBuf};

use impinge_geometry::{Pose, Vector};
use impinge_models::files::{Listed, ReadOptions, Source, list_parts};

use super::samples::glb_triangle;

/// One scene, of the first node.
const SCENES: &str = r#"[{"nodes":[0]}]"#;

/// A folder with these files.
struct Place(tempfile::TempDir);

impl Place {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder for test files"));
        for (name, bytes) in files {
            std::fs::write(place.path(name), bytes).expect("writable");
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The parts of these files, and the notes about them.
    fn list(&self, names: &[&str]) -> Result<(Vec<Listed>, Vec<String>), String> {
        self.list_with(names, &ReadOptions::default())
    }

    /// The same with options.
    fn list_with(
        &self,
        names: &[&str],
        options: &ReadOptions,
    ) -> Result<(Vec<Listed>, Vec<String>), String> {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        let mut notes = Vec::new();
        let mut note = |path: &Path, text: &str| {
            let name = path.file_name().expect("a file").to_string_lossy();
            notes.push(format!("{name}: {text}"));
        };
        let found = list_parts(&paths, options, &mut note).map_err(|error| error.to_string())?;
        Ok((found, notes))
    }
}

/// Names and groups, with paths below the folder.
fn names(place: &Place, parts: &[Listed]) -> Vec<[String; 2]> {
    let folder = format!("{}{}", place.0.path().display(), std::path::MAIN_SEPARATOR);
    parts.iter().map(|part| [part.name.replace(&folder, ""), part.group.clone()]).collect()
}

const TABLE: &[u8] = b"name,file,tx,ty,tz,qx,qy,qz,qw,group\n\
    pump,pump.ply,1,2,3,0,0,0,1,wet\nspare,pump.ply,0,0,0,0,0,0,1,\n";

fn nodes() -> Vec<u8> {
    glb_triangle(
        r#"[{"children":[1,2]},{"mesh":0},{"mesh":0,"name":"lid","scale":[-1,1,1]}]"#,
        SCENES,
    )
}

#[test]
fn parts_of_all_kinds_of_files_in_order() {
    let place = Place::new(&[("plant.csv", TABLE), ("tank.glb", &nodes()), ("old.stl", b"")]);
    let (parts, notes) = place.list(&["old.stl", "plant.csv", "tank.glb"]).expect("listed");
    let expected = [
        ["old.stl", "old"],
        ["pump", "wet"],
        ["spare", "plant"],
        ["tank.glb/node 1", "tank"],
        ["tank.glb/lid", "tank"],
    ];
    assert_eq!(names(&place, &parts), expected.map(|pair| pair.map(str::to_owned)));
    assert_eq!(notes, ["tank.glb: meshes mirrored by their nodes, with the winding reversed: 1"]);
    assert_eq!(parts[0].pose, Pose::identity());
    assert_eq!(*parts[1].pose.translation(), Vector::new(1.0, 2.0, 3.0));
    // No mesh file is opened: neither of them is one.
    let file = |part: &Listed| match &part.source {
        Source::File(path) => path.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(file(&parts[0]), place.path("old.stl"));
    assert_eq!([file(&parts[1]), file(&parts[2])], [(); 2].map(|()| place.path("pump.ply")));
}

/// Nodes of one mesh share it, those of two files do not, even if the files are equal.
#[test]
fn meshes_have_numbers_of_their_own() {
    let shared = glb_triangle(r#"[{"children":[1,2]},{"mesh":0},{"mesh":0}]"#, SCENES);
    let place = Place::new(&[("a.glb", &shared), ("b.gltf", &shared), ("C.GLB", &nodes())]);
    let number = |part: &Listed| match &part.source {
        Source::Mesh(mesh, number) => (mesh.triangles().len(), *number),
        other => panic!("{other:?}"),
    };
    let (parts, _) = place.list(&["a.glb", "b.gltf", "C.GLB"]).expect("listed");
    let numbers: Vec<_> = parts.iter().map(number).collect();
    assert_eq!(numbers, [(1, 1), (1, 1), (1, 2), (1, 2), (1, 3), (1, 4)]);
    // Alone, a file's nodes keep their names.
    let (parts, _) = place.list(&["a.glb"]).expect("listed");
    assert_eq!(
        names(&place, &parts),
        [["node 1", "a"], ["node 2", "a"]].map(|p| p.map(str::to_owned))
    );
    assert!(place.list(&[]).expect("no files").0.is_empty());
}

#[test]
fn names_that_stand_twice_are_refused() {
    let place = Place::new(&[("one.csv", TABLE), ("two.csv", TABLE)]);
    let refusal = |names: &[&str]| place.list(names).expect_err("refused");
    assert_eq!(refusal(&["one.csv", "two.csv"]), "pump: parts 1 and 3 of the scene have this name");
    let twice = refusal(&["old.stl", "one.csv", "old.stl"]);
    assert!(twice.ends_with("old.stl: parts 1 and 4 of the scene have this name"), "{twice}");
    let again = [TABLE, b"pump,,1,2,3,0,0,0,1,\n"].concat();
    let place = Place::new(&[("again.csv", &again)]);
    let twice = place.list(&["again.csv"]).expect_err("a name of a row that cannot be read");
    assert!(
        twice.ends_with("again.csv: line 4: the name \"pump\" stands in line 2 already"),
        "{twice}"
    );
}

/// Their names in answers are the same.
#[cfg(unix)]
#[test]
fn names_that_differ_in_bytes_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let paths = [b"a\xff.stl", b"a\xfe.stl"].map(|name| OsStr::from_bytes(name).into());
    let twice = list_parts(&paths, &ReadOptions::default(), &mut |_, _| ()).expect_err("refused");
    let said =
        "parts 1 and 2 of the scene have this name; bytes that are not UTF-8 are shown as \u{fffd}";
    assert_eq!(twice.to_string(), format!("a\u{fffd}.stl: {said}"));
}

/// What is said of parts that are not known.
fn unread(place: &Place, parts: &[Listed]) -> Vec<[String; 3]> {
    let rows = names(place, parts).into_iter().zip(parts);
    let folder = format!("{}{}", place.0.path().display(), std::path::MAIN_SEPARATOR);
    rows.filter_map(|([name, group], part)| match &part.source {
        Source::Unread(error) => Some([name, group, error.to_string().replace(&folder, "")]),
        _ => None,
    })
    .collect()
}

/// Rows that place no part, and tables and glTF files that cannot be read, are parts with an error.
#[test]
fn what_cannot_be_read_stops_nothing_else() {
    let rows: &[u8] = b"far,pump.ply,x,2,3,0,0,0,1,dry\nshort,pump.ply\nskew,pump.ply,0,0,0,0,0,0,2,\n\
        ,pump.ply,0,0,0,0,0,0,1,wet\nodd,pump.ply,0,0,0,0,0,0,1,\xff\nlast,pump.ply,0,0,0,0,0,0,1,wet\n";
    let table = [TABLE, rows].concat();
    let files: [(&str, &[u8]); 4] =
        [("rows.csv", &table), ("bad.glb", b"glTF"), ("bad.csv", b"name\n"), ("a.glb", &nodes())];
    let place = Place::new(&files);
    let all = ["rows.csv", "bad.glb", "none.glb", "bad.csv", "none.csv", "a.glb"];
    let (parts, _) = place.list(&all).expect("listed");
    let known: Vec<_> = (parts.iter())
        .filter(|part| !matches!(part.source, Source::Unread(_)))
        .map(|part| part.name.rsplit('/').next().unwrap_or_default())
        .collect();
    assert_eq!(known, ["pump", "spare", "last", "node 1", "lid"]);
    let found = unread(&place, &parts);
    let wanted = [
        ["far", "dry", "rows.csv: line 4: tx is \"x\", not a number"],
        ["rows.csv: line 5", "", "rows.csv: line 5: 2 values, the header names 10 columns"],
        ["skew", "rows", "rows.csv: line 6: qx, qy, qz, qw are no rotation"],
        ["rows.csv: line 7", "", "rows.csv: line 7: the name is empty"],
        ["rows.csv: line 8", "", "rows.csv: line 8: the group \"\u{fffd}\" is not UTF-8"],
        ["bad.glb", "bad", "bad.glb: "],
        ["none.glb", "none", "none.glb: "],
        ["bad.csv", "", "bad.csv: line 1: the header has no column"],
        ["none.csv", "", "none.csv: "],
    ];
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for ([name, group, error], wanted) in found.iter().zip(wanted) {
        assert_eq!([name, group], [wanted[0], wanted[1]]);
        assert!(error.starts_with(wanted[2]), "{error}");
    }
    // In their places among the others.
    assert_eq!([&*parts[2].name, &*parts[7].name], ["far", "last"]);
}

/// Messages about rows are bounded: the table is then one part that cannot be read.
#[test]
fn a_table_of_rows_that_cannot_be_read_is_unread() {
    let table = |rows: usize| [TABLE, &b"far,pump.ply\n".repeat(rows)].concat();
    let place = Place::new(&[("some.csv", &table(1000)), ("many.csv", &table(1001))]);
    let (parts, _) = place.list(&["some.csv"]).expect("listed");
    assert_eq!((parts.len(), unread(&place, &parts).len()), (1002, 1000));
    let (parts, _) = place.list(&["many.csv"]).expect("listed");
    let said = "many.csv: line 1004: more than 1000 rows cannot be read, up to this one";
    assert_eq!(
        (parts.len(), unread(&place, &parts)),
        (1, vec![["many.csv", "", said].map(str::to_owned)])
    );
}

/// Every instance counts, and those of each file by themselves.
#[test]
fn options_bound_each_gltf_file() {
    let place = Place::new(&[("a.glb", &nodes()), ("b.glb", &nodes()), ("one.csv", TABLE)]);
    let list = |max_triangles: u64| {
        let options = ReadOptions { max_triangles, ..ReadOptions::default() };
        place.list_with(&["one.csv", "a.glb", "b.glb"], &options)
    };
    assert_eq!(list(2).expect("two triangles each").0.len(), 6);
    let found = unread(&place, &list(1).expect("listed").0);
    assert_eq!(found.len(), 2);
    assert!(found[0][2].starts_with("a.glb: 2 triangles or more"), "{found:?}");
}
