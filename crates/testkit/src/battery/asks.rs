//! Checks of a question's options: cap and details.

use impinge_geometry::{Point, Triangle};
use impinge_query::{Ask, Detector, QuestionKind};

use super::examiner::Examiner;
use super::pairs::{pairs, pose};
use super::{Outcome, Tally};

/// With any cap, the contacts are a prefix of the full list, and the full number is reported.
pub fn cap_is_a_prefix(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let pair = &pairs()[0];
    let mut examiner = Examiner::new(detector, pair.a.clone(), pair.b.clone())?;
    if !examiner.answers(QuestionKind::AllContacts) {
        return Ok(tally);
    }
    for index in 0..40 {
        let pose = pose(pair, 7, index);
        let all = examiner.ask(&pose, &Ask::all_contacts())?.contacts;
        for cap in [0, 1, 2, 5, 1000] {
            let capped = examiner.ask(&pose, &Ask::all_contacts().capped(cap))?;
            let prefix = &all[..cap.min(all.len())];
            if capped.contacts != prefix || capped.contacts_found != all.len() as u64 {
                return Err(format!("cap {cap}: {:?} of {all:?}", capped.contacts));
            }
        }
        tally.count(!all.is_empty());
    }
    tally.balanced()
}

/// Every reported meeting lies on both triangles up to rounding, and its normal is that of A's
/// triangle.
pub fn details_lie_on_both(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let pair = &pairs()[1];
    let mut examiner = Examiner::new(detector, pair.a.clone(), pair.b.clone())?;
    if !examiner.answers(QuestionKind::AllContacts) {
        return Ok(tally);
    }
    for index in 0..40 {
        let pose = pose(pair, 8, index);
        let answer = examiner.ask(&pose, &Ask::all_contacts().detailed())?;
        if !answer.details.is_empty() || answer.contacts.is_empty() {
            if answer.details.len() != answer.contacts.len() {
                return Err("details and contacts differ in number".to_owned());
            }
        } else {
            return Err("details were asked for and are missing".to_owned());
        }
        for (contact, detail) in answer.contacts.iter().zip(&answer.details) {
            let p = pair.a.triangle(contact.a);
            let q = pair.b.triangle(contact.b).map(|x| pose.apply(&x));
            let off = detail
                .meeting
                .points()
                .iter()
                .map(|x| off_triangle(x, &p).max(off_triangle(x, &q)))
                .fold(0.0, f64::max);
            if off > 1e-9 * pair.reach || (detail.normal.norm() - 1.0).abs() > 1e-12 {
                return Err(format!("{contact:?}: {detail:?} is {off:e} off its triangles"));
            }
            let right = (p[1] - p[0]).cross(&(p[2] - p[0])).normalize();
            if (detail.normal - right).norm() > 1e-9 {
                return Err(format!(
                    "{contact:?}: the normal is {:?}, not {right:?}",
                    detail.normal
                ));
            }
        }
        tally.count(!answer.contacts.is_empty());
    }
    tally.balanced()
}

/// Distance of a point from a triangle, by direct computation: over the plane, or to the edges.
fn off_triangle(x: &Point, t: &Triangle) -> f64 {
    let n = (t[1] - t[0]).cross(&(t[2] - t[0]));
    let edges = [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let within = edges.iter().all(|(a, b)| (b - a).cross(&(x - a)).dot(&n) >= 0.0);
    if within && n.norm() > 0.0 {
        return ((x - t[0]).dot(&n) / n.norm()).abs();
    }
    let to_edge = |(a, b): &(Point, Point)| {
        let e = b - a;
        let s = if e.norm_squared() > 0.0 { (x - a).dot(&e) / e.norm_squared() } else { 0.0 };
        (x - (a + e * s.clamp(0.0, 1.0))).norm()
    };
    edges.iter().map(to_edge).fold(f64::INFINITY, f64::min)
}
