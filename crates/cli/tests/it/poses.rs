//! Files of poses, standard input, and a reader that closes its end.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::time::Duration;

use crate::harness::Place;

#[test]
fn one_answer_a_line_in_order() {
    let place = Place::new();
    place.write(
        "poses.txt",
        "# a motion\n\n2 0 0 0 0 0 1\n  0.5,0,0,0,0,0,1   # deep\n\t1,1,1, 0,0,0,1\r\n3 0 0  0 0 0 1",
    );
    let run = place.run("check cube.obj cube.obj --poses poses.txt").answered(1);
    let words: Vec<&str> =
        run.out.lines().map(|l| l.split([':', ' ']).nth(3).unwrap_or("")).collect();
    assert_eq!(words, ["separated", "intersecting", "intersecting", "separated"], "{run:?}");
    assert!(run.out.starts_with("pose 0: separated: "), "{run:?}");
    let lines = place.run("check cube.obj cube.obj --poses poses.txt --json").answered(1).json();
    let at: Vec<_> = lines.iter().map(|l| (l["pose"].as_u64(), l["line"].as_u64())).collect();
    assert_eq!(
        at,
        [(Some(0), Some(3)), (Some(1), Some(4)), (Some(2), Some(5)), (Some(3), Some(6))]
    );
}

/// Lines end as any program ends them; what a comment says does not matter.
#[test]
fn lines_end_with_any_line_break() {
    let place = Place::new();
    let text = "# caf\u{e9}\n2 0 0 0 0 0 1\n\n0.5 0 0 0 0 0 1\n3 0 0 0 0 0 1 # \u{fc}ber\n";
    for end in ["\n", "\r\n", "\r"] {
        // As Latin-1.
        let bytes: Vec<u8> = text.replace('\n', end).chars().map(|c| c as u8).collect();
        std::fs::write(place.path("poses.txt"), bytes).expect("writable");
        let run = place.run("check cube.obj cube.obj --poses poses.txt --json").answered(1);
        let lines: Vec<_> = run.json().iter().map(|line| line["line"].as_u64()).collect();
        assert_eq!(lines, [Some(2), Some(4), Some(5)], "{end:?}");
    }
    std::fs::write(place.path("poses.txt"), b"2 0 0 0 0 0 1\r2 0 0 \xa00 0 0 1\r")
        .expect("writable");
    let run = place.run("check cube.obj cube.obj --poses poses.txt");
    run.refused(&["poses.txt:2: byte 7 of the line is not UTF-8 text\n"]);
}

