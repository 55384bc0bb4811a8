//! Counters of a query. Engines are generic over [`Counter`]; `()` counts nothing and costs
//! nothing. Large kernels are compiled once, for statistics that may be there: [`Counted`].

use impinge_threads::{Moment, looks};

/// One stage of a query and the time spent in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stage {
    /// The stage's name, as in the method's page.
    pub name: String,
    /// The time in nanoseconds; 0 where there is no clock: [`Moment`].
    pub nanoseconds: u64,
}

/// The work of one thread on a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreadShare {
    /// The number of tasks it ran.
    pub tasks: u64,
    /// The time spent in them, in nanoseconds.
    pub busy_nanoseconds: u64,
}

/// How the work of one query was spread over threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spread {
    /// The number of threads that could run tasks at once.
    pub threads: u32,
    /// The time from the first task to the end of the last, in nanoseconds.
    pub nanoseconds: u64,
    /// The calling thread, then the threads of the pool, also those without tasks.
    pub shares: Vec<ThreadShare>,
}

impl Spread {
    /// The total number of tasks.
    pub fn tasks(&self) -> u64 {
        self.shares.iter().map(|share| share.tasks).sum()
    }

    /// The fraction, 0 … 1, of `threads × time` not spent in tasks: waiting, scheduling, and
    /// threads without work.
    pub fn idle(&self) -> f64 {
        let busy: u64 = self.shares.iter().map(|share| share.busy_nanoseconds).sum();
        let all = f64::from(self.threads) * self.nanoseconds as f64;
        // Also 0 if no time passed: `max` ignores NaN.
        (1.0 - busy as f64 / all).max(0.0)
    }
}

/// Pictures that were drawn, and what they cost a graphics adapter. A picture is one hull against
/// another in one viewport, and both directions of a test are two pictures; or it is a stream of edges,
/// a pixel for each, against one triangle or box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pictures {
    /// The number of pictures.
    pub count: u64,
    /// Vertices sent: a hull that is drawn twice, for its front and back faces, counts twice.
    pub vertices: u64,
    /// Width times height of the viewports.
    pub pixels: u64,
}

/// The terms of the papers' cost function `T = N_v C_v + N_p C_p + N_u C_u + C_o` (li eq. 1; xie
/// eq. 5; anthology 2 eq. 1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Statistics {
    /// `N_v`: pairs of bounding volumes tested.
    pub volume_tests: u64,
    /// `N_p`: pairs of primitives tested: triangles, or an edge and a triangle.
    pub primitive_tests: u64,
    /// `N_u`: bounding volumes updated.
    pub volumes_updated: u64,
    /// Primitive pairs that the floating-point filter left to exact arithmetic.
    pub exact_tests: u64,
    /// Submissions to a GPU or its software replacement.
    #[cfg_attr(feature = "serde", serde(default))]
    pub submissions: u64,
    /// Pictures drawn: see [`Pictures`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub pictures: u64,
    /// Vertices sent for the pictures.
    #[cfg_attr(feature = "serde", serde(default))]
    pub vertices_sent: u64,
    /// Pixels of the pictures' viewports, whether covered or not.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pixels: u64,
    /// Time per stage, in order.
    pub stages: Vec<Stage>,
    /// How the work was spread over threads, for methods that use several.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub spread: Option<Spread>,
}

impl Statistics {
    /// Combines two consecutive parts of one query: adds counts and appends stages.
    #[must_use]
    pub fn then(mut self, mut later: Self) -> Self {
        let stages = std::mem::take(&mut later.stages);
        self.merge(later);
        self.stages.extend(stages);
        self
    }

    /// Adds time to a stage.
    fn took(&mut self, name: &'static str, nanoseconds: u64) {
        match self.stages.iter_mut().find(|s| s.name == name) {
            Some(stage) => stage.nanoseconds += nanoseconds,
            None => self.stages.push(Stage { name: name.to_owned(), nanoseconds }),
        }
    }
}

