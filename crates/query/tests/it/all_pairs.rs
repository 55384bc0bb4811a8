//! The simplest search: all pairs of triangles.

use std::ops::ControlFlow;

use impinge_geometry::{Mesh, Point, Pose, Vector, exact, triangle};
use impinge_query::driver::{Batching, Found, Goal, Query};
use impinge_query::{
    Answer, Ask, Contact, Control, Counter, Description, Engine, Meaning, MeshModel, Nearest,
    Needs, PrepareError, QueryError, QuestionKind, RefitError, Search, Subject,
};

/// A model that is just the mesh.
pub(crate) struct Model(pub(crate) Subject);

impl MeshModel for Model {
    fn subject(&self) -> &Subject {
        &self.0
    }

    fn own_bytes(&self) -> usize {
        8
    }
}

/// Tests all pairs; keeps a memory if `REMEMBERS`.
pub(crate) struct AllPairs<const REMEMBERS: bool>;

pub(crate) const ALL_PAIRS: Description = Description {
    word: "all-pairs",
    title: "every triangle against every other",
    paper: "none",
    needs: Needs { closed: false, gpu: false },
    questions: QuestionKind::ALL,
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    self_contacts: true,
    exact: true,
};

fn each_pair(
    query: &Query<'_, Model>,
    mut visit: impl FnMut(Contact) -> Result<ControlFlow<()>, QueryError>,
) -> Result<(), QueryError> {
    let count = |model: &Model| model.0.mesh().triangles().len() as u32;
    for a in 0..count(query.a) {
        query.control.check()?;
        for b in 0..count(query.b) {
            if visit(Contact { a, b })?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

impl<const REMEMBERS: bool> Search for AllPairs<REMEMBERS> {
    type Model = Model;
    /// The number of calls to forget.
    type Memory = u32;

    const REMEMBERS: bool = REMEMBERS;

    fn describe(&self) -> &Description {
        &ALL_PAIRS
    }

    fn batching(&self) -> Batching {
        if REMEMBERS { Batching::OverThreads } else { Batching::InOrder }
    }

    fn prepare(&self, mesh: &Mesh, _: &Control<'_>) -> Result<Model, PrepareError> {
        Ok(Model(Subject::new(mesh.clone())))
    }

    fn refit(
        &self,
        model: &mut Model,
        vertices: &[Point],
        _: &Control<'_>,
    ) -> Result<(), RefitError> {
        model.0.move_vertices(vertices)?;
        model.0.next_epoch();
        Ok(())
    }

    fn memory(&self) -> u32 {
        0
    }

    fn forget(&self, times: &mut u32) {
        *times += 1;
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, Model>,
        _: &mut u32,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        each_pair(query, |contact| {
            counter.primitives(1);
            let (p, q) = query.triangles(contact);
            let meet = exact::triangles_meet(&p, &q);
            Ok(if meet { found.contacts.take(contact) } else { ControlFlow::Continue(()) })
        })
    }

    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, Model>,
        goal: Goal,
        most: Option<f64>,
        _: &mut u32,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        counter.volumes(u64::from(most.is_some()));
        let mut best: Option<Nearest> = None;
        each_pair(query, |triangles| {
            counter.primitives(1);
            let (p, q) = query.triangles(triangles);
            let (distance, on_a, on_b) = triangle::distance_apart(&p, &q);
            let matters = match goal {
                Goal::Within(d) => exact::within(&p, &q, d),
                Goal::Minimum => {
                    let limit = best.map_or(most.unwrap_or(f64::INFINITY), |best| best.distance);
                    distance <= limit && best.is_none_or(|best| distance < best.distance)
                }
            };
            if !matters {
                return Ok(ControlFlow::Continue(()));
            }
            best = Some(Nearest { distance, on_a, on_b, triangles });
            Ok(match goal {
                Goal::Within(_) => ControlFlow::Break(()),
                Goal::Minimum => ControlFlow::Continue(()),
            })
        })?;
        Ok(best)
    }
}

pub(crate) fn tetrahedron(size: f64) -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let at = |x: [f64; 3]| Point::from(x.map(|x| x * size));
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    Mesh::new(corners.map(at).to_vec(), triangles).expect("legal")
}

pub(crate) fn at(x: f64, y: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, 0.1)).expect("in range")
}

pub(crate) fn query<S: Search>(
    engine: &S,
    (a, b, pose): (&S::Model, &S::Model, &Pose),
    memory: &mut <S as Engine>::Memory,
    ask: &Ask,
) -> Answer {
    let mut answer = Answer::default();
    engine.query(a, b, pose, memory, ask, &Control::NONE, &mut answer).expect("in range");
    answer
}
