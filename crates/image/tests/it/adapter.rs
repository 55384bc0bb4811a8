//! The same on a graphics adapter. `IMPINGE_GPU=software` keeps it to software drivers.

/// Tests that need an adapter have this in their path.
mod gpu {
    use crate::bodies::{model, pairs, shifted};
    use impinge_image::{Drawing, Params, ibcd_with};
    use impinge_query::{Answer, Ask, Backend, Control, Engine};

    fn adapter() -> Drawing {
        let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
        if software { Drawing::SoftwareAdapter } else { Drawing::Adapter }
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn the_certified_form_answers_alike_on_an_adapter_and_in_software() {
        let software = ibcd_with(Params::default());
        let device = ibcd_with(Params { drawing: adapter(), ..Params::default() });
        let (mut drawn, mut settled) = (0, [0, 0]);
        for pair in pairs() {
            let [a, b] = [&pair.a, &pair.b].map(|mesh| model(&software, mesh));
            let mut memory = device.memory();
            for index in 0..6 {
                let pose = pair.pose(121, index);
                for ask in [Ask::first_contact().solids().counted(), Ask::all_contacts()] {
                    let (mut here, mut there) = (Answer::default(), Answer::default());
                    let none = &Control::NONE;
                    let mut fresh = software.memory();
                    software.query(&a, &b, &pose, &mut fresh, &ask, none, &mut here).expect("ok");
                    device.query(&a, &b, &pose, &mut memory, &ask, none, &mut there).expect("ok");
                    assert_eq!(here.verdict, there.verdict, "{} {index}", pair.name);
                    if ask == Ask::all_contacts() {
                        assert_eq!(here.contacts, there.contacts, "{} {index}", pair.name);
                    } else if here.backend != Backend::Cpu {
                        assert!(matches!(there.backend, Backend::Gpu(_)), "{:?}", there.backend);
                        assert_eq!(there.statistics.expect("counted").submissions, 1);
                        drawn += 1;
                    }
                }
                let survey = |engine: &impinge_image::Ibcd| {
                    let found = engine.survey(&a, &b, &pose, &Control::NONE).expect("draws");
                    found.iter().filter(|found| found.witness.is_some()).count()
                };
                settled[0] += survey(&software);
                settled[1] += survey(&device);
            }
        }
        println!("{drawn} queries drawn, settled in software and on the adapter: {settled:?}");
        assert!(drawn > 10 && settled[0].abs_diff(settled[1]) * 50 <= settled[0], "{settled:?}");
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn the_sampled_form_differs_only_at_silhouettes() {
        let mut different = [0, 0];
        for (sides, different) in [None, Some(40.0)].into_iter().zip(&mut different) {
            *different = differing(Params { pixels_per_unit: sides, ..Params::sampled(64) });
        }
        println!("{different:?} of 48 verdicts differ");
        assert!(different.iter().all(|n| n * 20 <= 48), "{different:?}");
    }

    /// How many of 48 verdicts differ between software and an adapter.
    fn differing(params: Params) -> usize {
        let software = ibcd_with(params);
        let device = ibcd_with(Params { drawing: adapter(), ..params });
        let (mut poses, mut different) = (0, 0);
        for pair in pairs() {
            let [a, b] = [&pair.a, &pair.b].map(|mesh| model(&software, mesh));
            for index in 0..6 {
                let pose = pair.pose(122, index);
                let verdict = |engine: &impinge_image::Ibcd| {
                    let (mut memory, mut answer) = (engine.memory(), Answer::default());
                    let (ask, none) = (Ask::first_contact(), &Control::NONE);
                    engine.query(&a, &b, &pose, &mut memory, &ask, none, &mut answer).expect("ok");
                    answer.verdict.is_hit()
                };
                poses += 1;
                different += usize::from(verdict(&software) != verdict(&device));
            }
        }
        assert_eq!(poses, 48);
        different
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn threads_share_an_engine() {
        let device = ibcd_with(Params { drawing: adapter(), ..Params::default() });
        let pair = &pairs()[0];
        let [a, b] = [&pair.a, &pair.b].map(|mesh| model(&device, mesh));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let (mut memory, mut answer) = (device.memory(), Answer::default());
                    for step in 0..8 {
                        let pose = shifted([0.15 * f64::from(step), 0.0, 0.0]);
                        let (ask, none) = (Ask::first_contact(), &Control::NONE);
                        device
                            .query(&a, &b, &pose, &mut memory, &ask, none, &mut answer)
                            .expect("draws");
                        assert_eq!(answer.verdict.is_hit(), step < 7, "step {step}");
                    }
                });
            }
        });
    }
}
