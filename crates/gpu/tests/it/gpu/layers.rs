//! The kernel of layered depth images against its twin.

use bytemuck::cast_slice;
use impinge_gpu::wgpu::{Buffer, BufferUsages};
use impinge_shaders::image::layers::{
    self, FARTHEST, LAYERS, Layer, LayersJob, LayersTriangle, PARTS,
};

use super::shared;

/// What the kernel counts and writes for each pixel.
fn drawn(job: &LayersJob, triangles: &[LayersTriangle]) -> Vec<(u32, Vec<Layer>)> {
    let gpu = shared();
    let kernel = gpu.kernel(&LAYERS, layers::DRAW_LAYERS).expect("it compiles");
    let upload = |what, usage, bytes| gpu.upload(what, usage, bytes).expect("small");
    let job_buffer = upload("job", BufferUsages::UNIFORM, bytemuck::bytes_of(job));
    let triangles = upload("triangles", BufferUsages::STORAGE, cast_slice(triangles));
    let read = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    let pixels = u64::from(job.columns * job.rows);
    let (few, many) = (4 * pixels, 8 * pixels * u64::from(job.room));
    let counts = gpu.buffer("counts", read, few).expect("small");
    let slots = gpu.buffer("layers", read, many).expect("small");
    let mut submission = gpu.submission("layers").expect("the device is there");
    let resources = [&job_buffer, &triangles, &counts, &slots].map(Buffer::as_entire_binding);
    submission.dispatch(&kernel, &resources, job.groups()).expect("they fit");
    let (counts, slots) =
        (submission.read_buffer(&counts, few), submission.read_buffer(&slots, many));
    let ran = submission.run().expect("it runs");
    let (counts, words) = (ran.words(counts), ran.words(slots));
    let layers = words.as_chunks::<2>().0.chunks(job.room as usize);
    let own = |(&count, layers): (&u32, &[[u32; 2]])| {
        let there = layers.iter().take(count as usize);
        let mut layers: Vec<Layer> = there.map(|&words| Layer::from_words(words)).collect();
        layers.sort_by_key(|layer| layer.triangle);
        (count, layers)
    };
    counts.iter().zip(layers).map(own).collect()
}

/// Triangles of all sizes, some with corners and edges at the middles of pixels, and far ones.
fn triangles(count: u32) -> Vec<LayersTriangle> {
    let mut state = 11_u64;
    let mut below = |n: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % n as u64) as i32
    };
    let far = f64::from(FARTHEST / PARTS);
    let mut corner = |kind: u32| {
        let [x, y, z] = [40, 40, 8].map(|n| f64::from(below(2 * n)) * 0.5);
        match kind % 4 {
            0 => [x, y, z],
            1 => [x * 0.37, y * 0.91, z],
            2 => [(x - 20.0) * far / 20.0, (y - 20.0) * far / 20.0, z],
            _ => [18.0 + x * 0.1, 18.0 + y * 0.1, z],
        }
    };
    (0..count)
        .map(|i| {
            let corners = [corner(i), corner(i), corner(if i % 8 == 2 { 0 } else { i })];
            LayersTriangle::new(corners).expect("near enough")
        })
        .collect()
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_kernel_covers_the_pixels_that_its_twin_covers() {
    let triangles = triangles(300);
    for (band, window) in [(16, [0, 0, 40, 40]), (3, [5, 7, 13, 20]), (64, [39, 0, 1, 40])] {
        let [column, row, columns, rows] = window;
        let job = LayersJob { column, row, columns, rows, band, room: 300, triangles: 300 };
        let (there, twin) = (drawn(&job, &triangles), layers::draw(&job, &triangles));
        let mut layers = 0;
        for ((count, own), twin) in there.iter().zip(&twin) {
            assert_eq!(*count as usize, twin.len());
            for (own, twin) in own.iter().zip(twin) {
                assert_eq!((own.triangle, own.turn), (twin.triangle, twin.turn));
                assert!((own.depth - twin.depth).abs() < 1e-2, "{own:?} {twin:?}");
            }
            layers += own.len();
        }
        assert_eq!(there.len(), twin.len());
        assert!(layers > 500, "{layers}");
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_pixel_without_room_counts_on() {
    let triangles = triangles(300);
    let job = LayersJob {
        columns: 40,
        rows: 40,
        band: 16,
        room: 2,
        triangles: 300,
        ..LayersJob::default()
    };
    let (there, twin) = (drawn(&job, &triangles), layers::draw(&job, &triangles));
    let full = there.iter().filter(|(count, _)| *count > 2).count();
    assert!(full > 100, "{full}");
    for ((count, own), twin) in there.iter().zip(&twin) {
        assert_eq!((*count as usize, own.len()), (twin.len(), twin.len().min(2)));
        assert!(own.iter().all(|own| twin.iter().any(|twin| twin.triangle == own.triangle)));
    }
}
