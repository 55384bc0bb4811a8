//! The cost of the area centroid in li's hybrid: `aabb-obb` with its own fit and with the tighter
//! one, beside its two component trees. Copies of a mesh 0.1 % of the diagonal apart, first
//! contact.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::Method;
use impinge::geometry::volume::ObbFit;
use impinge::hierarchy::methods::{AabbObbParams, aabb_obb, aabb_obb_with};
use impinge::query::Ask;
use impinge_benches::harness::{Competitor, Workload};
use impinge_benches::placement::{Plan, Target, place, poses};
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;

fn hybrid(criterion: &mut Criterion) {
    let scenes = [(Shape::Teapot, 1_000), (Shape::Torus, 10_000), (Shape::Gear, 5_000)];
    for (shape, triangles) in scenes {
        let mesh = NamedMesh::shape(shape, triangles, 0);
        let plan = Plan { orientations: 8, seed: 1 };
        let placed = place(&mesh, &mesh, &plan, &|_| ()).expect("copies can be placed");
        let near = poses(&placed, Target::Apart(0.001));
        let tight = AabbObbParams { fit: ObbFit::AreaWeighted, ..AabbObbParams::default() };
        let all = [
            Competitor::from(Method::ObbTree),
            Competitor::from(Method::AabbRefit),
            Competitor::new("aabb-obb", aabb_obb()),
            Competitor::new("aabb-obb, area-weighted", aabb_obb_with(tight)),
        ];
        let asked = Workload::motion(vec![mesh.mesh], [0, 0], &near);
        let mut group = criterion.benchmark_group(format!("hybrid, {shape}, 8 poses 0.1 % apart"));
        for one in &all {
            let models = one.prepare(&asked).expect("a legal mesh");
            let (mut ready, ask) = (one.ready(asked.pairs), Ask::first_contact());
            group.bench_function(&one.label, |bencher| {
                bencher.iter(|| {
                    for query in asked.steps.iter().flatten() {
                        ready.ask(&models, query, &ask).expect("an answer");
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, hybrid);
criterion_main!(benches);
