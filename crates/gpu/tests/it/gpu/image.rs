//! The image test on a device against its plain Rust twin.

use impinge_gpu::image::ImageTest;
use impinge_models::Random;
use impinge_shaders::image::strip::Run;
use impinge_shaders::image::{Hulls, PairDraw, PixelClass, raster, word};

use super::scenes::{Hull, lattice, turned};
use super::shared;

/// Depths closer than this may come in either order: planes are f32 over an atlas of 1024 pixels.
const NEAR: f32 = 1.0 / 16_384.0;

fn values(hull: &Hull, side: u32, pairs: &[PairDraw]) -> (ImageTest, Vec<u8>) {
    let test = ImageTest::new(shared(), side, side, pairs.len() as u32).expect("a small atlas");
    assert_eq!(test.atlas().count() as usize, pairs.len());
    let buffers = test.upload(&hull.borrowed()).expect("a small hull");
    let image = test.values(&buffers, pairs).expect("it runs");
    (test, image)
}

/// The number of pixels that differ, and how often each value occurs in the first image.
fn compare(one: &[u8], other: &[u8]) -> (usize, [usize; 4]) {
    assert_eq!(one.len(), other.len());
    let mut seen = [0; 4];
    for &value in one {
        seen[usize::from(value.min(3))] += 1;
    }
    (one.iter().zip(other).filter(|(a, b)| a != b).count(), seen)
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn on_the_lattice_every_pixel_is_that_of_the_twin() {
    for (hull, seed) in [(Hull::cube(), 1), (Hull::octahedron(), 2)] {
        let mut random = Random::new(seed);
        let pairs = lattice(&hull, 32, 256, &mut random);
        let (test, image) = values(&hull, 32, &pairs);
        let twin = raster::draw(test.atlas(), &hull.borrowed(), &pairs).expect("fine");
        let (different, seen) = compare(&image, &twin);
        assert_eq!(different, 0, "of {seen:?}");
        assert!(seen.iter().all(|&n| n > 1000), "every value occurs: {seen:?}");
    }
}

/// One scene in both codes, and mixed: strips and lists are drawn by different pipelines.
#[test]
#[ignore = "gpu: needs an adapter"]
fn strips_and_lists_give_the_same_pixels() {
    let (strips, list) = (Hull::ball(6, 12), Hull::ball(6, 12).listed());
    let mut hulls = Hull::ball(6, 12);
    hulls.entries.extend(&list.entries);
    let list_run = list.run().after(strips.run().length);
    assert_eq!(u64::from(list_run.vertices), 3 * (2 * 6 * 12));
    assert!(strips.run().vertices < list_run.vertices / 2);
    let pairs = turned(&strips, 100, &mut Random::new(8));
    let (_, wanted) = values(&strips, 48, &pairs);
    for choice in 1..4 {
        let mut pairs = pairs.clone();
        for pair in &mut pairs {
            if choice & 1 != 0 {
                pair.first.run = list_run;
            }
            if choice & 2 != 0 {
                pair.second.run = list_run;
            }
        }
        let (_, image) = values(&hulls, 48, &pairs);
        let (different, seen) = compare(&wanted, &image);
        assert_eq!(different, 0, "choice {choice}, of {seen:?}");
        assert!(seen.iter().all(|&n| n > 1000), "every value occurs: {seen:?}");
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_twin_that_is_off_by_the_least_step_is_noticed() {
    let hull = Hull::octahedron();
    let pairs = lattice(&hull, 32, 256, &mut Random::new(3));
    let (test, image) = values(&hull, 32, &pairs);
    let twin = |change: &dyn Fn(&mut PairDraw)| {
        let mut changed = pairs.clone();
        changed.iter_mut().for_each(change);
        raster::draw(test.atlas(), &hull.borrowed(), &changed).expect("fine")
    };
    assert_eq!(compare(&image, &twin(&|_| {})).0, 0);
    // Shift by 1/16 pixel, shift depth by 1/1024, swap A and B.
    let changes: [&dyn Fn(&mut PairDraw); 3] = [
        &|pair| pair.first.row_x[3] += 1.0 / 256.0,
        &|pair| pair.second.row_z[3] += 1.0 / 1024.0,
        &|pair| *pair = pair.swapped(),
    ];
    for (k, change) in changes.into_iter().enumerate() {
        let (different, seen) = compare(&image, &twin(change));
        println!("change {k}: {different} pixels of {seen:?}");
        assert!(different > 30, "change {k} was hardly noticed: {different}");
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn away_from_silhouettes_and_ties_every_pixel_is_that_of_the_twin() {
    let hull = Hull::ball(12, 24);
    let pairs = turned(&hull, 200, &mut Random::new(4));
    let (test, image) = values(&hull, 48, &pairs);
    let (width, hulls) = (test.atlas().image_width(), hull.borrowed());
    let (mut certain, mut wrong, mut all, mut edges) = (0, 0, 0, 0);
    for (index, pair) in (0..).zip(&pairs) {
        let place = test.atlas().viewport(index).expect("one each");
        let twin = raster::viewport(place, &hulls, pair);
        let other = raster::viewport(place, &hulls, &pair.swapped());
        for y in 0..place.height {
            for x in 0..place.width {
                let at = (y * place.width + x) as usize;
                let value = image[((place.y + y) * width + place.x + x) as usize];
                all += 1;
                if near_silhouette(&twin.values, place.width, x, y)
                    || near_silhouette(&other.values, place.width, x, y)
                    || twin.clearance[at] < NEAR
                {
                    edges += usize::from(value != twin.values[at]);
                    continue;
                }
                certain += 1;
                wrong += usize::from(value != twin.values[at]);
            }
        }
    }
    println!("{all} pixels, {certain} compared; {edges} of the others differ");
    assert!(certain * 2 > all, "only {certain} of {all} pixels were compared");
    assert_eq!(wrong, 0, "of {certain}");
}

/// Whether the hull covers some but not all of the pixels within one pixel.
fn near_silhouette(values: &[u8], width: u32, x: u32, y: u32) -> bool {
    let height = values.len() as u32 / width;
    let there = |x: u32, y: u32| values[(y * width + x) as usize] > 0;
    let (low, high) = (x.saturating_sub(1), (x + 1).min(width - 1));
    let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
    let mut around = rows.flat_map(|y| (low..=high).map(move |x| (x, y)));
    around.any(|(u, v)| there(u, v) != there(x, y))
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn classes_are_those_of_the_twin_over_many_submissions() {
    let hull = Hull::octahedron();
    let hulls = hull.borrowed();
    let pairs = lattice(&hull, 24, 700, &mut Random::new(5));
    let both: Vec<PairDraw> = pairs.iter().flat_map(|pair| [*pair, pair.swapped()]).collect();
    let test = ImageTest::new(shared(), 24, 24, 300).expect("a small atlas");
    let buffers = test.upload(&hulls).expect("a small hull");
    let answer = test.run(&buffers, &both).expect("it runs");
    assert_eq!((answer.classes.len(), answer.submissions), (1400, 5));
    let mut wanted = Vec::new();
    for part in both.chunks(300) {
        let atlas = test.atlas().first(part.len() as u32);
        let image = raster::draw(&atlas, &hulls, part).expect("fine");
        wanted.extend(word::classify(&atlas, &image));
    }
    let got: Vec<u32> = answer.classes.iter().map(|class| class.word()).collect();
    assert_eq!(got, wanted);
    let count = |wanted: fn(&PixelClass) -> bool| {
        answer.classes.iter().filter(|&class| wanted(class)).count()
    };
    let mix = [
        count(|c| c.overlap.is_some()),
        count(|c| c.overlap.is_none() && c.behind),
        count(|c| c.overlap.is_none() && !c.behind),
    ];
    assert!(mix.iter().all(|&n| n > 50), "every class occurs: {mix:?}");
    // Drawing a pair in both directions finds overlaps that one direction misses.
    let missed =
        answer.classes.chunks(2).filter(|c| c[0].overlap.is_none() && c[1].overlap.is_some());
    assert!(missed.count() > 20);
    // A second run gives the same classes, also with an atlas size that splits the batch
    // differently.
    assert_eq!(test.run(&buffers, &both).expect("it runs").classes, answer.classes);
    let small = ImageTest::new(shared(), 24, 24, 7).expect("a small atlas");
    let first = small.run(&buffers, &both[..100]).expect("it runs");
    assert_eq!((first.classes.as_slice(), first.submissions), (&answer.classes[..100], 15));
}

/// Viewports of many sizes in an atlas of one: as if each had an atlas of its own.
#[test]
#[ignore = "gpu: needs an adapter"]
fn smaller_viewports_show_what_an_atlas_of_their_size_shows() {
    let hull = Hull::ball(6, 12);
    let pairs = turned(&hull, 60, &mut Random::new(9));
    let size = |k: usize| [[32, 32], [16, 8], [1, 4], [5, 32]][k % 4];
    let mut sizes: Vec<[u32; 2]> = (0..pairs.len() - 7).map(size).collect();
    // Larger than a viewport: cut to it.
    sizes[4] = [100, 64];
    let test = ImageTest::new(shared(), 32, 32, 25).expect("a small atlas");
    let buffers = test.upload(&hull.borrowed()).expect("a small hull");
    let answer = test.run_sized(&buffers, &pairs, &sizes).expect("it runs");
    let mut seen = 0;
    for (k, pair) in pairs.iter().enumerate() {
        let [width, height] = sizes.get(k).copied().unwrap_or([32; 2]).map(|side| side.min(32));
        let alone = ImageTest::new(shared(), width, height, 1).expect("a small atlas");
        let wanted = alone.run(&buffers, &[*pair]).expect("it runs").classes[0];
        assert_eq!(answer.classes[k], wanted, "pair {k}, {width} x {height}");
        seen += usize::from(wanted.overlap.is_some_and(|pixel| pixel >= width));
    }
    assert!(seen > 5, "{seen}");
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn hulls_that_start_at_one_depth_overlap() {
    // Identical hulls: counting both faces of B at or behind A's front would call them apart.
    let hull = Hull::cube();
    let pairs = lattice(&hull, 32, 50, &mut Random::new(6));
    let same: Vec<PairDraw> =
        pairs.iter().map(|pair| PairDraw { second: pair.first, ..*pair }).collect();
    let test = ImageTest::new(shared(), 32, 32, 64).expect("a small atlas");
    let buffers = test.upload(&hull.borrowed()).expect("a small hull");
    let answer = test.run(&buffers, &same).expect("it runs");
    assert!(answer.classes.iter().all(|class| class.overlap.is_some() && !class.behind));
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn no_pairs_bad_pairs_and_empty_hulls_do_no_harm() {
    let hull = Hull::cube();
    let test = ImageTest::new(shared(), 16, 16, 4).expect("a small atlas");
    let buffers = test.upload(&hull.borrowed()).expect("a small hull");
    assert!(test.run(&buffers, &[]).expect("nothing to do").classes.is_empty());
    assert!(test.values(&buffers, &[]).expect("it runs").iter().all(|&value| value == 0));
    let mut pair = lattice(&hull, 16, 1, &mut Random::new(7))[0];
    assert!(test.values(&buffers, &[pair; 5]).is_err(), "five pairs, four viewports");
    pair.second.run.length = 0;
    let answer = test.run(&buffers, &[pair]).expect("it runs");
    assert_eq!(answer.classes, [PixelClass::default()]);
    pair.first.run.begin = 1;
    assert!(test.run(&buffers, &[pair]).is_err(), "beyond the last entry");
    let none = test.upload(&Hulls::new(&[], &[]).expect("empty")).expect("it is sent");
    pair.first = impinge_shaders::image::Placed::new([[0.0; 4]; 3], Run::default());
    assert_eq!(test.run(&none, &[pair]).expect("it runs").classes, [PixelClass::default()]);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn threads_share_one_atlas() {
    let hull = Hull::octahedron();
    let test = ImageTest::new(shared(), 24, 24, 40).expect("a small atlas");
    let buffers = test.upload(&hull.borrowed()).expect("a small hull");
    let lists: Vec<Vec<PairDraw>> =
        (0..4).map(|seed| lattice(&hull, 24, 100, &mut Random::new(10 + seed))).collect();
    let alone: Vec<_> = lists.iter().map(|list| test.run(&buffers, list).expect("runs")).collect();
    std::thread::scope(|scope| {
        for (list, wanted) in lists.iter().zip(&alone) {
            let (test, buffers) = (&test, &buffers);
            scope.spawn(move || {
                for _ in 0..5 {
                    let answer = test.run(buffers, list).expect("it runs");
                    assert_eq!(answer.classes, wanted.classes);
                }
            });
        }
    });
}
