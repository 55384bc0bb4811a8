//! `impinge make plant`, and `impinge clash` of it by all methods.

use impinge::{Kind, Method};
use serde_json::Value;

use crate::harness::Place;

/// The rows `a,b,class` of what was printed.
fn rows(lines: &[Value]) -> Vec<String> {
    let of = |line: &Value, key: &str| line[key].as_str().expect("a text").to_owned();
    lines.iter().map(|line| ["a", "b", "class"].map(|key| of(line, key)).join(",")).collect()
}

fn known(place: &Place) -> Vec<String> {
    let text = std::fs::read_to_string(place.path("plant/clashes.csv")).expect("the known list");
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn the_clashes_of_a_plant_are_the_known_ones() {
    let place = Place::new();
    let made = place.run("make plant --parts 40 --flush 0.5 --seed 3 -o plant").answered(0);
    let wanted = known(&place);
    let said = format!("wrote plant/scene.csv: plant, 40 parts, {} clashes\n", wanted.len());
    assert_eq!(
        made.out,
        said.replace(
            "plant/scene.csv",
            &["plant", "scene.csv"].join(std::path::MAIN_SEPARATOR_STR)
        )
    );
    let asked = "clash plant/scene.csv --json --solids --clearance 0.03125";
    assert_eq!(rows(&place.run(asked).answered(1).json()), wanted);
    assert!(wanted.len() > 10);
    let without = place.run("clash plant/scene.csv --json").answered(1).json();
    let met = wanted.iter().filter(|row| !row.ends_with(",inside") && !row.ends_with(",too-near"));
    assert_eq!(rows(&without), met.cloned().collect::<Vec<_>>());
}

/// As large as the plants that people have: thousands of parts, instances of some hundred meshes.
#[test]
fn the_clashes_of_a_whole_plant_are_the_known_ones() {
    let place = Place::new();
    place.run("make plant --parts 3000 --flush 0.1 -o plant").answered(0);
    let wanted = known(&place);
    let asked = "clash plant/scene.csv --json --solids --clearance 0.03125 --only-class";
    let found = rows(&place.run(asked).answered(1).json());
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found, wanted);
    }
    for class in ["touches", "pierces", "inside", "duplicate", "too-near"] {
        let count = wanted.iter().filter(|row| row.ends_with(&format!(",{class}"))).count();
        assert!(count > 20, "{class}: {count}");
    }
}

#[test]
fn options_belong_to_plants_or_to_shapes() {
    let place = Place::new();
    place.run("make plant -o plant --triangles 9").refused(&["--triangles: ", "fixed sizes"]);
    place.run("make cube -o cube.stl --parts 9").refused(&["--parts: only a plant has parts"]);
    place.run("make cube -o cube.stl --flush 0.5").refused(&["--flush: only a plant has parts"]);
    place.run("make plant -o plant --flush 2").refused(&["a share must be from 0 to 1"]);
    place.run("make plant -o plant --parts 0").refused(&["--parts"]);
    place.run("make plank -o plank.stl").refused(&["plant"]);
}

/// Every method gives the clashes that the default gives, or says what it does not answer.
#[test]
fn every_exact_method_gives_the_same_clashes() {
    let place = Place::new();
    let table = "name,file,tx,ty,tz,qx,qy,qz,qw\n\
        base,cube.obj,0,0,0,0,0,0,1\n\
        beside,cube.obj,1,0,0,0,0,0,1\n\
        through,torus.ply,0,0.75,0.25,0,0,0,1\n\
        within,small.off,0,0,0,0,0,0,1\n\
        again,cube.obj,0,0,0,0,0,0,1\n\
        near,cube.obj,-1.125,0,0,0,0,0,1\n";
    place.write("scene.csv", table);
    for asked in ["", "--clearance 0.125", "--solids"] {
        let asked = format!("clash scene.csv --json {asked}");
        let lines = place.run(&asked).answered(1).json();
        let facts = |lines: &[Value]| -> Vec<String> {
            let of = |line: &Value| format!("{} {}", line["contacts_found"], line["distance"]);
            rows(lines).into_iter().zip(lines.iter().map(of)).map(|(a, b)| a + " " + &b).collect()
        };
        let wanted = facts(&lines);
        assert!(wanted.len() >= 4, "{wanted:?}");
        let mut answered = 0;
        for method in Method::all() {
            let run = place.run(&format!("{asked} --method {method}"));
            let refusal = format!("impinge: --method: {method} does not answer the question");
            if run.err.starts_with(&refusal) {
                assert_eq!(run.status, 2, "{method}: {run:?}");
                continue;
            }
            // Convex bodies only: the torus is named, and left out.
            if *method == Method::Gjk {
                let said = run.err.starts_with("impinge: through: gjk cannot prepare this mesh: ");
                assert!(said && run.status == 2, "{run:?}");
                let found = facts(&run.json()[1..]);
                let others = wanted.iter().filter(|fact| !fact.contains("through,"));
                let others = others.filter(|fact| !fact.contains(",through"));
                assert!(!found.is_empty() && found.iter().eq(others), "{found:?}");
                continue;
            }
            if method.kind() == Kind::Exact {
                assert_eq!(facts(&run.answered(1).json()), wanted, "{method}");
                answered += 1;
            }
        }
        assert!(answered >= 5, "{asked}: {answered}");
    }
    for method in ["parry", "parry-pairs"] {
        place.run(&format!("clash scene.csv --method {method}")).refused(&["--method", method]);
    }
    place.run("clash scene.csv --method wade").refused(&["unknown method \"wade\""]);
}
