//! The page of `impinge clash --html`, used as a reader would: its list is sorted and filtered, and a
//! clash of each class opened by its link, which must show red.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::browser::Browser;
use super::{CONTRAST, MEASURE};
use crate::gate::smoke;
use crate::repository::output_ending;

/// Uses the list from within.
const PROBE: &str = include_str!("clash.js");
/// Sizes of the window, and whether its colours are dark.
const WINDOWS: [((u32, u32), bool); 3] =
    [((1400, 900), false), ((1400, 900), true), ((390, 844), false)];
/// How often the page is looked at.
pub(super) const LOOKS: usize = WINDOWS.len();
/// Fewest pixels of red, and of anything but the background, that show a clash. Unit: pixels.
const FEWEST: usize = 60;
/// A name that is run where it is not escaped.
const EVIL: &str = "</script><img src=x onerror=\"document.title='harmed'\">";

/// Looks at the page, and returns what is wrong.
pub(super) fn look(chromium: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let (page, clashes) = make(folder)?;
    let address = format!("file://{}", page.display());
    let mut browser = Browser::start(chromium, &folder.join("profile-of-clashes"))?;
    let mut faults = Vec::new();
    for (size, dark) in WINDOWS {
        let seen = look_at(&mut browser, &address, &clashes, size, dark)?;
        let how = if dark { "dark" } else { "light" };
        faults.extend(
            seen.into_iter().map(|fault| format!("clashes, {} pixels, {how}: {fault}", size.0)),
        );
    }
    Ok(faults)
}

/// Makes a plant with a part of a dangerous name, and its page; returns also what was printed.
fn make(folder: &Path) -> Result<(PathBuf, Vec<Value>), String> {
    let scene = smoke::plant(&folder.join("plant"))?;
    let at = |error: std::io::Error| format!("{}: {error}", scene.display());
    let mut table = fs::read_to_string(&scene).map_err(at)?;
    let first = table.lines().nth(1).and_then(|line| line.split_once(','));
    let (_, rest) = first.ok_or("the plant has no parts")?;
    let row = format!("\"{}\",{rest}\n", EVIL.replace('"', "\"\""));
    table.push_str(&row);
    fs::write(&scene, table).map_err(at)?;
    let page = folder.join("clashes.html");
    let mut command = smoke::clash(&scene);
    let lines = output_ending(command.arg("--html").arg(&page), 1)?;
    let clashes = lines.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>();
    Ok((page, clashes.map_err(|error| error.to_string())?))
}

fn look_at(
    browser: &mut Browser,
    address: &str,
    clashes: &[Value],
    size: (u32, u32),
    dark: bool,
) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for clash in one_of_each_class(clashes) {
        let (id, class) = (text(clash, "id"), text(clash, "class"));
        browser.open(&format!("{address}#clash={id}"), size, dark)?;
        browser.wait_for(&format!("document.getElementById('canvas').dataset.drawn === '{id}'"))?;
        let says = browser.evaluate("document.getElementById('about').textContent")?;
        let says = says.as_str().unwrap_or_default();
        if ![text(clash, "a"), text(clash, "b"), id].iter().all(|word| says.contains(word)) {
            faults.push(format!("the link of {id} shows {says}"));
        }
        let (red, other) = colours(&browser.picture("canvas")?)?;
        if red < FEWEST || other < FEWEST {
            faults.push(format!("{class}: {red} red pixels, {other} of other colours"));
        }
    }
    let chosen = "document.querySelectorAll('#rows tr[aria-current]').length === 1";
    if browser.evaluate(chosen)? != Value::Bool(true) {
        faults.push("the chosen row is not marked".to_owned());
    }
    let list = serde_json::to_string(clashes).map_err(|error| error.to_string())?;
    let probe = format!("{{ const CLASHES = {list}, CONTRAST = {CONTRAST};\n{MEASURE}\n{PROBE} }}");
    let said = browser.evaluate(&probe)?;
    let said = said.as_array().ok_or("the probe tells nothing")?;
    faults.extend(said.iter().filter_map(Value::as_str).map(str::to_owned));
    let mut complaints = browser.complaints();
    complaints.sort();
    complaints.dedup();
    faults.extend(complaints);
    Ok(faults)
}

fn text<'v>(clash: &'v Value, key: &str) -> &'v str {
    clash[key].as_str().unwrap_or_default()
}

/// The first clash of each class, and that of the dangerous name.
fn one_of_each_class(clashes: &[Value]) -> Vec<&Value> {
    let mut found: Vec<&Value> = Vec::new();
    for clash in clashes {
        if clash["b"] == EVIL || !found.iter().any(|other| other["class"] == clash["class"]) {
            found.push(clash);
        }
    }
    found
}

/// How many pixels of a picture are red as contacts are, and how many differ from their neighbours
/// otherwise.
fn colours(bytes: &[u8]) -> Result<(usize, usize), String> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .map_err(|error| error.to_string())?;
    let size = reader.output_buffer_size().ok_or("the picture is too large")?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(|error| error.to_string())?;
    let samples = frame.color_type.samples();
    let pixels: Vec<&[u8]> = pixels[..frame.buffer_size()].chunks_exact(samples).collect();
    let is_red = |pixel: &&&[u8]| pixel[0] > 150 && pixel[1] < 70 && pixel[2] < 70;
    let red = pixels.iter().filter(is_red).count();
    let edges = pixels.windows(2).filter(|pair| pair[0] != pair[1]).count();
    Ok((red, edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(colour: [u8; 3]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 20, 20);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().expect("a header");
        let pixels: Vec<u8> =
            (0..400).flat_map(|at| if at % 4 == 0 { colour } else { [240, 240, 240] }).collect();
        writer.write_image_data(&pixels).expect("the pixels");
        writer.finish().expect("the end");
        bytes
    }

    #[test]
    fn red_is_told_from_other_colours() {
        assert_eq!(colours(&picture([219, 26, 31])), Ok((100, 199)));
        assert_eq!(colours(&picture([230, 194, 128])), Ok((0, 199)));
        assert_eq!(colours(&picture([240, 240, 240])), Ok((0, 0)));
        assert!(colours(b"no picture").is_err());
    }
}
