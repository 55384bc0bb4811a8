//! Queries that are cancelled while they work, from another thread at random moments. The tests in
//! `src/engine.rs` have the same step by step, from the inside.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use impinge_image::{Params, ibcd, ibcd_with};
use impinge_models::Random;
use impinge_query::{Answer, Ask, Cancel, Control, QueryError};

use crate::trouble::cases::{Query, Set, believer, honest, sets};

/// One at a time: they measure times.
static ALONE: Mutex<()> = Mutex::new(());

fn asks() -> [Ask; 3] {
    [Ask::first_contact().solids(), Ask::all_contacts(), Ask::first_contact()]
}

/// Asks with a flag that another thread raises after a while.
fn interrupted(
    after: Duration,
    ask: impl FnOnce(&Control<'_>) -> Result<(), QueryError>,
) -> Result<(), QueryError> {
    let (cancel, begun) = (Cancel::new(), Instant::now());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(after.saturating_sub(begun.elapsed()));
            cancel.cancel();
        });
        ask(&Control::NONE.cancelled_by(&cancel))
    })
}

/// Each query ends as an error or is right, and one after it with the same memory is right. Gives how
/// many were cancelled, and how many answered before they could be. The second half of the rounds may
/// keep nothing.
fn in_the_middle(sets: &[Set], query: &Query<'_>, rounds: usize) -> Result<[usize; 2], String> {
    let (mut counts, mut random) = ([0, 0], Random::new(143));
    let mut memories: Vec<_> = sets.iter().map(|_| impinge_image::Memory::default()).collect();
    let mut round = || -> Result<(), String> {
        for (set, memory) in sets.iter().zip(&mut memories) {
            for (case, ask) in set.cases.iter().flat_map(|case| asks().map(|ask| (case, ask))) {
                let (mut answer, start) = (Answer::default(), Instant::now());
                query(set, case, (&ask, memory), &Control::NONE, &mut answer)
                    .map_err(|why| why.to_string())?;
                let whole = start.elapsed();
                case.check(&ask, &answer).map_err(|why| format!("whole: {why}"))?;
                let cut = interrupted(whole.mul_f64(random.unit()), |control| {
                    query(set, case, (&ask, memory), control, &mut answer)
                });
                match cut {
                    Ok(()) => case.check(&ask, &answer).map_err(|why| format!("cut: {why}"))?,
                    Err(QueryError::Cancelled(_)) => {}
                    Err(why) => return Err(why.to_string()),
                }
                counts[usize::from(cut.is_ok())] += 1;
            }
        }
        Ok(())
    };
    (0..rounds / 2).try_for_each(|_| round())?;
    let mut second = Ok(());
    let held = measure(|| second = (rounds / 2..rounds).try_for_each(|_| round()));
    second?;
    let bytes = held.bytes_current;
    if bytes < 1 << 20 { Ok(counts) } else { Err(format!("the second half keeps {bytes} bytes")) }
}

#[test]
fn a_query_cancelled_in_the_middle_is_an_error_or_right() {
    let _alone = ALONE.lock();
    let engine = ibcd();
    let sets = sets(&engine, 8);
    let (start, mut counts) = (Instant::now(), [0, 0]);
    // A busy machine may wake the other thread late: then more are answered, and more are asked.
    while counts[0] < 400 && start.elapsed() < Duration::from_secs(60) {
        let more = in_the_middle(&sets, &*honest(&engine), 6).unwrap_or_else(|why| panic!("{why}"));
        counts = [counts[0] + more[0], counts[1] + more[1]];
    }
    println!("{} cancelled, {} answered, {:?}", counts[0], counts[1], start.elapsed());
    assert!(counts[0] >= 400, "{counts:?}");
}

#[test]
fn believing_what_a_cancelled_query_left_is_noticed() {
    let _alone = ALONE.lock();
    let engine = ibcd();
    let sets = sets(&engine, 8);
    let broken = in_the_middle(&sets, &*believer(&engine), 40);
    assert!(broken.is_err_and(|why| why.starts_with("cut: ")));
}

#[test]
fn a_memory_that_a_cancelled_query_spoilt_is_noticed() {
    let _alone = ALONE.lock();
    let engine = ibcd();
    let sets = sets(&engine, 8);
    let spoilt = std::cell::Cell::new(false);
    let broken: Box<Query<'_>> = Box::new(|set, case, asked, control, answer| {
        let done = honest(&engine)(set, case, asked, control, answer);
        spoilt.set(spoilt.get() || done.is_err());
        if spoilt.get() {
            answer.clear();
        }
        done
    });
    assert!(in_the_middle(&sets, &*broken, 40).is_err_and(|why| why.starts_with("whole: ")));
}

#[test]
fn the_sampled_form_cancelled_in_the_middle_is_an_error_or_the_same() {
    let _alone = ALONE.lock();
    let engine = ibcd_with(Params::sampled(128));
    let sets = sets(&engine, 8);
    let (query, mut random, mut counts) = (honest(&engine), Random::new(144), [0, 0]);
    for (set, round) in sets.iter().flat_map(|set| (0..12).map(move |round| (set, round))) {
        let mut memory = impinge_image::Memory::default();
        for case in &set.cases {
            let (ask, none) = (Ask::first_contact(), &Control::NONE);
            let (mut whole, mut answer, start) =
                (Answer::default(), Answer::default(), Instant::now());
            query(set, case, (&ask, &mut memory), none, &mut whole).expect("software draws");
            let after = start.elapsed().mul_f64(random.unit());
            let cut = interrupted(after, |control| {
                query(set, case, (&ask, &mut memory), control, &mut answer)
            });
            match &cut {
                Ok(()) => assert_eq!(
                    (answer.verdict, &answer.contacts),
                    (whole.verdict, &whole.contacts),
                    "round {round}"
                ),
                Err(why) => assert!(matches!(why, QueryError::Cancelled(_)), "{why}"),
            }
            counts[usize::from(cut.is_ok())] += 1;
        }
    }
    println!("{} cancelled, {} answered", counts[0], counts[1]);
    assert!(counts[0] > 20, "{counts:?}");
}
