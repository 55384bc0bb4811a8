//! F3: *triangle strips cut the vertices sent towards one third and speed up drawing* (fan §2.3.4).

use impinge::image::{ImageModel, Params, Sent, ibcd_with};
use impinge::query::{Ask, Control, Engine};
use impinge_benches::harness::{Competitor, NOISE, Timing};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::fan_image::{self, CHOSEN, HAND};
use super::outcome::{Effort, Figure, Outcome, Scene, listed, sized};

/// A fraction of vertices below this counts as "towards one third": nearer to it than to 1.
const HALF_WAY: f64 = 2.0 / 3.0;

/// The strip code of one shape's hulls.
#[derive(Clone, Debug, PartialEq)]
struct Code {
    shape: String,
    sent: Sent,
}

impl Code {
    fn share(&self) -> f64 {
        self.sent.vertices as f64 / (3 * self.sent.triangles).max(1) as f64
    }
}

/// Times with strips and without, of whole steps and of their images.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Times {
    triangles: usize,
    step: [f64; 2],
    image: [f64; 2],
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let sizes: &[usize] = effort.pick(&[244], &[500, 2_000], &[1_000, 4_000]);
    let largest = sizes.last().copied().unwrap_or(1_000);
    let steps = effort.pick(2, 20, 40);
    let passes = effort.pick(2, 3, 5);
    let mut codes = Vec::new();
    for shape in Shape::ALL.into_iter().filter(|shape| shape.is_closed()) {
        let model = prepared(fan_image::params(), shape, largest)?;
        codes.push(Code { shape: format!("{shape}"), sent: model.sent() });
    }
    let with = fan_image::params();
    let both = [
        Competitor::new("ibcd with strips", ibcd_with(with)),
        Competitor::new("ibcd without strips", ibcd_with(Params { strips: false, ..with })),
    ];
    let mut times = Vec::new();
    let mut scene = Scene::new(format!(
        "Vertices sent: the hulls of all nodes of ibcd's hierarchies, nine closed shapes of about \
         {largest} triangles. Time: {HAND}{CHOSEN} {steps} steps, the least of {passes} passes; \
         without strips the same hulls are sent as one triangle after another."
    ));
    for &size in sizes {
        let asked = fan_image::hand(size, steps, effort.seed)?;
        let ask = Ask::first_contact();
        let found = fan_image::times(&both, &asked, &ask, passes, listener)?;
        if found[0].unlike(&found[1]) > 0 {
            return Err("the same hulls as strips and as triangles are answered otherwise".into());
        }
        let name = format!("hand and gear, {size} a body");
        scene = sized(scene, &name, &asked, &found[0]);
        let pick = |value: &dyn Fn(&Timing) -> f64| [value(&found[0]), value(&found[1])];
        times.push(Times {
            triangles: asked.triangles,
            step: pick(&Timing::mean),
            image: fan_image::pictures(&both, &asked, &ask, passes)?,
        });
    }
    Ok(conclude(&codes, &times, scene))
}

fn prepared(params: Params, shape: Shape, triangles: usize) -> Result<ImageModel, String> {
    let engine = ibcd_with(params);
    let mesh = shape.mesh(triangles, 1);
    engine.prepare(&mesh, &Control::NONE).map_err(|error| format!("{shape}: {error}"))
}

fn conclude(codes: &[Code], times: &[Times], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let sum =
        |part: fn(&Sent) -> u64| codes.iter().map(|code| part(&code.sent)).sum::<u64>() as f64;
    let (vertices, triangles) = (sum(|sent| sent.vertices), sum(|sent| sent.triangles));
    let share = vertices / (3.0 * triangles);
    ours.push(Figure::new("vertices sent, of 3 × triangles", share, "").paper(1.0 / 3.0));
    ours.push(Figure::new("triangles in a strip", triangles / sum(|sent| sent.strips), ""));
    for code in codes {
        let name = |what: &str| format!("{}: {what}", code.shape);
        ours.push(Figure::new(name("vertices sent, of 3 × triangles"), code.share(), ""));
        let sent = &code.sent;
        let length = sent.triangles as f64 / sent.strips.max(1) as f64;
        ours.push(Figure::new(name("triangles in a strip"), length, ""));
        let hull = sent.triangles as f64 / sent.hulls.max(1) as f64;
        ours.push(Figure::new(name("triangles of a hull"), hull, ""));
    }
    let ratio = |pair: [f64; 2]| pair[0] / pair[1];
    for at in times {
        let name = |what: &str| format!("{} triangles: {what}", at.triangles);
        let over = |what, pair| Figure::new(name(what), ratio(pair), "×");
        ours.push(over("time of a step, strips over none", at.step));
        ours.push(over("time of pictures, strips over none", at.image));
        ours.push(Figure::new(name("a step with strips"), at.step[0] / 1e6, "ms"));
    }
    let fewer = share < HALF_WAY;
    let faster = times.iter().all(|at| ratio(at.step) < 1.0 - NOISE);
    let reason = format!(
        "Strips send {share:.2} of the vertices of single triangles (limit 0.33), {:.1} triangles to \
         a strip: {}. With them a step takes {} × the time without, from few triangles to many: {}. \
         The software rasteriser maps three corners for each triangle however they were sent, and \
         nothing has to cross a bus; on hardware that keeps vertices it may be otherwise.",
        triangles / sum(|sent| sent.strips),
        if fewer { "that part holds" } else { "that part does not hold" },
        listed(times.iter().map(|at| ratio(at.step))),
        if faster { "drawing is faster" } else { "drawing is not faster every time" },
    );
    Outcome::ran(fewer && faster, reason, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some()));
        let share = outcome.ours[0].value.expect("a share");
        assert!((1.0 / 3.0..1.0).contains(&share), "{share}");
    }

    #[test]
    fn without_strips_three_vertices_are_sent_for_each_triangle() {
        let params = Params { strips: false, ..fan_image::params() };
        let sent = prepared(params, Shape::Torus, 100).expect("closed").sent();
        assert_eq!((sent.vertices, sent.strips), (3 * sent.triangles, sent.triangles));
    }

    #[test]
    fn both_parts_must_hold() {
        let verdict = |vertices, ratio| {
            let sent = Sent { hulls: 1, triangles: 100, strips: 10, vertices };
            let codes = [Code { shape: "one".to_owned(), sent }];
            let times = [Times { triangles: 1, step: [ratio, 1.0], image: [ratio, 1.0] }];
            conclude(&codes, &times, Scene::default()).verdict()
        };
        assert_eq!(verdict(130, 0.7), Verdict::Holds);
        assert_eq!(verdict(130, 0.99), Verdict::Fails);
        assert_eq!(verdict(250, 0.7), Verdict::Fails);
    }
}
