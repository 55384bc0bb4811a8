//! Each way to be wrong about contacts in motion is noticed by the examination.

use impinge_continuous::EveryFeature;
use impinge_geometry::Vector;
use impinge_query::continuous::{Approach, Continuous, Features, Impact, Interval, Moving};
use impinge_query::{Cancelled, Contact, Control};
use impinge_testkit::battery::{approaches, impacts, self_approaches, self_impacts};

/// A way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Reports contacts 2⁻³⁰ too late.
    Late,
    /// Reports them 2⁻²⁰ too early.
    Early,
    /// Reports an interval 2⁻³⁰ wide.
    Wide,
    /// Loses contacts of edges.
    NoEdges,
    /// Loses contacts at the start.
    OpenStart,
    /// Loses contacts at the end.
    OpenEnd,
    /// Takes triangles that have met at the start for those that meet later.
    StartsLater,
    /// Takes meshes for touching in the middle that never do.
    Invents,
    /// Names another vertex or edge of the triangles.
    OtherFeature,
    /// Names the first triangles, whichever meet.
    FirstTriangles,
    /// The normal points to the other side.
    Flipped,
    /// The normal is 1e-5 off.
    Tilted,
    /// Gives no normal.
    NoNormal,
    /// Gives one where there is none.
    AnyNormal,
    /// Goes on when the caller has cancelled.
    GoesOn,
    /// Loses all pairs but that of the first contact.
    OnlyFirst,
    /// Finds all pairs in the order of time.
    ByTime,
    /// Finds a pair twice.
    Twice,
    /// Ignores the cap.
    NoCap,
    /// Cuts the list to the cap before it is sorted.
    AnyOfThem,
    /// Takes all contacts for first ones.
    LateFirst,
    /// Does not look at pairs of neighbours.
    SkipsNeighbours,
    /// Takes the common vertices of neighbours for contacts.
    CountsNeighbours,
    /// Takes vertices for different ones that have different indices.
    ByIndex,
    /// Lists a pair of one mesh in both orders.
    BothOrders,
    /// Looks for a distance that is a little less.
    Less,
    /// Looks for one that is a little more.
    More,
    /// Says that it is not certain whatever it is.
    Excess,
    /// Takes being near for coming near.
    NotAtOnce,
    /// Is near only where it touches.
    Touches,
    /// The same in meshes of many triangles.
    ManyTouch,
}

/// Those of distances.
const OF_DISTANCE: [Fault; 9] = [
    Fault::Less,
    Fault::More,
    Fault::Excess,
    Fault::NotAtOnce,
    Fault::Touches,
    Fault::Late,
    Fault::Early,
    Fault::Wide,
    Fault::FirstTriangles,
];

/// Those of distances in one mesh.
const OF_DISTANCE_IN_ONE: [Fault; 6] =
    [Fault::Less, Fault::More, Fault::Late, Fault::Early, Fault::SkipsNeighbours, Fault::ManyTouch];

/// Those of two meshes.
const OF_TWO: [Fault; 21] = [
    Fault::Late,
    Fault::Early,
    Fault::Wide,
    Fault::NoEdges,
    Fault::OpenStart,
    Fault::OpenEnd,
    Fault::StartsLater,
    Fault::Invents,
    Fault::OtherFeature,
    Fault::FirstTriangles,
    Fault::Flipped,
    Fault::Tilted,
    Fault::NoNormal,
    Fault::AnyNormal,
    Fault::GoesOn,
    Fault::OnlyFirst,
    Fault::ByTime,
    Fault::Twice,
    Fault::NoCap,
    Fault::AnyOfThem,
    Fault::LateFirst,
];

/// Those of one mesh.
const OF_ONE: [Fault; 4] =
    [Fault::SkipsNeighbours, Fault::CountsNeighbours, Fault::ByIndex, Fault::BothOrders];

struct Faulty(Fault);

const fn at(time: f64) -> Interval {
    Interval { low: time, high: time }
}

