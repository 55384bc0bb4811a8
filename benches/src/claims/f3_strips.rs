//! F3: *triangle strips cut the vertices sent towards one third and speed up drawing* (fan §2.3.4).

use impinge::image::{Drawing, ImageModel, Params, Sent, ibcd_with};
use impinge::query::{Ask, Control, Engine};
use impinge_benches::harness::{Competitor, NOISE, Workload};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::drawer::Drawer;
use super::fan_image::{self, CHOSEN, HAND};
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict, listed};

/// A fraction of vertices below this counts as "towards one third": nearer to it than to 1.
const HALF_WAY: f64 = 2.0 / 3.0;
/// Steps of the walk, for each that is measured. In some walks, bodies are far apart for long.
const WALK: usize = 25;

/// The statements.
const TEXTS: [&str; 2] =
    ["strips send fewer vertices, towards one third", "strips speed up drawing"];

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

/// A scene with strips and with plain lists.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drawn {
    triangles: usize,
    /// Vertices sent in all steps.
    vertices: [f64; 2],
    /// Time of pictures in a step, of the rasteriser, and of the adapter if there is one.
    rasteriser: [f64; 2],
    adapter: Option<[f64; 2]>,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, _: Listener<'_>) -> Result<Outcome, String> {
    let sizes: &[usize] = effort.pick(&[244], &[500, 2_000], &[1_000, 4_000]);
    let largest = sizes.last().copied().unwrap_or(1_000);
    let steps = effort.pick(2, 20, 40);
    let passes = effort.pick(2, 3, 5);
    let mut codes = Vec::new();
    for shape in Shape::ALL.into_iter().filter(|shape| shape.is_closed()) {
        let model = prepared(fan_image::params(), shape, largest)?;
        codes.push(Code { shape: format!("{shape}"), sent: model.sent() });
    }
    let mut scene = Scene::new(format!(
        "Vertices sent: the hulls of all nodes of ibcd's hierarchies, nine closed shapes of about \
         {largest} triangles; and as counted in the steps of scene 2. Time of the pictures: {HAND}\
         {CHOSEN} The first {steps} of {} steps that draw anything, the least of {passes} passes; with indexed \
         triangle strips, and with plain lists, three vertices for each triangle.",
        steps * WALK,
    ));
    let (mut drawn, mut drawer) = (Vec::new(), None);
    for &size in sizes {
        let walk = fan_image::hand(size, steps * WALK, effort.seed)?;
        let Some(asked) = that_draw(walk, steps)? else {
            let reason = format!("With {size} triangles a body, no step draws anything.");
            let cannot = |text| Statement::new(text, Verdict::Unrunnable, reason.clone());
            return Ok(Outcome::several(TEXTS.map(cannot).to_vec(), of_codes(&codes), scene));
        };
        scene = scene.count(format!("hand and gear, {size} a body: triangles"), asked.triangles);
        let [one, _] = both(effort.drawing);
        let by = Drawer::of_first(&one, std::slice::from_ref(&asked), effort.drawing)?;
        drawn.push(measure(&asked, passes, by.as_ref(), effort.drawing)?);
        drawer = drawer.or(by);
    }
    let drawer = drawer.unwrap_or(Drawer::Rasteriser("no step draws".to_owned()));
    Ok(conclude(&codes, &drawn, &drawer, scene))
}

fn prepared(params: Params, shape: Shape, triangles: usize) -> Result<ImageModel, String> {
    let engine = ibcd_with(params);
    let mesh = shape.mesh(triangles, 1);
    engine.prepare(&mesh, &Control::NONE).map_err(|error| format!("{shape}: {error}"))
}

/// The first steps of a walk that draw anything; `None` if none does.
fn that_draw(walk: Workload, steps: usize) -> Result<Option<Workload>, String> {
    let [strips, _] = both(Drawing::Software);
    let (models, mut ready) = (strips.prepare(&walk)?, strips.ready(walk.pairs));
    let mut drawn = Vec::new();
    for step in &walk.steps {
        let mut pictures = 0;
        for query in step {
            ready.ask(&models, query, &Ask::first_contact().counted())?;
            pictures += ready.answer.statistics.as_ref().map_or(0, |counted| counted.pictures);
        }
        if pictures > 0 {
            drawn.push(step.clone());
        }
        if drawn.len() == steps {
            break;
        }
    }
    Ok((!drawn.is_empty()).then(|| Workload { steps: drawn, ..walk }))
}

