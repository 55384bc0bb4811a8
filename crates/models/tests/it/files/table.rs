//! Tables of parts: columns in any order, quoting, and an error for each way to be wrong.

use std::path::Path;

use impinge_geometry::{Pose, Vector};
use impinge_models::Random;
use impinge_models::files::{Row, read_table, read_table_bytes};

const HEADER: &str = "name,file,tx,ty,tz,qx,qy,qz,qw";

fn rows(text: &str) -> Vec<Row> {
    read_table_bytes(text.as_bytes(), "plant/scene.csv").unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: impl AsRef<[u8]>) -> String {
    let error = read_table_bytes(text.as_ref(), "scene.csv").expect_err("invalid").to_string();
    error.strip_prefix("scene.csv: ").unwrap_or_else(|| panic!("no name: {error}")).to_owned()
}

#[test]
fn columns_in_their_order() {
    let found = rows(&format!("{HEADER}\npump,meshes/pump.ply,1,2.5,-3e-1,0.5,0.5,0.5,0.5\n"));
    let pose = Pose::from_quaternion([1.0, 2.5, -0.3], [0.5; 4]).expect("a rotation");
    assert_eq!(found.len(), 1);
    let row = &found[0];
    assert_eq!((&*row.name, row.pose, row.group.as_deref(), row.line), ("pump", pose, None, 2));
    assert_eq!(row.file, Path::new("plant/meshes/pump.ply"));
}

#[test]
fn columns_in_any_order_with_groups_and_quotes() {
    // A byte order mark, CR LF, spaces, quotes with commas and line ends, an empty line.
    let text = "\u{feff}group,qw,qz,qy,qx,tz,ty,tx, file ,name\r\n\
        steel,1,0,0,0,3,2,1,\"a, b.stl\",\"say \"\"x\"\"\"\r\n\r\n\
        ,0,0,0,1,0,0,0,/abs/c.stl,\"two\nlines\"\r\n\
        ,1,0,0,0,0,0,0,c.stl,third";
    let found = rows(text);
    let names: Vec<&str> = found.iter().map(|row| &*row.name).collect();
    assert_eq!(names, ["say \"x\"", "two\nlines", "third"]);
    assert_eq!(found[0].file, Path::new("plant/a, b.stl"));
    assert_eq!(found[1].file, Path::new("/abs/c.stl"));
    assert_eq!(found[0].group.as_deref(), Some("steel"));
    assert_eq!(found[1].group, None);
    assert_eq!(*found[0].pose.translation(), Vector::new(1.0, 2.0, 3.0));
    assert_eq!(found.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 4, 6]);
}

/// Lines are those of the file, whatever ends them.
#[test]
fn lines_end_with_any_line_break() {
    let text =
        format!("{HEADER}\na,b,0,0,0,0,0,0,1\n\n\"c\nc\",b,0,0,0,0,0,0,1\nd,b,0,0,0,0,0,0,1\n");
    for end in ["\n", "\r\n", "\r"] {
        let lines: Vec<u64> = rows(&text.replace('\n', end)).iter().map(|row| row.line).collect();
        assert_eq!(lines, [2, 4, 6], "{end:?}");
        let wrong = format!("{text}e,b,0,0,x,0,0,0,1\n").replace('\n', end);
        assert_eq!(refusal(wrong), "line 7: tz is \"x\", not a number", "{end:?}");
        let wrong = format!("{text}\ne,b\n").replace('\n', end);
        assert_eq!(refusal(wrong), "line 8: 2 values, the header names 9 columns", "{end:?}");
    }
}

/// What follows the header, and the message.
const ROW_TRAPS: &[(&str, &str)] = &[
    ("", "the table has no rows below its header"),
    ("a,b,0,0,0,0,0,0\n", "line 2: 8 values, the header names 9 columns"),
    ("a,b,0,0,0,0,0,0,1\na2,b,0,0,0,0,0,0,1,x\n", "line 3: 10 values, the header names 9 columns"),
    ("a,b,0,0,0,0,0,0,1\n\n ,b,0,0,0,0,0,0,1\n", "line 4: the name is empty"),
    ("a,\"\",0,0,0,0,0,0,1\n", "line 2: the file is empty"),
    ("a,b,0,\"1,5\",0,0,0,0,1\n", "line 2: ty is \"1,5\", not a number"),
    ("a,b,0,0,0,0,0,0,\n", "line 2: qw is \"\", not a number"),
    (
        "a,b,0,0,inf,0,0,0,1\n",
        "line 2: the pose's translation holds inf; it must be finite and at most 1e300 in magnitude",
    ),
    (
        "a,b,0,0,0,0,0,nan,1\n",
        "line 2: the pose's rotation holds NaN; it must be finite and at most 1e300 in magnitude",
    ),
    (
        "a,b,0,0,0,0,0,0,2\n",
        "line 2: qx, qy, qz, qw are no rotation: their squared norm is off 1 by 3e0",
    ),
    (
        "a,b,0,0,0,0,0,0,0\n",
        "line 2: qx, qy, qz, qw are no rotation: their squared norm is off 1 by 1e0",
    ),
    (
        "a,b,0,0,0,0,0,0,1\nc,b,0,0,0,0,0,0,1\n\na ,b,0,0,0,0,0,0,1\na,b,0,0,0,0,0,0,1\n",
        "line 5: the name \"a\" stands in line 2 already",
    ),
];

