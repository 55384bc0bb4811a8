//! Building: records of triangles are cut top-down into sixteen parts at a time; then every lane
//! gets its box.

mod fit;
mod split;

use impinge_geometry::Mesh;
use impinge_query::{Cancelled, Control};
use rayon::prelude::*;

use crate::node::{LANES, LEAF, Leaf, Node, TRIANGLES};
use crate::tree::Tree;
use crate::units::Units;
use fit::Corners;
use split::{Record, area, split};

/// Triangles below which parts are kept so large that nodes at the bottom are full.
const BOTTOM: usize = 1024;

/// Below this depth parts are halves: whatever the mesh, no tree is deeper than this and eight more.
const DEEP: usize = 24;

/// A node to be: the records of each part.
struct Plan {
    parts: Vec<(usize, usize)>,
    child: [u32; LANES],
}

/// Builds the tree of a mesh, on all threads of the pool it is called in. The tree does not depend
/// on their number.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn build(mesh: &Mesh, control: &Control<'_>) -> Result<Tree, Cancelled> {
    let units = Units::of(mesh);
    let mut records = records(mesh, &units);
    let n = records.len();
    let mut top = Topology { plans: Vec::new(), leaves: Vec::new(), mesh, control };
    top.plans.push(Plan { parts: vec![(0, n)], child: [0; LANES] });
    let child = top.descend(&mut records, (0, n), 0)?;
    top.plans[0].child[0] = child;
    let Topology { plans, leaves, .. } = top;
    control.check()?;
    let nodes = plans.into_par_iter().map(|plan| node(mesh, &units, &records, &plan)).collect();
    control.check()?;
    Ok(Tree { units, nodes, leaves })
}

fn records(mesh: &Mesh, units: &Units) -> Vec<Record> {
    let scale = units.scale();
    let record = |(id, t): (usize, &[u32; 3])| {
        let p = t.map(|v| units.enter(scale, &mesh.vertices()[v as usize]).map(|x| x as f32));
        let low = std::array::from_fn(|k| p[0][k].min(p[1][k]).min(p[2][k]));
        let high = std::array::from_fn(|k| p[0][k].max(p[1][k]).max(p[2][k]));
        Record { low, id: id as u32, high, unused: 0 }
    };
    mesh.triangles().par_iter().enumerate().map(record).collect()
}

struct Topology<'m> {
    plans: Vec<Plan>,
    leaves: Vec<Leaf>,
    mesh: &'m Mesh,
    control: &'m Control<'m>,
}

impl Topology<'_> {
    /// The subtree of `records[from .. to]`; what refers to it.
    fn descend(
        &mut self,
        records: &mut [Record],
        (from, to): (usize, usize),
        depth: usize,
    ) -> Result<u32, Cancelled> {
        if to - from <= TRIANGLES {
            let ids: Vec<u32> = records[from..to].iter().map(|r| r.id).collect();
            self.leaves.push(Leaf::new(&ids, self.mesh.triangles()));
            return Ok(LEAF | (self.leaves.len() - 1) as u32);
        }
        self.control.check()?;
        let parts = parts(records, (from, to), depth < DEEP);
        let index = self.plans.len();
        self.plans.push(Plan { parts: parts.clone(), child: [0; LANES] });
        for (lane, &part) in parts.iter().enumerate() {
            let child = self.descend(records, part, depth + 1)?;
            self.plans[index].child[lane] = child;
        }
        Ok(index as u32)
    }
}

/// Cuts `records[from .. to]`, more than a leaf's, into two to sixteen parts, in order: where the
/// heuristic says, or in halves.
fn parts(
    records: &mut [Record],
    (from, to): (usize, usize),
    heuristic: bool,
) -> Vec<(usize, usize)> {
    let n = to - from;
    let enough = if n > BOTTOM { TRIANGLES } else { capacity(n) };
    let mut parts = vec![(from, to, area(&records[from..to]))];
    while parts.len() < LANES {
        let weight = |&(from, to, area): &(usize, usize, f32)| {
            if to - from <= enough { f32::NEG_INFINITY } else { area.max(0.0) * (to - from) as f32 }
        };
        let most =
            (0..parts.len()).max_by(|&i, &j| weight(&parts[i]).total_cmp(&weight(&parts[j])));
        let Some(i) = most.filter(|&i| weight(&parts[i]) > f32::NEG_INFINITY) else { break };
        let (from, to, _) = parts[i];
        let halves = (to - from) / 2;
        let middle = from + if heuristic { split(&mut records[from..to]) } else { halves };
        let part = |from: usize, to: usize| (from, to, area(&records[from..to]));
        let (first, second) = (part(from, middle), part(middle, to));
        parts[i] = first;
        parts.insert(i + 1, second);
    }
    parts.into_iter().map(|(from, to, _)| (from, to)).collect()
}

/// What one child may hold if sixteen such hold `n`: 4, 64, …
fn capacity(n: usize) -> usize {
    let mut each = TRIANGLES;
    while each * LANES < n {
        each *= LANES;
    }
    each
}

fn node(mesh: &Mesh, units: &Units, records: &[Record], plan: &Plan) -> Node {
    let corners = plan
        .parts
        .iter()
        .map(|&(from, to)| Corners::new(mesh, units, records[from..to].iter().map(|r| r.id)));
    let corners: Vec<Corners> = corners.collect();
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for [l, h] in corners.iter().map(Corners::bounds) {
        for k in 0..3 {
            low[k] = low[k].min(l[k]);
            high[k] = high[k].max(h[k]);
        }
    }
    let origin: [f32; 3] = std::array::from_fn(|k| (0.5 * (low[k] + high[k])) as f32);
    let mut node = Node::empty(origin);
    node.lanes = plan.parts.len() as u32;
    node.child = plan.child;
    for (l, corners) in corners.iter().enumerate() {
        node.set(l, &corners.fit(&origin));
    }
    node.settle();
    node
}
