//! The tests of `impinge-geometry` from the outside, in one program.

mod aabb;
mod convex;
mod convex_hull;
mod curved;
mod gjk;
mod meeting_kinds;
mod mesh;
mod moments;
mod obb;
mod pose;
mod promises;
mod segments;
mod spheres;
mod support;
mod triangle_distance;
mod triangle_filters;
mod volume_fits;
mod volume_overlaps;
mod winding;
mod within;
