//! The objects of a step and the cells that each touches, kept for the next one: only what is in other cells
//! then has to move.

use impinge_geometry::volume::Aabb;
use impinge_query::{Cancelled, Control, Objects};

use super::cells::{Cells, Span};
use super::{Present, STRETCH};

/// An object that is in other cells than before, came, went, was fixed or was freed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) object: u32,
    /// Its cells before, and whether it was fixed, if it was there.
    pub(super) before: Option<(Span, bool)>,
    /// The same now.
    pub(super) now: Option<(Span, bool)>,
}

/// The objects of a step by index.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Where there is no object, a box without points.
    pub(super) present: Vec<Present>,
    before: Vec<Present>,
    /// Cells of the last [`Kept::place`].
    pub(super) spans: Vec<Span>,
    /// Number of objects.
    pub(super) count: usize,
}

/// One of so many objects may change, or all are registered anew: that takes about as long as changing one of six.
const FEW: usize = 8;

impl Kept {
    /// Writes down the objects of a step.
    pub(super) fn gather(
        &mut self,
        objects: &Objects<'_>,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        std::mem::swap(&mut self.present, &mut self.before);
        self.present.clear();
        self.count = 0;
        let none = Present { object: 0, one: Aabb::EMPTY, fixed: false };
        self.present.resize(objects.boxes.len(), none);
        for (object, one, fixed) in objects.present() {
            self.present[object as usize] = Present { object, one, fixed };
            self.count += 1;
            if self.count.is_multiple_of(STRETCH) {
                control.check()?;
            }
        }
        Ok(())
    }

    /// Finds the cells of all objects. Returns what has changed since the last step, if that had the same cells
    /// and not too much has.
    pub(super) fn place(
        &mut self,
        cells: &Cells,
        same: bool,
        control: &Control<'_>,
    ) -> Result<Option<Vec<Change>>, Cancelled> {
        let most = self.count / FEW;
        let mut changed = same.then(Vec::new);
        let nowhere = Span { first: [0; 3], last: [0; 3] };
        let n = self.present.len().max(self.before.len());
        self.spans.resize(n, nowhere);
        for i in 0..n {
            if i.is_multiple_of(STRETCH) {
                control.check()?;
            }
            let registered = |all: &[Present], span: &dyn Fn(&Aabb) -> Span| {
                let there = all.get(i).filter(|one| one.is_there());
                there.map(|one| (span(&one.one), one.fixed))
            };
            let was = self.spans[i];
            let before = registered(&self.before, &|_| was);
            let now = registered(&self.present, &|one| cells.span(one));
            if let Some((span, _)) = now {
                self.spans[i] = span;
            }
            if before != now
                && let Some(list) = &mut changed
            {
                list.push(Change { object: i as u32, before, now });
                if list.len() > most {
                    changed = None;
                }
            }
        }
        self.spans.truncate(self.present.len());
        Ok(changed)
    }

    /// The objects that are there, with their cells.
    pub(super) fn placed(&self) -> impl Iterator<Item = (&Present, Span)> {
        let all = self.present.iter().zip(self.spans.iter().copied());
        all.filter(|(one, _)| one.is_there())
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Point, Vector};
    use impinge_models::Random;

    use super::*;

    type Registered = Option<(Span, bool)>;

    /// What is told is what is different, whether objects move, come, go, or are fixed; and nothing is told if
    /// it is too much, or if the cells are others.
    #[test]
    fn what_has_changed_is_told() {
        let around = Aabb { min: Point::origin(), max: Point::new(1.0, 1.0, 1.0) };
        let cells = Cells::over(&around, [8, 8, 8]);
        let mut random = Random::new(41);
        let one = |random: &mut Random| {
            let min = Point::from(random.vector(-0.2, 1.2));
            Aabb { min, max: min + Vector::repeat(0.1) }
        };
        let (mut boxes, mut fixed) = (vec![None; 60], vec![false; 50]);
        let (mut kept, mut before) = (Kept::default(), Vec::<Registered>::new());
        let (mut told, mut moved) = (0, 0);
        for step in 0..300 {
            for _ in 0..random.below(if step % 7 == 0 { 60 } else { 9 }) {
                let i = random.below(boxes.len() as u64) as usize;
                match random.below(4) {
                    0 => boxes[i] = None,
                    1 => fixed[i % 50] ^= true,
                    _ => boxes[i] = Some(one(&mut random)),
                }
            }
            if step % 50 == 49 {
                boxes.truncate(55);
            }
            let objects = Objects { boxes: &boxes, fixed: &fixed };
            kept.gather(&objects, &Control::NONE).expect("not cancelled");
            let same = step % 11 != 0;
            let changed = kept.place(&cells, same, &Control::NONE).expect("not cancelled");
            let mut now: Vec<Registered> = vec![None; 60];
            for (i, one, fixed) in objects.present() {
                now[i as usize] = Some((cells.span(&one), fixed));
            }
            before.resize(60, None);
            let differ: Vec<usize> = (0..60).filter(|&i| now[i] != before[i]).collect();
            let few = differ.len() <= kept.count / FEW;
            assert_eq!(changed.is_some(), same && few, "{step}");
            if let Some(changed) = changed {
                let of = |change: &Change| change.object as usize;
                assert_eq!(changed.iter().map(of).collect::<Vec<_>>(), differ, "{step}");
                assert!(changed.iter().all(|c| c.before == before[of(c)] && c.now == now[of(c)]));
                told += 1;
                moved += changed.len();
            }
            before = now;
        }
        assert!(told > 100 && moved > 200, "{told} steps, {moved} changes");
    }
}
