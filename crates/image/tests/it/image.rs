//! What the image is worth: how much it settles, how often believing it is wrong, and what is counted.

use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::{Mesh, Point, Pose};
use impinge_image::{Drawing, Ibcd, Mode, Params, ibcd, ibcd_with};
use impinge_models::Shape;
use impinge_query::{
    Answer, Ask, Backend, Cancel, Cancelled, Certainty, Control, Engine, PrepareError, QueryError,
};

use crate::bodies::{Pair, hull, model, overlap, pairs, shifted};

fn ask(engine: &Ibcd, pair: &Pair, pose: &Pose, ask: &Ask) -> Answer {
    let [a, b] = [&pair.a, &pair.b].map(|mesh| model(engine, mesh));
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let none = &Control::NONE;
    engine.query(&a, &b, pose, &mut memory, ask, none, &mut answer).expect("software draws");
    answer
}

/// Pairs of patches: whose hulls overlap, by an exact judge; which are seen; which are settled.
fn share(resolution: u32, poses: u64) -> [usize; 3] {
    let engine = ibcd_with(Params { resolution, ..Params::default() });
    let mut counts = [0; 3];
    for pair in pairs() {
        let [a, b] = [&pair.a, &pair.b].map(|mesh| model(&engine, mesh));
        for index in 0..poses {
            let pose = pair.pose(111, index);
            let survey = engine.survey(&a, &b, &pose, &Control::NONE).expect("software draws");
            for found in survey.iter().filter(|found| found.solid) {
                let [p, q] = found.patches;
                let hulls = [hull(&a, p, &Pose::identity()), hull(&b, q, &pose)];
                let truly = overlap(&hulls[0], &hulls[1]);
                if let Some(point) = found.witness {
                    assert!(found.seen && truly, "{} {index}: a false proof", pair.name);
                    let behind =
                        |t: [Point; 3]| orient3d(&t[0], &t[1], &t[2], &point) == Sign::Negative;
                    assert!(hulls.iter().all(|hull| hull.corners().all(behind)));
                }
                let facts = [truly, found.seen, found.witness.is_some()];
                for (count, fact) in counts.iter_mut().zip(facts) {
                    *count += usize::from(fact);
                }
            }
        }
    }
    counts
}

#[test]
fn most_overlapping_pairs_of_patches_are_settled_by_the_image() {
    for (resolution, poses, bar) in [(256, 5, 80), (64, 12, 80), (8, 12, 70)] {
        let [truly, seen, settled] = share(resolution, poses);
        println!("{resolution} pixels: {truly} overlap, {seen} seen, {settled} settled");
        assert!(truly > 100 && settled * 100 >= truly * bar, "{resolution}: {settled} of {truly}");
    }
}

#[test]
fn dropping_what_the_image_does_not_show_would_lose_contacts() {
    // Why the certified form does not: the twin of its descent that believes the image.
    let engine = ibcd_with(Params { resolution: 16, ..Params::default() });
    let (mut kept, mut lost) = (0, 0);
    for pair in pairs() {
        let [a, b] = [&pair.a, &pair.b].map(|mesh| model(&engine, mesh));
        for index in 0..12 {
            let pose = pair.pose(112, index);
            let survey = engine.survey(&a, &b, &pose, &Control::NONE).expect("software draws");
            let mut answer = Answer::default();
            let (mut memory, all) = (engine.memory(), Ask::all_contacts());
            engine
                .query(&a, &b, &pose, &mut memory, &all, &Control::NONE, &mut answer)
                .expect("ok");
            for contact in &answer.contacts {
                let of = |model: &impinge_image::ImageModel, t: u32| {
                    model.decomposition().patch_of()[t as usize]
                };
                let patches = [of(&a, contact.a), of(&b, contact.b)];
                let found = survey.iter().find(|found| found.patches == patches);
                let found = found.expect("boxes drop no pair that meets");
                if found.seen || !found.solid { kept += 1 } else { lost += 1 }
            }
        }
    }
    println!("{lost} of {} contacts would be lost", kept + lost);
    assert!(kept > 500 && lost > 0, "{kept} {lost}");
}

