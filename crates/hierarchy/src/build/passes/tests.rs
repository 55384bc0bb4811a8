//! When passes poll the flag, and where they end.

use impinge_geometry::Point;
use impinge_query::Cancel;

use super::*;

fn items(count: usize) -> Vec<Item> {
    (0..count as u32).map(|index| Item { corners: [Point::origin(); 3], index }).collect()
}

#[test]
fn a_pass_goes_over_all_items_and_polls_for_every_full_part() {
    for count in [0, 1, LOOK - 1, LOOK, LOOK + 1, 3 * LOOK, 3 * LOOK + 5] {
        let cancel = Cancel::at_look(u64::MAX);
        let control = Control::NONE.cancelled_by(&cancel);
        let (passes, items) = (Passes::new(&control), items(count));
        let seen = passes.over(&items).map(|item| item.index as usize);
        assert!(seen.eq(0..count), "{count}");
        let looks = cancel.looks().expect("counted").number;
        assert_eq!(looks, (count / LOOK) as u64, "{count}");
        assert!(passes.finish().is_ok());
    }
}

#[test]
fn passes_stay_cancelled_when_the_flag_is_lowered() {
    let cancel = Cancel::at_look(3);
    let control = Control::NONE.cancelled_by(&cancel);
    let (passes, items) = (Passes::new(&control), items(4 * LOOK));
    assert_eq!(passes.over(&items).count(), 2 * LOOK);
    cancel.reset();
    assert!(control.check().is_ok(), "lowered");
    assert_eq!(passes.over(&items).count(), 0);
    assert_eq!(passes.finish(), Err(Cancelled));
}
