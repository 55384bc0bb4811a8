//! The stream of a mesh's edges, in the other mesh's frame: what the paper stores in two textures
//! (fan §3.3.1), as one list for each channel.

use impinge_geometry::{Point, Pose};
use impinge_hierarchy::placement::Placement;
use impinge_query::{Cancelled, Control, MeshModel, Side};

use crate::methods::Mode;
use crate::model::{Frame, StreamModel, narrow, unit_above};

/// Edges between two polls of the caller's flag.
pub(crate) const LOOK: usize = 1 << 10;

/// Half a unit of rounding of 32 bits at 1, with room for the rounding of the sum that it is in.
/// Larger: more pairs left to exact arithmetic.
pub(crate) const HALF_UNIT: f64 = 5.97e-8;

/// Beyond this, products of coordinates might overflow: nothing is then known of an edge. Below it a
/// bound may still be infinite, which leaves the pair open.
const FAR: f64 = (1u64 << 40) as f64;

/// Edges, in the units of the frame of the other mesh.
///
/// | channel | [`Mode::Certified`] | other modes |
/// | --- | --- | --- |
/// | 0 … 2 | one end | one end |
/// | 3 … 5 | the other end | direction, of length 1, or 0 |
/// | 6 | bound on the error of a coordinate | length |
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeStream {
    channels: [Vec<f32>; 7],
    /// Index of each edge in its mesh.
    edges: Vec<u32>,
}

/// One edge of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) from: [f32; 3],
    /// The other end, or the direction.
    pub(crate) to: [f32; 3],
    /// The error's bound, or the length.
    pub(crate) last: f32,
}

/// Some consecutive edges of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'s> {
    channels: [&'s [f32]; 7],
    pub(crate) edges: &'s [u32],
}

impl Block<'_> {
    /// The edge at this place. Inlined into a loop over a block it needs no check of bounds.
    #[inline(always)]
    pub(crate) fn record(&self, i: usize) -> Record {
        let [a, b, c, d, e, f, g] = &self.channels;
        Record { from: [a[i], b[i], c[i]], to: [d[i], e[i], f[i]], last: g[i] }
    }
}

impl EdgeStream {
    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.edges.clear();
        self.channels.iter_mut().for_each(Vec::clear);
    }

    /// All edges, at most [`LOOK`] at a time.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        (0..self.len()).step_by(LOOK).map(|from| {
            let to = self.len().min(from + LOOK);
            let part = |k: usize| &self.channels[k][from..to];
            Block {
                channels: [part(0), part(1), part(2), part(3), part(4), part(5), part(6)],
                edges: &self.edges[from..to],
            }
        })
    }

    fn push(&mut self, edge: u32, record: Record) {
        let Record { from: [a, b, c], to: [d, e, f], last } = record;
        for (channel, value) in self.channels.iter_mut().zip([a, b, c, d, e, f, last]) {
            channel.push(value);
        }
        self.edges.push(edge);
    }

    /// Adds the edges of a block that are marked.
    pub(crate) fn extend_marked(&mut self, block: &Block<'_>, marks: &[bool]) {
        for (i, _) in marks.iter().enumerate().filter(|(_, marked)| **marked) {
            self.push(block.edges[i], block.record(i));
        }
    }

    /// Replaces the contents by all edges of one mesh in the frame of the other.
    pub(crate) fn load(
        &mut self,
        stage: &Stage<'_>,
        mode: Mode,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        self.clear();
        let (edges, vertices) = (stage.moving.edges(), stage.moving.subject().mesh().vertices());
        let frame = stage.frame();
        let far = stage.far(&frame);
        for edge in 0..edges.len() as u32 {
            if (edge as usize).is_multiple_of(LOOK) {
                control.check()?;
            }
            let [u, v] = edges.ends(edge).map(|v| frame.place(stage.moved(&vertices[v as usize])));
            self.push(edge, if mode == Mode::Certified { ends(u, v, far) } else { ray(u, v) });
        }
        Ok(())
    }
}

/// The mesh whose edges are streamed, and the mesh whose triangles they are tested against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage<'q> {
    pub(crate) whose: Side,
    pub(crate) moving: &'q StreamModel,
    pub(crate) still: &'q StreamModel,
    pub(crate) pose: &'q Pose,
}

impl<'q> Stage<'q> {
    pub(crate) fn new(whose: Side, a: &'q StreamModel, b: &'q StreamModel, pose: &'q Pose) -> Self {
        let [moving, still] = if whose == Side::A { [a, b] } else { [b, a] };
        Self { whose, moving, still, pose }
    }

