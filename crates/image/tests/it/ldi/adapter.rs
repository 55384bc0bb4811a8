//! Layers drawn on a graphics adapter. `IMPINGE_GPU=software` keeps it to software drivers.

/// Tests that need an adapter have this in their path.
mod gpu {
    use impinge_geometry::{Mesh, Pose};
    use impinge_image::Drawing;
    use impinge_image::ldi::{Ldi, Overlap, OverlapOptions, Params, ldi, ldi_with};
    use impinge_models::{Random, Shape};
    use impinge_query::{Answer, Ask, Backend, Control, Engine};
    use impinge_testkit::battery::faults::{Fault, Faulty};
    use impinge_testkit::battery::{questions_of_bodies, questions_of_soups, random_walk, traps};

    use crate::bodies::{pairs, shifted};

    fn device() -> Ldi {
        let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
        let drawing = if software { Drawing::SoftwareAdapter } else { Drawing::Adapter };
        ldi_with(Params { drawing, ..Params::default() })
    }

    /// The overlap as an adapter samples it, and as software does.
    fn both(a: &Mesh, b: &Mesh, pose: &Pose, resolution: u32) -> [Overlap; 2] {
        let options = OverlapOptions { resolution, ..OverlapOptions::default() };
        let both = [device(), ldi()].map(|engine| {
            let [a, b] = [a, b].map(|mesh| engine.prepare(mesh, &Control::NONE).expect("ok"));
            engine.overlap(&a, &b, pose, &options, &Control::NONE).expect("draws")
        });
        assert!(matches!(both[0].backend, Backend::Gpu(_)), "{:?}", both[0].backend);
        assert!(both[0].submissions > 0 && both[1].submissions == 0);
        both
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn boxes_along_the_axes_are_sampled_alike() {
        let cube = Shape::Cube.mesh(48, 0);
        let [device, software] = both(&cube, &cube, &shifted([0.25, 0.125, 0.375]), 100);
        for (device, software) in device.directions.iter().zip(&software.directions) {
            assert_eq!(device.contact_pixels, software.contact_pixels);
            assert_eq!((device.layers, device.unpaired), (software.layers, [0; 2]));
            assert!((device.share.value - software.share.value).abs() < 1e-6, "{device:?}");
            assert!((device.depth.value - software.depth.value).abs() < 1e-6, "{device:?}");
        }
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn bodies_are_sampled_alike_but_for_their_silhouettes() {
        let (gear, torus) = (Shape::Gear.mesh(2_000, 0), Shape::Torus.mesh(2_000, 0));
        let pose = Random::stream(621, 0).turned_to([0.35, 0.1, 0.05].into());
        for [a, b] in [[&gear, &torus], [&torus, &gear]] {
            let [device, software] = both(a, b, &pose, 256);
            assert!(device.agrees() && device.contacts == software.contacts);
            for (device, software) in device.directions.iter().zip(&software.directions) {
                let pixels = software.contact_pixels;
                assert!(pixels > 1_000 && device.unpaired == [0; 2]);
                let differ = device.contact_pixels.abs_diff(pixels);
                assert!(50 * differ <= pixels, "{differ} of {pixels} pixels differ");
                let off = (device.share.value - software.share.value).abs();
                assert!(off < 1e-3 * software.share.value, "{device:?} {software:?}");
                // The bounds are the processor's.
                assert!((device.share.error - software.share.error).abs() <= off + 1e-9);
            }
        }
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn more_layers_than_there_is_room_for_are_drawn_again() {
        let shell = |k: u32| {
            let ball = Shape::Cube.mesh(12, 0).scaled(f64::from(60 - k) / 60.0).expect("in range");
            if k.is_multiple_of(2) { ball } else { ball.flipped() }
        };
        let shells: Vec<Mesh> = (0..40).map(shell).collect();
        let shells = Mesh::union(&shells).expect("a mesh");
        let cube = Shape::Cube.mesh(12, 0).scaled(1.25).expect("in range");
        let [device, software] = both(&shells, &cube, &shifted([0.0; 3]), 64);
        let passes: u64 = software.directions.iter().map(|d| u64::from(d.passes)).sum();
        assert!(device.submissions > passes, "{} for {passes} windows", device.submissions);
        for (device, software) in device.directions.iter().zip(&software.directions) {
            assert_eq!((device.layers, device.unpaired), ([80, 2], [0; 2]));
            assert_eq!(device.contact_pixels, software.contact_pixels);
            assert!((device.share.value - software.share.value).abs() < 1e-6, "{device:?}");
        }
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn a_first_contact_is_found_by_the_picture() {
        let (device, software) = (device(), ldi());
        let (mut drawn, mut few, mut hits) = (0, 0, 0);
        for pair in pairs() {
            let [a, b] =
                [&pair.a, &pair.b].map(|mesh| device.prepare(mesh, &Control::NONE).expect("ok"));
            for index in 0..6 {
                let pose = pair.pose(622, index);
                let ask = Ask::first_contact().counted();
                let answer: Answer = device.ask(&a, &b, &pose, &ask).expect("draws");
                let truth = software.ask(&a, &b, &pose, &Ask::all_contacts()).expect("in range");
                assert_eq!(answer.verdict, truth.verdict, "{} {index}", pair.name);
                assert!(answer.contacts.iter().all(|contact| truth.contacts.contains(contact)));
                hits += usize::from(answer.verdict.is_hit());
                let statistics = answer.statistics.expect("counted");
                if statistics.submissions > 0 {
                    assert!(matches!(answer.backend, Backend::Gpu(_)), "{:?}", answer.backend);
                    drawn += 1;
                    // No layers were made: the picture's own pairs were enough.
                    few += usize::from(statistics.pictures == 0);
                }
            }
        }
        println!("{drawn} of 48 drawn, {hits} hits, {few} of them by the picture");
        assert!(drawn > 20 && 2 * few > hits && few < drawn);
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn the_battery_holds_on_an_adapter() {
        for check in [traps, random_walk, questions_of_bodies, questions_of_soups] {
            check(&device()).expect("right");
            let liar = Faulty::new(Box::new(device()), Fault::MissesHits);
            assert!(check(&liar).is_err());
        }
    }
}
