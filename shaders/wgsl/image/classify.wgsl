// Reads the stencil values of every viewport and writes one word per pair: is there a pixel of
// value 2, which is the first of them, is there a pixel of value 3 (fan section 2.4.4, step 4).
// One workgroup per viewport. A word is never 0, so a group that did not run shows.

//!include image/atlas.wgsl

// Values of a pixel and bits of a word, see src/image/word.rs.
const OVERLAP_VALUE: u32 = 2u;
const BEHIND_VALUE: u32 = 3u;
const CLASSIFIED: u32 = 0x80000000u;
const OVERLAP: u32 = 0x40000000u;
const BEHIND: u32 = 0x20000000u;
const NO_PIXEL: u32 = 0xffffffffu;
const LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> atlas: Atlas;
@group(0) @binding(1) var stencil: texture_2d<u32>;
@group(0) @binding(2) var<storage, read_write> words: array<u32>;

var<workgroup> first_overlap: atomic<u32>;
var<workgroup> some_behind: atomic<u32>;

@compute @workgroup_size(64)
fn classify(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if lane == 0u {
        atomicStore(&first_overlap, NO_PIXEL);
        atomicStore(&some_behind, 0u);
    }
    workgroupBarrier();

    let viewport = group.y * groups.x + group.x;
    let corner = vec2<u32>(
        (viewport % atlas.columns) * atlas.width,
        (viewport / atlas.columns) * atlas.height,
    );
    // Whole groups may lie beyond the last viewport; they look at no pixel and write no word.
    let inside = viewport < atlas.count;
    let pixels = select(0u, atlas.width * atlas.height, inside);
    var first = NO_PIXEL;
    var behind = 0u;
    for (var pixel = lane; pixel < pixels; pixel += LANES) {
        let at = corner + vec2<u32>(pixel % atlas.width, pixel / atlas.width);
        let value = textureLoad(stencil, at, 0).x;
        if value == OVERLAP_VALUE {
            first = min(first, pixel);
        }
        if value == BEHIND_VALUE {
            behind = 1u;
        }
    }
    atomicMin(&first_overlap, first);
    atomicOr(&some_behind, behind);
    workgroupBarrier();

    if lane == 0u && inside {
        let overlap = atomicLoad(&first_overlap);
        var word = CLASSIFIED;
        if overlap != NO_PIXEL {
            word |= OVERLAP | overlap;
        }
        if atomicLoad(&some_behind) != 0u {
            word |= BEHIND;
        }
        words[viewport] = word;
    }
}
