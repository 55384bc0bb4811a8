//! Small bodies in motion, and what the oracle knows about them.

use impinge_geometry::{Mesh, Point, Vector};
use impinge_models::Random;
use impinge_query::continuous::{Approach, Continuous, Features, Impact, Moving};
use impinge_query::{Cancelled, Contact, Control};

use super::STEPS;
use crate::oracle::{self, Triple};

/// Vertices along the edges of a plate: each of two plates has 40 triangles.
const WIDE: u32 = 6;
const LONG: u32 = 5;

/// How points move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Anywhere,
    InAPlane,
    AlongALine,
    /// They are at rest.
    Resting,
    /// All of a body alike.
    Rigidly,
    /// Through a small place at one time.
    Together,
}

impl Moved {
    pub(super) const ALL: [Self; 6] = [
        Self::Anywhere,
        Self::InAPlane,
        Self::AlongALine,
        Self::Resting,
        Self::Rigidly,
        Self::Together,
    ];

    /// An integer vector up to `reach` along each axis along which something happens.
    fn lattice(self, random: &mut Random, reach: u64) -> Vector {
        let mut at = || random.below(2 * reach + 1) as f64 - reach as f64;
        let v = Vector::new(at(), at(), at());
        v.component_mul(&match self {
            Self::InAPlane => Vector::new(1.0, 1.0, 0.0),
            Self::AlongALine => Vector::new(1.0, 0.0, 0.0),
            _ => Vector::repeat(1.0),
        })
    }

    /// The places of some points at both ends. Each is at a place `near` the origin or `away` from it
    /// at time `time / STEPS`, and else on a straight line through it. Multiples of [`STEPS`], so that
    /// all places at the oracle's times are integers.
    fn points(
        self,
        random: &mut Random,
        number: u64,
        [near, time, away]: [u64; 3],
        drift: Vector,
    ) -> [Vec<Point>; 2] {
        let (mut start, mut end) = (Vec::new(), Vec::new());
        for _ in 0..number {
            let own = if self == Self::Rigidly { drift } else { drift + self.lattice(random, 2) };
            let speed = if self == Self::Resting { Vector::zeros() } else { own };
            let mut place = self.lattice(random, near) * f64::from(STEPS);
            place.x += (away * u64::from(STEPS)) as f64;
            let at = |t: f64| Point::from(place + speed * (t - time as f64));
            start.push(at(0.0));
            end.push(at(f64::from(STEPS)));
        }
        [start, end]
    }
}

/// A body at both ends of its motion.
#[derive(Clone, Debug)]
pub(super) struct Body {
    mesh: Mesh,
    end: Vec<Point>,
}

impl Body {
    fn new([start, end]: [Vec<Point>; 2], triangles: Vec<[u32; 3]>) -> Self {
        Self { mesh: Mesh::new(start, triangles).expect("small integers"), end }
    }

    fn moving(&self) -> Moving<'_> {
        Moving::new(&self.mesh, &self.end).expect("as many, finite")
    }

    /// The place of a vertex at a time.
    pub(super) fn place(&self, vertex: u32, time: f64) -> Point {
        let start = self.mesh.vertices()[vertex as usize];
        start + (self.end[vertex as usize] - start) * time
    }

    pub(super) fn speed(&self, vertex: u32) -> Vector {
        self.end[vertex as usize] - self.mesh.vertices()[vertex as usize]
    }

    pub(super) fn vertices(&self, triangle: u32) -> [u32; 3] {
        self.mesh.triangles()[triangle as usize]
    }
}

/// Two bodies, or one and itself.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) bodies: [Body; 2],
    itself: bool,
}

impl Scene {
    /// Two bodies of one or two triangles.
    pub(super) fn two(moved: Moved, index: u64) -> Self {
        let mut random = Random::stream(0x1_3a9 + moved as u64, index);
        let time = random.below(u64::from(STEPS) + 1);
        let drift = [0, 1].map(|_| moved.lattice(&mut random, 2));
        let (near, away) = if moved == Moved::Together { (1, 0) } else { (3, 3) };
        let mut body = |away: u64, drift: Vector| {
            let triangles = 1 + random.below(2) as u32;
            let number = u64::from(triangles) + 2;
            let points = moved.points(&mut random, number, [near, time, away], drift);
            Body::new(points, (0..triangles).map(|t| [t, t + 1, t + 2]).collect())
        };
        Self { bodies: [body(0, drift[0]), body(away, drift[1])], itself: false }
    }

    /// A few triangles over a few vertices; every other one as a soup.
    pub(super) fn one(moved: Moved, index: u64) -> Self {
        Self::sheet(moved, index, [0, 4])
    }

    /// The same with so many vertices that some triangles have none in common.
    pub(super) fn long(moved: Moved, index: u64) -> Self {
        Self::sheet(moved, index, [2, 8])
    }

