//! Shared by the targets of the fast engine: a scene of more than one node, and a judge.

use impinge::query::{Control, Engine};
use impinge::wide::{Quality, Wide, WideModel, WideParams, Width, wide_with};
use impinge::{Answer, Ask, Mesh, Pose, Vector};
use impinge_testkit::{battery::soup, oracle};

/// Decodes two meshes and a pose. The first mesh is repeated with offsets, up to 64 triangles.
pub fn scene(bytes: &[u8], copies: u8, step: u8) -> Option<(Mesh, Mesh, Pose)> {
    let (a, b, pose) = soup::decode(bytes)?;
    let mut parts = Vec::new();
    for k in 0..=copies % 8 {
        let way = Vector::new(1.0, 0.5, -0.25) * (f64::from(k) * f64::from(step) / 16.0);
        parts.push(a.posed(&Pose::translation_by(way).ok()?).ok()?);
    }
    Some((Mesh::union(&parts).ok()?, b, pose))
}

/// An engine for each instruction set of this machine.
pub fn engines(morton: bool) -> impl Iterator<Item = Wide> {
    let quality = if morton { Quality::Morton } else { Quality::SurfaceArea };
    let here = Width::ALL.into_iter().filter(|width| width.is_present());
    here.map(move |width| wide_with(WideParams { width: Some(width), quality }))
}

/// Asks for all contacts and for the first, and compares both with rational arithmetic.
///
/// # Panics
/// If an answer is wrong, or a model violates an invariant.
pub fn judge(a: &WideModel, b: &WideModel, pose: &Pose, morton: bool) {
    let Ok(posed) = b.mesh().posed(pose) else { return };
    for model in [a, b] {
        model.validate().unwrap_or_else(|error| panic!("{error}"));
    }
    let truth = oracle::contacts(a.mesh(), &posed);
    for engine in engines(morton) {
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        for ask in [Ask::all_contacts(), Ask::first_contact(), Ask::distance()] {
            engine
                .query(a, b, pose, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("posed vertices are in range");
            assert_eq!(answer.verdict.is_hit(), !truth.is_empty(), "{ask:?}, {}", engine.width());
            if ask == Ask::all_contacts() {
                let found: Vec<_> = answer.contacts.iter().map(|c| (c.a, c.b)).collect();
                assert_eq!(found, truth, "{}", engine.width());
            }
            if let Some(nearest) = answer.nearest {
                assert_eq!(nearest.distance == 0.0, !truth.is_empty(), "{nearest:?}");
            }
        }
    }
}
