//! `impinge clash --bcf`: the zip file, its XML files, its cameras, its GUIDs, its pictures.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use impinge::{Mesh, Pose, Vector};
use impinge_models::Shape;
use quick_xml::Reader;
use quick_xml::events::Event;
use uuid::Uuid;
use zip::ZipArchive;

use crate::harness::Place;

const EVIL: &str = "a < b & \"c\" ]]> \u{1}";
/// As IFC writes 128 bits.
const GUID: &str = "2O2Fr$t4X7Zf8NOew3FNr2";

fn place() -> Place {
    let place = Place::new();
    let evil = format!("\"{}\",cube.obj,1,2,3,0,0,0,1\n", EVIL.replace('"', "\"\""));
    let rows = [
        format!("{GUID},cube.obj,2,2,3,0,0,0,1\n"),
        evil,
        "within,small.off,2,2,3,0,0,0,1\n".to_owned(),
        "near,cube.obj,2,2,1.875,0,0,0,1\n".to_owned(),
    ];
    let table = |rows: &[String]| format!("name,file,tx,ty,tz,qx,qy,qz,qw\n{}", rows.concat());
    place.write("scene.csv", table(&rows));
    let mut rows = rows;
    rows.reverse();
    place.write("reversed.csv", table(&rows));
    place
}

const ASKED: &str = "--solids --clearance 0.125 --date 2026-05-01T12:00:00.5Z";

/// The files of the zip file that a run writes, by name, in order; pictures without content.
fn files(place: &Place, arguments: &str) -> Vec<(String, String)> {
    place.run(&format!("clash {arguments} {ASKED} --bcf clashes.bcf")).answered(1);
    let bytes = std::fs::read(place.path("clashes.bcf")).expect("a file");
    let zip = ZipArchive::new(Cursor::new(bytes)).expect("a zip file");
    let file = |number| {
        let mut zip = zip.clone();
        let mut file = zip.by_index(number).expect("a file of it");
        let (name, mut text) = (file.name().expect("UTF-8").into_owned(), String::new());
        if !name.ends_with("snapshot.png") {
            file.read_to_string(&mut text).expect("UTF-8");
        }
        (name, text)
    };
    (0..zip.len()).map(file).collect()
}