/// With strips and with lists.
fn both(drawing: Drawing) -> [Competitor; 2] {
    let with = Params { drawing, ..fan_image::params() };
    [
        Competitor::new("ibcd with strips", ibcd_with(with)),
        Competitor::new("ibcd with lists", ibcd_with(Params { strips: false, ..with })),
    ]
}

fn measure(
    asked: &Workload,
    passes: usize,
    drawer: Option<&Drawer>,
    drawing: Drawing,
) -> Result<Drawn, String> {
    let ask = Ask::first_contact();
    let software = both(Drawing::Software);
    let [strips, lists] = [&software[0], &software[1]].map(|one| fan_image::work(one, asked, &ask));
    let (strips, lists) = (strips?, lists?);
    if strips.iter().zip(&lists).any(|(a, b)| a.0 != b.0 || a.1.pictures != b.1.pictures) {
        return Err("the same hulls as strips and as lists are answered otherwise".into());
    }
    let vertices = [strips, lists].map(|all| all.iter().map(|(_, work)| work.vertices).sum());
    let adapter = match drawer {
        None | Some(Drawer::Rasteriser(_)) => None,
        _ => Some(fan_image::pictures(&both(drawing), asked, &ask, passes)?),
    };
    let rasteriser = fan_image::pictures(&software, asked, &ask, passes)?;
    Ok(Drawn { triangles: asked.triangles, vertices, rasteriser, adapter })
}

fn conclude(codes: &[Code], drawn: &[Drawn], drawer: &Drawer, scene: Scene) -> Outcome {
    let ratio = |pair: [f64; 2]| pair[0] / pair[1];
    let mut ours = of_codes(codes);
    for at in drawn {
        let name = |what: &str| format!("{} triangles: {what}", at.triangles);
        let over = |what, pair| Figure::new(name(what), ratio(pair), "×");
        ours.push(over("vertices sent in all steps, strips over lists", at.vertices));
        ours.push(over("time of pictures, strips over lists, rasteriser", at.rasteriser));
        if let Some(times) = at.adapter {
            ours.push(over("time of pictures, strips over lists, adapter", times));
            ours.push(Figure::new(
                name("pictures of a step, strips, adapter"),
                times[0] / 1e6,
                "ms",
            ));
        }
        let ms = at.rasteriser[0] / 1e6;
        ours.push(Figure::new(name("pictures of a step, strips, rasteriser"), ms, "ms"));
    }
    Outcome::several(vec![sent(codes, drawn), faster(drawn, drawer)], ours, scene)
}

/// Vertices of all shapes over three for each of their triangles.
fn share(codes: &[Code]) -> f64 {
    let sum = |of: fn(&Sent) -> u64| codes.iter().map(|code| of(&code.sent)).sum::<u64>() as f64;
    sum(|sent| sent.vertices) / (3.0 * sum(|sent| sent.triangles))
}

fn of_codes(codes: &[Code]) -> Vec<Figure> {
    let name = "vertices sent, of 3 × triangles";
    let mut ours = vec![Figure::new(name, share(codes), "").paper(1.0 / 3.0)];
    for code in codes {
        let (name, sent) = (|what: &str| format!("{}: {what}", code.shape), &code.sent);
        ours.push(Figure::new(name("vertices sent, of 3 × triangles"), code.share(), ""));
        let length = sent.triangles as f64 / sent.strips.max(1) as f64;
        ours.push(Figure::new(name("triangles in a strip"), length, ""));
        let hull = sent.triangles as f64 / sent.hulls.max(1) as f64;
        ours.push(Figure::new(name("triangles of a hull"), hull, ""));
    }
    ours
}

fn sent(codes: &[Code], drawn: &[Drawn]) -> Statement {
    let share = share(codes);
    let each: Vec<f64> = drawn.iter().map(|at| at.vertices[0] / at.vertices[1]).collect();
    let holds = share < HALF_WAY && each.iter().all(|ratio| *ratio < HALF_WAY);
    let reason = format!(
        "Strips send {share:.2} of the vertices of single triangles over all hulls (limit 0.33), and in \
         the steps of scene 2, from few triangles to many: {}. Below {HALF_WAY:.2}, nearer to the limit \
         than to 1, it holds.",
        listed(each)
    );
    Statement::new(TEXTS[0], Verdict::of(holds), reason)
}

