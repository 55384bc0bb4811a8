// Chains of fused multiply-adds: the rate of an adapter in 32 bits. The Rust side is in src/peak.rs;
// a test compares every offset.

struct PeakJob {
    // 1, in places where no compiler knows it: no addition can be left out or put together.
    factor: f32,
    term: f32,
    rounds: u32,
}

@group(0) @binding(0) var<uniform> job: PeakJob;
@group(0) @binding(1) var<storage, read_write> ends: array<f32>;

// Eight chains that do not depend on each other, so that an adapter can compute one while another
// waits. All are used, so that none is left out.
@compute @workgroup_size(64)
fn multiply_add(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let factor = vec4<f32>(job.factor);
    let term = vec4<f32>(job.term);
    var a = vec4<f32>(0.0, 1.0, 2.0, 3.0) + f32(local);
    var b = a + 4.0;
    for (var i = 0u; i < job.rounds; i++) {
        a = fma(a, factor, term);
        b = fma(b, factor, term);
        a = fma(a, factor, term);
        b = fma(b, factor, term);
        a = fma(a, factor, term);
        b = fma(b, factor, term);
        a = fma(a, factor, term);
        b = fma(b, factor, term);
    }
    let most = max(a, b);
    ends[group.x * 64u + local] = max(max(most.x, most.y), max(most.z, most.w));
}
