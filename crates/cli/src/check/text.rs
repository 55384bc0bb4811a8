//! The answer to one pose as text: several lines for a single pose, one line each for many.

use impinge::query::{Certainty, Inner, Statistics};
use impinge::{Answer, Contact, Exit, Penetration, Point, Sweep, Verdict};

use super::competitor::Outcome;
use super::{Answers, Inquiry};
use crate::output::{counted, number, time, triple};

/// The text of one pose's answer, without the last line break.
pub(crate) fn answer(inquiry: &Inquiry<'_>, answers: &Answers<'_>) -> String {
    let mut parts = vec![verdict(inquiry, answers)];
    if inquiry.check.wants_contacts() {
        parts.extend(contacts(inquiry, answers));
    }
    match answers.judge.answer.as_ref().map(|answer| answer.certainty) {
        Some(Certainty::Sampled { resolution }) => {
            let images = format!("images of {resolution} pixels a side");
            parts.push(format!("decided on {images}, so it may be wrong"));
        }
        Some(Certainty::Rounded { bits }) => {
            let numbers = format!("numbers of {bits} significant bits");
            parts.push(format!("decided in {numbers}, so it may be wrong"));
        }
        Some(Certainty::Incomplete) => {
            parts.push("the method loses contacts, so there may be more".to_owned());
        }
        Some(Certainty::Unproven) => {
            parts.push(
                "decided by another library with its own tolerances, so it may be wrong".to_owned(),
            );
        }
        _ => {}
    }
    parts.extend(distance(inquiry, answers.judge));
    parts.extend(answers.judge.swept.as_ref().map(|swept| sweep(inquiry, &swept.outcome)));
    parts.extend(answers.penetration.map(|found| depth(inquiry, &found)));
    parts.extend(answers.exit.map(|found| exit(inquiry, &found)));
    if answers.all.len() > 1 {
        parts.extend(answers.all.iter().map(|outcome| comparison(answers, outcome)));
    } else {
        parts.extend(statistics(answers.judge));
    }
    if inquiry.check.poses.is_some() {
        format!("pose {}: {}", answers.index, parts.join("; "))
    } else {
        parts.join("\n  ")
    }
}

fn verdict(inquiry: &Inquiry<'_>, answers: &Answers<'_>) -> String {
    let (a, b) = (&inquiry.a.name, &inquiry.b().name);
    let judge = answers.judge;
    let Some(answer) = &judge.answer else {
        return format!("no answer: {}", judge.error.as_deref().unwrap_or("nothing was asked"));
    };
    match answer.verdict {
        Verdict::Separated if inquiry.check.itself => {
            format!("separated: {a} does not intersect itself")
        }
        Verdict::Separated if inquiry.check.wants_solids() => {
            format!(
                "separated: {a} and {b} have no point in common, and neither lies inside the other"
            )
        }
        Verdict::Separated => format!("separated: {a} and {b} have no point in common"),
        Verdict::Contained(Inner::A) => format!("contained: {a}, or a part of it, lies inside {b}"),
        Verdict::Contained(Inner::B) => format!("contained: {b}, or a part of it, lies inside {a}"),
        Verdict::Intersecting => match answer.contacts.first() {
            _ if inquiry.check.wants_contacts() => {
                let found = answer.contacts_found;
                let plural =
                    if found == 1 { "pair of triangles meets" } else { "pairs of triangles meet" };
                let of = if inquiry.check.itself {
                    format!(" in {a}")
                } else {
                    format!(", A is {a}, B is {b}")
                };
                format!("intersecting: {found} {plural}{of}")
            }
            Some(contact) => format!("intersecting: {}", pair(inquiry, *contact)),
            None => format!("intersecting: {a} and {b}"),
        },
    }
}

/// `triangle 17 of a.stl meets triangle 4 of b.obj`, with the polygons of files that have them.
fn pair(inquiry: &Inquiry<'_>, contact: Contact) -> String {
    let side = |input: &super::Input, triangle: u32| {
        let face = input
            .mesh
            .faces()
            .map_or(String::new(), |faces| format!(" (of polygon {})", faces[triangle as usize]));
        format!("triangle {triangle}{face} of {}", input.name)
    };
    format!("{} meets {}", side(&inquiry.a, contact.a), side(inquiry.b(), contact.b))
}

