// A grid of viewports of one size in one image, counted along rows. Sizes in texels. The Rust side
// is in src/image/atlas.rs; a test compares every offset.
struct Atlas {
    width: u32,
    height: u32,
    columns: u32,
    count: u32,
}
