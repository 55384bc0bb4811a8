//! A finished picture and its PNG output.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use crate::{Camera, Model, paint};

/// A picture in memory.
#[derive(Clone, Debug)]
pub struct Image {
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

impl Image {
    /// Renders `model` as seen by `camera`, on `width × height` pixels.
    pub fn of(model: &Model, camera: &Camera, width: usize, height: usize) -> Self {
        Self { width, height, rgba: paint::paint(model, camera, width, height) }
    }

    /// Red, green, blue and alpha of each pixel, row by row from the top, gamma 2, alpha not
    /// premultiplied.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// If the file cannot be created or written.
    pub fn write_png(&self, path: &Path) -> io::Result<()> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        Ok(writer.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::{Mesh, Point, Pose, Vector};

    /// A large plate with a small marked one in front of its middle, and another behind it.
    #[test]
    fn the_marked_triangle_is_in_front_where_the_camera_looks_best() {
        let plate = |size: f64| {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let vertices = corners.map(|[x, y]| Point::new(x * size, y * size, 0.0));
            Mesh::new(vertices.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("legal")
        };
        let above = |z: f64| Pose::translation_by(Vector::new(0.0, 0.0, z)).expect("in range");
        let mut model = Model::default();
        model.add(&plate(1.0), &Pose::identity(), 0, &|_| false);
        model.add(&plate(0.3), &above(0.2), 1, &|triangle| triangle == 0);
        let (whole, near) = model.spheres();
        assert!(near.is_some_and(|near| near.radius < whole.radius));
        let count = |image: &Image| {
            let red = |p: &&[u8]| p[3] == 255 && p[0] > 150 && p[1] < 90 && p[2] < 90;
            let pixels = image.rgba().chunks_exact(4);
            (pixels.clone().filter(red).count(), pixels.filter(|p| p[3] == 0).count())
        };
        let best = Image::of(&model, &Camera::best(&model, whole), 120, 80);
        let (red, clear) = count(&best);
        assert!(red > 50 && clear > 1_000, "{red} red, {clear} clear");
        let below = Image::of(&model, &Camera::new(whole, -Vector::z()), 120, 80);
        assert_eq!(count(&below).0, 0, "hidden by the large plate");
    }

    #[test]
    fn a_png_file_holds_the_pixels() {
        let image = Image { width: 2, height: 1, rgba: vec![255, 0, 0, 255, 0, 0, 0, 0] };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("two.png");
        image.write_png(&path).expect("the folder is writable");
        let file = io::BufReader::new(File::open(&path).expect("written"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG file");
        let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
        let frame = reader.next_frame(&mut pixels).expect("one frame");
        assert_eq!((frame.width, frame.height), (2, 1));
        assert_eq!(pixels[..frame.buffer_size()], *image.rgba());
        assert!(image.write_png(&folder.path().join("no/such/folder.png")).is_err());
    }
}