fn contacts(inquiry: &Inquiry<'_>, answers: &Answers<'_>) -> Vec<String> {
    let Some(answer) = answers.judge.answer.as_ref().filter(|answer| answer.contacts_found > 0)
    else {
        return Vec::new();
    };
    let mut parts = if inquiry.check.poses.is_some() {
        let pairs = answer.contacts.iter().map(|c| format!("{}-{}", c.a, c.b));
        vec![pairs.collect::<Vec<_>>().join(" ")]
    } else {
        (0..answer.contacts.len()).map(|i| listed(inquiry, answer, i)).collect()
    };
    let left_out = answer.contacts_found - answer.contacts.len() as u64;
    if left_out > 0 {
        parts.push(format!("and {left_out} more"));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// One contact on a line of its own: `A 17  B 4`, the polygons, where, and the normal.
fn listed(inquiry: &Inquiry<'_>, answer: &Answer, i: usize) -> String {
    let contact = answer.contacts[i];
    let mut parts = vec![if inquiry.check.itself {
        format!("{} and {}", contact.a, contact.b)
    } else {
        format!("A {}  B {}", contact.a, contact.b)
    }];
    if inquiry.has_faces() {
        let (face_a, face_b) = (inquiry.face_a(contact.a), inquiry.face_b(contact.b));
        parts.push(format!("polygons {face_a} and {face_b}"));
    }
    if let Some(detail) = answer.details.get(i) {
        let points: Vec<String> = detail.meeting.points().iter().map(point).collect();
        let normal = point(&Point::from(detail.normal));
        parts.push(format!("at {}  normal {normal}", points.join(" ")));
    }
    parts.join("  ")
}

fn point(p: &Point) -> String {
    triple([p.x, p.y, p.z])
}

fn distance(inquiry: &Inquiry<'_>, judge: &Outcome) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(nearest) = &judge.distance {
        let (p, q) = (point(&nearest.on_a), point(&nearest.on_b));
        let (a, b) = (&inquiry.a.name, &inquiry.b().name);
        let value = number(nearest.distance);
        parts.push(format!("distance {value} from {p} on {a} to {q} on {b}"));
    }
    if let Some((d, nearer)) = inquiry.check.nearer_than.zip(judge.nearer) {
        let answer = if nearer { "at most" } else { "more than" };
        parts.push(format!("they are {answer} {} apart", number(d)));
    }
    if let Some(touching) = judge.touching_only {
        let text = if touching { "they only touch" } else { "they go into each other" };
        parts.push(text.to_owned());
    }
    if let Some(contained) = judge.contained {
        let (a, b) = (&inquiry.a.name, &inquiry.b().name);
        let is = if contained { "is" } else { "is not" };
        parts.push(format!("{b} {is} wholly inside {a}"));
    }
    parts
}

/// What happens on the way of --sweep.
fn sweep(inquiry: &Inquiry<'_>, outcome: &Sweep) -> String {
    let between = |low: f64, high: f64| {
        format!("between times {} and {} of the sweep", number(low), number(high))
    };
    match *outcome {
        Sweep::Touching { low, high, distance, .. } if distance > 0.0 => {
            format!(
                "first at most {} apart {}",
                number(inquiry.check.nearer_than.unwrap_or(0.0)),
                between(low, high)
            )
        }
        Sweep::Touching { low, high, triangles, .. } => {
            let meets = triangles.map(|contact| format!(": {}", pair(inquiry, contact)));
            format!("first in contact {}{}", between(low, high), meets.unwrap_or_default())
        }
        Sweep::Free { gap, .. } => {
            format!("never nearer than {} in the sweep", number(gap))
        }
        Sweep::Undecided { low, high, nearest } => {
            let found = number(nearest);
            format!(
                "contact is undecided {}; the least distance found is {found}",
                between(low, high)
            )
        }
    }
}

/// What --penetration found.
fn depth(inquiry: &Inquiry<'_>, found: &Penetration) -> String {
    if found.upper == 0.0 {
        return "they are apart, so their depth is 0".to_owned();
    }
    let (lower, upper) = (number(found.lower), number(found.upper));
    let (b, way) = (&inquiry.b().name, triple(found.translation.into()));
    format!("depth from {lower} to {upper}; {b} is out after {way}")
}

/// What --exit found.
fn exit(inquiry: &Inquiry<'_>, found: &Exit) -> String {
    let along = triple(inquiry.check.exit.unwrap_or_default().into());
    let Some(last) = found.triangles else {
        return format!("nothing is in the way along {along}");
    };
    let (b, by) = (&inquiry.b().name, number(found.by));
    let at = triple((*found.pose.translation()).into());
    let is = if inquiry.check.first_free { "first free" } else { "out" };
    format!("{b} is {is} after {by} × {along}, at {at}: last, {}", pair(inquiry, last))
}

/// One method's answer, compared with the judge's.
fn comparison(answers: &Answers<'_>, outcome: &Outcome) -> String {
    let word = outcome.method.word();
    if let Some(error) = &outcome.error {
        return format!("{word}: no answer: {error}");
    }
    let Some(answer) = &outcome.answer else {
        return format!("{word}: does not answer: {}", outcome.unanswered.join(", "));
    };
    let mut verdict = answer.verdict.word().to_owned();
    if answers.disagreeing().any(|other| other.method == outcome.method) {
        verdict += " (DISAGREES)";
    }
    let mut parts = vec![verdict, time(outcome.time_ns)];
    let judged = answers.judge.answer.as_ref().map(|judge| judge.contacts_found);
    if judged != Some(answer.contacts_found) && !outcome.unanswered.contains(&"contacts") {
        parts.push(counted(answer.contacts_found as usize, "contact"));
    }
    parts.extend(outcome.distance.map(|nearest| format!("distance {}", number(nearest.distance))));
    if !outcome.unanswered.is_empty() {
        parts.push(format!("does not answer: {}", outcome.unanswered.join(", ")));
    }
    parts.extend(answer.statistics.as_ref().and_then(counters));
    format!("{word}: {}", parts.join(", "))
}

fn statistics(outcome: &Outcome) -> Option<String> {
    let stats = outcome.answer.as_ref()?.statistics.as_ref()?;
    let counters = counters(stats).unwrap_or_else(|| "no counts".to_owned());
    Some(format!("{}: {counters}, {}", outcome.method, time(outcome.time_ns)))
}

/// The counters as text; `None` for a library that counts nothing, whose zeros would mislead.
fn counters(stats: &Statistics) -> Option<String> {
    let Statistics { volume_tests, primitive_tests, exact_tests, pictures, spread, .. } = stats;
    (volume_tests + primitive_tests > 0).then(|| {
        let spread = spread.as_ref().filter(|spread| spread.threads > 1).map(|spread| {
            let (tasks, threads, idle) = (spread.tasks(), spread.threads, 100.0 * spread.idle());
            format!(", {tasks} tasks on {threads} threads, {idle:.0} % idle")
        });
        let spread = spread.unwrap_or_default();
        let pictures = if *pictures > 0 { format!(", {pictures} pictures") } else { String::new() };
        format!("{volume_tests} volume tests, {primitive_tests} triangle tests, {exact_tests} of them exact{pictures}{spread}")
    })
}
