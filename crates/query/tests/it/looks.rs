//! A watched cancel flag goes up at a given poll and counts the tests between polls.

use std::thread::sleep;
use std::time::Duration;

use impinge_query::{Cancel, Cancelled, Control, Counter, Statistics};

#[test]
fn a_plain_flag_is_up_or_down() {
    let cancel = Cancel::new();
    let control = Control::NONE.cancelled_by(&cancel);
    assert_eq!(control.check(), Ok(()));
    cancel.cancel();
    assert!(cancel.is_cancelled());
    assert_eq!(control.check(), Err(Cancelled));
    cancel.reset();
    assert_eq!((control.check(), cancel.looks()), (Ok(()), None));
}

#[test]
fn a_watched_flag_goes_up_at_its_look() {
    for at in [1, 2, 5] {
        let cancel = Cancel::at_look(at);
        let control = Control::NONE.cancelled_by(&cancel);
        for look in 1..8 {
            assert_eq!(control.check().is_err(), look >= at, "look {look} of {at}");
            assert_eq!(cancel.looks().map(|looks| looks.number), Some(look));
        }
    }
}

#[test]
fn a_flag_with_a_time_goes_up_at_the_first_look_after_it() {
    let (soon, later) = (Duration::from_millis(20), Duration::from_secs(3_600));
    let (short, long) = (Cancel::after(soon), Cancel::after(later));
    let up = [&short, &long].map(|cancel| Control::NONE.cancelled_by(cancel));
    sleep(soon);
    sleep(Duration::from_millis(1));
    // Nobody has looked.
    assert!(!short.is_cancelled());
    assert_eq!(up.map(|control| control.check()), [Err(Cancelled), Ok(())]);
    assert!(short.is_cancelled() && !long.is_cancelled());
    // The time is over, and stays so.
    short.reset();
    assert!(!short.is_cancelled());
    assert_eq!(up[0].check(), Err(Cancelled));
    long.cancel();
    assert_eq!(up[1].check(), Err(Cancelled));
}

#[test]
fn asking_whether_it_is_up_is_no_look() {
    let cancel = Cancel::at_look(1);
    assert!(!cancel.is_cancelled());
    assert_eq!(cancel.looks().map(|looks| looks.number), Some(0));
}

#[test]
fn tests_are_counted_between_looks() {
    let mut counter = Statistics::default();
    counter.volumes(1_000_000);
    let cancel = Cancel::at_look(u64::MAX);
    let control = Control::NONE.cancelled_by(&cancel);
    counter.volumes(3);
    counter.primitives(4);
    assert_eq!(control.check(), Ok(()));
    counter.volumes(20);
    assert_eq!(control.check(), Ok(()));
    // Tests of other threads are counted by their own polls.
    let mut other = counter.fork();
    other.volumes(100);
    counter.merge(other);
    counter.primitives(5);
    let looks = cancel.looks().expect("it counts");
    assert_eq!((looks.number, looks.longest, looks.tests), (2, 105, 132));
}

/// The interval before another thread's first poll is not counted; later intervals count for it
/// alone.
#[test]
fn every_thread_has_its_own_looks() {
    let cancel = Cancel::at_look(u64::MAX);
    let control = Control::NONE.cancelled_by(&cancel);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut counter = Statistics::default();
            counter.volumes(50);
            assert_eq!(control.check(), Ok(()));
            counter.volumes(7);
            assert_eq!(control.check(), Ok(()));
        });
    });
    let looks = cancel.looks().expect("it counts");
    assert_eq!((looks.number, looks.longest, looks.tests), (2, 7, 7));
}
