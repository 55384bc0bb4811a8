//! The method `sbv`: fig. 4 of the paper, with proofs. The steps are numbered as on its page,
//! `docs/methods/sbv.md`.

use impinge_geometry::gjk::{Cloud, Until};
use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_query::{
    Cancelled, Control, Counter, Description, Found, MeshModel, PairKey, PrepareError, Query,
    QueryError, QuestionKind, RefitError, Search,
};

use crate::detail::{Detailed, Exact, Region};
use crate::model::SbvModel;
use crate::params::{Params, Samples, Solver};
use crate::points::{Points, Watched};
use crate::region::{Parts, Shrunk, margin};
use crate::support::{bounds, outside, support_points, thin_out};
use crate::survey::{Ended, Survey};
use crate::train::{Training, twin};
use crate::volume::{Axes, Slab, Volume};

/// Separating bounding volumes over a detailed test.
#[derive(Clone, Copy, Debug)]
pub struct SbvEngine<D = Exact> {
    description: Description,
    params: Params,
    detail: D,
}

/// `sbv` with default parameters.
pub const fn sbv() -> SbvEngine {
    SbvEngine { description: SBV, params: Params::new(), detail: Exact }
}

/// `sbv` with chosen parameters.
pub const fn sbv_with(params: Params) -> SbvEngine {
    SbvEngine { description: SBV, params, detail: Exact }
}

const SBV: Description = Description::exact(
    "sbv",
    "separating bounding volumes by a plane of largest margin; no structure to build or refit",
    "sbv, §1-2",
    QuestionKind::OF_CONTACTS,
);

/// Memory of a pair between queries, and scratch space.
#[derive(Clone, Debug, Default)]
pub struct SbvMemory<D> {
    /// The models that the hints belong to.
    of: Option<PairKey>,
    hints: Hints,
    /// B's vertices in A's frame, with their bounds and support points.
    placed: Points,
    supports: Vec<u32>,
    samples: [Vec<u32>; 2],
    clouds: [Vec<Point>; 2],
    parts: Parts,
    survey: Survey,
    detail: D,
}

/// Most support vectors of a mesh that the next training gets.
const HINTS: usize = 8;

/// What a query leaves to the next one of the same bodies, refitted or not. It decides where the
/// next search starts; every proof is made anew.
#[derive(Clone, Debug, Default)]
struct Hints {
    /// The normal of the plane that separated the meshes in the last query.
    normal: Option<Vector>,
    /// Support vectors of the last training, at most [`HINTS`] of a mesh.
    vectors: [Vec<u32>; 2],
    /// Vertices whose hulls overlapped when no plane of all vertices was found.
    met: Option<[Vec<u32>; 2]>,
}

impl<D> SbvMemory<D> {
    /// The steps of the last query.
    pub const fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Drops the hints of other bodies.
    fn belong_to(&mut self, a: &SbvModel, b: &SbvModel) {
        let pair = PairKey { a: a.subject().id(), b: b.subject().id() };
        if !self.of.is_some_and(|of| of.same_bodies(pair)) {
            self.hints = Hints::default();
        }
        self.of = Some(pair);
    }
}

impl<D: Detailed> SbvEngine<D> {
    /// The same steps with another detailed test, under another name.
    pub const fn composed(description: Description, params: Params, detail: D) -> Self {
        Self { description, params, detail }
    }

    /// The parameters.
    pub const fn params(&self) -> &Params {
        &self.params
    }

    /// The steps of one query, up to the detailed test, with this memory. A new one
    /// gives those of a query without hints.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn survey(
        &self,
        a: &SbvModel,
        b: &SbvModel,
        b_in_a: &Pose,
        memory: &mut SbvMemory<D::Memory>,
        control: &Control<'_>,
    ) -> Result<Survey, Cancelled> {
        memory.belong_to(a, b);
        Task { a, b, pose: b_in_a, params: &self.params, control }.run(memory, &mut ())?;
        Ok(memory.survey.clone())
    }
}

impl<D: Detailed> Search for SbvEngine<D> {
    type Model = SbvModel;
    type Memory = SbvMemory<D::Memory>;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<SbvModel, PrepareError> {
        SbvModel::new(mesh, control)
    }

