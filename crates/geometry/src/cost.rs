//! The cost function by which the papers compare detectors (li eq. 1; xie eq. 5; anthology 2
//! eq. 1): `T = N_v C_v + N_p C_p + N_u C_u + C_o`.
//!
//! Li's equation prints `N_v + C_v`; it is a product, as in the works it quotes.

use std::ops::{Add, AddAssign};

/// The operation counts of one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// `N_v`: pairs of bounding volumes tested.
    pub volumes: u64,
    /// `N_p`: pairs of primitives tested.
    pub primitives: u64,
    /// `N_u`: bounding volumes updated.
    pub updates: u64,
}

impl Add for Counts {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self {
            volumes: self.volumes + o.volumes,
            primitives: self.primitives + o.primitives,
            updates: self.updates + o.updates,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

/// The cost of each operation, in any one unit of time, usually nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Costs {
    /// `C_v`: one test of two volumes.
    pub volume: f64,
    /// `C_p`: one test of two primitives.
    pub primitive: f64,
    /// `C_u`: one update of a volume.
    pub update: f64,
    /// `C_o`: the fixed cost of a query.
    pub once: f64,
}

impl Costs {
    /// The total cost of a query: `N_v C_v + N_p C_p + N_u C_u + C_o`.
    ///
    /// ```
    /// use impinge_geometry::cost::{Costs, Counts};
    /// let costs = Costs { volume: 20.0, primitive: 50.0, update: 5.0, once: 100.0 };
    /// let counts = Counts { volumes: 10, primitives: 2, updates: 4 };
    /// assert_eq!(costs.total(&counts), 420.0);
    /// ```
    pub fn total(&self, counts: &Counts) -> f64 {
        counts.volumes as f64 * self.volume
            + counts.primitives as f64 * self.primitive
            + counts.updates as f64 * self.update
            + self.once
    }

    /// The unit costs implied by measured times: each part's time over its count, 0 where nothing
    /// was counted.
    pub fn from_times(counts: &Counts, times: &PartTimes) -> Self {
        let per = |time: f64, n: u64| if n == 0 { 0.0 } else { time / n as f64 };
        Self {
            volume: per(times.volumes, counts.volumes),
            primitive: per(times.primitives, counts.primitives),
            update: per(times.updates, counts.updates),
            once: times.once,
        }
    }
}

/// The measured time of each part of a query, in one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartTimes {
    /// Time of all volume tests.
    pub volumes: f64,
    /// Time of all primitive tests.
    pub primitives: f64,
    /// Time of all updates.
    pub updates: f64,
    /// Time of everything done once per query.
    pub once: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_costs_are_inverse() {
        let counts = Counts { volumes: 8, primitives: 4, updates: 0 } + Counts::default();
        let times = PartTimes { volumes: 80.0, primitives: 100.0, updates: 0.0, once: 7.0 };
        let costs = Costs::from_times(&counts, &times);
        assert_eq!(costs, Costs { volume: 10.0, primitive: 25.0, update: 0.0, once: 7.0 });
        assert_eq!(costs.total(&counts), 187.0);
    }

    #[test]
    fn counts_add_up_and_each_has_its_own_cost() {
        let counts = |volumes, primitives, updates| Counts { volumes, primitives, updates };
        let mut sum = counts(1, 20, 300) + counts(5, 7, 11);
        assert_eq!(sum, counts(6, 27, 311));
        sum += counts(2, 3, 4);
        assert_eq!(sum, counts(8, 30, 315));
        let costs = Costs { volume: 2.0, primitive: 3.0, update: 5.0, once: 7.0 };
        assert_eq!(costs.total(&sum), 16.0 + 90.0 + 1575.0 + 7.0);
        let times = PartTimes { volumes: 16.0, primitives: 90.0, updates: 1575.0, once: 7.0 };
        assert_eq!(Costs::from_times(&sum, &times), costs);
        let none = Costs::from_times(&Counts::default(), &times);
        assert_eq!(none, Costs { once: 7.0, ..Costs::default() });
    }
}
