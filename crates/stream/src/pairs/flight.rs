//! Many poses on an adapter: all levels of both trees, then the triangles, in one submission.

use impinge_geometry::Pose;
use impinge_gpu::wgpu::Buffer;
use impinge_gpu::{GpuError, Submission};
use impinge_query::{Control, MeshModel, Query, QueryError, Side};
use impinge_shaders::stream::{CANDIDATES, FOUND, LEVELS, OPEN, StreamJob};
use impinge_shaders::trees::{self, TreesNode, TreesPose};

use super::model::{PairsModel, PlacedBox, WORD};
use super::placed::{Placed, Placing};
use super::ready::{Landing, Left, Outcome};
use crate::compute::{Adapter, Fit, Kept, Lists, Parts, Trouble, Work, list_bytes, ranges};
use crate::model::Below;

// Counts of levels are before those of poses.
const _: () = assert!(LEVELS + trees::DEEPEST + 1 < trees::POSES);

/// Bytes of an entry: a pose, and a node or triangle of each body.
const ENTRY: u64 = list_bytes::<{ trees::ENTRY }>();

/// The boxes and triangles of a model on an adapter.
#[derive(Clone, Debug)]
pub(crate) struct PairsSent {
    nodes: Buffer,
    corners: Buffer,
    depth: usize,
}

impl PairsSent {
    fn new(adapter: &Adapter, model: &PairsModel) -> Result<Self, Trouble> {
        let nodes: Vec<TreesNode> = model.boxes().iter().map(PlacedBox::record).collect();
        let corners: Vec<i32> = model.corners().as_flattened().as_flattened().to_vec();
        Ok(Self {
            nodes: adapter.upload("boxes", &nodes)?,
            corners: adapter.upload("corners", &corners)?,
            depth: depth(model.boxes()),
        })
    }

    /// Whether the buffers of an adapter hold a model, and the kernels its depth.
    fn fits(adapter: &Adapter, model: &PairsModel) -> bool {
        let nodes = model.boxes().len() * size_of::<TreesNode>();
        let most = nodes.max(size_of_val(model.corners())) as u64;
        most <= adapter.most_bytes() && depth(model.boxes()) <= trees::DEEPEST
    }
}

/// Levels below the root. Children come after their parents.
fn depth(boxes: &[PlacedBox]) -> usize {
    let mut depths = vec![0; boxes.len()];
    let mut most = 0;
    for (index, node) in boxes.iter().enumerate() {
        if let Below::Nodes(first) = node.below {
            let below = depths[index] + 1;
            depths[first as usize..first as usize + 2].fill(below);
            most = most.max(below);
        }
    }
    most
}

impl PlacedBox {
    fn record(&self) -> TreesNode {
        let link = self.below.link();
        TreesNode { centre: self.centre, link, half: self.half, unused: 0 }
    }
}

impl Placed {
    fn record(&self) -> TreesPose {
        let row = |k: usize| {
            let [x, y, z] = self.turn[k];
            [x, y, z, self.shift[k]]
        };
        TreesPose {
            turn_x: row(0),
            turn_y: row(1),
            turn_z: row(2),
            down_a: self.down[0],
            down_b: self.down[1],
            grid: self.grid,
            more: self.more,
        }
    }
}

/// Two bodies on an adapter.
struct Flight<'f, 'q> {
    work: Work<'f>,
    bodies: [PairsSent; 2],
    /// Levels below the roots, of the deeper tree.
    depth: usize,
    /// Whether the first contact is enough. The search then begins depth first.
    first: bool,
    control: &'q Control<'q>,
}

/// A pose that is tested on the adapter, and its place among those asked about.
#[derive(Clone, Copy, Debug)]
struct Passenger {
    index: usize,
    record: TreesPose,
}

impl Adapter {
    /// Poses whose lists are made together.
    pub(crate) const fn poses_at_once(&self) -> usize {
        self.sizes.poses
    }

    /// What is known of the first poses: of all, or of as many as list no more than a list has
    /// places.
    pub(crate) fn fly(
        &self,
        query: &Query<'_, PairsModel>,
        poses: &[Pose],
        first: bool,
        kept: &mut Kept<PairsSent>,
    ) -> Result<Vec<Landing>, QueryError> {
        self.flown(query, poses, first, kept).map_err(|trouble| trouble.named(WORD))
    }

