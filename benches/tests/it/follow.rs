//! Deforming scenes: methods with a refit are refitted, others are prepared again, and a method
//! that does not follow is caught.

use impinge::geometry::{MeshError, exact};
use impinge::image::Drawing;
use impinge::query::{
    Answer, Ask, Control, Description, Engine, Meaning, Model, ModelId, Needs, PrepareError,
    QueryError, QuestionKind, RefitError, Verdict,
};
use impinge::{Contact, Mesh, Method, Point, Pose};
use impinge_benches::expected::{self, Expected};
use impinge_benches::progress::Listener;
use impinge_benches::scene::{Scene, deforming};
use impinge_benches::timing::{self, Effort, Prepared};
use impinge_records::bench::{Measurement, Preparation};

/// Tests every pair of triangles by the exact predicates. It follows deformations by replacing its
/// vertices.
struct Brute {
    /// A fault: refits report success without doing anything.
    lazy: bool,
}

struct BruteModel {
    id: ModelId,
    mesh: Mesh,
}

impl Model for BruteModel {
    fn id(&self) -> ModelId {
        self.id
    }

    fn triangles(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn bytes(&self) -> usize {
        0
    }

    fn mesh_bytes(&self) -> usize {
        0
    }
}

const BRUTE: Description = Description {
    word: "brute",
    title: "every pair",
    paper: "none",
    needs: Needs { closed: false, gpu: false },
    questions: &[QuestionKind::FirstContact],
    meanings: &[Meaning::Surfaces],
    self_contacts: false,
    exact: true,
};

impl Engine for Brute {
    type Model = BruteModel;
    type Memory = ();

    fn describe(&self) -> &Description {
        &BRUTE
    }

    fn prepare(&self, mesh: &Mesh, _: &Control<'_>) -> Result<BruteModel, PrepareError> {
        Ok(BruteModel { id: ModelId::fresh(), mesh: mesh.clone() })
    }

    fn refit(
        &self,
        model: &mut BruteModel,
        vertices: &[Point],
        _: &Control<'_>,
    ) -> Result<(), RefitError> {
        if !self.lazy {
            model.mesh = model.mesh.with_vertices(vertices.to_vec())?;
            model.id = model.id.next_epoch();
        }
        Ok(())
    }

    fn memory(&self) {}

    fn query(
        &self,
        a: &BruteModel,
        b: &BruteModel,
        b_in_a: &Pose,
        (): &mut (),
        _: &Ask,
        _: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let posed = b.mesh.posed(b_in_a).expect("the scene is small");
        *answer = Answer::default();
        for (p, i) in a.mesh.corners().zip(0..) {
            for (q, j) in posed.corners().zip(0..) {
                let apart = (0..3).any(|k| {
                    let far = |s: &[Point; 3], t: &[Point; 3]| {
                        s.iter().all(|v| t.iter().all(|w| v[k] < w[k]))
                    };
                    far(&p, &q) || far(&q, &p)
                });
                if !apart && exact::triangles_meet(&p, &q) {
                    answer.verdict = Verdict::Intersecting;
                    answer.contacts = vec![Contact { a: i, b: j }];
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn brute(scene: &Scene, lazy: bool) -> Prepared {
    let detector: Box<dyn impinge::query::Detector> = Box::new(Brute { lazy });
    let prepare =
        |mesh: &Mesh| detector.prepare(mesh, &Control::NONE).expect("it takes all meshes");
    let models = scene.meshes.iter().map(|mesh| prepare(&mesh.mesh)).collect();
    Prepared { detector, models, record: Preparation::default() }
}

/// Measures first contact over all steps with one method.
fn measured(scene: &Scene, expected: &Expected, prepared: Prepared) -> Measurement {
    let effort = Effort { passes: 2, budget: std::time::Duration::from_secs(60), repeat: true };
    let mut methods = [(Method::ObbTree, prepared)];
    let found = timing::measure(scene, expected, &mut methods, effort, Listener::NONE);
    found.into_iter().next().expect("both answer first contact")
}

fn wrong(measurement: &Measurement) -> usize {
    let all = &measurement.all;
    all.false_hits + all.false_misses + all.errors
}

#[test]
fn methods_follow_by_refit_or_anew_and_are_timed() -> Result<(), MeshError> {
    let scene = deforming::hand_on_ball("x", [244, 60], 9).expect("nine steps are legal");
    let expected = expected::find(&scene, Listener::NONE).expect("the scene is small");
    let hits: Vec<bool> = (0..9).map(|at| expected.is_hit(at, 0)).collect();
    assert!(!hits[0] && hits[8], "{hits:?}");
    let last = scene.meshes_at(8);
    assert_ne!(last.mesh(0).vertices(), scene.meshes[0].mesh.vertices());
    assert_eq!(last.mesh(1), &scene.meshes[1].mesh);
    // The expected answers are those of the deformed hand.
    let posed = last.mesh(1).posed(&scene.steps[8].queries[0].pose)?;
    let first = expected.contacts[8][0][0];
    assert!(exact::triangles_meet(&last.mesh(0).triangle(first.a), &posed.triangle(first.b)));

    let anew =
        timing::prepare(&scene, Method::ObbTree, Drawing::Software).expect("it takes all meshes");
    for (prepared, word) in [(brute(&scene, false), "refit"), (anew, "rebuild")] {
        let found = measured(&scene, &expected, prepared);
        assert_eq!(found.error, None);
        assert_eq!((wrong(&found), found.all.judged, found.all.steps), (0, 9, 9), "{word}");
        assert_eq!(found.update.as_deref(), Some(word));
        let updates = found.updates_ns.expect("the hand deforms");
        assert_eq!((updates.len(), found.times_ns.len()), (9, 9));
        assert!(updates.iter().all(|&ns| ns > 0.0 && ns.is_finite()), "{updates:?}");
        assert!(found.all.update_ns.is_some_and(|ns| ns > 0.0));
        assert_eq!(found.eta.map_or(0, |eta| eta.len()), 9);
    }
    Ok(())
}

#[test]
fn a_method_that_does_not_follow_is_caught() {
    let scene = deforming::hand_on_ball("x", [244, 60], 9).expect("nine steps are legal");
    let expected = expected::find(&scene, Listener::NONE).expect("the scene is small");
    let found = measured(&scene, &expected, brute(&scene, true));
    assert_eq!(found.all.false_misses, expected.record.hits, "it sees the open hand at every step");
    assert!(found.all.false_misses > 0);
}