/// A header, and the message.
const HEADER_TRAPS: &[(&str, &str)] = &[
    ("", "line 1: the header has no column name, file, tx, ty, tz, qx, qy, qz, qw"),
    ("name,file,tx,ty,tz,qx,qy", "line 1: the header has no column qz, qw"),
    (
        "name,file,tx,ty,tz,qx,qy,qz,qw,mass",
        "line 1: unknown column \"mass\", known are: name, file, tx, ty, tz, qx, qy, qz, qw, group",
    ),
    (
        "Name,file,tx,ty,tz,qx,qy,qz,qw",
        "line 1: unknown column \"Name\", known are: name, file, tx, ty, tz, qx, qy, qz, qw, group",
    ),
    ("name,file,tx,ty,tz,qx,qy,qz,qw,tx", "line 1: the column \"tx\" is there twice"),
];

#[test]
fn traps_name_their_line() {
    let mut wrong = Vec::new();
    let rows = ROW_TRAPS.iter().map(|(rows, message)| (format!("{HEADER}\n{rows}"), message));
    let headers = HEADER_TRAPS.iter().map(|(header, message)| ((*header).to_owned(), message));
    for (text, message) in rows.chain(headers) {
        let found = refusal(&text);
        if found != *message {
            wrong.push(format!("{found}\n  not: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let message = refusal([HEADER.as_bytes(), b"\n\xff,b,0,0,0,0,0,0,1\n"].concat());
    assert_eq!(message, "line 2: the name \"\u{fffd}\" is not UTF-8");
    let wide: Vec<u8> = HEADER.bytes().flat_map(|byte| [byte, 0]).collect();
    let message = refusal([b"\xff\xfe", &wide[..]].concat());
    assert_eq!(message, "the text is UTF-16, by its byte order mark; only UTF-8 is read");
    let long = format!("{HEADER}\n{},b,0,0,0,0,0,0,{}\n", "a".repeat(9999), "x".repeat(1 << 20));
    assert!(refusal(long).len() < 100);
}

#[test]
fn tables_are_regular_files() {
    let folder = tempfile::tempdir().expect("a folder for test files");
    let path = folder.path().join("scene.csv");
    std::fs::write(&path, format!("{HEADER}\na,b.stl,0,0,0,0,0,0,1\n")).expect("writable");
    let found = read_table(&path).expect("valid");
    assert_eq!(found[0].file, folder.path().join("b.stl"));
    let error = read_table(folder.path()).expect_err("a folder").to_string();
    assert!(error.ends_with("this is a directory, only regular files are read"), "{error}");
    let error = read_table(folder.path().join("absent")).expect_err("absent").to_string();
    assert!(error.starts_with(&folder.path().display().to_string()), "{error}");
}

#[test]
fn rows_are_bounded() {
    let text = format!("{HEADER}\n{}", "a,b,0,0,0,0,0,0,1\n".repeat((1 << 20) + 1));
    assert_eq!(refusal(text), "line 1048578: more than 1048576 rows");
}

#[test]
fn damaged_tables_are_read_or_refused() {
    let text =
        format!("{HEADER},group\npump,a.stl,1,2,3,0,0,0,1,x\n\"v, 1\",b.stl,0,0,0,1,0,0,0,\n");
    let mut random = Random::new(3);
    let mut outcomes = [0, 0];
    for _ in 0..20_000 {
        let mut damaged = text.clone().into_bytes();
        super::damage::mutate(&mut damaged, &mut random);
        match read_table_bytes(&damaged, "damaged") {
            Ok(rows) => {
                assert!(rows.iter().all(|row| !row.name.is_empty() && row.line > 1));
                outcomes[1] += 1;
            }
            Err(error) => {
                assert!(error.to_string().starts_with("damaged: "));
                outcomes[0] += 1;
            }
        }
    }
    assert!(outcomes.iter().all(|&count| count > 300), "both must occur: {outcomes:?}");
}
