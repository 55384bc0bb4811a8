//! A world of 2²⁰ objects, whose pairs are known.

use impinge_models::Shape as Model;
use impinge_query::Ask;
use impinge_scene::geometry::{Pose, Vector};
use impinge_scene::{Object, World};

use crate::world::rows;

/// Objects along the axes.
const ALONG: [usize; 3] = [256, 64, 64];
/// Way from one cube of edge 1 to the next. A row along x is a chain; rows are apart.
const WAY: [f64; 3] = [0.875, 1.5, 1.5];

fn place(number: usize) -> Vector {
    let at = [number % ALONG[0], number / ALONG[0] % ALONG[1], number / (ALONG[0] * ALONG[1])];
    Vector::new(at[0] as f64 * WAY[0], at[1] as f64 * WAY[1], at[2] as f64 * WAY[2])
}

#[test]
fn a_million_objects_meet_whom_they_should() {
    let mut world = World::new();
    let cube = world.shape(&Model::Cube.mesh(12, 0)).expect("prepared");
    let count = ALONG[0] * ALONG[1] * ALONG[2];
    assert_eq!(count, 1 << 20);
    let ids: Vec<_> = (0..count)
        .map(|number| {
            let pose = Pose::translation_by(place(number)).expect("in range");
            world.add(Object::new(cube.clone(), pose)).expect("in range")
        })
        .collect();
    let first = Ask::first_contact();
    let links = (ALONG[0] - 1) * ALONG[1] * ALONG[2];
    let chained = |rows: Vec<crate::world::Row>| {
        for (number, (a, b, _)) in rows.iter().enumerate() {
            let before = number / (ALONG[0] - 1) * ALONG[0] + number % (ALONG[0] - 1);
            assert_eq!([*a, *b], [ids[before], ids[before + 1]]);
        }
        rows.len()
    };
    assert_eq!(chained(rows(&mut world, &first)), links);

    // One object moves half way to the next row: it still meets both neighbours, and three cubes of that row.
    let far = 100;
    let half_way = place(far) + Vector::new(0.0, 0.75, 0.0);
    world.set_pose(ids[far], Pose::translation_by(half_way).expect("in range")).expect("there");
    let found = rows(&mut world, &first);
    let of_far: Vec<_> =
        found.iter().filter(|(a, b, _)| *a == ids[far] || *b == ids[far]).collect();
    assert_eq!((found.len(), of_far.len()), (links + 3, 5));

    // Every second one is taken away.
    world.set_pose(ids[far], Pose::translation_by(place(far)).expect("in range")).expect("there");
    for id in ids.iter().skip(1).step_by(2) {
        world.remove(*id).expect("there");
    }
    assert_eq!((world.len(), rows(&mut world, &first).len()), (count / 2, 0));
}
