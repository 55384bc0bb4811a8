//! Every class of cases is balanced, every case can be printed and read back, and every trap is of
//! the kind it is named for.

use impinge_geometry::{Topology, Triangle};
use impinge_testkit::cases::{self, Class, meshes};
use impinge_testkit::oracle::{self, Verdict};

const CASES: usize = 3000;
const WINDOW: usize = 1000;

/// In any 1,000 consecutive cases, 30 to 70 % hit.
#[test]
fn every_class_is_balanced() {
    let mut lopsided = Vec::new();
    for class in Class::ALL {
        let hits: Vec<bool> = (0..CASES as u64)
            .map(|index| {
                let (a, b) = cases::generate(class, index);
                oracle::triangles_meet(&a, &b)
            })
            .collect();
        let shares: Vec<usize> =
            hits.windows(WINDOW).map(|w| w.iter().filter(|h| **h).count()).collect();
        let (low, high) = (shares.iter().min().unwrap(), shares.iter().max().unwrap());
        println!("{:15} {low:4} to {high:4} of {WINDOW} hit", class.word());
        if *low < 300 || *high > 700 {
            lopsided.push(class);
        }
    }
    assert!(lopsided.is_empty(), "{lopsided:?}");
}

#[test]
fn words_and_streams_differ() {
    for (i, class) in Class::ALL.into_iter().enumerate() {
        assert!(Class::ALL[..i].iter().all(|c| c.word() != class.word()));
        assert_ne!(cases::generate(class, 0), cases::generate(class, 1));
        assert_eq!(cases::generate(class, 7), cases::generate(class, 7));
    }
    let adversarial = Class::ALL.iter().filter(|c| c.is_adversarial()).count();
    assert!(2 * adversarial >= Class::ALL.len());
}

/// Reads back the numbers of printed source code.
fn read_back(source: &str) -> Vec<f64> {
    source
        .split("Point::new(")
        .skip(1)
        .flat_map(|part| part.split(')').next().unwrap_or("").split(", "))
        .map(|number| number.parse().expect("a literal"))
        .collect()
}

#[test]
fn source_keeps_every_bit() {
    for class in Class::ALL {
        for index in 0..50 {
            let (a, b) = cases::generate(class, index);
            let source = cases::as_source(&a, &b);
            let numbers = |t: &Triangle| t.iter().flat_map(|p| [p.x, p.y, p.z]).collect::<Vec<_>>();
            let bits = |n: Vec<f64>| n.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(read_back(&source)), bits([numbers(&a), numbers(&b)].concat()));
            let says_hit = source.contains("assert!(triangles_meet");
            assert_eq!(says_hit, oracle::triangles_meet(&a, &b));
        }
    }
}

#[test]
fn traps_are_what_they_say() {
    let traps = meshes::traps();
    for trap in &traps {
        let name = trap.name;
        let same_name = traps.iter().filter(|t| t.name == name).count();
        assert_eq!(same_name, 1, "{name}");
        let closed = |m| Topology::new(m).closed().is_ok();
        assert_eq!(trap.solids_ok, closed(&trap.a) && closed(&trap.b), "{name}");
        let posed = trap.b.posed(&trap.pose).expect(name);
        let verdict = if trap.solids_ok {
            oracle::solids(&trap.a, &posed)
        } else if oracle::contacts(&trap.a, &posed).is_empty() {
            Verdict::Separated
        } else {
            Verdict::Intersecting
        };
        println!("{:12} {name}", verdict.word());
        if let Some(expected) = trap.expected {
            assert_eq!(verdict, expected, "{name}");
        }
        let apart = oracle::mesh_distance(&trap.a, &posed);
        assert_eq!(apart == 0.0, verdict == Verdict::Intersecting, "{name}: distance {apart:e}");
    }
    let obvious = traps.iter().filter(|t| t.expected.is_some()).count();
    assert!(traps.len() >= 50 && 10 * obvious >= 8 * traps.len());
}