    fn refit(
        &self,
        model: &mut SbvModel,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        model.follow(vertices, control)
    }

    fn memory(&self) -> Self::Memory {
        SbvMemory::default()
    }

    /// Keeps the hints, which [`Search::contacts`] drops if the bodies are others.
    fn forget(&self, memory: &mut Self::Memory) {
        self.detail.forget(&mut memory.detail);
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, SbvModel>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let Query { a, b, pose, control, .. } = *query;
        memory.belong_to(a, b);
        let task = Task { a, b, pose, params: &self.params, control };
        task.run(memory, counter)?;
        let SbvMemory { parts, survey, detail, .. } = memory;
        if survey.ended != Ended::Detail {
            return Ok(());
        }
        let [of_a, of_b] = parts.left();
        let axes = survey.axes.unwrap_or_else(Axes::of_frame);
        let volume = survey.region.unwrap_or(Volume::EMPTY);
        let [x, y, z] = survey.common.0;
        let bounds =
            Aabb { min: Point::new(x.low, y.low, z.low), max: Point::new(x.high, y.high, z.high) };
        let region = Region { bounds: &bounds, axes: &axes, volume: &volume, of_a, of_b };
        counter
            .stage("detail", |counter| self.detail.contacts(query, &region, detail, counter, found))
    }
}

/// One query, up to the detailed test.
struct Task<'q> {
    a: &'q SbvModel,
    b: &'q SbvModel,
    pose: &'q Pose,
    params: &'q Params,
    control: &'q Control<'q>,
}