    fn sheet(moved: Moved, index: u64, [more, near]: [u64; 2]) -> Self {
        let mut random = Random::stream(0x17_5e1f + moved as u64, index);
        let time = random.below(u64::from(STEPS) + 1);
        let drift = moved.lattice(&mut random, 2);
        let number = if more == 0 { 4 + random.below(2) } else { 4 + more };
        let [mut start, mut end] = moved.points(&mut random, number, [near, time, 0], drift);
        let last = number as u32 - 1;
        // A sheet or a fan, of which the last triangle may have any corners.
        let fan = random.chance(0.5);
        let mut triangles: Vec<[u32; 3]> = (0..last - 1)
            .map(|t| if fan { [0, t + 1, t + 2] } else { [t, t + 1, t + 2] })
            .collect();
        if more == 0 && random.chance(0.3) {
            triangles.push([(); 3].map(|()| random.below(number) as u32));
        }
        if index % 2 == 1 {
            let corners = triangles.iter().flatten().map(|corner| *corner as usize);
            [start, end] = [&start, &end].map(|all| corners.clone().map(|k| all[k]).collect());
            triangles =
                (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        }
        let body = Body::new([start, end], triangles);
        Self { bodies: [body.clone(), body], itself: true }
    }

    /// Two plates in one mesh, edge to edge so that trees tell them apart, of more triangles than sixteen
    /// leaves of a tree hold. What bends a plate does not fold it: triangles of one plate without a common
    /// vertex stay more than 16 apart, and whatever comes nearer is of both plates.
    pub(super) fn plates(moved: Moved, index: u64) -> Self {
        let mut random = Random::stream(0x91a_7e5 + moved as u64, index);
        let time = random.below(u64::from(STEPS) + 1) as f64;
        let away = f64::from(8 * (WIDE - 1) * STEPS) + random.below(40) as f64;
        let drift = [0, 1].map(|_| moved.lattice(&mut random, 1));
        let (mut start, mut end, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        for (plate, drift) in drift.into_iter().enumerate() {
            let first = start.len() as u32;
            for k in 0..u64::from(WIDE * LONG) {
                let own = if moved == Moved::Rigidly {
                    Vector::zeros()
                } else {
                    moved.lattice(&mut random, 1)
                };
                let all = if moved == Moved::Resting { Vector::zeros() } else { drift + own };
                let [y, z] = [k / u64::from(LONG), k % u64::from(LONG)].map(|k| k as f64 * 8.0);
                let step = f64::from(STEPS);
                let place = Point::new(0.0, y * step + away * plate as f64, z * step);
                let at = |t: f64| place + all * (t - time);
                start.push(at(0.0));
                end.push(at(step));
            }
            for (i, j) in (1..WIDE).flat_map(|i| (1..LONG).map(move |j| (i, j))) {
                let corner = first + i * LONG + j;
                triangles.push([corner - LONG - 1, corner - LONG, corner - 1]);
                triangles.push([corner, corner - 1, corner - LONG]);
            }
        }
        let body = Body::new([start, end], triangles);
        Self { bodies: [body.clone(), body], itself: true }
    }

    /// Whether it is one body and itself.
    pub(super) const fn bodies_are_one(&self) -> bool {
        self.itself
    }

    /// The bodies in the other order.
    pub(super) fn swapped(&self) -> Option<Self> {
        let [a, b] = self.bodies.clone();
        (!self.itself).then_some(Self { bodies: [b, a], itself: false })
    }

    pub(super) fn first(
        &self,
        method: &dyn Continuous,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let [a, b] = self.bodies.each_ref().map(Body::moving);
        if self.itself {
            method.first_self_contact(&a, control)
        } else {
            method.first_contact(&a, &b, control)
        }
    }

    pub(super) fn within(
        &self,
        method: &dyn Continuous,
        distance: f64,
        control: &Control<'_>,
    ) -> Result<Option<Approach>, Cancelled> {
        let [a, b] = self.bodies.each_ref().map(Body::moving);
        if self.itself {
            method.first_self_within(&a, distance, control)
        } else {
            method.first_within(&a, &b, distance, control)
        }
    }

    /// Whether two triangles of one mesh have a vertex in common: at one place at both ends.
    pub(super) fn are_neighbours(&self, pair: Contact) -> bool {
        let [body, _] = &self.bodies;
        let vertex = |v: u32| [0.0, 1.0].map(|t| body.place(v, t));
        let places = |triangle: u32| body.vertices(triangle).map(vertex);
        self.itself && places(pair.a).iter().any(|v| places(pair.b).contains(v))
    }

    pub(super) fn all(
        &self,
        method: &dyn Continuous,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled> {
        let [a, b] = self.bodies.each_ref().map(Body::moving);
        if self.itself {
            method.self_contacts(&a, cap, control)
        } else {
            method.contacts(&a, &b, cap, control)
        }
    }

    /// All pairs of triangles that may be a contact.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Contact> + '_ {
        let [n, m] = self.bodies.each_ref().map(|body| body.mesh.triangles().len() as u32);
        let all = (0..n).flat_map(move |a| (0..m).map(move |b| Contact { a, b }));
        all.filter(|pair| !self.itself || pair.a < pair.b)
    }

    /// The corners of a pair of triangles at a time.
    pub(super) fn corners(&self, pair: Contact, time: f64) -> [[Point; 3]; 2] {
        [(0, pair.a), (1, pair.b)].map(|(body, triangle)| {
            let body: &Body = &self.bodies[body];
            body.vertices(triangle).map(|v| body.place(v, time))
        })
    }

    /// The first of the oracle's times at which a pair is known to meet.
    pub(super) fn known(&self, pair: Contact) -> Option<f64> {
        let times = (0..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
        let meets = |&time: &f64| {
            if !self.itself {
                let [p, q] = self.corners(pair, time);
                return oracle::triangles_meet(&p, &q);
            }
            // Triangles over the same vertices are a contact only at the start.
            let follows = time == 0.0 || !self.same(pair);
            (follows && self.meet_elsewhere(pair, time)) || self.features_meet(pair, time)
        };
        times.into_iter().find(meets)
    }

    /// Whether a pair meets at time 0, not counting what neighbours have in common.
    pub(super) fn start(&self, pair: Contact) -> bool {
        let [p, q] = self.corners(pair, 0.0);
        if self.itself { self.meet_elsewhere(pair, 0.0) } else { oracle::triangles_meet(&p, &q) }
    }

    fn meet_elsewhere(&self, pair: Contact, time: f64) -> bool {
        let triple = |p: Point| -> Triple { [0, 1, 2].map(|k| p[k] as i128) };
        let [p, q] = self.corners(pair, time).map(|t| t.map(triple));
        oracle::meet_elsewhere(&p, &q)
    }

    /// Whether two vertices of a body are at equal places at both ends.
    fn one_vertex(&self, v: u32, w: u32) -> bool {
        let [a, b] = &self.bodies;
        [0.0, 1.0].iter().all(|&time| a.place(v, time) == b.place(w, time))
    }

    /// Whether two parts of a body have no vertex in common.
    fn disjoint(&self, p: &[u32], q: &[u32]) -> bool {
        !p.iter().any(|&v| q.iter().any(|&w| self.one_vertex(v, w)))
    }

    /// Whether every vertex of each of two triangles is one of the other.
    fn same(&self, pair: Contact) -> bool {
        let [p, q] = [self.bodies[0].vertices(pair.a), self.bodies[1].vertices(pair.b)];
        let within = |p: &[u32; 3], q: &[u32; 3]| p.iter().all(|v| !self.disjoint(&[*v], q));
        within(&p, &q) && within(&q, &p)
    }

    /// Whether a vertex and a face or two edges that have no vertex in common share a point.
    fn features_meet(&self, pair: Contact, time: f64) -> bool {
        let [p, q] = [self.bodies[0].vertices(pair.a), self.bodies[1].vertices(pair.b)];
        let place = |v: u32| self.bodies[0].place(v, time);
        let meet = |p: [u32; 3], q: [u32; 3]| {
            self.disjoint(&p, &q) && oracle::triangles_meet(&p.map(place), &q.map(place))
        };
        let edges = |t: [u32; 3]| [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3], t[k]]);
        p.iter().any(|&v| meet([v; 3], q))
            || q.iter().any(|&v| meet(p, [v; 3]))
            || edges(p).iter().any(|&e| edges(q).iter().any(|&f| meet(e, f)))
    }

    /// What is said to touch, at a time: corners of A and of B, the last one repeated.
    pub(super) fn parts(
        &self,
        pair: Contact,
        features: Features,
        time: f64,
    ) -> Result<[[Point; 3]; 2], String> {
        let [of_a, of_b] = self.named(pair, features);
        for (body, triangle, named) in [(0, pair.a, &of_a), (1, pair.b, &of_b)] {
            let corners = self.bodies[body].vertices(triangle);
            if let Some(vertex) = named.iter().find(|vertex| !corners.contains(vertex)) {
                return Err(format!("{features:?}: vertex {vertex} is not of {triangle}"));
            }
        }
        if self.itself && features != Features::Start && !self.disjoint(&of_a, &of_b) {
            return Err(format!("{features:?} have a vertex in common"));
        }
        let place = |body: usize, named: &[u32]| {
            [0, 1, 2].map(|k| self.bodies[body].place(named[k.min(named.len() - 1)], time))
        };
        Ok([place(0, &of_a), place(1, &of_b)])
    }

    /// The vertices of what is said to touch.
    pub(super) fn named(&self, pair: Contact, features: Features) -> [Vec<u32>; 2] {
        let [p, q] = [self.bodies[0].vertices(pair.a), self.bodies[1].vertices(pair.b)];
        match features {
            Features::Start => [p.to_vec(), q.to_vec()],
            Features::VertexOfA(vertex) => [vec![vertex], q.to_vec()],
            Features::VertexOfB(vertex) => [p.to_vec(), vec![vertex]],
            Features::Edges(e, f) => [e.to_vec(), f.to_vec()],
        }
    }
}
