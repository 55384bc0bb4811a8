//! Bodies that move, and bodies that are in each other, beside parry3d: [`sweeps`] and [`depths`].

pub mod depths;
pub mod sweeps;

use std::time::Instant;

use impinge::models::Shape;
use impinge_benches::harness::take_turns;
use impinge_benches::scene::sized_word;
use impinge_benches::timing::summary::percentile;
use impinge_records::motions::Spread;

/// Stands for both scenes, with bodies of 1,000 triangles.
pub const ALL: &str = "motion";
/// Triangles of a body unless the word has another number.
const USUAL: usize = 1_000;

/// The pairs of bodies of every scene, each about 1 long.
const PAIRS: [[Shape; 2]; 4] = [
    [Shape::Teapot; 2],
    [Shape::Hand, Shape::Gear],
    [Shape::Torus, Shape::Trefoil],
    [Shape::Sphere, Shape::Cube],
];

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whether a body meets another on its way.
    Sweeps,
    /// How deep a body is in another.
    Depths,
}

impl Kind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sweeps, Self::Depths];

    /// The first part of the words of its scenes.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sweeps => "sweeps",
            Self::Depths => "depths",
        }
    }
}

/// A requested scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its word.
    pub word: String,
    /// What is asked.
    pub kind: Kind,
    /// Triangles of a body, about.
    pub triangles: usize,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Motions, or poses, of each pair of bodies.
    pub queries: usize,
    /// Seed of all of them.
    pub seed: u64,
}

/// The scenes that `word` stands for: `sweeps1k`, `depths10k` and the like; `None` if it is no such word.
pub fn parse(word: &str) -> Option<Vec<Wanted>> {
    let wanted =
        |kind: Kind, triangles, word: &str| Wanted { word: word.to_owned(), kind, triangles };
    if word == ALL {
        let usual = |kind: Kind| wanted(kind, USUAL, &format!("{}{}k", kind.word(), USUAL / 1_000));
        return Some(Kind::ALL.map(usual).to_vec());
    }
    let (name, triangles) = sized_word(word)?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.word() == name && triangles > 0)?;
    Some(vec![wanted(kind, triangles, word)])
}

/// The names of two bodies.
fn named([a, b]: [Shape; 2]) -> String {
    format!("{a}, {b}")
}

/// The answers of one side, query by query, and the times in microseconds.
struct Told<A> {
    answers: Vec<A>,
    times_us: Vec<f64>,
}

impl<A> Told<A> {
    fn ask<E>(&mut self, ask: impl FnOnce() -> Result<A, E>) -> Result<(), E> {
        let clock = Instant::now();
        let answer = ask()?;
        self.times_us.push(clock.elapsed().as_secs_f64() * 1e6);
        self.answers.push(answer);
        Ok(())
    }
}

/// Asks both sides each of so many queries; they take turns, another one first each time.
fn in_turns<A, B, E>(
    queries: usize,
    mut ours: impl FnMut(usize) -> Result<A, E>,
    mut theirs: impl FnMut(usize) -> Result<B, E>,
) -> Result<(Told<A>, Told<B>), E> {
    let mut own = Told { answers: Vec::new(), times_us: Vec::new() };
    let mut other = Told { answers: Vec::new(), times_us: Vec::new() };
    take_turns(2, 1, queries, |turn| match turn.who {
        0 => own.ask(|| ours(turn.step)),
        _ => other.ask(|| theirs(turn.step)),
    })?;
    Ok((own, other))
}

/// What times in microseconds tell.
fn spread(times: &mut [f64]) -> Spread {
    times.sort_unstable_by(f64::total_cmp);
    Spread { median_us: percentile(times, 0.5), ninth_us: percentile(times, 0.9) }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use impinge_benches::progress::Listener;

    use super::*;

    #[test]
    fn words_have_a_kind_and_a_number() {
        let words = |word| parse(word).map(|all| all.into_iter().map(|one| one.word).collect());
        assert_eq!(words(ALL), Some(vec!["sweeps1k".to_owned(), "depths1k".to_owned()]));
        let [one] = &parse("depths10k").expect("a word")[..] else { panic!("one scene") };
        assert_eq!((one.kind, one.triangles), (Kind::Depths, 10_000));
        for other in ["sweeps", "sweeps0", "torus10k", "broad", "depths-1"] {
            assert_eq!(words(other), None, "{other}");
        }
    }

    #[test]
    fn another_is_first_at_each_query() {
        let asked = RefCell::new(Vec::new());
        let note = |word: &'static str, query: usize| {
            asked.borrow_mut().push((word, query));
            Ok::<_, String>(query)
        };
        let (own, other) =
            in_turns(3, |query| note("own", query), |query| note("other", query)).expect("asked");
        let turns = [("own", 0), ("other", 0), ("other", 1), ("own", 1), ("own", 2), ("other", 2)];
        assert_eq!(*asked.borrow(), turns);
        assert_eq!((own.answers, other.answers), (vec![0, 1, 2], vec![0, 1, 2]));
        assert_eq!((own.times_us.len(), other.times_us.len()), (3, 3));
    }

    #[test]
    fn both_are_measured_without_a_wrong_answer() {
        let effort = Effort { queries: 4, seed: 1 };
        let wanted = |kind: Kind| Wanted { word: String::new(), kind, triangles: 60 };
        let swept = sweeps::run(&wanted(Kind::Sweeps), effort, Listener::NONE).expect("measured");
        let hits: usize = swept.rows.iter().map(|row| row.hits).sum();
        assert!(swept.rows.len() == 8 && (1..32).contains(&hits), "{swept:?}");
        assert!(swept.rows.iter().all(|row| row.wrong + row.undecided == 0), "{swept:?}");
        let deep = depths::run(&wanted(Kind::Depths), effort, Listener::NONE).expect("measured");
        assert!(deep.rows.len() == 4 && deep.rows.iter().all(|row| row.wrong == 0), "{deep:?}");
        assert!(
            deep.rows.iter().all(|row| row.ours.median_us > 0.0 && row.width <= 0.1),
            "{deep:?}"
        );
    }
}