#[test]
fn the_sampled_form_errs_less_with_more_pixels() {
    let certain = ibcd();
    let mut errors = Vec::new();
    for resolution in [2, 8, 32, 128] {
        let engine = ibcd_with(Params::sampled(resolution));
        let (mut poses, mut hits, mut misses) = (0, 0, 0);
        for pair in pairs() {
            let models = [&pair.a, &pair.b].map(|mesh| model(&engine, mesh));
            for index in 0..12 {
                let pose = pair.pose(113, index);
                let verdict = |engine: &Ibcd| {
                    let (mut memory, mut answer) = (engine.memory(), Answer::default());
                    let ([a, b], ask) = (&models, Ask::first_contact().solids());
                    let none = &Control::NONE;
                    engine.query(a, b, &pose, &mut memory, &ask, none, &mut answer).expect("ok");
                    answer
                };
                let (truth, seen) = (verdict(&certain), verdict(&engine));
                assert_eq!(seen.certainty, Certainty::Sampled { resolution });
                let (truth, seen) = (truth.verdict.is_hit(), seen.verdict.is_hit());
                poses += 1;
                hits += usize::from(seen && !truth);
                misses += usize::from(truth && !seen);
            }
        }
        println!("{resolution} pixels: {hits} false hits, {misses} false misses in {poses} poses");
        errors.push(hits + misses);
    }
    assert!(errors[0] > 0, "two pixels must not do");
    assert!(errors[0] > errors[3] && errors[3] <= 5, "{errors:?}");
}

#[test]
fn a_level_is_one_submission() {
    let (mut sampled, mut certified) = (0, 0);
    for pair in pairs() {
        for index in 0..6 {
            let pose = pair.pose(114, index);
            let engine = ibcd_with(Params::sampled(32));
            let depth = |mesh| model(&engine, mesh).tree().depth() as u64;
            let levels = depth(&pair.a).max(depth(&pair.b));
            let answer = ask(&engine, &pair, &pose, &Ask::first_contact().counted());
            let counted = answer.statistics.expect("asked for");
            assert!(counted.submissions <= levels, "{} {index}: {counted:?}", pair.name);
            assert_eq!(counted.volumes_updated, 0);
            sampled += counted.submissions;
            let answer = ask(&ibcd(), &pair, &pose, &Ask::first_contact().counted());
            let counted = answer.statistics.expect("asked for");
            assert!(counted.submissions <= 1, "{} {index}: {counted:?}", pair.name);
            assert_eq!(counted.submissions == 1, answer.backend != Backend::Cpu);
            certified += counted.submissions;
        }
    }
    assert!(sampled > 60 && certified > 10, "{sampled} {certified}");
}

#[test]
fn certainty_counts_what_was_proved_and_what_was_left() {
    let pair = &pairs()[0];
    let near = ask(&ibcd(), pair, &shifted([0.2, 0.1, 0.0]), &Ask::first_contact());
    let Certainty::Certified { settled, .. } = near.certainty else { panic!("{near:?}") };
    assert!(settled > 0);
    let all = ask(&ibcd(), pair, &shifted([0.2, 0.1, 0.0]), &Ask::all_contacts());
    let Certainty::Certified { settled, resolved } = all.certainty else { panic!("{all:?}") };
    assert!(settled == 0 && resolved > 0, "nothing is drawn for all contacts");
    assert_eq!(all.backend, Backend::Cpu);
    let far = ask(&ibcd(), pair, &shifted([5.0, 0.0, 0.0]), &Ask::first_contact());
    assert_eq!(far.certainty, Certainty::Certified { settled: 0, resolved: 0 });
}

#[test]
fn who_drew_is_told() {
    let pair = &pairs()[0];
    let near = shifted([0.2, 0.1, 0.0]);
    let Backend::Software(why) = ask(&ibcd(), pair, &near, &Ask::first_contact()).backend else {
        panic!("software draws by default")
    };
    assert_eq!(why, "software was chosen");
    if cfg!(not(feature = "wgpu")) {
        let engine = ibcd_with(Params { drawing: Drawing::Adapter, ..Params::default() });
        let answer = ask(&engine, pair, &near, &Ask::first_contact());
        assert_eq!(answer.backend, Backend::Software("built without the feature wgpu".to_owned()));
    }
}

