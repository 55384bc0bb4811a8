//! C++ libraries: finds them and compiles the shims in `benches/peers/shim` against them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::repository::root;

/// A library with a shim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Library {
    /// Its name in options and for pkg-config.
    pub(super) word: &'static str,
    /// How to install it.
    pub(super) get: &'static str,
    /// Further pkg-config folders, relative to the root.
    places: &'static [&'static str],
}

/// All libraries with shims.
pub(super) const LIBRARIES: [Library; 2] = [
    Library { word: "fcl", get: "apt-get install g++ pkg-config libfcl-dev", places: &[] },
    Library {
        word: "coal",
        get: "python3 -m pip install --target out/peers/coal libcoal cmeel-eigen",
        places: &[
            "out/peers/coal/cmeel.prefix/lib/pkgconfig",
            "out/peers/coal/cmeel.prefix/share/pkgconfig",
        ],
    },
];

/// The libraries are compiled for the generic processor, with Eigen's vectors aligned to 16 bytes;
/// the shim must use the same layout of their types.
const FLAGS: &[&str] = &[
    "-std=c++17",
    "-O3",
    "-march=native",
    "-DNDEBUG",
    "-DEIGEN_MAX_ALIGN_BYTES=16",
    "-shared",
    "-fPIC",
];

impl Library {
    /// Compiles the shim and returns its path.
    ///
    /// # Errors
    /// States what is missing and how to install it.
    pub(super) fn shim(&self) -> Result<PathBuf, String> {
        let flags = self.pkg_config(&["--cflags", "--libs"])?;
        let folder = self.pkg_config(&["--variable=libdir"])?;
        let out = root().join("out/peers");
        std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        let file = out.join(format!("{}.so", self.word));
        let source = root().join("benches/peers/shim").join(format!("{}.cpp", self.word));
        let compiler = env::var_os("CXX").unwrap_or_else(|| "c++".into());
        let mut command = Command::new(&compiler);
        command.arg(source).args(flags.split_whitespace()).args(FLAGS);
        command.arg(format!("-Wl,-rpath,{}", folder.trim())).arg("-o").arg(&file);
        let status = command.status().map_err(|error| {
            let name = Path::new(&compiler).display();
            format!("cannot start the C++ compiler {name} ({error}); get it by: {}", self.get)
        })?;
        if status.success() { Ok(file) } else { Err("its shim does not compile".to_owned()) }
    }

    fn pkg_config(&self, what: &[&str]) -> Result<String, String> {
        let mut command = Command::new("pkg-config");
        command.args(what).arg(self.word).stderr(Stdio::null());
        command.env("PKG_CONFIG_PATH", self.search_path());
        let output = command.output();
        let output =
            output.map_err(|error| format!("no pkg-config ({error}); get it by: {}", self.get))?;
        if !output.status.success() {
            return Err(format!("pkg-config does not know it; get it by: {}", self.get));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The search path of pkg-config: the user's folders first.
    fn search_path(&self) -> OsString {
        let mine = env::var_os("PKG_CONFIG_PATH").unwrap_or_default();
        let mine = env::split_paths(&mine).filter(|path| !path.as_os_str().is_empty());
        let ours = self.places.iter().map(|place| root().join(place));
        env::join_paths(mine.chain(ours)).unwrap_or_default()
    }
}
