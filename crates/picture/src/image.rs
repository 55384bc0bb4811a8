//! A finished picture and its PNG output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
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

    /// The picture on an opaque background of one colour: red, green and blue, as in
    /// [`rgba`](Image::rgba).
    #[must_use]
    pub fn on(mut self, background: [u8; 3]) -> Self {
        let linear = |byte: u8| (f64::from(byte) / 255.0).powi(2);
        for pixel in self.rgba.chunks_exact_mut(4) {
            let alpha = f64::from(pixel[3]) / 255.0;
            for (channel, behind) in pixel.iter_mut().zip(background) {
                let mixed = linear(*channel) * alpha + linear(behind) * (1.0 - alpha);
                *channel = (mixed.sqrt() * 255.0).round() as u8;
            }
            pixel[3] = 255;
        }
        self
    }

    /// This picture with another one of the same height on its right.
    ///
    /// # Panics
    /// If the heights differ.
    #[must_use]
    pub fn beside(&self, right: &Self) -> Self {
        assert_eq!(self.height, right.height, "pictures of one height");
        let rows = self.rgba.chunks_exact(4 * self.width);
        let rgba = rows.zip(right.rgba.chunks_exact(4 * right.width)).flat_map(|(l, r)| [l, r]);
        Self {
            width: self.width + right.width,
            height: self.height,
            rgba: rgba.flatten().copied().collect(),
        }
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// If the file cannot be created or written.
    pub fn write_png(&self, path: &Path) -> io::Result<()> {
        self.png(BufWriter::new(File::create(path)?))
    }

    /// Writes the bytes of a PNG file.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn png(&self, to: impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(to, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        Ok(writer.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::{Mesh, Point, Pose, Vector};

    /// A triangle of a hundredth of a pixel is marked on a plate.
    #[test]
    fn the_smallest_marked_triangle_is_seen() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5], [0.50001, 0.5]];
        let vertices = corners.map(|[x, y]| Point::new(x, y, 0.0)).to_vec();
        let triangles = vec![[0, 1, 5], [0, 5, 4], [0, 4, 3], [1, 2, 5], [2, 3, 5], [3, 4, 5]];
        let mesh = Mesh::new(vertices, triangles).expect("legal");
        let red = |marked: bool| {
            let mut model = Model::default();
            model.add(&mesh, &Pose::identity(), 0, &|triangle| marked && triangle == 1);
            let camera = Camera::new(model.spheres().0, Vector::z());
            let image = Image::of(&model, &camera, 200, 200);
            image.rgba().chunks_exact(4).filter(|p| p[0] > 150 && p[1] < 120).count()
        };
        assert!(red(true) > 4, "{}", red(true));
        assert_eq!(red(false), 0);
    }

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
    fn pictures_stand_beside_each_other_on_a_background() {
        let pixels =
            |rgba: &[[u8; 4]]| Image { width: rgba.len() / 2, height: 2, rgba: rgba.concat() };
        let (red, none, half) = ([255, 0, 0, 255], [0; 4], [0, 0, 0, 128]);
        let both = pixels(&[red, none]).beside(&pixels(&[half, half, red, none]));
        assert_eq!((both.width, both.height), (3, 2));
        assert_eq!(both.rgba, [red, half, half, none, red, none].concat());
        let white = both.on([255, 255, 255]);
        assert_eq!(white.rgba[..4], red);
        assert_eq!(white.rgba[12..16], [255; 4]);
        // Half of the light, in gamma 2.
        assert!((178..=181).contains(&white.rgba[4]), "{}", white.rgba[4]);
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