impl Task<'_> {
    /// Steps 1 to 6; [`Survey::ended`] tells whether the detailed test is needed.
    fn run<D, C: Counter>(
        &self,
        memory: &mut SbvMemory<D>,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        let Self { a, b, control, .. } = *self;
        memory.survey = Survey::default();
        // 1. The volumes for D₀.
        control.check()?;
        let bounds_b = counter.stage("bounds", |counter| {
            b.place(self.pose, &mut memory.placed, control)?;
            counter.updated(1);
            counter.volumes(1);
            control.check()?;
            Ok::<_, Cancelled>(bounds(&memory.placed))
        })?;
        let common = a.bounds().and(&bounds_b);
        memory.survey.common = common;
        if common.is_empty() {
            return Ok(());
        }
        // 2. and 3. Planes.
        let axes =
            counter.stage("training", |counter| self.separate((&bounds_b, memory), counter))?;
        let Planes::Region(axes) = axes else { return Ok(()) };
        memory.survey.axes = Some(axes);
        // 4. and 5. The region.
        let shrunk =
            counter.stage("region", |counter| self.region((&common, &axes), memory, counter))?;
        memory.survey.rounds = shrunk.rounds;
        memory.survey.region = shrunk.region;
        memory.survey.ended = Ended::Region;
        if shrunk.region.is_some() {
            memory.survey.triangles = memory.parts.count();
            memory.survey.ended = Ended::Detail;
        }
        Ok(())
    }

    /// Steps 2 and 3: looks for a plane that separates the meshes, and chooses the directions of the
    /// region if there is none.
    fn separate<D, C: Counter>(
        &self,
        (bounds_b, memory): (&Volume, &mut SbvMemory<D>),
        counter: &mut C,
    ) -> Result<Planes, Cancelled> {
        // A plane that no longer separates the meshes is forgotten, so that it is tried once.
        let last = memory.hints.normal.take();
        if let Some(normal) = last {
            counter.volumes(1);
            if self.apart(&normal, &memory.placed)? {
                memory.hints.normal = last;
                memory.survey.ended = Ended::Remembered;
                return Ok(Planes::Apart);
            }
        }
        let between = between(self.a.bounds(), bounds_b);
        let start = last.unwrap_or(between);
        if self.params.samples == Samples::All && !self.still_meet(&start, memory) {
            let mut a = Watched::new(self.a.points(), self.control);
            let mut b = Watched::new(&memory.placed, self.control);
            let training = twin::train(&mut a, &mut b, &start, Until::Apart);
            a.end()?;
            b.end()?;
            let samples = [self.a.points().len(), memory.placed.len()];
            if self.proved(&training, samples, memory, counter)? {
                return Ok(Planes::Apart);
            }
            if let Training::Inseparable { vectors, .. } = training {
                memory.hints.met = Some(vectors);
            }
        }
        self.gather(bounds_b, memory);
        if memory.samples.iter().any(Vec::is_empty) {
            return Ok(Planes::Region(Axes::of_frame()));
        }
        let training = self.train(memory, &start)?;
        let samples = [memory.samples[0].len(), memory.samples[1].len()];
        if self.proved(&training, samples, memory, counter)? {
            return Ok(Planes::Apart);
        }
        Ok(Planes::Region(match training.normal() {
            Some(normal) => Axes::about(normal),
            None if between.amax() > 0.0 => Axes::about(&between),
            None => Axes::of_frame(),
        }))
    }

    /// Whether the hulls of the few vertices overlap that overlapped in a query before: then no plane
    /// separates all vertices, and none need be looked for. They are forgotten if they do not.
    fn still_meet<D>(&self, start: &Vector, memory: &mut SbvMemory<D>) -> bool {
        let SbvMemory { placed, clouds, hints, .. } = memory;
        let Some(met) = hints.met.take() else { return false };
        for (side, points) in [self.a.points(), placed].into_iter().enumerate() {
            clouds[side].clear();
            clouds[side].extend(met[side].iter().map(|&v| points.get(v)));
        }
        let Some((mut a, mut b)) = Cloud::new(&clouds[0]).zip(Cloud::new(&clouds[1])) else {
            return false;
        };
        let meet = twin::train(&mut a, &mut b, start, Until::Apart).plane().is_none();
        hints.met = meet.then_some(met);
        meet
    }

    /// Records a training; whether its plane separates the meshes.
    fn proved<D, C: Counter>(
        &self,
        training: &Training,
        samples: [usize; 2],
        memory: &mut SbvMemory<D>,
        counter: &mut C,
    ) -> Result<bool, Cancelled> {
        let survey = &mut memory.survey;
        survey.trainings += 1;
        survey.samples = samples;
        survey.separable = training.plane().is_some();
        survey.steps += training.steps();
        counter.volumes(1);
        let Some(plane) = training.plane() else { return Ok(false) };
        survey.vectors = plane.vectors.iter().map(Vec::len).sum();
        let apart = self.apart(&plane.normal, &memory.placed)?;
        if apart {
            survey.ended = Ended::Training;
            memory.hints.normal = Some(plane.normal);
        }
        Ok(apart)
    }

    /// Whether the planes with this normal are proved to separate all vertices.
    fn apart(&self, normal: &Vector, placed: &Points) -> Result<bool, Cancelled> {
        self.control.check()?;
        let a = self.a.points().slab(normal);
        self.control.check()?;
        let b = placed.slab(normal);
        let doubt = self.a.points().doubt(normal) + placed.doubt(normal);
        Ok(b.low - a.high > doubt || a.low - b.high > doubt)
    }

    /// Finds the samples of fig. 4: the support points of each model outside the other's bounds.
    fn gather<D>(&self, bounds_b: &Volume, memory: &mut SbvMemory<D>) {
        let SbvMemory { placed, supports, samples: [of_a, of_b], .. } = memory;
        support_points(placed, bounds_b, supports);
        of_a.clear();
        of_a.extend_from_slice(self.a.supports());
        of_b.clone_from(supports);
        outside(self.a.points(), bounds_b, of_a);
        outside(placed, self.a.bounds(), of_b);
        if let Samples::Support { most } = self.params.samples {
            thin_out(of_a, most.max(1));
            thin_out(of_b, most.max(1));
        }
    }

    /// Trains with the samples and the last support vectors; without the latter if no plane
    /// separates them. Keeps the support vectors for the next query.
    fn train<D>(&self, memory: &mut SbvMemory<D>, start: &Vector) -> Result<Training, Cancelled> {
        let SbvMemory { placed, samples, clouds, hints, survey, .. } = memory;
        let own = samples.each_ref().map(Vec::len);
        let vectors = std::mem::take(&mut hints.vectors);
        for (samples, vectors) in samples.iter_mut().zip(vectors) {
            let count = samples.len();
            samples.extend(vectors);
            // The samples come first, in ascending order; a hint may be one of them.
            let mut k = count;
            while k < samples.len() {
                if samples[..count].binary_search(&samples[k]).is_ok() {
                    samples.swap_remove(k);
                } else {
                    k += 1;
                }
            }
        }
        let hinted = samples.each_ref().map(Vec::len) != own;
        let mut training = self.fit(samples, placed, clouds, start)?;
        if training.plane().is_none() && hinted {
            survey.trainings += 1;
            survey.steps += training.steps();
            for (samples, own) in samples.iter_mut().zip(own) {
                samples.truncate(own);
            }
            training = self.fit(samples, placed, clouds, start)?;
        }
        if let Some(plane) = training.plane() {
            for (side, vectors) in hints.vectors.iter_mut().enumerate() {
                let of = plane.vectors[side].iter().map(|&k| samples[side][k as usize]);
                vectors.extend(of.take(HINTS));
            }
        }
        Ok(training)
    }

    /// Trains with samples, which are copied to `clouds`.
    fn fit(
        &self,
        samples: &[Vec<u32>; 2],
        placed: &Points,
        clouds: &mut [Vec<Point>; 2],
        start: &Vector,
    ) -> Result<Training, Cancelled> {
        for (side, points) in [self.a.points(), placed].into_iter().enumerate() {
            clouds[side].clear();
            clouds[side].extend(samples[side].iter().map(|&v| points.get(v)));
        }
        self.solve(clouds, start)
    }

    fn solve(&self, [a, b]: &[Vec<Point>; 2], start: &Vector) -> Result<Training, Cancelled> {
        match self.params.solver {
            Solver::Machine(machine) => machine.train(a, b, self.control),
            Solver::Twin => {
                let Some((mut a, mut b)) = Cloud::new(a).zip(Cloud::new(b)) else {
                    return Ok(Training::inseparable(0, None));
                };
                Ok(twin::train(&mut a, &mut b, start, Until::Nearest))
            }
        }
    }

    /// Steps 4 and 5: the triangles of the region.
    fn region<D, C: Counter>(
        &self,
        (common, axes): (&Volume, &Axes),
        memory: &mut SbvMemory<D>,
        counter: &mut C,
    ) -> Result<Shrunk, Cancelled> {
        let (a, b, control) = (self.a, self.b, self.control);
        let SbvMemory { parts, placed, .. } = memory;
        let of_a = parts.measure(0, a.points(), axes, control)?;
        let of_b = parts.measure(1, placed, axes, control)?;
        counter.updated(2);
        let doubt = |d: &Vector| a.points().doubt(d).max(placed.doubt(d));
        let doubt = axes.0.iter().map(doubt).fold(0.0, f64::max);
        let margin = margin(doubt, of_a.largest().max(of_b.largest()));
        let region = of_a.widened(margin).and(&of_b.widened(margin));
        if region.is_empty() {
            return Ok(Shrunk { region: None, rounds: 0 });
        }
        let reach = (common, &region.widened(margin));
        parts.collect(0, (a.mesh(), a.points()), reach, (counter, control))?;
        parts.collect(1, (b.mesh(), placed), reach, (counter, control))?;
        let Params { rounds, least_drop, .. } = *self.params;
        parts.shrink((region, margin), (rounds, least_drop), (counter, control))
    }
}

/// What the search for planes found.
enum Planes {
    /// The meshes are apart.
    Apart,
    /// Directions for the region.
    Region(Axes),
}

/// Half the way from the middle of one volume to that of another: twice as much may overflow.
fn between(a: &Volume, b: &Volume) -> Vector {
    let middle = |slab: Slab| slab.low * 0.25 + slab.high * 0.25;
    Vector::from([0, 1, 2].map(|k| middle(b.0[k]) - middle(a.0[k])))
}

#[cfg(test)]
mod tests;
