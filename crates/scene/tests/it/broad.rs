//! Every broad phase passes the battery.

use impinge_scene::broad::EveryPair;
use impinge_testkit::battery::pairs_of_boxes;

#[test]
fn every_pair() {
    pairs_of_boxes(&mut EveryPair::default()).expect("right");
}