    /// A point of the moving mesh in the frame of the other, rounded.
    fn moved(&self, p: &Point) -> [f64; 3] {
        match self.whose {
            Side::A => {
                let d = p.coords - self.pose.translation();
                self.pose.rotation().tr_mul(&d).into()
            }
            Side::B => self.pose.apply(p).coords.into(),
        }
    }

    /// The frame of the edges: that of the triangles. If these are one point, the unit holds the
    /// moving mesh and the distance to it.
    pub(crate) fn frame(&self) -> Frame {
        let frame = *self.still.frame();
        if !frame.is_point() {
            return frame;
        }
        let Frame { origin, unit } = *self.moving.frame();
        let middle = self.moved(&Point::from(origin));
        let between = (0..3).fold(0.0f64, |most, k| most.max((middle[k] - frame.origin[k]).abs()));
        Frame { unit: unit.max(unit_above(between)), ..frame }
    }

    /// How far a coordinate may be off before it is rounded to 32 bits, in units of the frame: far
    /// more than the rounding of posed vertices.
    fn far(&self, frame: &Frame) -> f64 {
        let [a, b] = match self.whose {
            Side::A => [self.moving, self.still],
            Side::B => [self.still, self.moving],
        };
        let placement = Placement::new(self.pose, a.subject().max_abs(), b.subject().max_abs());
        placement.pad / frame.unit
    }
}

/// The two ends of an edge, with the bound on their error and on that of the triangles.
fn ends(u: [f64; 3], v: [f64; 3], far: f64) -> Record {
    let most = u.iter().chain(&v).fold(1.0f64, |most, x| most.max(x.abs()));
    let delta = HALF_UNIT * most + 1.001 * far;
    if most < FAR && delta < FAR {
        Record { from: narrow(u), to: narrow(v), last: delta as f32 }
    } else {
        Record { from: [0.0; 3], to: [0.0; 3], last: f32::INFINITY }
    }
}

/// An edge as a ray (fan §3.3.1).
fn ray(u: [f64; 3], v: [f64; 3]) -> Record {
    let d = [0, 1, 2].map(|k| v[k] - u[k]);
    // Scaled first: squares of far coordinates overflow.
    let most = d.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if !(most > 0.0 && most < FAR) {
        return Record { from: narrow(u), to: [0.0; 3], last: 0.0 };
    }
    let scaled = d.map(|x| x / most);
    let norm = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    Record { from: narrow(u), to: narrow(scaled.map(|x| x / norm)), last: (norm * most) as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_off_by_less_than_its_bound() {
        for most in [0.3, 1.0, 1.5, 700.0, 1e9] {
            let u = [most, -0.7 * most, 1e-9];
            let record = ends(u, [0.1, 0.2, 0.3], 0.0);
            for k in 0..3 {
                assert!((f64::from(record.from[k]) - u[k]).abs() <= f64::from(record.last));
            }
            let delta = f64::from(record.last) / f64::max(most, 1.0);
            assert!(delta > 2f64.powi(-24) && delta < 2f64.powi(-23), "{delta:e}");
        }
        assert_eq!(ends([1e13, 0.0, 0.0], [0.0; 3], 0.0).last, f32::INFINITY);
        assert_eq!(ends([0.0; 3], [0.0; 3], 1e13).last, f32::INFINITY);
        assert_eq!(ends([f64::INFINITY, 0.0, 0.0], [0.0; 3], 0.0).last, f32::INFINITY);
        assert!(ends([0.0; 3], [0.0; 3], 0.5).last > 0.5);
    }

    #[test]
    fn a_ray_has_a_direction_of_length_one_unless_it_is_a_point() {
        let record = ray([1.0, 1.0, 1.0], [1.0, 4.0, 5.0]);
        assert_eq!((record.to, record.last), ([0.0, 0.6, 0.8], 5.0));
        let point = ray([1.0; 3], [1.0; 3]);
        assert_eq!((point.to, point.last), ([0.0; 3], 0.0));
    }

    #[test]
    fn blocks_are_the_stream() {
        let mut stream = EdgeStream::default();
        for edge in 0..(LOOK as u32 + 3) {
            stream.push(edge, ends([f64::from(edge); 3], [0.0; 3], 0.0));
        }
        let lengths: Vec<usize> = stream.blocks().map(|block| block.edges.len()).collect();
        assert_eq!(lengths, [LOOK, 3]);
        let last = stream.blocks().last().expect("two blocks");
        assert_eq!(last.record(2).from, [(LOOK + 2) as f32; 3]);
        let mut rest = EdgeStream::default();
        rest.extend_marked(&last, &[false, true, true]);
        assert_eq!(rest.edges, [LOOK as u32 + 1, LOOK as u32 + 2]);
        rest.clear();
        assert!(rest.is_empty() && rest.blocks().next().is_none());
    }
}
