//! `obbtree` on two tori of 10,000 triangles, 0.1 % of the diagonal apart. This case separates
//! methods best: the surfaces are close everywhere and do not meet.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::{Method, Pair};
use impinge_benches::placement::{Plan, Target, place, poses};
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;

fn obbtree(criterion: &mut Criterion) {
    let torus = NamedMesh::shape(Shape::Torus, 10_000, 0);
    let plan = Plan { orientations: 8, seed: 1 };
    let placed = place(&torus, &torus, &plan, &|_| ()).expect("tori can be placed");
    let near = poses(&placed, Target::Apart(0.001));
    let deep = poses(&placed, Target::Deep(0.01));
    let mut pair = Pair::with(Method::ObbTree, &torus.mesh, &torus.mesh).expect("a torus is legal");
    let mut group = criterion.benchmark_group("obbtree, torus10k, 8 poses");
    group.bench_function("first contact, 0.1 % apart", |bencher| {
        bencher.iter(|| {
            let hits = near.iter().filter(|pose| pair.intersects(pose).is_ok_and(|hit| hit));
            hits.count()
        });
    });
    group.bench_function("all contacts, 1 % deep", |bencher| {
        bencher.iter(|| {
            let pairs = deep.iter().map(|pose| pair.contacts(pose).map_or(0, <[_]>::len));
            pairs.sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, obbtree);
criterion_main!(benches);
