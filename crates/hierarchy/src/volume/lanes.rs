//! Four f64 in plain arrays that the compiler maps to vector registers.

/// Four numbers. Either the first three belong to axes 0, 1, 2, and the fourth is arbitrary and never
/// affects a result, or each belongs to a corner of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Lanes(pub(super) [f64; 4]);

impl Lanes {
    #[inline(always)]
    pub(super) fn splat(x: f64) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    /// Lane j takes what lane j + 1 held, cyclic over the first three.
    #[inline(always)]
    pub(super) fn next(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([b, c, a, d])
    }

    /// Lane j takes what lane j + 2 held, cyclic over the first three.
    #[inline(always)]
    pub(super) fn after_next(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([c, a, b, d])
    }

    /// Whether any of the first three lanes is greater. False for NaN.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // one comparison of vectors, not three branches
    pub(super) fn any_above(self, bound: Self) -> bool {
        let (x, y) = (self.0, bound.0);
        (x[0] > y[0]) | (x[1] > y[1]) | (x[2] > y[2])
    }
}

/// For four corners.
impl Lanes {
    /// Lane j takes what lane j + 1 held, cyclic over all four.
    #[inline(always)]
    pub(super) fn turned(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([b, c, d, a])
    }

    /// The numbers that are positive, and 0 for all others.
    #[inline(always)]
    pub(super) fn positive(self) -> Self {
        Self(self.0.map(|x| if x > 0.0 { x } else { 0.0 }))
    }

    /// The nearest numbers of at most `most` in magnitude.
    #[inline(always)]
    pub(super) fn within(self, most: f64) -> Self {
        let low = self.0.map(|x| if x < -most { -most } else { x });
        Self(low.map(|x| if x > most { most } else { x }))
    }

    /// The least number; none may be NaN.
    #[inline(always)]
    pub(super) fn least(self) -> f64 {
        let [a, b, c, d] = self.0;
        let less = |x: f64, y: f64| if x < y { x } else { y };
        less(less(a, b), less(c, d))
    }
}

impl std::ops::Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + o.0[i]))
    }
}

impl std::ops::Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - o.0[i]))
    }
}

impl std::ops::Div for Lanes {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] / o.0[i]))
    }
}

impl std::ops::Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * o.0[i]))
    }
}