impl Faulty {
    fn spoil(&self, body: &Moving<'_>, mut found: Impact) -> Option<Impact> {
        let time = &mut found.time;
        match self.0 {
            Fault::Late => *time = at((time.high + 2f64.powi(-30)).min(1.0)),
            Fault::Early => *time = at((time.low - 2f64.powi(-20)).max(0.0)),
            Fault::Wide => time.high = (time.low + 2f64.powi(-30)).min(1.0),
            Fault::NoEdges if matches!(found.features, Features::Edges(..)) => return None,
            Fault::OpenStart if time.high == 0.0 => return None,
            Fault::OpenEnd if time.low == 1.0 => return None,
            Fault::StartsLater if found.features == Features::Start => {
                found.features = Features::VertexOfA(0);
            }
            Fault::OtherFeature => {
                let next = |vertex: u32, t: u32| {
                    let corners = body.mesh().triangles()[t as usize];
                    let k = corners.iter().position(|v| *v == vertex).unwrap_or(0);
                    corners[(k + 1) % 3]
                };
                let a = found.triangles.a;
                found.features = match found.features {
                    Features::VertexOfA(v) => Features::VertexOfA(next(v, a)),
                    Features::Edges(e, f) => Features::Edges(e.map(|v| next(v, a)), f),
                    other => other,
                };
            }
            Fault::FirstTriangles => found.triangles = Contact { a: 0, b: 0 },
            Fault::Flipped => found.normal = found.normal.map(|n| -n),
            Fault::Tilted => {
                found.normal = found.normal.map(|n| (n + Vector::repeat(1e-5)).normalize());
            }
            Fault::NoNormal => found.normal = None,
            Fault::AnyNormal => found.normal = found.normal.or(Some(Vector::x())),
            _ => {}
        }
        Some(found)
    }

    fn spoil_first(&self, body: &Moving<'_>, found: Option<Impact>) -> Option<Impact> {
        let invented = Impact {
            time: at(0.5),
            triangles: Contact { a: 0, b: 0 },
            features: Features::VertexOfA(0),
            normal: None,
        };
        match found {
            None if self.0 == Fault::Invents => Some(invented),
            None => None,
            Some(found) => self.spoil(body, found),
        }
    }

    fn spoil_all(&self, body: &Moving<'_>, all: Vec<Impact>, cap: Option<usize>) -> Vec<Impact> {
        let mut all: Vec<Impact> = all.into_iter().filter_map(|x| self.spoil(body, x)).collect();
        let by_time = |x: &Impact, y: &Impact| x.time.low.total_cmp(&y.time.low);
        match self.0 {
            Fault::OnlyFirst => all = all.into_iter().min_by(by_time).into_iter().collect(),
            Fault::ByTime => all.sort_by(by_time),
            Fault::Twice => all.extend(all.last().copied()),
            Fault::NoCap => return all,
            Fault::AnyOfThem => {
                let cap = cap.unwrap_or(all.len()).min(all.len());
                return all.split_off(all.len() - cap);
            }
            _ => {}
        }
        all.truncate(cap.unwrap_or(usize::MAX));
        all
    }

    const fn control<'c>(&self, control: &'c Control<'c>) -> &'c Control<'c> {
        if matches!(self.0, Fault::GoesOn) { &Control::NONE } else { control }
    }

    /// The distance that is looked for.
    fn asked(&self, distance: f64) -> f64 {
        match self.0 {
            Fault::Less => distance * (1.0 - 1e-9),
            Fault::More => distance * (1.0 + 1e-9),
            Fault::Touches => 0.0,
            _ => distance,
        }
    }

    fn spoil_near(&self, mut found: Option<Approach>) -> Option<Approach> {
        let Approach { time, triangles, excess } = found.as_mut()?;
        match self.0 {
            Fault::Late => *time = at((time.high + 2f64.powi(-20)).min(1.0)),
            Fault::Early => *time = at((time.low - 2f64.powi(-20)).max(0.0)),
            Fault::Wide => time.high = (time.high + 2f64.powi(-19)).min(1.0),
            Fault::FirstTriangles => *triangles = Contact { a: 0, b: 0 },
            Fault::Excess => *excess += 1e-12,
            Fault::NotAtOnce if time.high == 0.0 => return None,
            _ => {}
        }
        found
    }

    /// All contacts of a mesh with itself, some of them wrong.
    fn of_itself(
        &self,
        body: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled> {
        let triangles = body.mesh().triangles();
        let mut all = EveryFeature.self_contacts(body, None, control)?;
        match self.0 {
            Fault::SkipsNeighbours => all.retain(|x| !neighbours(body, x.triangles)),
            Fault::CountsNeighbours => {
                all = EveryFeature.contacts(body, body, None, control)?;
                all.retain(|x| x.triangles.a < x.triangles.b);
            }
            Fault::ByIndex => {
                // As if the vertices of a soup that coincide had come from different places.
                let soup = triangles.as_flattened().len() == body.mesh().vertices().len();
                if soup {
                    let counted = EveryFeature.contacts(body, body, None, control)?;
                    all = counted.into_iter().filter(|x| x.triangles.a < x.triangles.b).collect();
                }
            }
            Fault::BothOrders => {
                let other = |x: &Impact| {
                    let Contact { a, b } = x.triangles;
                    Impact { triangles: Contact { a: b, b: a }, ..*x }
                };
                all = all.iter().flat_map(|x| [*x, other(x)]).collect();
                all.sort_by_key(|x| (x.triangles.a, x.triangles.b));
            }
            _ => {}
        }
        Ok(all)
    }
}