/// A line is answered as soon as it ends, though the LF of a CR LF may follow.
#[test]
fn a_line_is_answered_before_the_next_begins() {
    let place = Place::new();
    let mut child =
        place.command("check cube.obj cube.obj --poses -").spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    let out = BufReader::new(child.stdout.take().expect("piped")).lines();
    let (sender, answers) = std::sync::mpsc::channel();
    std::thread::spawn(move || out.for_each(|line| drop(sender.send(line.expect("text")))));
    for (text, number) in [("2 0 0 0 0 0 1\r", 0), ("\n3 0 0 0 0 0 1\n", 1)] {
        stdin.write_all(text.as_bytes()).expect("it reads");
        let answer = answers.recv_timeout(Duration::from_secs(60)).expect("an answer");
        assert!(answer.starts_with(&format!("pose {number}: separated")), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn many_facts_still_one_line() {
    let place = Place::new();
    place.write("poses.txt", "0.5 0 0 0 0 0 1\n2 0 0 0 0 0 1\n");
    let asked =
        "check cube.obj torus.ply --poses poses.txt --contacts --distance --method all --count";
    let run = place.run(asked).answered(1);
    assert_eq!(run.out.lines().count(), 2, "{run:?}");
}

#[test]
fn a_thousand_poses() {
    let place = Place::new();
    let mut text = String::new();
    for i in 0..1000 {
        writeln!(text, "{} 0 0 0 0 0 1", f64::from(i) * 0.002).expect("a string");
    }
    place.write("poses.txt", &text);
    let run = place.run("check cube.obj small.off --poses poses.txt").answered(1);
    assert_eq!(run.out.lines().count(), 1000);
    let hits = run.out.lines().filter(|line| line.contains("intersecting")).count();
    // The small cube, a third of an edge wide, crosses the face from 1/3 to 2/3.
    assert_eq!(hits, 167, "{hits}");
    let all_apart = text.replace(" 0 0 0", " 9 0 0");
    place.run_with("check cube.obj small.off --poses -", &all_apart).answered(0);
}

#[test]
fn a_bad_line_is_named_after_the_answers_before_it() {
    let place = Place::new();
    place.write("poses.txt", "2 0 0 0 0 0 1\n\n2 0 0 0 0 1\n2 0 0 0 0 0 1\n");
    let run = place.run("check cube.obj cube.obj --poses poses.txt");
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
    run.refused(&["poses.txt:3: ", "7 numbers", "has 6"]);
    place
        .run_with("check cube.obj cube.obj --poses -", "2 0 0 0 0 0 1\nhello\n")
        .refused(&["standard input:2: ", "\"hello\" is not a number"]);
    place.write("poses.txt", "2 0 0 0 0 0 1\n0 0 0 0 0 0 3\n");
    place.run("check cube.obj cube.obj --poses poses.txt").refused(&["poses.txt:2", "rigid"]);
    place.write("poses.txt", "2 0 0 0 0 0 1\n0 nan 0 0 0 0 1\n");
    place.run("check cube.obj cube.obj --poses poses.txt").refused(&["poses.txt:2", "finite"]);
    place.write("poses.txt", b"\xff\xfe\x00");
    place
        .run("check cube.obj cube.obj --poses poses.txt")
        .refused(&["poses.txt:1", "not UTF-8 text"]);
    place.write("poses.txt", vec![b'1'; 1 << 20]);
    place.run("check cube.obj cube.obj --poses poses.txt").refused(&["poses.txt:1", "too long"]);
}

#[test]
fn a_file_without_poses_is_an_error() {
    let place = Place::new();
    place.write("poses.txt", "# nothing\n\n");
    place.run("check cube.obj cube.obj --poses poses.txt").refused(&["poses.txt", "no pose"]);
    place.run("check cube.obj cube.obj --poses none.txt").refused(&["none.txt"]);
}

#[test]
fn answers_stream() {
    let place = Place::new();
    let mut child =
        place.command("check cube.obj cube.obj --poses -").spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut out = BufReader::new(child.stdout.take().expect("piped")).lines();
    for x in ["2", "0.5", "3"] {
        writeln!(stdin, "{x} 0 0 0 0 0 1").expect("it reads");
        // The answer comes before the next pose is sent.
        let line = out.next().expect("an answer").expect("text");
        assert!(line.contains(if x == "0.5" { "intersecting" } else { "separated" }), "{line}");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let place = Place::new();
    let mut child =
        place.command("check cube.obj cube.obj --poses -").spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    drop(child.stdout.take());
    let _ = stdin.write_all("2 0 0 0 0 0 1\n".repeat(100).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_status_2() {
    let place = Place::new();
    let mut child =
        place.command("check cube.obj cube.obj --poses -").spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut out = BufReader::new(child.stdout.take().expect("piped")).lines();
    writeln!(stdin, "2 0 0 0 0 0 1").expect("it reads");
    assert!(out.next().expect("an answer").expect("text").contains("separated"));
    std::thread::sleep(Duration::from_millis(100));
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cancelled"), "{output:?}");
    assert!(out.next().is_none(), "no verdict after the interrupt");
}

/// Nobody reads the answers, so the program waits in a write. The second Ctrl-C ends it all the same.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_a_blocked_write() {
    let place = Place::new();
    place.write("poses.txt", "2 0 0 0 0 0 1\n".repeat(100_000));
    let mut child = place
        .command("check cube.obj cube.obj --poses poses.txt --json")
        .spawn()
        .expect("the binary starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    out.read_line(&mut String::new()).expect("an answer");
    // Time to fill the pipe.
    std::thread::sleep(Duration::from_secs(1));
    assert!(child.try_wait().expect("it is ours").is_none(), "it waits");
    for _ in 0..2 {
        let killed =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        std::thread::sleep(Duration::from_millis(300));
    }
    let ended = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().expect("it is ours").is_some()
    });
    child.kill().expect("it is ours");
    let output = child.wait_with_output().expect("it ends");
    assert!(ended, "it hangs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "impinge: cancelled\n");
}

#[cfg(unix)]
#[test]
fn ctrl_c_among_many_poses_is_no_answer() {
    let place = Place::new();
    place.write("poses.txt", "2 0 0 0 0 0 1\n".repeat(2_000_000));
    let mut child = place
        .command("check cube.obj torus.ply --poses poses.txt --distance")
        .spawn()
        .expect("the binary starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped")).lines();
    assert!(out.next().expect("an answer").expect("text").contains("separated"));
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let rest = out.count();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "impinge: cancelled\n");
    assert!(rest < 1_999_999, "all were answered before the interrupt");
}