/// The texts and attributes of a file, by path: `Markup/Topic/Title`, `Markup/Topic@Guid`.
fn values(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut reader = Reader::from_str(text);
    let (mut path, mut values) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    let mut content = String::new();
    loop {
        let event = reader.read_event().expect("XML");
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            path.push(tag.name().as_ref().to_owned());
            for attribute in tag.attributes() {
                let attribute = attribute.expect("an attribute");
                let key = format!("{}@{}", path.join("/"), attribute.key.as_ref());
                values.entry(key).or_default().push(attribute.value.into_owned());
            }
            content.clear();
        }
        match event {
            Event::Text(text) => content += &text,
            Event::GeneralRef(name) => {
                content.push(match &*name {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    "apos" => '\'',
                    other => panic!("&{other};"),
                });
            }
            Event::Empty(_) => {
                path.pop();
            }
            Event::End(_) => {
                if !content.trim().is_empty() {
                    values.entry(path.join("/")).or_default().push(std::mem::take(&mut content));
                }
                path.pop();
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(path.is_empty());
    values
}

fn numbers(values: &BTreeMap<String, Vec<String>>, name: &str) -> [f64; 3] {
    ["X", "Y", "Z"].map(|axis| {
        let value = &values[&format!("VisualizationInfo/PerspectiveCamera/{name}/{axis}")];
        assert_eq!(value.len(), 1);
        value[0].parse().expect("a number")
    })
}

/// The elements that the published schemas of BCF 2.1 allow in an element, in their order: `!` once, `?` at most
/// once, `*` any number, `+` at least one. `@`: an attribute that it must have.
const SCHEMA: [(&str, &str); 15] = [
    ("Version", "@VersionId DetailedVersion!"),
    ("Markup", "Header? Topic! Comment* Viewpoints*"),
    (
        "Topic",
        "@Guid ReferenceLink* Title! Priority? Index? Labels* CreationDate! CreationAuthor! \
         ModifiedDate? ModifiedAuthor? DueDate? AssignedTo? Stage? Description? BimSnippet? \
         DocumentReference* RelatedTopic*",
    ),
    ("Viewpoints", "@Guid Viewpoint? Snapshot? Index?"),
    (
        "VisualizationInfo",
        "@Guid Components? OrthogonalCamera? PerspectiveCamera? Lines? ClippingPlanes? Bitmap*",
    ),
    ("Components", "ViewSetupHints? Selection? Visibility! Coloring?"),
    ("Selection", "Component+"),
    ("Visibility", "Exceptions?"),
    ("Coloring", "Color*"),
    ("Color", "@Color Component+"),
    ("Component", "OriginatingSystem? AuthoringToolId?"),
    ("PerspectiveCamera", "CameraViewPoint! CameraDirection! CameraUpVector! FieldOfView!"),
    ("CameraViewPoint", "X! Y! Z!"),
    ("CameraDirection", "X! Y! Z!"),
    ("CameraUpVector", "X! Y! Z!"),
];

/// An element that is open: what it may have, and its children so far.
struct Open {
    name: String,
    allowed: Vec<&'static str>,
    children: Vec<String>,
}

impl Open {
    /// The element, or the attribute that it lacks.
    fn new(name: String, attributes: &[String]) -> Result<Self, String> {
        let words = SCHEMA.iter().find(|(of, _)| *of == name).map_or("", |(_, words)| *words);
        let (needed, allowed): (Vec<&str>, Vec<&str>) =
            words.split_whitespace().partition(|word| word.starts_with('@'));
        match needed.into_iter().find(|word| !attributes.iter().any(|has| *has == word[1..])) {
            Some(missing) => Err(format!("{missing} missing in {name}")),
            None => Ok(Self { name, allowed, children: Vec::new() }),
        }
    }

    /// The place of a child among those allowed, and how often it may stand there.
    fn place(&self, child: &str) -> Option<(usize, char)> {
        let fits = |word: &&str| word.strip_prefix(child).is_some_and(|count| count.len() == 1);
        let place = self.allowed.iter().position(fits)?;
        self.allowed[place].chars().last().map(|count| (place, count))
    }

    /// What is wrong with another child.
    fn add(&mut self, child: &str) -> Result<(), String> {
        let last = self.children.last().and_then(|last| self.place(last));
        let found =
            self.place(child).filter(|(place, _)| last.is_none_or(|(last, _)| *place >= last));
        let Some((_, count)) = found else { return Err(format!("{child} in {}", self.name)) };
        if matches!(count, '!' | '?') && self.children.iter().any(|other| other == child) {
            return Err(format!("{child} again in {}", self.name));
        }
        self.children.push(child.to_owned());
        Ok(())
    }

    /// Which child is missing at the end.
    fn end(self) -> Result<(), String> {
        for word in self.allowed {
            let (child, count) = word.split_at(word.len() - 1);
            if matches!(count, "!" | "+") && !self.children.iter().any(|other| other == child) {
                return Err(format!("{child} missing in {}", self.name));
            }
        }
        Ok(())
    }
}

/// The first thing that the schema does not allow.
fn checked(text: &str) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Open> = Vec::new();
    loop {
        let event = reader.read_event().expect("XML");
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            let name = tag.name().as_ref().to_owned();
            if let Some(parent) = open.last_mut() {
                parent.add(&name)?;
            }
            let attributes: Vec<String> = tag
                .attributes()
                .map(|a| a.expect("an attribute").key.as_ref().to_owned())
                .collect();
            open.push(Open::new(name, &attributes)?);
        }
        match event {
            Event::End(_) | Event::Empty(_) => open.pop().map_or(Ok(()), Open::end)?,
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

#[test]
fn files_are_as_the_schema_has_them() {
    let place = place();
    for asked in ["scene.csv", "scene.csv --bcf-snapshots", "scene.csv --up y --unit 0.001"] {
        for (name, text) in files(&place, asked) {
            assert_eq!(checked(&text), Ok(()), "{name}: {text}");
        }
    }
    let topic = |inside: &str| checked(&format!("<Topic Guid=\"\">{inside}</Topic>"));
    for (inside, fault) in [
        ("<Index>1</Index><Title>t</Title>", "Title in Topic"),
        ("<Nothing/>", "Nothing in Topic"),
        ("<Title>t</Title><Title>u</Title>", "Title again in Topic"),
        ("<Title>t</Title><CreationAuthor>a</CreationAuthor>", "CreationDate missing in Topic"),
    ] {
        assert_eq!(topic(inside), Err(fault.to_owned()), "the fault");
    }
    assert_eq!(checked("<Topic/>"), Err("@Guid missing in Topic".to_owned()), "the fault");
    assert_eq!(
        checked("<Selection/>"),
        Err("Component missing in Selection".to_owned()),
        "the fault"
    );
}

#[test]
fn every_clash_is_an_issue() {
    let place = place();
    let files = files(&place, "scene.csv");
    assert_eq!(files[0].0, "bcf.version");
    assert_eq!(values(&files[0].1)["Version@VersionId"], ["2.1"]);
    let lines =
        place.run(&format!("clash scene.csv {ASKED} --bcf x.bcf --json")).answered(1).json();
    assert_eq!(files.len(), 1 + 2 * lines.len());
    assert!(lines.len() >= 4, "{}", lines.len());
    for (number, (line, issue)) in lines.iter().zip(files[1..].chunks(2)).enumerate() {
        let [(markup, words), (viewpoint, view)] = issue else { panic!("{issue:?}") };
        let folder = markup.strip_suffix("/markup.bcf").expect("the first file");
        let guid: Uuid = folder.parse().expect("a GUID");
        assert_eq!(guid.get_version_num(), 5);
        assert_eq!(*viewpoint, format!("{folder}/viewpoint.bcfv"));
        let (words, view) = (values(words), values(view));
        assert_eq!(words["Markup/Topic@Guid"], [folder]);
        assert_eq!(words["Markup/Viewpoints@Guid"], view["VisualizationInfo@Guid"]);
        assert_ne!(words["Markup/Viewpoints@Guid"], [folder]);
        assert_eq!(words["Markup/Viewpoints/Viewpoint"], ["viewpoint.bcfv"]);
        assert_eq!(words["Markup/Topic/Index"], [(number + 1).to_string()]);
        assert_eq!(words["Markup/Topic/CreationDate"], ["2026-05-01T12:00:00Z"]);
        let of = |key: &str| line[key].as_str().expect("a text").replace('\u{1}', "\u{fffd}");
        let (a, b, class) = (of("a"), of("b"), of("class"));
        assert_eq!(words["Markup/Topic/Title"], [format!("{class}: {a} / {b}")]);
        assert_eq!(words["Markup/Topic/Labels"], [class]);
        let selected = "VisualizationInfo/Components/Selection/Component";
        let mut names: Vec<String> =
            [format!("{selected}@IfcGuid"), format!("{selected}/AuthoringToolId")]
                .iter()
                .filter_map(|key| view.get(key))
                .flatten()
                .cloned()
                .collect();
        let mut wanted = vec![a, b];
        wanted.sort();
        names.sort();
        assert_eq!(names, wanted);
        let of_guid = wanted.iter().any(|name| name == GUID);
        assert_eq!(view.contains_key(&format!("{selected}@IfcGuid")), of_guid);
        assert_eq!(view["VisualizationInfo/Components/Visibility@DefaultVisibility"], ["true"]);
    }
    let all: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert!(files.iter().any(|(_, text)| text.contains("a &lt; b &amp; ")), "{all:?}");
}

/// Each class has its own words; those of one that is not decided say so.
#[test]
fn issues_say_what_was_found() {
    let place = place();
    // Two cubes with a common edge, as one mesh: four triangles share it.
    let cube = Shape::Cube.mesh(12, 0);
    let beside = Pose::translation_by(Vector::new(1.0, 1.0, 0.0)).expect("near");
    let twice = Mesh::union([&cube, &cube.posed(&beside).expect("near")]).expect("in range");
    place.write_mesh("twice.obj", &twice.welded());
    let rows = "twice,twice.obj,1,2,3,0,0,0,1\nbeside,cube.obj,2,2,3,0,0,0,1\n\
        flush,cube.obj,0,2,3,0,0,0,1\nwithin,small.off,0,2,3,0,0,0,1\nover,cube.obj,-0.5,2.25,3.25,0,0,0,1\n\
        again,cube.obj,0,2,3,0,0,0,1\nnear,cube.obj,0,2,1.875,0,0,0,1\n";
    place.write("classes.csv", format!("name,file,tx,ty,tz,qx,qy,qz,qw\n{rows}"));
    let said: Vec<String> = files(&place, "classes.csv")
        .iter()
        .filter(|(name, _)| name.ends_with("markup.bcf"))
        .map(|(_, text)| values(text)["Markup/Topic/Description"][0].clone())
        .collect();
    let has = |words: &str| said.iter().any(|text| text.lines().next() == Some(words));
    for words in [
        "twice and flush share points, and whether they only touch is not certain",
        "flush and over go into each other",
        "within is inside flush",
        "flush and again are the same in the same place",
        "flush and near are 0.125 apart",
    ] {
        assert!(has(words), "{words}: {said:#?}");
    }
    assert!(!has("twice and flush go into each other"), "{said:#?}");
}

#[test]
fn the_camera_sees_the_clash() {
    let place = place();
    let lines =
        place.run(&format!("clash scene.csv {ASKED} --bcf x.bcf --json")).answered(1).json();
    // Axes of the issue as axes of the scene, with signs.
    let (same, turned) = ([(0, 1.0), (1, 1.0), (2, 1.0)], [(0, 1.0), (2, -1.0), (1, 1.0)]);
    let cases = [("", same, 1.0), ("--unit 0.001", same, 0.001), ("--up y", turned, 1.0)];
    for (arguments, axes, unit) in cases {
        let files = files(&place, &format!("scene.csv {arguments}"));
        let mut seen = 0;
        for (line, issue) in lines.iter().zip(files[1..].chunks(2)) {
            let view = values(&issue[1].1);
            let (at, to) = (numbers(&view, "CameraViewPoint"), numbers(&view, "CameraDirection"));
            let up = numbers(&view, "CameraUpVector");
            let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            assert!((dot(to, to) - 1.0).abs() < 1e-12 && (dot(up, up) - 1.0).abs() < 1e-12);
            assert!(dot(to, up).abs() < 1e-12 && up[2] > 0.0);
            let field = &view["VisualizationInfo/PerspectiveCamera/FieldOfView"];
            assert_eq!(*field, ["60"]);
            let Some(extent) = line.get("extent") else { continue };
            let corner = |high: usize, axis: usize| extent[high][axis].as_f64().expect("a number");
            let middle =
                axes.map(|(axis, sign)| sign * (corner(0, axis) + corner(1, axis)) / 2.0 * unit);
            let ray: [f64; 3] = std::array::from_fn(|k| middle[k] - at[k]);
            let length = dot(ray, ray).sqrt();
            // The parts are about 1 long.
            assert!((0.5 * unit..9.0 * unit).contains(&length), "{length}");
            assert!(dot(ray, to) > (1.0 - 1e-9) * length, "{arguments}: {ray:?} {to:?}");
            seen += 1;
        }
        assert!(seen > 2);
    }
}

#[test]
fn issues_are_the_same_in_every_run_and_order() {
    let place = place();
    let bytes = |arguments: &str| {
        place.run(&format!("clash {arguments} {ASKED} --bcf clashes.bcf")).answered(1);
        std::fs::read(place.path("clashes.bcf")).expect("a file")
    };
    assert!(bytes("scene.csv") == bytes("scene.csv"));
    let guids = |arguments: &str| {
        let mut names: Vec<String> =
            files(&place, arguments).into_iter().map(|(name, _)| name).collect();
        names.sort();
        names
    };
    assert_eq!(guids("scene.csv"), guids("reversed.csv"));
    // Without a date: that of the run.
    place.run("clash scene.csv --bcf now.bcfzip").answered(1);
    assert!(std::fs::read(place.path("now.bcfzip")).is_ok_and(|bytes| bytes.starts_with(b"PK")));
}

/// Red, blue and sand: what is in contact, the first part, the second.
fn seen(png: &[u8]) -> [usize; 3] {
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
    let frame = reader.next_frame(&mut bytes).expect("a picture");
    assert_eq!((frame.width, frame.height), (480, 360));
    let count = |is: fn(&[u8]) -> bool| bytes.chunks_exact(4).filter(|p| is(p)).count();
    [
        count(|p| p[0] > 120 && p[1] < 90 && p[2] < 90),
        count(|p| p[2] > p[0].saturating_add(12)),
        count(|p| p[0] > p[2].saturating_add(40) && p[1] > 90),
    ]
}

#[test]
fn issues_have_pictures_on_request() {
    let place = place();
    let lines = place
        .run(&format!("clash scene.csv {ASKED} --bcf x.bcf --bcf-snapshots --json"))
        .answered(1)
        .json();
    let bytes = std::fs::read(place.path("x.bcf")).expect("a file");
    let mut zip = ZipArchive::new(Cursor::new(bytes)).expect("a zip file");
    assert_eq!(zip.len(), 1 + 3 * lines.len());
    let mut classes = std::collections::BTreeSet::new();
    for (number, line) in lines.iter().enumerate() {
        let mut get = |place: usize| {
            let mut file = zip.by_index(1 + 3 * number + place).expect("a file of it");
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).expect("whole");
            (file.name().expect("UTF-8").into_owned(), bytes)
        };
        let words = values(&String::from_utf8(get(0).1).expect("UTF-8"));
        assert_eq!(words["Markup/Viewpoints/Snapshot"], ["snapshot.png"]);
        let (name, png) = get(2);
        assert!(name.ends_with("/snapshot.png"), "{name}");
        let [red, first, second] = seen(&png);
        let class = line["class"].as_str().expect("a text");
        // Of duplicates all triangles are in contact.
        let (is_red, is_bare) = (class != "too-near", class == "duplicate");
        assert_eq!(red > 300, is_red, "{line}: {red} red");
        assert!(is_bare || first + second > 300, "{line}: {first} {second}");
        classes.insert(class.to_owned());
    }
    assert!(classes.contains("too-near") && classes.contains("inside"), "{classes:?}");
}

#[test]
fn options_of_issues_are_checked() {
    let place = place();
    place.run("clash scene.csv --bcf x.zip").refused(&["the name must end in .bcf or .bcfzip"]);
    place.run("clash scene.csv --bcf x.bcf --unit 0").refused(&["a unit must be finite"]);
    place.run("clash scene.csv --unit 2").refused(&["--bcf"]);
    place.run("clash scene.csv --bcf-snapshots").refused(&["--bcf"]);
    place.run("clash scene.csv --bcf x.bcf --date yesterday").refused(&["--date"]);
    place.run("clash scene.csv --bcf none/x.bcf").refused(&["none/x.bcf"]);
}