fn faster(drawn: &[Drawn], drawer: &Drawer) -> Statement {
    let listed = |of: fn(&Drawn) -> Option<[f64; 2]>| {
        listed(drawn.iter().filter_map(of).map(|pair| pair[0] / pair[1]))
    };
    let (here, there) = (listed(|at| Some(at.rasteriser)), listed(|at| at.adapter));
    let beside = format!(
        "The rasteriser takes {here} × the time with strips: it maps three corners \
                          for each triangle however they were sent."
    );
    let all: Vec<f64> =
        drawn.iter().filter_map(|at| at.adapter).map(|pair| pair[0] / pair[1]).collect();
    let (verdict, reason) = match drawer {
        Drawer::Rasteriser(why) => {
            (Verdict::Unrunnable, format!("No adapter drew: {why}. {beside}"))
        }
        Drawer::Program(name) => (
            Verdict::Unrunnable,
            format!("{name} is no hardware; it takes {there} × the time with strips. {beside}"),
        ),
        Drawer::Hardware(name) => {
            let holds = !all.is_empty() && all.iter().all(|ratio| *ratio < 1.0 - NOISE);
            (Verdict::of(holds), format!("{name} takes {there} × the time with strips. {beside}"))
        }
    };
    Statement::new(TEXTS[1], verdict, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;
    use impinge::query::Backend;
    use impinge::{Pose, Vector};

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some()));
        let share = outcome.ours[0].value.expect("a share");
        assert!((1.0 / 3.0..1.0).contains(&share), "{share}");
        assert_eq!(outcome.verdicts()[0], Verdict::Holds);
    }

    #[test]
    fn steps_that_draw_nothing_are_left_out() {
        let at = |x| Pose::translation_by(Vector::new(x, 0.1, 0.2)).expect("near");
        let walk = |places: &[f64]| {
            let poses: Vec<Pose> = places.iter().copied().map(at).collect();
            Workload::motion(vec![Shape::Torus.mesh(244, 1)], [0, 0], &poses)
        };
        let drawn = |places: &[f64]| {
            let asked = that_draw(walk(places), 1).expect("it answers")?;
            Some(asked.steps.iter().map(|step| step[0].pose).collect::<Vec<_>>())
        };
        assert_eq!(drawn(&[9.0, 0.5, 0.4]), Some(vec![at(0.5)]));
        assert_eq!(drawn(&[9.0, 8.0]), None);
    }

    #[test]
    fn a_list_sends_three_vertices_for_each_triangle() {
        let params = Params { strips: false, ..fan_image::params() };
        let sent = prepared(params, Shape::Torus, 100).expect("closed").sent();
        assert_eq!((sent.vertices, sent.strips), (3 * sent.triangles, sent.triangles));
    }

    fn verdicts(vertices: u64, time: f64, drawer: &Drawer) -> Vec<Verdict> {
        let sent = Sent { hulls: 1, triangles: 100, strips: 10, vertices };
        let codes = [Code { shape: "one".to_owned(), sent }];
        let adapter = Some([time, 1.0]);
        let vertices = [vertices as f64, 300.0];
        let drawn = Drawn { triangles: 1, vertices, rasteriser: [1.0, 1.0], adapter };
        conclude(&codes, &[drawn], drawer, Scene::default()).verdicts()
    }

    #[test]
    fn vertices_and_drawing_are_decided_apart() {
        use Verdict::{Fails, Holds, Unrunnable};
        let drawer = |name: &str| Drawer::of(&Backend::Gpu(name.to_owned()));
        let card = drawer("NVIDIA H100");
        assert_eq!(verdicts(130, 0.7, &card), [Holds, Holds]);
        assert_eq!(verdicts(130, 0.99, &card), [Holds, Fails]);
        assert_eq!(verdicts(250, 0.7, &card), [Fails, Holds]);
        let program = drawer("llvmpipe (LLVM 15.0.6, 256 bits)");
        assert_eq!(verdicts(130, 0.7, &program), [Holds, Unrunnable]);
        let none = Drawer::of(&Backend::Software("built without the feature wgpu".to_owned()));
        assert_eq!(verdicts(130, 0.7, &none), [Holds, Unrunnable]);
    }
}