/// Counts work, or ignores it: `()` compiles to nothing; [`Statistics`] counts; an option counts if it is some.
pub trait Counter: Send + Sized {
    /// Whether anything is counted. If so, tasks are timed too.
    fn counts(&self) -> bool;
    /// An empty counter of the same kind, for another thread.
    #[must_use]
    fn fork(&self) -> Self;
    /// Adds another thread's counts and takes over its spread, but not its stages.
    fn merge(&mut self, other: Self);
    /// Records how the work was spread over threads.
    fn spread(&mut self, spread: impl FnOnce() -> Spread);
    /// Counts `n` tests of pairs of bounding volumes.
    fn volumes(&mut self, n: u64);
    /// Counts `n` tests of pairs of primitives.
    fn primitives(&mut self, n: u64);
    /// Counts `n` updates of bounding volumes.
    fn updated(&mut self, n: u64);
    /// Counts `n` primitive pairs left to exact arithmetic.
    fn exact(&mut self, n: u64);
    /// Counts `n` submissions to a GPU or its software replacement.
    fn submitted(&mut self, n: u64);
    /// Counts pictures.
    fn drawn(&mut self, pictures: Pictures);
    /// Does work that is compiled once for all counters.
    fn count<W: Counted>(&mut self, work: W) -> W::Out {
        let mut own = self.counts().then(Statistics::default);
        let out = work.counting(&mut own);
        if let Some(own) = own {
            self.volumes(own.volume_tests);
            self.primitives(own.primitive_tests);
            self.updated(own.volumes_updated);
            self.exact(own.exact_tests);
            self.submitted(own.submissions);
            let (count, vertices, pixels) = (own.pictures, own.vertices_sent, own.pixels);
            self.drawn(Pictures { count, vertices, pixels });
        }
        out
    }
    /// Runs `work` and adds its time to the stage `name`, if times are kept.
    fn stage<R>(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> R) -> R;
    /// The statistics; `None` if nothing was counted.
    fn finish(self) -> Option<Statistics>;
}

/// Work that an engine's crate compiles once. A function that is generic over its counter is compiled in every
/// crate that asks the engine, and for each of the counters, which for large kernels takes minutes.
pub trait Counted {
    /// What it returns.
    type Out;
    /// Does the work, and counts it if there are statistics.
    fn counting(self, counter: &mut Option<Statistics>) -> Self::Out;
}

impl Counter for () {
    #[inline]
    fn counts(&self) -> bool {
        false
    }
    #[inline]
    fn count<W: Counted>(&mut self, work: W) -> W::Out {
        work.counting(&mut None)
    }
    #[inline]
    fn fork(&self) -> Self {}
    #[inline]
    fn merge(&mut self, (): Self) {}
    #[inline]
    fn spread(&mut self, _: impl FnOnce() -> Spread) {}
    #[inline]
    fn volumes(&mut self, _: u64) {}
    #[inline]
    fn primitives(&mut self, _: u64) {}
    #[inline]
    fn updated(&mut self, _: u64) {}
    #[inline]
    fn exact(&mut self, _: u64) {}
    #[inline]
    fn submitted(&mut self, _: u64) {}
    #[inline]
    fn drawn(&mut self, _: Pictures) {}
    #[inline]
    fn stage<R>(&mut self, _: &'static str, work: impl FnOnce(&mut Self) -> R) -> R {
        work(self)
    }
    fn finish(self) -> Option<Statistics> {
        None
    }
}

impl Counter for Statistics {
    #[inline]
    fn counts(&self) -> bool {
        true
    }
    #[inline]
    fn count<W: Counted>(&mut self, work: W) -> W::Out {
        let mut own = Some(std::mem::take(self));
        let out = work.counting(&mut own);
        *self = own.unwrap_or_default();
        out
    }
    fn fork(&self) -> Self {
        Self::default()
    }
    fn merge(&mut self, other: Self) {
        self.volume_tests += other.volume_tests;
        self.primitive_tests += other.primitive_tests;
        self.volumes_updated += other.volumes_updated;
        self.exact_tests += other.exact_tests;
        self.submissions += other.submissions;
        self.pictures += other.pictures;
        self.vertices_sent += other.vertices_sent;
        self.pixels += other.pixels;
        self.spread = other.spread.or(self.spread.take());
    }
    fn spread(&mut self, spread: impl FnOnce() -> Spread) {
        self.spread = Some(spread());
    }
    #[inline]
    fn volumes(&mut self, n: u64) {
        looks::worked(n);
        self.volume_tests += n;
    }
    #[inline]
    fn primitives(&mut self, n: u64) {
        looks::worked(n);
        self.primitive_tests += n;
    }
    #[inline]
    fn updated(&mut self, n: u64) {
        self.volumes_updated += n;
    }
    #[inline]
    fn exact(&mut self, n: u64) {
        self.exact_tests += n;
    }
    #[inline]
    fn submitted(&mut self, n: u64) {
        self.submissions += n;
    }
    fn drawn(&mut self, pictures: Pictures) {
        self.pictures += pictures.count;
        self.vertices_sent += pictures.vertices;
        self.pixels += pictures.pixels;
    }
    fn stage<R>(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> R) -> R {
        let start = Moment::now();
        let result = work(self);
        self.took(name, start.nanoseconds());
        result
    }
    fn finish(self) -> Option<Statistics> {
        Some(self)
    }
}