#[test]
fn a_patch_without_volume_is_decided_by_its_triangles() {
    let chain = Shape::Chain.mesh(96, 0);
    for mode in [Mode::Certified, Mode::Sampled] {
        let engine = ibcd_with(Params { mode, ..Params::default() });
        let model = model(&engine, &chain);
        let pose = shifted([0.01, 0.02, 0.0]);
        let survey = engine.survey(&model, &model, &pose, &Control::NONE).expect("software draws");
        let flat = survey.iter().filter(|found| !found.solid);
        assert!(flat.clone().count() > 50 && flat.clone().all(|found| !found.seen));
        let pair = Pair { name: "chains", a: chain.clone(), b: chain.clone(), reach: 0.0 };
        let hits = |pose| ask(&engine, &pair, &pose, &Ask::first_contact()).verdict.is_hit();
        assert!(hits(pose) && !hits(shifted([9.0, 0.0, 0.0])));
    }
}

#[test]
fn meshes_without_an_inside_are_refused_by_name() {
    let engine = ibcd();
    let refusal = |mesh: &Mesh| {
        engine.prepare(mesh, &Control::NONE).map(drop).expect_err("it must be refused")
    };
    assert!(matches!(refusal(&Shape::Teapot.mesh(400, 0)), PrepareError::Open(_)));
    assert!(matches!(refusal(&Shape::Leaf.mesh(40, 0)), PrepareError::Open(_)));
    let inside_out = refusal(&Shape::Cube.mesh(12, 0).flipped()).to_string();
    assert!(inside_out.contains("ibcd") && inside_out.contains("inside out"), "{inside_out}");
    let cube = Shape::Cube.mesh(12, 0);
    let moved = cube.posed(&shifted([0.5, 0.25, 0.0])).expect("in range");
    let crossing = Mesh::union([&cube, &moved]).expect("two cubes");
    let text = refusal(&crossing).to_string();
    assert!(text.contains("ibcd") && text.contains("triangles"), "{text}");
}

#[test]
fn meshes_that_would_take_long_are_refused_by_their_size() {
    let ball = Shape::Sphere.mesh(100, 0);
    let engine = |largest| ibcd_with(Params { largest, ..Params::default() });
    let size = ball.triangles().len();
    let refused = engine(size - 1).prepare(&ball, &Control::NONE).map(drop).expect_err("too large");
    assert!(refused.to_string().contains(&format!("{size} triangles")), "{refused}");
    assert!(engine(size).prepare(&ball, &Control::NONE).is_ok());
}

#[test]
fn poses_out_of_range_and_other_questions_are_errors() {
    let engine = ibcd();
    let cube = Shape::Cube.mesh(12, 0).scaled(1e299).expect("in range");
    let model = model(&engine, &cube);
    let query = |pose: &Pose, ask: &Ask| {
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        engine.query(&model, &model, pose, &mut memory, ask, &Control::NONE, &mut answer)
    };
    let far = shifted([1e300, 0.0, 0.0]);
    assert!(matches!(query(&far, &Ask::first_contact()), Err(QueryError::OutOfRange(_))));
    assert!(query(&shifted([3e299, 0.0, 0.0]), &Ask::first_contact()).is_ok());
    let still = Pose::identity();
    assert!(matches!(query(&still, &Ask::distance()), Err(QueryError::Unanswered { .. })));
}

#[test]
fn cancelled_is_an_error_in_every_stage() {
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let mesh = Shape::Gear.mesh(96, 0);
    for params in [Params::default(), Params::sampled(32)] {
        let engine = ibcd_with(params);
        let cancelled = engine.prepare(&mesh, &control).map(drop);
        assert_eq!(cancelled, Err(PrepareError::Cancelled(Cancelled)));
        let model = model(&engine, &mesh);
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        let (pose, ask) = (Pose::identity(), Ask::first_contact());
        let done = engine.query(&model, &model, &pose, &mut memory, &ask, &control, &mut answer);
        assert_eq!(done, Err(QueryError::Cancelled(Cancelled)));
        let done = engine.survey(&model, &model, &pose, &control);
        assert_eq!(done, Err(QueryError::Cancelled(Cancelled)));
        // And usable afterwards.
        let none = &Control::NONE;
        engine.query(&model, &model, &pose, &mut memory, &ask, none, &mut answer).expect("answers");
        assert!(answer.verdict.is_hit());
    }
}

