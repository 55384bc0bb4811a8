//! Loads the report and the claims page, made of the tests' samples, and a page of clashes in a
//! headless Chromium: wide and narrow, light and dark. Where none is installed, the summary says
//! that nobody looked.

mod browser;
mod clash;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::repository::{root, target_folder};
use crate::{bench, claims};

/// Widths of the page, in pixels.
const WIDTHS: [u32; 2] = [1400, 390];
/// Least contrast of text, as WCAG 2 wants it for text of normal size.
const CONTRAST: f64 = 4.5;
/// What probes of all pages use.
const MEASURE: &str = include_str!("measure.js");
/// Measures a page from within.
const PROBE: &str = include_str!("probe.js");

/// What the probe tells about a page.
#[derive(Clone, Debug, Deserialize)]
struct Look {
    page: String,
    width: u32,
    dark: bool,
    /// Pixels by which the document is wider than the window.
    surplus: i64,
    /// The least contrast of a text, and the text.
    contrast: f64,
    palest: String,
    /// Tables that can be sorted, and how many of them a click does not sort.
    tables: usize,
    unsorted: usize,
    /// Methods that a matrix or a plot does not name.
    unnamed: Vec<String>,
    /// Curves without a name beside them.
    nameless: usize,
    /// Tabs that do not show their pane.
    deaf: usize,
}

impl Look {
    /// What is wrong with the page.
    fn faults(&self) -> Vec<String> {
        let Self { surplus, contrast, palest, tables, unsorted, nameless, deaf, .. } = self;
        let faults = [
            (*surplus > 0, format!("the document is {surplus} pixels too wide")),
            (*contrast < CONTRAST, format!("\"{palest}\" has a contrast of {contrast:.2} only")),
            (*tables == 0, "no table can be sorted".to_owned()),
            (*unsorted > 0, format!("{unsorted} of {tables} tables are not sorted by a click")),
            (
                !self.unnamed.is_empty(),
                format!("not named everywhere: {}", self.unnamed.join(", ")),
            ),
            (*nameless > 0, format!("{nameless} curves have no name beside them")),
            (*deaf > 0, format!("{deaf} tabs do not show their part")),
        ];
        let page = format!(
            "{}, {} pixels, {}",
            self.page,
            self.width,
            if self.dark { "dark" } else { "light" }
        );
        let found = faults.into_iter().filter(|(wrong, _)| *wrong);
        found.map(|(_, fault)| format!("{page}: {fault}")).collect()
    }
}

/// Loads every page at every width, light and dark.
pub(super) fn run() -> Result<String, String> {
    let Some(chromium) = browser::chromium() else {
        return Ok("NOT RUN: `.ci/chromium` installs a browser to look at pages with".to_owned());
    };
    let folder = target_folder()?.join("pages");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let file = write_pages(&folder)?;
    let mut faults = Vec::new();
    let mut looks = 0;
    for dark in [false, true] {
        for look in looks_at(&chromium, &file, dark)? {
            if look.dark != dark {
                faults
                    .push(format!("{}: the browser's colours are not those asked for", look.page));
            }
            faults.extend(look.faults());
            looks += 1;
        }
    }
    let mut clashes = "clashes not looked at: needs pipes of Unix".to_owned();
    if cfg!(unix) {
        clashes = format!("{} at clashes", clash::LOOKS);
        match clash::look(&chromium, &folder) {
            Ok(said) => faults.extend(said),
            Err(error) => faults.push(format!("clashes: {error}")),
        }
    }
    if faults.is_empty() {
        Ok(format!("{looks} looks, {clashes}, by {}", chromium.display()))
    } else {
        Err(faults.join("; "))
    }
}

/// Writes the pages with the probe, and one page that shows each of them at every width.
fn write_pages(folder: &Path) -> Result<PathBuf, String> {
    let sample = |path: &str| {
        let path = root().join("xtask/src").join(path);
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display())).map(|()| path)
    };
    let (methods, report) = bench::page(&sample("bench/report/sample.jsonl")?)?;
    let claims = claims::page(&sample("claims/sample.jsonl")?)?;
    let everywhere = [".matrix .word", ".panels .name", ".lines .name", ".steady .word"];
    let pages =
        [("report", report, methods, &everywhere[..]), ("claims", claims, Vec::new(), &[][..])];
    let mut frames = Vec::new();
    for (name, page, words, selectors) in pages {
        let told = format!("const NAME = {name:?}, NAMES = {words:?}, SELECTORS = {selectors:?};");
        let probe = format!("<script>{{\n{told}\n{MEASURE}\n{PROBE}}}</script>\n</body>");
        write(&format!("{name}.html"), &page.replace("</body>", &probe))?;
        for width in WIDTHS {
            frames.push(format!(
                "<iframe src=\"{name}.html\" width=\"{width}\" height=\"900\"></iframe>"
            ));
        }
    }
    let frames = frames.concat();
    let frame = format!(
        "<!doctype html><meta charset=\"utf-8\"><style>:root {{ color-scheme: light dark }} \
         iframe {{ border: 0 }}</style><script>addEventListener('message', told => {{ \
         const line = document.createElement('pre'); line.textContent = JSON.stringify(told.data); \
         document.body.append(line); }});</script><body>{frames}</body>"
    );
    write("frames.html", &frame)
}

/// Loads the page of frames and reads what their probes told.
fn looks_at(chromium: &Path, file: &Path, dark: bool) -> Result<Vec<Look>, String> {
    let scheme = if dark { "0" } else { "1" };
    let mut command = Command::new(chromium);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    command.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
    command.arg(format!("--user-data-dir={}", file.with_file_name("profile").display()));
    command.args(["--virtual-time-budget=20000", "--dump-dom"]);
    command.arg(format!("file://{}", file.display())).stderr(Stdio::null());
    let output = command.output().map_err(|e| format!("{}: {e}", chromium.display()))?;
    let dom = String::from_utf8_lossy(&output.stdout);
    let told = dom.split("<pre>").skip(1).filter_map(|rest| rest.split("</pre>").next());
    let told =
        told.map(|line| line.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
    let looks: Result<Vec<Look>, _> = told.map(|line| serde_json::from_str(&line)).collect();
    let looks = looks.map_err(|error| format!("the probe's answer: {error}"))?;
    match looks.len() {
        4 => Ok(looks),
        n => Err(format!("{n} of 4 pages were loaded by {}", chromium.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_page_is_told() {
        let sound = Look {
            page: "report".to_owned(),
            width: 390,
            dark: true,
            surplus: 0,
            contrast: 4.5,
            palest: "soft".to_owned(),
            tables: 3,
            unsorted: 0,
            unnamed: Vec::new(),
            nameless: 0,
            deaf: 0,
        };
        assert!(sound.faults().is_empty());
        let faulty = [
            (Look { surplus: 1, ..sound.clone() }, "1 pixels too wide"),
            (Look { contrast: 4.49, ..sound.clone() }, "\"soft\" has a contrast"),
            (Look { tables: 0, ..sound.clone() }, "no table"),
            (Look { unsorted: 2, ..sound.clone() }, "2 of 3 tables"),
            (Look { unnamed: vec!["wide".to_owned()], ..sound.clone() }, "wide"),
            (Look { nameless: 1, ..sound.clone() }, "1 curves"),
            (Look { deaf: 1, ..sound.clone() }, "1 tabs"),
        ];
        for (look, part) in faulty {
            let faults = look.faults();
            assert!(faults.len() == 1 && faults[0].contains(part), "{faults:?}");
            assert!(faults[0].starts_with("report, 390 pixels, dark: "), "{faults:?}");
        }
    }
}