impl Counter for Option<Statistics> {
    #[inline]
    fn counts(&self) -> bool {
        self.is_some()
    }
    #[inline]
    fn count<W: Counted>(&mut self, work: W) -> W::Out {
        work.counting(self)
    }
    fn fork(&self) -> Self {
        self.as_ref().map(Statistics::fork)
    }
    fn merge(&mut self, other: Self) {
        if let (Some(counter), Some(other)) = (self, other) {
            counter.merge(other);
        }
    }
    fn spread(&mut self, spread: impl FnOnce() -> Spread) {
        if let Some(counter) = self {
            counter.spread(spread);
        }
    }
    #[inline]
    fn volumes(&mut self, n: u64) {
        if let Some(counter) = self {
            counter.volumes(n);
        }
    }
    #[inline]
    fn primitives(&mut self, n: u64) {
        if let Some(counter) = self {
            counter.primitives(n);
        }
    }
    #[inline]
    fn updated(&mut self, n: u64) {
        if let Some(counter) = self {
            counter.updated(n);
        }
    }
    #[inline]
    fn exact(&mut self, n: u64) {
        if let Some(counter) = self {
            counter.exact(n);
        }
    }
    #[inline]
    fn submitted(&mut self, n: u64) {
        if let Some(counter) = self {
            counter.submitted(n);
        }
    }
    fn drawn(&mut self, pictures: Pictures) {
        if let Some(counter) = self {
            counter.drawn(pictures);
        }
    }
    fn stage<R>(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> R) -> R {
        let start = self.is_some().then(Moment::now);
        let result = work(self);
        if let (Some(counter), Some(start)) = (self, start) {
            counter.took(name, start.nanoseconds());
        }
        result
    }
    fn finish(self) -> Option<Statistics> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts one test, and tells whether anybody wants to know.
    struct One;

    impl Counted for One {
        type Out = bool;
        fn counting(self, counter: &mut Option<Statistics>) -> bool {
            counter.volumes(1);
            counter.is_some()
        }
    }

    #[test]
    fn work_is_counted_if_there_are_statistics() {
        let mut all = Statistics { volume_tests: 4, ..Statistics::default() };
        assert!(all.count(One) && !().count(One));
        assert_eq!(all.volume_tests, 5);
        let mut some = Some(all);
        assert!(some.counts() && !None::<Statistics>.counts() && !().counts());
        assert!(some.count(One) && !None.count(One));
        assert_eq!(some.map(|all| all.volume_tests), Some(6));
    }

    /// Counters of other kinds are told what was counted.
    #[test]
    fn any_counter_is_told() {
        struct Sum(u64);
        impl Counter for Sum {
            fn counts(&self) -> bool {
                true
            }
            fn fork(&self) -> Self {
                Self(0)
            }
            fn merge(&mut self, _: Self) {}
            fn spread(&mut self, _: impl FnOnce() -> Spread) {}
            fn volumes(&mut self, n: u64) {
                self.0 += n;
            }
            fn primitives(&mut self, n: u64) {
                self.0 += 10 * n;
            }
            fn updated(&mut self, n: u64) {
                self.0 += 100 * n;
            }
            fn exact(&mut self, n: u64) {
                self.0 += 1_000 * n;
            }
            fn submitted(&mut self, n: u64) {
                self.0 += 10_000 * n;
            }
            fn drawn(&mut self, pictures: Pictures) {
                let Pictures { count, vertices, pixels } = pictures;
                self.0 += 100_000 * count + 1_000_000 * vertices + 10_000_000 * pixels;
            }
            fn stage<R>(&mut self, _: &'static str, work: impl FnOnce(&mut Self) -> R) -> R {
                work(self)
            }
            fn finish(self) -> Option<Statistics> {
                None
            }
        }
        struct Each;
        impl Counted for Each {
            type Out = ();
            fn counting(self, counter: &mut Option<Statistics>) {
                counter.volumes(2);
                counter.primitives(3);
                counter.updated(4);
                counter.exact(5);
                counter.submitted(6);
                counter.drawn(Pictures { count: 7, vertices: 8, pixels: 9 });
            }
        }
        let mut sum = Sum(0);
        sum.count(Each);
        assert_eq!(sum.0, 98_765_432);
    }