/// Bars of one patch each, so that a query draws one pair of hulls, along the bars.
#[test]
fn pictures_vertices_and_pixels_are_counted_for_each_direction_that_is_drawn() {
    let cube = Shape::Cube.mesh(12, 0);
    let long = |p: &Point| Point::new(4.0 * p.x, 2.0 * p.y, p.z);
    let bar = Mesh::new(cube.vertices().iter().map(long).collect(), cube.triangles().to_vec());
    let bar = bar.expect("a bar");
    let pair = Pair { name: "bars", a: bar.clone(), b: bar, reach: 0.0 };
    let engine = ibcd_with(Params::sampled(16));
    let sent = model(&engine, &pair.a).sent();
    assert_eq!(sent.hulls, 1);
    let count = |at: [f64; 3]| {
        let answer = ask(&engine, &pair, &shifted(at), &Ask::first_contact().counted());
        let counted = answer.statistics.expect("counted");
        [counted.submissions, counted.pictures, counted.vertices_sent, counted.pixels]
    };
    // A's vertices once, B's twice, in each direction.
    let of = |pictures: u64| [1, pictures, pictures * 3 * sent.vertices, pictures * 256];
    // B is shifted away from the viewer once, and towards the viewer once.
    let mut both = [count([0.05, 0.1, 0.1]), count([-0.05, 0.1, 0.1])];
    both.sort_unstable();
    assert_eq!(both, [of(1), of(2)]);
    assert_eq!(count([9.0, 0.1, 0.2]), [0; 4], "boxes apart are not drawn");
    let all = ask(&ibcd(), &pair, &shifted([0.05, 0.1, 0.1]), &Ask::all_contacts().counted());
    assert_eq!(all.statistics.expect("counted").pictures, 0, "all contacts draw nothing");
}

#[test]
fn pixels_per_unit_give_small_overlaps_small_pictures_and_lose_little() {
    let fixed = ibcd_with(Params::sampled(64));
    let dense = ibcd_with(Params { pixels_per_unit: Some(64.0), ..Params::sampled(64) });
    let (mut poses, mut unlike, mut areas) = (0, 0, [0, 0]);
    for pair in pairs() {
        for index in 0..8 {
            let pose = pair.pose(118, index);
            let answers = [&fixed, &dense]
                .map(|engine| ask(engine, &pair, &pose, &Ask::first_contact().counted()));
            let area = answers.each_ref().map(|answer| {
                let counted = answer.statistics.as_ref().expect("counted");
                counted.pixels as f64 / counted.pictures.max(1) as f64
            });
            assert_eq!(answers[1].certainty, Certainty::Sampled { resolution: 64 });
            assert!(area[1] <= area[0], "{} {index}: {area:?}", pair.name);
            areas = [areas[0] + area[0] as u64, areas[1] + area[1] as u64];
            poses += 1;
            unlike += usize::from(answers[0].verdict != answers[1].verdict);
        }
    }
    println!("{unlike} of {poses} answers differ, pixels of a picture {areas:?}");
    assert!(2 * areas[1] < areas[0] && areas[1] > 0, "{areas:?}");
    assert!(unlike * 10 <= poses, "{unlike} of {poses}");
}

/// A survey may prove that solids collide. It must never be wrong, and mostly do so.
#[test]
fn a_deep_witness_proves_that_the_solids_collide() {
    let engine = ibcd();
    let (mut hits, mut proved, mut settled, mut deep) = (0, 0, 0, 0);
    for pair in pairs() {
        let [a, b] = [&pair.a, &pair.b].map(|mesh| model(&engine, mesh));
        for index in 0..12 {
            let pose = pair.pose(117, index);
            let hit = ask(&engine, &pair, &pose, &Ask::first_contact().solids()).verdict.is_hit();
            let survey = engine.survey(&a, &b, &pose, &Control::NONE).expect("software draws");
            assert!(survey.iter().all(|found| found.witness.is_some() || !found.collide));
            let proof = survey.iter().any(|found| found.collide);
            assert!(hit || !proof, "{} {index}: a false proof", pair.name);
            hits += usize::from(hit);
            proved += usize::from(proof);
            settled += survey.iter().filter(|found| found.witness.is_some()).count();
            deep += survey.iter().filter(|found| found.collide).count();
        }
    }
    println!("{proved} of {hits} hits proved; {deep} of {settled} witnesses are deep");
    assert!(proved * 10 >= hits * 8 && hits > 20, "{proved} of {hits}");
}
