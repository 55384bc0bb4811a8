//! Devices that are lost, refuse a submission, or cannot draw. Tests that need an adapter have `gpu`
//! in their path.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::request;
use crate::trouble::cases::{Case, Query, Set, believer, honest, sets};
use impinge_gpu::wgpu::{BufferDescriptor, BufferUsages};
use impinge_gpu::{Gpu, Need, Request};
use impinge_image::{Ibcd, Memory, Params, ibcd_on};
use impinge_query::{Answer, Ask, Backend, Control, QueryError};

const ASK: Ask = Ask::first_contact();

fn open() -> Gpu {
    Gpu::open(&request()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_device_without_a_stencil_is_not_drawn_on() {
    let need = Need { formats: Vec::new(), ..Need::default() };
    let opened = Gpu::open(&Request { need: need.clone(), ..request() });
    assert!(opened.is_ok(), "it computes");
    let told = super::falls_back(&Request { need, ..request() });
    assert!(told.contains("depth and stencil"), "{told}");
}

/// Makes trouble as soon as `gpu` has begun so many more submissions while `work` goes on; whether
/// it came to that.
fn meanwhile<T>(gpu: &Gpu, after: u64, trouble: fn(&Gpu), work: impl FnOnce() -> T) -> (T, bool) {
    let (begin, ended) = (gpu.statistics().submissions, AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !ended.load(Ordering::Acquire) {
                if gpu.statistics().submissions >= begin + after {
                    trouble(gpu);
                    return true;
                }
                std::thread::sleep(Duration::from_micros(20));
            }
            false
        });
        let result = work();
        ended.store(true, Ordering::Release);
        (result, watch.join().expect("trouble does not panic"))
    })
}

/// The device is gone.
fn lose(gpu: &Gpu) {
    gpu.device().destroy();
}

/// The driver refuses something, and tells whoever works.
fn refuse(gpu: &Gpu) {
    let (size, mapped_at_creation) = (u64::MAX / 8 * 4, false);
    let usage = BufferUsages::STORAGE;
    let _ = gpu.device().create_buffer(&BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation,
    });
}

type Ended = Result<Answer, QueryError>;

fn ask(query: &Query<'_>, set: &Set, case: &Case, memory: &mut Memory) -> Ended {
    let mut answer = Answer::default();
    query(set, case, (&ASK.counted(), memory), &Control::NONE, &mut answer)?;
    Ok(answer)
}

/// What an engine that nothing happens to answers, and in how many submissions.
fn undisturbed(params: Params, set: &Set) -> Vec<(Answer, u64)> {
    let engine = ibcd_on(Ok(open()), params);
    let (query, mut memory) = (honest(&engine), Memory::default());
    let answer = |case: &Case| {
        let answer = ask(&*query, set, case, &mut memory).expect("it draws");
        let count = answer.statistics.as_ref().map_or(0, |counted| counted.submissions);
        assert!(count == 0 || matches!(answer.backend, Backend::Gpu(_)), "{:?}", answer.backend);
        (answer, count)
    };
    set.cases.iter().map(answer).collect()
}

fn compare(ended: Ended, whole: &Answer) -> Result<(), String> {
    match ended {
        Ok(found) if found.verdict == whole.verdict && found.contacts == whole.contacts => Ok(()),
        Ok(found) => Err(format!("{:?}, not {:?}", found.verdict, whole.verdict)),
        Err(why) => Err(why.to_string()),
    }
}

/// One way of making trouble, and how the engine goes about it; an error if an answer was wrong.
type Plan = fn(&Ibcd) -> Box<Query<'_>>;

/// Some of the trouble came before its query ended. A busy machine may be late with it: then it is
/// tried again.
fn in_time(trouble: impl Fn() -> Result<usize, String>) {
    let mut errors = 0;
    for _ in 0..5 {
        errors += trouble().unwrap_or_else(|why| panic!("{why}"));
        if errors > 1 {
            println!("{errors} queries ended as errors");
            return;
        }
    }
    panic!("all trouble came too late");
}

/// The device is lost in the middle of each query in turn. Gives how many queries ended as errors.
fn lost_in_the_middle(params: Params, plan: Plan) -> Result<usize, String> {
    let set = &sets(&impinge_image::ibcd_with(params), 6)[0];
    let (mut errors, whole) = (0, undisturbed(params, set));
    for (case, (whole, count)) in set.cases.iter().zip(&whole) {
        for after in (1..=*count).step_by(2) {
            let gpu = open();
            let engine = ibcd_on(Ok(gpu.clone()), params);
            let (query, mut memory) = (plan(&engine), Memory::default());
            // The adapter's atlas and shaders are made at the first picture.
            compare(ask(&*query, set, case, &mut memory), whole)?;
            let (ended, lost) =
                meanwhile(&gpu, after, lose, || ask(&*query, set, case, &mut memory));
            match ended {
                Err(QueryError::Backend { word: "ibcd", .. }) if lost => errors += 1,
                ended => compare(ended, whole)?,
            }
            for _ in 0..2 {
                match ask(&*query, set, case, &mut memory) {
                    Err(QueryError::Backend { reason, .. }) if reason.contains("lost") => {}
                    ended if lost => return Err(format!("on a lost device: {ended:?}")),
                    ended => compare(ended, whole)?,
                }
            }
            // The same memory serves another engine.
            let other = ibcd_on(Ok(open()), params);
            compare(ask(&*honest(&other), set, case, &mut memory), whole)?;
        }
    }
    Ok(errors)
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_device_lost_in_the_middle_of_a_query_is_an_error_from_then_on() {
    for params in [Params::default(), Params::sampled(64)] {
        in_time(|| lost_in_the_middle(params, honest));
    }
}

/// Submissions are refused in the middle of queries. Each refusal is told once, by the query or by
/// the next, and then all is well again. Gives how many queries ended as errors.
fn refused_in_the_middle(params: Params, plan: Plan) -> Result<usize, String> {
    let set = &sets(&impinge_image::ibcd_with(params), 6)[0];
    let (mut errors, whole) = (0, undisturbed(params, set));
    let gpu = open();
    let engine = ibcd_on(Ok(gpu.clone()), params);
    let (query, mut memory) = (plan(&engine), Memory::default());
    for (case, (whole, count)) in set.cases.iter().zip(&whole) {
        for after in 1..=*count {
            compare(ask(&*query, set, case, &mut memory), whole)?;
            let (ended, refused) =
                meanwhile(&gpu, after, refuse, || ask(&*query, set, case, &mut memory));
            let next = ask(&*query, set, case, &mut memory);
            let mut told = 0;
            for ended in [ended, next] {
                match ended {
                    Err(QueryError::Backend { word: "ibcd", .. }) => told += 1,
                    ended => compare(ended, whole)?,
                }
            }
            if told != usize::from(refused) {
                return Err(format!("{told} errors told of a refusal ({refused})"));
            }
            errors += told;
            compare(ask(&*query, set, case, &mut memory), whole)?;
        }
    }
    Ok(errors)
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_submission_refused_in_the_middle_of_a_query_is_told_and_the_next_one_answers() {
    for params in [Params::default(), Params::sampled(64)] {
        in_time(|| refused_in_the_middle(params, honest));
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn taking_a_failure_for_an_answer_is_noticed() {
    assert!(lost_in_the_middle(Params::default(), believer).is_err());
    assert!(refused_in_the_middle(Params::default(), believer).is_err());
}
