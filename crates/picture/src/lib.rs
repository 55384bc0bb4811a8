//! Pictures of posed meshes with some triangles marked, as PNG files with a transparent background.
//! Everything runs in software, on one thread.
//!
//! **This crate must not know** queries, methods or scenes: it draws triangles.
//!
//! 1. [`Model`] collects posed bodies and their marked triangles.
//! 2. [`Model::spheres`] gives the regions to show: everything, and the surroundings of the marked
//!    triangles.
//! 3. [`Camera::best`] chooses the direction that shows most of the marked triangles.
//! 4. [`Image::of`] renders: a depth buffer with four samples a pixel, shading, triangle edges.
//!
//! ```
//! use impinge_picture::{Camera, Image, Model};
//! # use impinge_geometry::{Mesh, Point, Pose};
//! # let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Point::from);
//! # let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]])?;
//! let mut model = Model::default();
//! model.add(&mesh, &Pose::identity(), 0, &|triangle| triangle == 0);
//! let (whole, _near) = model.spheres();
//! let image = Image::of(&model, &Camera::best(&model, whole), 64, 48);
//! assert!(image.rgba().chunks_exact(4).any(|pixel| pixel[3] == 255));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod camera;
mod coarse;
mod image;
mod model;
mod paint;
mod raster;

pub use camera::{Camera, Sphere};
pub use image::Image;
pub use model::Model;
