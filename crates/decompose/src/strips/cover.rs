//! A greedy cover of triangles by strips.

use std::collections::{BTreeSet, HashMap};

use crate::surface::NONE;

/// When to turn by a swap although the strip could go straight on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    Never,
    /// If that neighbour has fewer neighbours left.
    ToFewer,
    /// If that neighbour would be left with none.
    ToLonely,
    /// Pseudo-randomly, at one triangle in four.
    Sometimes,
}

impl Turn {
    pub(super) const ALL: [Self; 4] = [Self::Never, Self::ToFewer, Self::ToLonely, Self::Sometimes];
}

#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub(super) sent: Vec<u32>,
    pub(super) faces: Vec<u32>,
}

/// Triangles, their neighbours, and which of them are not yet covered.
pub(super) struct Cover<'h> {
    faces: &'h [[u32; 3]],
    pub(super) across: Vec<[u32; 3]>,
    /// The triangle with this directed side.
    sides: HashMap<(u32, u32), u32>,
    free: Vec<bool>,
    /// Per free triangle, the number of its free neighbours.
    degree: Vec<u32>,
    /// Free triangles by number of free neighbours, then in an order that depends on the salt.
    queue: BTreeSet<(u32, u32, u32)>,
    salt: u32,
}

/// A different order of triangles for every salt; the given one for 0.
fn mixed(f: u32, salt: u32) -> u32 {
    if salt == 0 { f } else { (f ^ salt.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B) }
}

impl<'h> Cover<'h> {
    pub(super) fn new(faces: &'h [[u32; 3]]) -> Self {
        let mut sides = HashMap::with_capacity(3 * faces.len());
        for (f, t) in (0u32..).zip(faces) {
            for k in 0..3 {
                sides.insert((t[k], t[(k + 1) % 3]), f);
            }
        }
        let back = |a: u32, b: u32| sides.get(&(b, a)).copied().unwrap_or(NONE);
        let across = faces.iter().map(|&[a, b, c]| [back(a, b), back(b, c), back(c, a)]).collect();
        let (free, degree) = (vec![false; faces.len()], vec![0; faces.len()]);
        Self { faces, across, sides, free, degree, queue: BTreeSet::new(), salt: 0 }
    }

    /// Strips over these triangles, each listed once.
    pub(super) fn strips(&mut self, some: &[u32], rule: Turn, salt: u32) -> Vec<Run> {
        self.salt = salt;
        for &f in some {
            self.free[f as usize] = true;
        }
        for &f in some {
            self.degree[f as usize] = self.neighbours(f);
            self.queue.insert(self.key(f));
        }
        let mut runs = Vec::new();
        while let Some(&(_, _, first)) = self.queue.first() {
            let [a, b, c] = [0, 1, 2].map(|k| self.run(first, k, rule));
            // Keep the run with the fewest vertices per triangle.
            let cheaper = |a: Run, b: Run| {
                let (p, q) = (a.sent.len() * b.faces.len(), b.sent.len() * a.faces.len());
                if q < p { b } else { a }
            };
            let best = cheaper(cheaper(a, b), c);
            best.faces.iter().for_each(|&f| self.take(f));
            runs.push(best);
        }
        runs
    }

    fn key(&self, f: u32) -> (u32, u32, u32) {
        (self.degree[f as usize], mixed(f, self.salt), f)
    }

    fn neighbours(&self, f: u32) -> u32 {
        let is_free = |g: &&u32| **g != NONE && self.free[**g as usize];
        self.across[f as usize].iter().filter(is_free).count() as u32
    }

    fn take(&mut self, f: u32) {
        self.free[f as usize] = false;
        self.queue.remove(&self.key(f));
        for g in self.across[f as usize] {
            if g != NONE && self.free[g as usize] {
                self.queue.remove(&self.key(g));
                self.degree[g as usize] -= 1;
                self.queue.insert(self.key(g));
            }
        }
    }

    /// A strip through corner `k` of a triangle, extended both ways; leaves the triangles free.
    fn run(&mut self, first: u32, k: usize, rule: Turn) -> Run {
        let t = self.faces[first as usize];
        let mut sent = vec![t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
        let mut faces = vec![first];
        self.free[first as usize] = false;
        self.extend((&mut sent, &mut faces), first, rule);
        // The other direction, from the first triangle; a swap there is then unnecessary.
        sent.reverse();
        if sent[sent.len() - 3] == sent[sent.len() - 1] {
            sent.pop();
        }
        self.extend((&mut sent, &mut faces), first, rule);
        for &f in &faces {
            self.free[f as usize] = true;
        }
        if !self.is_upright(&sent) {
            sent.reverse();
            if !self.is_upright(&sent) {
                sent.insert(0, sent[0]);
            }
        }
        Run { sent, faces }
    }

    /// Whether the strip's triangles are wound as in the hull.
    fn is_upright(&self, sent: &[u32]) -> bool {
        let real = |w: &&[u32]| w[0] != w[1] && w[1] != w[2] && w[2] != w[0];
        let Some(k) = sent.windows(3).position(|w| real(&w)) else { return true };
        let (a, b) = if k % 2 == 0 { (k, k + 1) } else { (k + 1, k) };
        let face = self.sides.get(&(sent[a], sent[b]));
        face.is_some_and(|&f| self.faces[f as usize].contains(&sent[k + 2]))
    }

    /// Extends the end of a strip from its last triangle as far as possible.
    fn extend(&mut self, (sent, faces): (&mut Vec<u32>, &mut Vec<u32>), mut at: u32, rule: Turn) {
        loop {
            let n = sent.len();
            let [w, x, y] = [sent[n - 3], sent[n - 2], sent[n - 1]];
            let on = self.beyond(at, x, y);
            let turn = self.beyond(at, w, y);
            let degree = |f: u32| self.neighbours(f);
            let swap = match (on, turn) {
                (NONE, NONE) => break,
                (NONE, _) => true,
                (_, NONE) => false,
                (f, g) => match rule {
                    Turn::Never => false,
                    Turn::ToFewer => degree(g) < degree(f),
                    Turn::ToLonely => degree(g) == 0 && degree(f) > 0,
                    Turn::Sometimes => mixed(at, self.salt) >> 30 == 0,
                },
            };
            let next = if swap { turn } else { on };
            if swap {
                sent.insert(n - 1, w);
            }
            let last = self.faces[next as usize]
                .into_iter()
                .find(|&v| v != y && v != if swap { w } else { x });
            sent.push(last.unwrap_or(y));
            self.free[next as usize] = false;
            faces.push(next);
            at = next;
        }
    }

    /// The free triangle across the side between two corners, or `NONE`.
    fn beyond(&self, f: u32, p: u32, q: u32) -> u32 {
        let t = self.faces[f as usize];
        let side = (0..3).find(|&k| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            (a, b) == (p, q) || (a, b) == (q, p)
        });
        let g = side.map_or(NONE, |k| self.across[f as usize][k]);
        if g != NONE && self.free[g as usize] { g } else { NONE }
    }
}
