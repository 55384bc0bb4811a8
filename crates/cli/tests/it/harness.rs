//! A temporary folder of meshes, and the binary run in it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use impinge::Mesh;
use impinge_models::{Shape, files};
use serde_json::Value;
use tempfile::TempDir;

/// The folder, removed when dropped.
pub(crate) struct Place {
    folder: TempDir,
}

/// The result of one run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    /// A folder with `cube.obj` (edge 1, 48 triangles), `small.off` (the cube, a third of it),
    /// `torus.ply`, `sheet.off` (open) and `quads.obj` (a cube of six squares).
    pub(crate) fn new() -> Self {
        let place = Self { folder: TempDir::new().expect("a temporary folder") };
        let cube = Shape::Cube.mesh(48, 0);
        place.write_mesh("cube.obj", &cube);
        place.write_mesh("small.off", &cube.scaled(1.0 / 3.0).expect("smaller"));
        place.write_mesh("torus.ply", &Shape::Torus.mesh(800, 0));
        place.write("sheet.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
        place.write("quads.obj", QUADS);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("a file in the temporary folder");
    }

    pub(crate) fn write_mesh(&self, name: &str, mesh: &Mesh) {
        files::write(self.path(name), mesh).expect("a mesh file in the temporary folder");
    }

    /// Runs `impinge` in the folder with `arguments`, separated by blanks.
    pub(crate) fn run(&self, arguments: &str) -> Run {
        self.run_with(arguments, "")
    }

    /// As [`Place::run`], with standard input.
    pub(crate) fn run_with(&self, arguments: &str, input: &str) -> Run {
        let mut child = self.command(arguments).spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || {
            // The program may exit before reading all input.
            let _ = stdin.write_all(input.as_bytes());
        });
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("the writer does not panic");
        Run::of(output)
    }

    /// As [`Place::run`], with a limit of the address space.
    #[cfg(unix)]
    pub(crate) fn limited(&self, arguments: &str, kibibytes: u64) -> Run {
        let mut command = Command::new("sh");
        let binary = env!("CARGO_BIN_EXE_impinge");
        let script = format!("ulimit -v {kibibytes}; exec '{binary}' {arguments}");
        command.current_dir(self.folder.path()).args(["-c", &script]).stdin(Stdio::null());
        Run::of(command.output().expect("sh starts"))
    }

    /// The command, with all standard streams piped.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_impinge"));
        command.current_dir(self.folder.path()).args(arguments.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let status = output.status.code().expect("no signal");
        Self { status, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Fails unless the status is `status` and nothing went to standard error.
    pub(crate) fn answered(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.err, "", "{self:?}");
        self
    }

    /// Fails unless the run printed a one-line error with all of `words` and no answer.
    pub(crate) fn refused(self, words: &[&str]) -> Self {
        assert_eq!(self.status, 2, "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "\"{word}\" is missing in {self:?}");
        }
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }

    /// The lines of standard output as JSON.
    pub(crate) fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

const QUADS: &str = "\
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
