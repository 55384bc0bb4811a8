//! The engine of the streaming methods.

use impinge_geometry::Mesh;
use impinge_query::{
    Certainty, Control, Counter, Description, Found, PrepareError, Query, QueryError, Search, Side,
};

use crate::methods::{Culling, Mode, Params};
use crate::model::StreamModel;
use crate::pass::{Decided, End, Pass};
use crate::stream::{EdgeStream, Stage};

/// Bits of the significand of 32-bit numbers.
const BITS: u32 = f32::MANTISSA_DIGITS;

/// A streaming method.
#[derive(Clone, Copy, Debug)]
pub struct StreamEngine {
    description: Description,
    culling: Culling,
    params: Params,
}

/// The streams of a query, kept to reuse their allocations.
#[derive(Debug, Default)]
pub struct Buffers {
    /// The edges of a mesh, and those left at each depth of the tree.
    levels: Vec<EdgeStream>,
}

impl StreamEngine {
    pub(crate) fn new(certified: Description, culling: Culling, params: Params) -> Self {
        let exact = params.mode == Mode::Certified;
        Self { description: Description { exact, ..certified }, culling, params }
    }

    /// The parameters it was created with.
    pub const fn params(&self) -> &Params {
        &self.params
    }
}

impl Search for StreamEngine {
    type Model = StreamModel;
    type Memory = Buffers;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<StreamModel, PrepareError> {
        let (culls, n) = (self.culling != Culling::Nothing, mesh.triangles().len());
        if !culls && n > self.params.largest {
            let reason = format!(
                "{n} triangles, at most {}: every edge would be tested against every triangle",
                self.params.largest
            );
            return Err(PrepareError::Refused { word: self.description.word, reason });
        }
        StreamModel::new(mesh, culls, control)
    }

    fn memory(&self) -> Buffers {
        Buffers::default()
    }

    /// Streams are loaded anew for every query.
    fn forget(&self, _: &mut Buffers) {}

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, StreamModel>,
        memory: &mut Buffers,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let (culling, mode) = (self.culling, self.params.mode);
        let control = query.control;
        let mut decided = Decided::default();
        // Several edges of a triangle may meet the same one.
        found.contacts.expect_repeats();
        if memory.levels.is_empty() {
            memory.levels.push(EdgeStream::default());
        }
        for whose in [Side::A, Side::B] {
            let stage = Stage::new(whose, query.a, query.b, query.pose);
            counter.stage("edges", |_| memory.levels[0].load(&stage, mode, control))?;
            let end = counter.stage("stream", |counter| {
                let (found, decided) = (&mut found.contacts, &mut decided);
                let mut pass = Pass { stage, mode, culling, counter, control, found, decided };
                pass.run(&mut memory.levels)
            })?;
            if end != End::Done {
                break;
            }
        }
        let Decided { settled, resolved } = decided;
        *found.certainty = match mode {
            Mode::Certified => Certainty::Certified { settled, resolved },
            Mode::Sampled | Mode::AsPrinted => Certainty::Rounded { bits: BITS },
        };
        Ok(())
    }
}
