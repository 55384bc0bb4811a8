//! Images with texels of ours, and drawings into a canvas.

use impinge_gpu::wgpu::TextureFormat;
use impinge_gpu::{Canvas, DepthRule, GpuError, Rules};
use impinge_shaders::stream;

use super::shared;

const FORMAT: TextureFormat = TextureFormat::Rgba32Float;

#[test]
#[ignore = "gpu: needs an adapter"]
fn images_that_cannot_be_are_refused_by_name() {
    let gpu = shared();
    assert!(gpu.upload_texture("whole", FORMAT, [3, 2], &[0; 16 * 6]).is_ok());
    for (what, size, bytes) in
        [("short", [3, 2], 16 * 6 - 1), ("wide", [1 << 20, 1], 16), ("empty", [0, 1], 0)]
    {
        let error = gpu.upload_texture(what, FORMAT, size, &vec![0; bytes]).expect_err(what);
        assert!(
            matches!(&error, GpuError::Refused { what: named, .. } if named == what),
            "{error}"
        );
    }
    let error = gpu.upload_texture("pixels", TextureFormat::Depth24Plus, [1, 1], &[0; 4]);
    assert!(matches!(error, Err(GpuError::Refused { .. })), "{error:?}");
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_drawing_without_its_resources_is_refused() {
    let gpu = shared();
    let rules = Rules {
        vertex: stream::PLACE_TILE,
        fragment: stream::DRAW_CERTIFIED,
        depth: DepthRule::None,
        bindings: &[],
    };
    let error = gpu.drawing(&stream::DRAW, &rules).expect_err("the shader has bindings");
    assert!(matches!(error, GpuError::Refused { .. }), "{error}");
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_pass_without_drawings_runs_and_a_canvas_may_be_too_large() {
    let gpu = shared();
    for depths in [false, true] {
        let canvas = Canvas::new(gpu, depths, [5, 3]).expect("small");
        let mut submission = gpu.submission("nothing").expect("the device is there");
        submission.draw(&canvas, &[], &[], 1).expect("no resources are needed");
        submission.run().expect("it runs");
    }
    assert!(Canvas::new(gpu, true, [1 << 20, 1]).is_err());
}
