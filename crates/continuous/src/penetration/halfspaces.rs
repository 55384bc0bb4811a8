//! The shortest vector in an intersection of half-spaces.

use impinge_geometry::Vector;

/// The vectors `w` with `normal · w ≥ least`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    /// Of length 1.
    pub(crate) normal: Vector,
    pub(crate) least: f64,
}

impl HalfSpace {
    fn missing(&self, w: &Vector) -> f64 {
        self.least - self.normal.dot(w)
    }
}

/// Rounds at most; each makes the vector longer.
const ROUNDS: usize = 64;

/// The shortest vector in all half-spaces, to within `tolerance` of each; `None` if none is found.
///
/// Of the half-spaces that hold the vector (at most three) and the one that it misses most, those that
/// determine the shortest vector of these four are kept: a dual active-set method.
pub(crate) fn shortest(all: &[HalfSpace], tolerance: f64) -> Option<Vector> {
    let mut w = Vector::zeros();
    let mut active: Vec<HalfSpace> = Vec::with_capacity(4);
    for _ in 0..ROUNDS {
        let worst = all.iter().max_by(|x, y| x.missing(&w).total_cmp(&y.missing(&w)));
        let Some(worst) = worst.filter(|h| h.missing(&w) > tolerance) else { return Some(w) };
        active.push(*worst);
        (w, active) = of_few(&active, tolerance)?;
    }
    None
}

/// The shortest vector in up to four half-spaces, and those on whose planes it is.
fn of_few(few: &[HalfSpace], tolerance: f64) -> Option<(Vector, Vec<HalfSpace>)> {
    let mut best: Option<(Vector, Vec<HalfSpace>)> = None;
    for chosen in 1u32..1 << few.len() {
        if chosen.count_ones() > 3 {
            continue;
        }
        let some: Vec<HalfSpace> =
            (0..few.len()).filter(|k| chosen >> k & 1 == 1).map(|k| few[k]).collect();
        let Some(w) = on_planes(&some) else { continue };
        let shorter = best.as_ref().is_none_or(|(b, _)| w.norm_squared() < b.norm_squared());
        if shorter && few.iter().all(|h| h.missing(&w) <= 0.5 * tolerance) {
            best = Some((w, some));
        }
    }
    best
}

/// The shortest vector on up to three planes.
fn on_planes(planes: &[HalfSpace]) -> Option<Vector> {
    let (w, normal): (Vector, f64) = match planes {
        [p] => (p.normal * p.least, 1.0),
        [p, q] => {
            let c = p.normal.dot(&q.normal);
            let det = 1.0 - c * c;
            let (s, t) = (p.least - c * q.least, q.least - c * p.least);
            ((p.normal * s + q.normal * t) / det, det)
        }
        [p, q, r] => {
            let (qr, rp, pq) =
                (q.normal.cross(&r.normal), r.normal.cross(&p.normal), p.normal.cross(&q.normal));
            let det = p.normal.dot(&qr);
            ((qr * p.least + rp * q.least + pq * r.least) / det, det.abs())
        }
        _ => return None,
    };
    (normal > 1e-9 && w.iter().all(|x| x.is_finite())).then_some(w)
}