/// Whether two triangles have a vertex in common.
fn neighbours(body: &Moving<'_>, Contact { a, b }: Contact) -> bool {
    let place = |v: u32| (body.mesh().vertices()[v as usize], body.end()[v as usize]);
    let [p, q] = [a, b].map(|t| body.mesh().triangles()[t as usize].map(place));
    p.iter().any(|v| q.contains(v))
}

impl Continuous for Faulty {
    fn word(&self) -> &'static str {
        "faulty"
    }

    fn first_contact(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let mut found = EveryFeature.first_contact(a, b, self.control(control))?;
        if self.0 == Fault::LateFirst {
            let all = EveryFeature.contacts(a, b, None, control)?;
            found = all.into_iter().max_by(|x, y| x.time.low.total_cmp(&y.time.low));
        }
        Ok(self.spoil_first(a, found))
    }

    fn contacts(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled> {
        let all = EveryFeature.contacts(a, b, None, self.control(control))?;
        Ok(self.spoil_all(a, all, cap))
    }

    fn first_within(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        distance: f64,
        control: &Control<'_>,
    ) -> Result<Option<Approach>, Cancelled> {
        let found = EveryFeature.first_within(a, b, self.asked(distance), control)?;
        Ok(self.spoil_near(found))
    }

    fn first_self_within(
        &self,
        body: &Moving<'_>,
        distance: f64,
        control: &Control<'_>,
    ) -> Result<Option<Approach>, Cancelled> {
        let many = self.0 == Fault::ManyTouch && body.mesh().triangles().len() > 64;
        let distance = if many { 0.0 } else { self.asked(distance) };
        let found = EveryFeature.first_self_within(body, distance, control)?;
        let skipped =
            |x: &Approach| self.0 == Fault::SkipsNeighbours && neighbours(body, x.triangles);
        Ok(self.spoil_near(found.filter(|x| !skipped(x))))
    }

    fn first_self_contact(
        &self,
        body: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let all = self.of_itself(body, control)?;
        Ok(all.into_iter().min_by(|x, y| x.time.low.total_cmp(&y.time.low)))
    }

    fn self_contacts(
        &self,
        body: &Moving<'_>,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled> {
        let mut all = self.of_itself(body, control)?;
        all.truncate(cap.unwrap_or(usize::MAX));
        Ok(all)
    }
}

#[test]
fn faults_of_two_meshes_are_noticed() {
    for fault in OF_TWO {
        let noticed = impacts(&Faulty(fault)).expect_err(&format!("{fault:?}"));
        assert!(noticed.starts_with("faulty"), "{fault:?}: {noticed}");
    }
}

#[test]
fn faults_of_one_mesh_are_noticed() {
    for fault in OF_ONE {
        let noticed = self_impacts(&Faulty(fault)).expect_err(&format!("{fault:?}"));
        assert!(noticed.starts_with("faulty"), "{fault:?}: {noticed}");
    }
}

#[test]
fn faults_of_distances_in_one_mesh_are_noticed() {
    for fault in OF_DISTANCE_IN_ONE {
        let noticed = self_approaches(&Faulty(fault)).expect_err(&format!("{fault:?}"));
        assert!(noticed.starts_with("faulty"), "{fault:?}: {noticed}");
    }
}

#[test]
fn faults_of_distances_are_noticed() {
    for fault in OF_DISTANCE {
        let noticed = approaches(&Faulty(fault)).expect_err(&format!("{fault:?}"));
        assert!(noticed.starts_with("faulty") || fault == Fault::Excess, "{fault:?}: {noticed}");
    }
}
