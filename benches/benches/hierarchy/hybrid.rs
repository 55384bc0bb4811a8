//! What the area centroid costs li's hybrid: `aabb-obb` with its own fit and with the tighter one,
//! beside the two trees it is made of. Copies of a mesh 0.1 % of the diagonal apart, first contact.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::geometry::volume::ObbFit;
use impinge::hierarchy::methods::{AabbObbParams, aabb_obb, aabb_obb_with, aabb_refit, obbtree};
use impinge::query::{Answer, Ask, Control, Detector};
use impinge_benches::placement::{Plan, Target, place};
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;

fn hybrid(criterion: &mut Criterion) {
    let scenes = [(Shape::Teapot, 1_000), (Shape::Torus, 10_000), (Shape::Gear, 5_000)];
    for (shape, triangles) in scenes {
        let mesh = NamedMesh { name: shape.to_string(), mesh: shape.mesh(triangles, 0) };
        let plan = Plan { orientations: 8, seed: 1 };
        let placed = place(&mesh, &mesh, &plan, &|_| ()).expect("copies can be placed");
        let near: Vec<_> = placed
            .iter()
            .filter(|placed| placed.target == Target::Apart(0.001))
            .map(|placed| placed.pose)
            .collect();
        let tight = AabbObbParams { fit: ObbFit::AreaWeighted, ..AabbObbParams::default() };
        let engines: [(&str, Box<dyn Detector>); 4] = [
            ("obbtree", Box::new(obbtree())),
            ("aabb-refit", Box::new(aabb_refit())),
            ("aabb-obb", Box::new(aabb_obb())),
            ("aabb-obb, area-weighted", Box::new(aabb_obb_with(tight))),
        ];
        let mut group = criterion.benchmark_group(format!("hybrid, {shape}, 8 poses 0.1 % apart"));
        for (word, engine) in engines {
            let model = engine.prepare(&mesh.mesh, &Control::NONE).expect("a legal mesh");
            let (mut memory, mut answer) = (engine.memory(), Answer::default());
            let ask = Ask::first_contact();
            group.bench_function(word, |bencher| {
                bencher.iter(|| {
                    for pose in &near {
                        engine
                            .query(
                                &model,
                                &model,
                                pose,
                                &mut memory,
                                &ask,
                                &Control::NONE,
                                &mut answer,
                            )
                            .expect("an answer");
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, hybrid);
criterion_main!(benches);