    /// An option counts as statistics do, or nothing.
    #[test]
    fn an_option_counts_if_it_is_some() {
        let count = |counter: &mut Option<Statistics>| {
            counter.volumes(3);
            counter.primitives(5);
            counter.updated(6);
            counter.exact(1);
            counter.submitted(2);
            counter.drawn(Pictures { count: 2, vertices: 30, pixels: 500 });
            counter.spread(|| Spread { threads: 2, ..Spread::default() });
            counter.stage("descent", |counter| counter.exact(1));
            let mut part = counter.fork();
            part.volumes(4);
            counter.merge(part);
        };
        let (mut some, mut none) = (Some(Statistics::default()), None);
        count(&mut some);
        count(&mut none);
        assert_eq!(none.finish(), None);
        let all = some.finish().expect("counted");
        assert_eq!((all.volume_tests, all.primitive_tests, all.volumes_updated), (7, 5, 6));
        assert_eq!((all.exact_tests, all.submissions, all.pixels), (2, 2, 500));
        assert_eq!(all.stages.iter().map(|stage| &stage.name).collect::<Vec<_>>(), ["descent"]);
        assert_eq!(all.spread.map(|spread| spread.threads), Some(2));
    }

    #[test]
    fn parts_of_a_query_are_added_and_keep_their_stages() {
        let part = |n: u64, name: &str, threads: Option<u32>| Statistics {
            volume_tests: n,
            primitive_tests: 10 * n,
            volumes_updated: 100 * n,
            exact_tests: 1_000 * n,
            submissions: 10_000 * n,
            pictures: 7 * n,
            vertices_sent: 11 * n,
            pixels: 13 * n,
            stages: vec![Stage { name: name.to_owned(), nanoseconds: n }],
            spread: threads.map(|threads| Spread { threads, nanoseconds: 0, shares: Vec::new() }),
        };
        let both = part(1, "gjk", None).then(part(2, "descent", Some(4)));
        assert_eq!((both.volume_tests, both.primitive_tests, both.volumes_updated), (3, 30, 300));
        assert_eq!((both.exact_tests, both.submissions), (3_000, 30_000));
        assert_eq!((both.pictures, both.vertices_sent, both.pixels), (21, 33, 39));
        let names: Vec<&str> = both.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!(names, ["gjk", "descent"]);
        assert_eq!(both.spread.map(|spread| spread.threads), Some(4));
    }

    fn share(tasks: u64, busy_nanoseconds: u64) -> ThreadShare {
        ThreadShare { tasks, busy_nanoseconds }
    }

    /// A stage that runs twice is one, with the time of both.
    #[test]
    fn the_times_of_a_stage_are_added() {
        let mut all = Statistics::default();
        for _ in 0..2 {
            all.stage("descent", |_| std::thread::sleep(std::time::Duration::from_millis(2)));
        }
        let [stage] = all.stages.as_slice() else { panic!("one stage") };
        assert_eq!(stage.name, "descent");
        assert!((4_000_000..1_000_000_000_000).contains(&stage.nanoseconds), "{stage:?}");
    }

    #[test]
    fn a_spread_tells_tasks_and_idle_time() {
        let spread =
            Spread { threads: 2, nanoseconds: 100, shares: vec![share(3, 80), share(4, 70)] };
        assert_eq!((spread.tasks(), spread.idle()), (7, 0.25));
        // Busy time may exceed the total if clocks disagree, and both may be zero.
        assert_eq!(Spread { nanoseconds: 60, ..spread }.idle(), 0.0);
        assert_eq!((Spread::default().tasks(), Spread::default().idle()), (0, 0.0));
    }

    #[test]
    fn counters_add_up_over_threads() {
        let mut all = Statistics::default();
        all.volumes(3);
        all.primitives(5);
        all.updated(6);
        all.exact(1);
        all.submitted(2);
        all.spread(|| Spread { threads: 2, ..Spread::default() });
        let mut part = all.fork();
        assert_eq!(part, Statistics::default());
        part.volumes(4);
        part.exact(1);
        part.submitted(1);
        for counter in [&mut all, &mut part] {
            counter.drawn(Pictures { count: 2, vertices: 30, pixels: 500 });
        }
        all.merge(part);
        assert_eq!((all.pictures, all.vertices_sent, all.pixels), (4, 60, 1_000));
        assert_eq!((all.volume_tests, all.primitive_tests, all.exact_tests), (7, 5, 2));
        assert_eq!(all.volumes_updated, 6);
        assert_eq!(().finish(), None);
        assert_eq!((all.submissions, all.spread.map(|spread| spread.threads)), (3, Some(2)));
    }
}