    fn flown(
        &self,
        query: &Query<'_, PairsModel>,
        poses: &[Pose],
        first: bool,
        kept: &mut Kept<PairsSent>,
    ) -> Result<Vec<Landing>, Trouble> {
        let Query { a, b, control, .. } = *query;
        if !(PairsSent::fits(self, a) && PairsSent::fits(self, b)) {
            return Ok(vec![Landing::TooMuch { submissions: 0 }; poses.len()]);
        }
        let (of_a, _) = kept.sent(self, Side::A, a.subject().id(), || PairsSent::new(self, a))?;
        let (of_b, rooms) =
            kept.sent(self, Side::B, b.subject().id(), || PairsSent::new(self, b))?;
        let mut landings = vec![Landing::Whole(Outcome::default()); poses.len()];
        let mut passengers = Vec::new();
        for (index, pose) in poses.iter().enumerate() {
            match Placing::of(a, b, pose) {
                Placing::Apart => {}
                Placing::Rough(_) => landings[index] = Landing::TooMuch { submissions: 0 },
                Placing::Near(placed) => {
                    landings[index] = Landing::Whole(Outcome { boxes: 1, ..Outcome::default() });
                    if placed.boxes_meet(&a.boxes()[0], &b.boxes()[0]) {
                        passengers.push(Passenger { index, record: placed.record() });
                    }
                }
            }
        }
        let depth = of_a.depth.max(of_b.depth);
        let mode = if first { trees::FIRST } else { 0 };
        let work = Work::new(self, mode, rooms);
        let mut flight = Flight { work, bodies: [of_a, of_b], depth, first, control };
        let done = flight.all(&passengers, &mut landings)?;
        if let Some(next) = passengers.get(done) {
            landings.truncate(next.index);
        }
        if let Some(landing) = landings.first_mut() {
            *landing.submissions() = flight.work.submissions;
        }
        Ok(landings)
    }
}

impl Flight<'_, '_> {
    /// Adds what is found of the first passengers to what is known of their poses, and returns how
    /// many they are.
    fn all(
        &mut self,
        passengers: &[Passenger],
        landings: &mut [Landing],
    ) -> Result<usize, Trouble> {
        let count = passengers.len() as u32;
        let at_once = self.work.rooms.at_once.min(u64::from(count));
        let mut open = Parts::new(ranges(count, at_once as u32));
        let mut places = self.work.adapter.sizes.most;
        while let Some(range) = open.next(self.work.rooms.at_once) {
            let group = &passengers[range.start as usize..range.end as usize];
            let Landed { counts, found } = match self.fly(group) {
                Ok(landed) => landed,
                Err(why) => {
                    self.work.hold_less(why, 1)?;
                    open.again(range);
                    continue;
                }
            };
            let (levels, tested) = counts.split_at(trees::POSES);
            let widest = levels[LEVELS..].iter().copied().max().unwrap_or(0);
            match self.work.rooms.fit(counts[FOUND], counts[CANDIDATES], widest) {
                Fit::Whole => {
                    put(group, &found, tested, landings);
                    places = places.saturating_sub(found.len() as u32);
                    if places == 0 {
                        return Ok(range.end as usize);
                    }
                }
                Fit::Grown => open.again(range),
                Fit::TooMany => match open.cut(&range) {
                    Some(half) => self.work.rooms.at_once = half,
                    None => landings[group[0].index] = Landing::TooMuch { submissions: 0 },
                },
            }
        }
        Ok(passengers.len())
    }

    /// One submission for some poses.
    fn fly(&mut self, group: &[Passenger]) -> Result<Landed, Trouble> {
        let count = group.len() as u32;
        let records: Vec<TreesPose> = group.iter().map(|passenger| passenger.record).collect();
        let poses = self.work.adapter.upload("poses", &records)?;
        let rooms = *self.work.rooms;
        let list = |what, places: u32| self.work.list(what, places.max(count), ENTRY);
        let lists = Lists::new(&self.work, self.counts(group)?)?;
        let tables = Tables {
            poses,
            lists,
            open: [list("pairs of boxes", rooms.level)?, list("pairs of boxes", rooms.level)?],
            candidates: list("pairs of triangles", rooms.pairs)?,
            total: self.work.count()?,
        };
        let mut submission = self.work.begin("pairs of trees", u64::from(count), self.control)?;
        if self.first {
            self.probe(&mut submission, &tables, count)?;
        } else {
            let roots: Vec<[u32; 3]> = (0..count).map(|pose| [pose, 0, 0]).collect();
            let roots = self.work.adapter.upload("roots", &roots)?;
            submission.encoder().copy_buffer_to_buffer(&roots, 0, &tables.open[0], 0, roots.size());
        }
        for level in 0..self.depth.max(1) {
            self.descend(&mut submission, &tables, level)?;
        }
        self.meet(&mut submission, &tables, group.len())?;
        let (counts, found) = tables.lists.read(&mut self.work, submission)?;
        Ok(Landed { counts, found })
    }

