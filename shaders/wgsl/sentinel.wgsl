// The last kernel of every submission. Whoever reads back looks for the token, which is another
// one each time: a submission that did not run, or a buffer from an earlier one, is found out.

@group(0) @binding(0) var<uniform> token: u32;
@group(0) @binding(1) var<storage, read_write> mark: u32;

@compute @workgroup_size(1)
fn finish() {
    mark = token;
}
