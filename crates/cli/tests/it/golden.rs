//! A picture of the meshes in `assets/`, against the one that is kept there.
//!
//! Both are averaged over squares of four pixels, so that an edge drawn a little differently on
//! another machine counts little. `IMPINGE_WRITE_GOLDEN=1` writes the picture instead: look at it.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use crate::harness::Place;

/// Pixels a side of the squares.
const SQUARE: usize = 4;
/// How much a colour may be off, of 255, and the share of the pixels that may be off by more.
const OFF: (u8, f64) = (12, 0.002);

/// Red, green and blue of each pixel, row by row.
struct Picture {
    width: usize,
    colors: Vec<[u8; 3]>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info().expect("a PNG file");
        let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
        let frame = reader.next_frame(&mut pixels).expect("one frame");
        let channels = frame.color_type.samples();
        let colors = pixels.chunks_exact(channels).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        Self { width: frame.width as usize, colors: colors.collect() }
    }

    fn averaged(&self) -> Self {
        let (width, height) = (self.width / SQUARE, self.colors.len() / self.width / SQUARE);
        let mean = |at: usize, channel: usize| {
            let corner = at / width * SQUARE * self.width + at % width * SQUARE;
            let places =
                (0..SQUARE * SQUARE).map(|i| corner + i / SQUARE * self.width + i % SQUARE);
            let sum: usize = places.map(|i| usize::from(self.colors[i][channel])).sum();
            (sum / (SQUARE * SQUARE)) as u8
        };
        let colors = (0..width * height).map(|at| [0, 1, 2].map(|channel| mean(at, channel)));
        Self { width, colors: colors.collect() }
    }

    fn write(&self, path: &Path) {
        let to = BufWriter::new(File::create(path).expect("a file"));
        let height = (self.colors.len() / self.width) as u32;
        let mut encoder = png::Encoder::new(to, self.width as u32, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(self.colors.as_flattened()).expect("pixels");
        writer.finish().expect("an end");
    }

    /// The share of the pixels that differ.
    fn differs(&self, other: &Self) -> f64 {
        assert_eq!((self.width, self.colors.len()), (other.width, other.colors.len()));
        let off =
            |(a, b): &(&[u8; 3], &[u8; 3])| a.iter().zip(*b).any(|(x, y)| x.abs_diff(*y) > OFF.0);
        self.colors.iter().zip(&other.colors).filter(off).count() as f64 / self.colors.len() as f64
    }
}

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets")
}

/// The gear and the torus, drawn at a pose along x.
fn drawn(x: f64) -> Picture {
    let place = Place::new();
    for name in ["gear.obj", "torus.stl"] {
        let bytes = std::fs::read(assets().join("meshes").join(name)).expect("a mesh file");
        place.write(name, bytes);
    }
    let run = format!("check gear.obj torus.stl --pose {x},0,0,0,0,0,1 --picture drawn.png");
    place.run(&run).answered(1);
    Picture::read(&place.path("drawn.png")).averaged()
}

#[test]
fn the_gear_and_the_torus_look_as_they_did() {
    let path = assets().join("golden/cli/gear-and-torus.png");
    let picture = drawn(0.4);
    if std::env::var_os("IMPINGE_WRITE_GOLDEN").is_some() {
        picture.write(&path);
    }
    let golden = Picture::read(&path);
    let share = golden.differs(&picture);
    assert!(share <= OFF.1, "{share} of the pixels differ");
    // The comparison tells a picture from one a hundredth of the mesh's size away.
    let moved = golden.differs(&drawn(0.41));
    assert!(moved > 5.0 * OFF.1, "{moved} of the pixels of a moved torus differ");
}