    /// All pairs begin at the roots.
    fn counts(&self, group: &[Passenger]) -> Result<Buffer, GpuError> {
        let mut words = vec![0; trees::POSES + 2 * group.len()];
        words[LEVELS] = if self.first { 0 } else { group.len() as u32 };
        self.work.adapter.upload("counts", &words)
    }

    fn probe(
        &self,
        submission: &mut Submission,
        tables: &Tables,
        count: u32,
    ) -> Result<(), GpuError> {
        let [a, b] = &self.bodies;
        let job = self.work.job(StreamJob::default())?;
        let Tables { poses, lists, open, .. } = tables;
        let resources = [
            &job,
            &a.corners,
            &b.corners,
            poses,
            &a.nodes,
            &b.nodes,
            &lists.counts,
            &lists.found,
            &open[0],
        ];
        let probe = &self.work.adapter.trees()?.probe;
        let groups = count.div_ceil(probe.invocations());
        submission.dispatch(probe, &resources.map(Buffer::as_entire_binding), [groups, 1, 1])
    }

    fn descend(
        &self,
        submission: &mut Submission,
        tables: &Tables,
        level: usize,
    ) -> Result<(), GpuError> {
        let [a, b] = &self.bodies;
        let job = self.work.job(StreamJob { level: level as u32, ..StreamJob::default() })?;
        let Tables { poses, lists, open, candidates, total } = tables;
        let from = 4 * (LEVELS + level) as u64;
        submission.encoder().copy_buffer_to_buffer(&lists.counts, from, total, 0, 4);
        let [here, next] = [&open[level % 2], &open[(level + 1) % 2]];
        let resources = [&job, &a.nodes, &b.nodes, poses, here, &lists.counts, next, candidates];
        let resources = resources.map(Buffer::as_entire_binding);
        let kernels = self.work.adapter.trees()?;
        kernels.counted.record(submission, &kernels.descend, &resources, total)
    }

    fn meet(
        &self,
        submission: &mut Submission,
        tables: &Tables,
        poses: usize,
    ) -> Result<(), GpuError> {
        let [a, b] = &self.bodies;
        let job = self.work.job(StreamJob::default())?;
        let least = self.work.adapter.upload("least triangles", &vec![u32::MAX; poses])?;
        let Tables { poses, lists, candidates, total, .. } = tables;
        let from = 4 * CANDIDATES as u64;
        submission.encoder().copy_buffer_to_buffer(&lists.counts, from, total, 0, 4);
        let Lists { counts, found, .. } = lists;
        let resources = [&job, &a.corners, &b.corners, poses, candidates, counts, found, &least];
        let resources = resources.map(Buffer::as_entire_binding);
        let kernels = self.work.adapter.trees()?;
        kernels.counted.record(submission, &kernels.meet, &resources, total)
    }
}

/// The lists and counts of a submission on the adapter.
struct Tables {
    poses: Buffer,
    lists: Lists<{ trees::ENTRY }>,
    /// Pairs of nodes at even and at odd steps.
    open: [Buffer; 2],
    /// Pairs of triangles.
    candidates: Buffer,
    /// The count of a counted dispatch.
    total: Buffer,
}

/// What a submission gave.
struct Landed {
    counts: Vec<u32>,
    found: Vec<[u32; 3]>,
}

/// Adds what was found to what is known of each pose, sorted.
fn put(group: &[Passenger], found: &[[u32; 3]], tested: &[u32], landings: &mut [Landing]) {
    for &[pose, a, b] in found {
        let outcome = group.get(pose as usize).and_then(|of| landings[of.index].outcome());
        if let Some(outcome) = outcome {
            outcome.left.push(Left { a: a & !OPEN, b, open: a & OPEN != 0 });
        }
    }
    for (passenger, &[boxes, triangles]) in group.iter().zip(tested.as_chunks().0) {
        if let Some(outcome) = landings[passenger.index].outcome() {
            outcome.left.sort_unstable();
            outcome.boxes += u64::from(boxes);
            outcome.triangles = u64::from(triangles);
        }
    }
}
