//! What a model says of its memory is what it holds.

use allocation_counter::measure;
use impinge_image::{ibcd, recode};
use impinge_models::Shape;
use impinge_query::{Control, Engine, Model};

fn held<E: Engine>(engine: &E) -> [f64; 2] {
    let mut model = None;
    // A mesh that is kept elsewhere shares its vertices and indices with the model.
    let counted = measure(|| {
        let mesh = Shape::Gear.mesh(2_000, 1);
        model = engine.prepare(&mesh, &Control::NONE).ok();
    });
    let model = model.expect("closed");
    [model.bytes() as f64, counted.bytes_current as f64]
}

#[test]
fn a_model_counts_its_bytes() {
    for [said, held] in [held(&ibcd()), held(&recode())] {
        println!("{said} bytes said, {held} held");
        assert!((said / held - 1.0).abs() < 0.01, "{said} bytes said, {held} held");
    }
}
