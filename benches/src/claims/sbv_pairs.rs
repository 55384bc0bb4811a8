//! The pairs of sbv fig. 7, and others, at a gap or a depth.

use impinge::{Mesh, Point, Pose};
use impinge_benches::placement::approach::Line;
use impinge_benches::placement::{Plan, Target, place_at, place_on, poses};
use impinge_benches::scene::NamedMesh;
use impinge_models::{Random, Shape};

/// Two bodies, and poses of the second in the frame of the first, by target.
pub(crate) struct Pairs {
    pub(crate) a: Mesh,
    pub(crate) b: Mesh,
    pub(crate) poses: Vec<Vec<Pose>>,
}

/// How the bodies stand to the axes of A's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// As they were made; only the direction between them is random.
    Aligned,
    /// Both turned at random.
    Turned,
}

impl Stance {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Aligned => "aligned",
            Self::Turned => "turned",
        }
    }
}

/// A closed cylinder about z with height and diameter 1.
pub(crate) fn cylinder(sides: u32, rings: u32) -> Result<NamedMesh, String> {
    let mut vertices = Vec::new();
    for ring in 0..=rings {
        for side in 0..sides {
            let turn = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
            let z = f64::from(ring) / f64::from(rings) - 0.5;
            vertices.push(Point::new(0.5 * turn.cos(), 0.5 * turn.sin(), z));
        }
    }
    let mut triangles = Vec::new();
    for side in 0..sides {
        let next = (side + 1) % sides;
        for ring in 0..rings {
            let (below, above) = (ring * sides, (ring + 1) * sides);
            triangles.push([below + side, below + next, above + next]);
            triangles.push([below + side, above + next, above + side]);
        }
        if 0 < side && side + 1 < sides {
            let top = rings * sides;
            triangles.push([0, next, side]);
            triangles.push([top, top + side, top + next]);
        }
    }
    let mesh = Mesh::new(vertices, triangles).map_err(|error| error.to_string())?;
    Ok(NamedMesh { name: "cylinder".to_owned(), mesh })
}

/// The paper's pairs at a share of its sizes: cylinder and ball of 3,000 vertices each, knot and
/// teapot of 7,000 and 10,000.
pub(crate) fn of_paper(share: f64, seed: u64) -> Result<[[NamedMesh; 2]; 2], String> {
    let of = |shape: Shape, vertices: f64| {
        NamedMesh::shape(shape, (2.0 * vertices * share) as usize, seed)
    };
    // 144 vertices on each cap: the paper's 288 samples. Their share of the vertices is kept.
    let sides = (144.0 * share).max(6.0) as u32;
    Ok([
        [cylinder(sides, 20)?, of(Shape::Sphere, 3_000.0)],
        [of(Shape::Trefoil, 7_000.0), of(Shape::Teapot, 10_000.0)],
    ])
}

/// Places one body about the other at each target, in as many poses of each.
pub(crate) fn placed(
    [a, b]: &[NamedMesh; 2],
    stance: Stance,
    targets: &[Target],
    plan: &Plan,
) -> Result<Pairs, String> {
    let (mut first, second) = (a.clone(), b.clone());
    let placed = match stance {
        Stance::Turned => {
            let mut random = Random::stream(plan.seed, 1 << 32);
            let turned = random.turned_to(impinge::Vector::zeros());
            first.mesh = a.mesh.posed(&turned).map_err(|error| error.to_string())?;
            place_at([&first, &second], targets, plan, &|_| ())?
        }
        Stance::Aligned => {
            let middle = |mesh: &Mesh| {
                let (low, high) = mesh.bounds();
                low.coords * 0.5 + high.coords * 0.5
            };
            let (from, to) = (middle(&second.mesh), middle(&first.mesh));
            let reach = first.mesh.diagonal() + second.mesh.diagonal();
            let draw = |random: &mut Random, _: &mut impinge::Pair| {
                let direction = random.unit_vector();
                let line = Line::new(&Pose::identity(), to - from, direction, reach);
                line.map(Some).map_err(|error| error.to_string())
            };
            place_on([&first, &second], targets, plan, draw, &|_| ())?
        }
    };
    let poses = targets.iter().map(|&target| poses(&placed, target)).collect();
    Ok(Pairs { a: first.mesh, b: second.mesh, poses })
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::geometry::Topology;

    #[test]
    fn the_cylinder_is_closed_and_its_caps_have_the_papers_samples() {
        let [[cylinder, ball], [knot, teapot]] = of_paper(1.0, 1).expect("they can be made");
        assert!(Topology::new(&cylinder.mesh).closed().is_ok());
        let caps = cylinder.mesh.vertices().iter().filter(|p| p.z.abs() == 0.5).count();
        assert_eq!((caps, cylinder.mesh.vertices().len()), (288, 3_024));
        for (named, wanted) in [(ball, 3_000.0), (knot, 7_000.0), (teapot, 10_000.0)] {
            let count = named.mesh.vertices().len() as f64;
            assert!((count / wanted - 1.0).abs() < 0.1, "{} {count}", named.name);
        }
    }
}
