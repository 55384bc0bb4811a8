//! A reference checker in rational arithmetic by brute force. It shares no code with the crate.
//!
//! A hull is the intersection of the half-spaces of its faces, once every vertex of the patch is
//! found on or below each of them. A triangle is clipped by all half-spaces; the rest must be a
//! corner or an edge of the patch.

use dashu_ratio::RBig;
use impinge_decompose::{Decomposition, Patch};
use impinge_geometry::Mesh;

type Vector = [RBig; 3];

fn exact(x: f64) -> RBig {
    RBig::try_from(x).expect("finite")
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a[i] * &b[j] - &a[j] * &b[i]
    })
}

fn dot(a: &Vector, b: &Vector) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// A plane; points with `n · x > d` are above it.
#[derive(Clone)]
struct Plane {
    n: Vector,
    d: RBig,
}

impl Plane {
    fn height(&self, x: &Vector) -> RBig {
        dot(&self.n, x) - &self.d
    }
}

/// The mesh in rational coordinates; vertices with equal coordinates are merged.
pub(crate) struct Reference {
    points: Vec<Vector>,
    triangles: Vec<[usize; 3]>,
    name: Vec<usize>,
}

impl Reference {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let all = mesh.vertices();
        let name: Vec<usize> =
            all.iter().map(|p| all.iter().position(|q| p == q).expect("itself")).collect();
        let points = all.iter().map(|p| [p.x, p.y, p.z].map(exact)).collect();
        let triangles = mesh.triangles().iter().map(|t| t.map(|v| name[v as usize])).collect();
        Self { points, triangles, name }
    }

    fn plane(&self, t: [usize; 3]) -> Plane {
        let [a, b, c] = t.map(|v| &self.points[v]);
        let n = cross(&minus(b, a), &minus(c, a));
        let d = dot(&n, a);
        Plane { n, d }
    }

    /// Checks that `d` is a decomposition into maximal patches.
    pub(crate) fn accepts(&self, d: &Decomposition) -> Result<(), String> {
        let mut seen = vec![0; self.triangles.len()];
        for patch in d.patches() {
            patch.faces().iter().for_each(|&f| seen[f as usize] += 1);
        }
        if seen.iter().any(|&n| n != 1) {
            return Err("no partition".to_owned());
        }
        for (k, patch) in d.patches().iter().enumerate() {
            let faces: Vec<usize> = patch.faces().iter().map(|&f| f as usize).collect();
            let planes = self.hull_planes(patch);
            let planes = planes.map_err(|what| format!("patch {k}: {what}"))?;
            self.is_patch(&faces, &planes).map_err(|what| format!("patch {k}: {what}"))?;
        }
        self.maximal(d)
    }

    fn vertices(&self, faces: &[usize]) -> Vec<usize> {
        let mut all: Vec<usize> = faces.iter().flat_map(|&f| self.triangles[f]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn hull_planes(&self, patch: &Patch) -> Result<Vec<Plane>, String> {
        let faces: Vec<[usize; 3]> =
            patch.hull().faces().iter().map(|f| f.map(|v| self.name[v as usize])).collect();
        let side = |f: &[usize; 3], k: usize| (f[k], f[(k + 1) % 3]);
        if !patch.is_flat() {
            for f in &faces {
                for k in 0..3 {
                    let (a, b) = side(f, k);
                    let back = faces.iter().filter(|g| (0..3).any(|i| side(g, i) == (b, a)));
                    if back.count() != 1 {
                        return Err("hull not closed".to_owned());
                    }
                }
            }
        }
        let mine: Vec<usize> = patch.faces().iter().map(|&f| f as usize).collect();
        let planes: Vec<Plane> = faces.iter().map(|f| self.plane(*f)).collect();
        for plane in &planes {
            if dot(&plane.n, &plane.n) == RBig::ZERO {
                return Err("a hull face without area".to_owned());
            }
            let above = |v: &usize| plane.height(&self.points[*v]) > RBig::ZERO;
            if self.vertices(&mine).iter().any(above) {
                return Err("a vertex outside the hull".to_owned());
            }
        }
        let level = |v: &usize| planes[0].height(&self.points[*v]) == RBig::ZERO;
        if self.vertices(&mine).iter().all(level) != patch.is_flat() {
            return Err("wrongly flagged flat".to_owned());
        }
        Ok(planes)
    }

    /// Checks the criteria of a patch against the half-spaces of its hull.
    fn is_patch(&self, faces: &[usize], planes: &[Plane]) -> Result<(), String> {
        let vertices = self.vertices(faces);
        self.convex(faces)?;
        let level = |v: &usize| planes[0].height(&self.points[*v]) == RBig::ZERO;
        if vertices.iter().all(level) {
            return self.fills(faces, &vertices, &planes[0]);
        }
        for g in (0..self.triangles.len()).filter(|g| !faces.contains(g)) {
            let left = self.cut(g, planes);
            let shared: Vec<usize> =
                self.triangles[g].into_iter().filter(|v| vertices.contains(v)).collect();
            let corner = |v: &usize| left.iter().all(|x| *x == self.points[*v]);
            if left.is_empty() || shared.iter().any(corner) {
                continue;
            }
            let in_edge = |&f: &usize| self.on_common_edge(g, f, &left);
            if !faces.iter().any(in_edge) {
                return Err(format!("the hull meets triangle {g}"));
            }
        }
        Ok(())
    }

    /// Checks that no vertex of these triangles is above one of them.
    pub(crate) fn convex(&self, faces: &[usize]) -> Result<(), String> {
        let vertices = self.vertices(faces);
        for &f in faces {
            let plane = self.plane(self.triangles[f]);
            if vertices.iter().any(|&v| plane.height(&self.points[v]) > RBig::ZERO) {
                return Err(format!("a vertex is above triangle {f}"));
            }
        }
        Ok(())
    }

    /// Checks that a flat patch fills its hull. Compares areas, times the square of the normal's
    /// largest entry.
    fn fills(&self, faces: &[usize], vertices: &[usize], plane: &Plane) -> Result<(), String> {
        let k = (0..3).find(|&k| plane.n[k] != RBig::ZERO).expect("a plane");
        let flat = |v: usize| {
            let p = &self.points[v];
            [p[(k + 1) % 3].clone(), p[(k + 2) % 3].clone()]
        };
        let turn = |a: &[RBig; 2], b: &[RBig; 2], c: &[RBig; 2]| {
            (&b[0] - &a[0]) * (&c[1] - &a[1]) - (&b[1] - &a[1]) * (&c[0] - &a[0])
        };
        let area = |f: &usize| {
            let [a, b, c] = self.triangles[*f].map(flat);
            turn(&a, &b, &c)
        };
        let mine: RBig = faces.iter().map(area).fold(RBig::ZERO, |s, x| s + x);
        let mut points: Vec<[RBig; 2]> = vertices.iter().map(|&v| flat(v)).collect();
        points.sort();
        let half = |points: &mut dyn Iterator<Item = &[RBig; 2]>| {
            let mut chain: Vec<[RBig; 2]> = Vec::new();
            for p in points {
                while let [.., a, b] = chain.as_slice() {
                    if turn(a, b, p) > RBig::ZERO {
                        break;
                    }
                    chain.pop();
                }
                chain.push(p.clone());
            }
            chain
        };
        let mut hull = half(&mut points.iter());
        hull.pop();
        hull.extend(half(&mut points.iter().rev()));
        let twice = hull[1..].windows(2).map(|w| turn(&hull[0], &w[0], &w[1]));
        let theirs: RBig = twice.fold(RBig::ZERO, |s, x| s + x);
        let equal = if mine < RBig::ZERO { -mine == theirs } else { mine == theirs };
        if equal { Ok(()) } else { Err("a flat patch does not fill its hull".to_owned()) }
    }

    /// Clips triangle `g` by the half-spaces and returns the corners of the rest.
    fn cut(&self, g: usize, planes: &[Plane]) -> Vec<Vector> {
        let mut polygon: Vec<Vector> =
            self.triangles[g].iter().map(|&v| self.points[v].clone()).collect();
        for plane in planes {
            let height: Vec<RBig> = polygon.iter().map(|x| plane.height(x)).collect();
            let mut next = Vec::new();
            for i in 0..polygon.len() {
                let j = (i + 1) % polygon.len();
                if height[i] <= RBig::ZERO {
                    next.push(polygon[i].clone());
                }
                if (height[i] < RBig::ZERO && height[j] > RBig::ZERO)
                    || (height[i] > RBig::ZERO && height[j] < RBig::ZERO)
                {
                    let s = &height[i] / (&height[i] - &height[j]);
                    let (p, q) = (&polygon[i], &polygon[j]);
                    next.push(std::array::from_fn(|k| &p[k] + &s * (&q[k] - &p[k])));
                }
            }
            polygon = next;
            if polygon.is_empty() {
                break;
            }
        }
        polygon
    }

    fn on_common_edge(&self, g: usize, f: usize, points: &[Vector]) -> bool {
        let common: Vec<usize> =
            self.triangles[g].into_iter().filter(|v| self.triangles[f].contains(v)).collect();
        let [a, b] = common[..] else { return false };
        let (p, q) = (&self.points[a], &self.points[b]);
        let along = minus(q, p);
        let zero: Vector = std::array::from_fn(|_| RBig::ZERO);
        points.iter().all(|x| cross(&along, &minus(x, p)) == zero)
    }

    fn maximal(&self, d: &Decomposition) -> Result<(), String> {
        let groups: Vec<Vec<usize>> =
            d.patches().iter().map(|p| p.faces().iter().map(|&f| f as usize).collect()).collect();
        for (i, a) in groups.iter().enumerate() {
            for (j, b) in groups.iter().enumerate().skip(i + 1) {
                let touch = a.iter().any(|&f| {
                    let mine = self.triangles[f];
                    b.iter().any(|&g| {
                        self.triangles[g].iter().filter(|v| mine.contains(v)).count() == 2
                    })
                });
                if touch && self.could_be_one(&[a.as_slice(), b.as_slice()].concat()) {
                    return Err(format!("patches {i} and {j} could be one"));
                }
            }
        }
        Ok(())
    }

    fn could_be_one(&self, faces: &[usize]) -> bool {
        let vertices = self.vertices(faces);
        if self.convex(faces).is_err() {
            return false;
        }
        // The half-spaces of the hull: all planes through three vertices with none above.
        let mut planes = Vec::new();
        for &a in &vertices {
            for &b in &vertices {
                for &c in &vertices {
                    if a == b || b == c || c == a || a > b || a > c {
                        continue;
                    }
                    let plane = self.plane([a, b, c]);
                    let height = |v: &usize| plane.height(&self.points[*v]);
                    if dot(&plane.n, &plane.n) != RBig::ZERO
                        && vertices.iter().all(|v| height(v) <= RBig::ZERO)
                    {
                        planes.push(plane);
                    }
                }
            }
        }
        self.is_patch(faces, &planes).is_ok()
    }
}
