//! Answers and options come back from JSON as they were.

use std::fmt::Debug;

use impinge_continuous::penetration::{
    Penetration, PenetrationBody, PenetrationOptions, penetration,
};
use impinge_continuous::rigid::{Course, RigidMotion, Sweep, SweepOptions, Swept, sweep};
use impinge_continuous::translation::{TranslationBody, Translations, Way};
use impinge_continuous::{BothEnds, Moving};
use impinge_geometry::{Point, Pose, Vector};
use impinge_models::Shape;
use impinge_query::continuous::Continuous;
use impinge_query::{Control, Detector, Meaning};
use impinge_wide::wide;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Writes and reads a value; returns what is written.
fn kept<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Value {
    let text = serde_json::to_string(value).expect("plain data");
    assert_eq!(&serde_json::from_str::<T>(&text).expect("the same"), value, "{text}");
    serde_json::from_str(&text).expect("JSON")
}

fn at(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("in range")
}

#[test]
fn sweeps_and_their_options_come_back() {
    let cube = Shape::Cube.mesh(12, 0);
    let detector = wide();
    let model = Detector::prepare(&detector, &cube, &Control::NONE).expect("prepared");
    let ask = |end: f64, options: &SweepOptions| {
        let motion = RigidMotion::new(&at(3.0), &at(end)).expect("in range");
        sweep(&detector, [&model, &model], &motion, options, &Control::NONE).expect("an answer")
    };
    let options = SweepOptions::default();
    let touching: Swept = ask(-3.0, &options);
    let written = kept(&touching);
    assert!(matches!(touching.outcome, Sweep::Touching { .. }), "{written}");
    assert!(written["outcome"].to_string().contains("\"touching\""), "{written}");
    kept(&ask(2.0, &options));
    kept(&ask(-3.0, &SweepOptions { budget: 2, ..options }));
    assert_eq!(kept(&options)["width"], options.width);
    for course in [Course::Screw, Course::About(Point::new(1.0, 0.5, 0.0))] {
        kept(&course);
    }
    assert!(serde_json::from_str::<Sweep>("{\"touching\":{}}").is_err());
}

#[test]
fn ways_out_and_depths_come_back() {
    let (cube, none) = (Shape::Cube.mesh(12, 0), &Control::NONE);
    let body = TranslationBody::new(&cube, none).expect("not cancelled");
    let pair = (&body, at(0.75));
    let translations = Translations::new(pair.0, pair.0, &pair.1);
    let along = Vector::new(1.0, 0.0, 0.0);
    for way in [Way::LastContact, Way::FirstFree] {
        kept(&way);
        let exit = translations.exit(way, &along, Meaning::Solids, none).expect("a way out");
        assert_eq!(kept(&exit)["by"], exit.by);
    }
    let last = translations.last_contact(&along, [0.0, 1.0], none).expect("not cancelled");
    kept(&last.expect("they meet"));
    kept(&translations.first_free(&along, none).expect("not cancelled"));
    let options = PenetrationOptions::default();
    kept(&options);
    let body = PenetrationBody::new(&cube, none).expect("not cancelled");
    let depth: Penetration = penetration(&body, &body, &at(0.75), &options, none).expect("a depth");
    assert_eq!(kept(&depth)["upper"], depth.upper);
}

#[test]
fn contacts_in_motion_come_back() {
    let (cube, none) = (Shape::Cube.mesh(12, 0), &Control::NONE);
    let ends: Vec<_> = cube.vertices().iter().map(|p| p + Vector::new(3.0, 0.25, 0.125)).collect();
    let rest: Vec<_> = cube.vertices().to_vec();
    let start = cube.with_vertices(ends).expect("as many");
    let falling = Moving::new(&start, &rest).expect("in range");
    let still = Moving::new(&cube, &rest).expect("in range");
    let first = BothEnds.first_contact(&still, &falling, none).expect("not cancelled");
    kept(&first.expect("they meet"));
    let near = BothEnds.first_within(&still, &falling, 0.5, none).expect("not cancelled");
    kept(&near.expect("they come near"));
}
