//! Queries on which integers take longest, as a search found them: exponents of all sizes, roots that are
//! close together or in common. The search: `cargo run --release -p impinge-continuous --example longest`.

use std::time::{Duration, Instant};

use impinge_continuous::{Interval, edge_edge, vertex_face};
use impinge_geometry::Point;
use impinge_testkit::cases::moving::{Kind, Query};

/// The bits of the coordinates, points at the start before those at the end.
type Bits = [[u64; 3]; 8];

/// A vertex and a face.
#[rustfmt::skip]
const VERTEX_FACE: [Bits; 1] = [
    [
        [0x0000_0000_0000_0000, 0x8030_0200_0000_0000, 0x58b0_1000_0010_1000],
        [0x7fd3_be29_eab4_5129, 0xfcee_46a9_960d_1643, 0x1897_4494_c000_0010],
        [0xa200_0000_0000_0000, 0xe620_0000_0000_0000, 0x18b7_4494_c000_2000],
        [0xd830_0000_0000_0000, 0x0030_0200_0000_0000, 0x3eff_7069_f000_0000],
        [0x803d_42c2_d400_0000, 0x71ce_0000_0040_0000, 0xffd2_0000_0000_0000],
        [0x8000_0000_0000_0000, 0xa648_0000_0000_0000, 0x8000_0000_0000_0000],
        [0x8000_0000_0000_0000, 0x9e67_0c58_4000_0000, 0x8011_4b15_f15b_f0dc],
        [0x8000_0000_0000_0000, 0x0000_0000_0000_003d, 0xd8c8_0000_0000_0000],
    ],
];

/// Two edges.
#[rustfmt::skip]
const EDGE_EDGE: [Bits; 1] = [
    [
        [0xbff0_0000_0000_0000, 0x7fb6_0000_0000_0000, 0x7e23_1dea_257d_bf5a],
        [0xfadc_0000_0000_0000, 0xffb6_0000_0000_0000, 0x0600_0000_0000_0000],
        [0xba70_0000_0000_0000, 0x25a9_5d11_c097_4e71, 0x596d_23da_e423_3565],
        [0x3b38_f73a_c000_0000, 0xa595_4145_dc66_353e, 0x7e23_1dea_257d_bf5a],
        [0x8000_0000_0000_0000, 0xa5ae_c6c4_e48f_4cc4, 0x5967_c3a0_e869_0809],
        [0xfae2_97de_8800_0000, 0xa5ad_afa8_c046_2e81, 0x5963_f20b_f4e3_5f1a],
        [0x8027_8e67_01f6_e18f, 0xa5ae_c6c4_e48f_4cc4, 0x5967_c3a0_e869_0809],
        [0xbb19_857a_bf67_492d, 0x2598_1bd6_5589_82d2, 0x5963_f20b_f4e3_df1a],
    ],
];

fn queries() -> Vec<Query> {
    let of = |kind, bits: &[Bits]| -> Vec<Query> {
        let query = |bits: &Bits| {
            let [a, b, c, d, e, f, g, h] = bits.map(|p| Point::from(p.map(f64::from_bits)));
            Query { kind, start: [a, b, c, d], end: [e, f, g, h], meets: None }
        };
        bits.iter().map(query).collect()
    };
    [of(Kind::VertexFace, &VERTEX_FACE), of(Kind::EdgeEdge, &EDGE_EDGE)].concat()
}

fn ask(query: &Query) -> Option<Interval> {
    let first = match query.kind {
        Kind::VertexFace => vertex_face,
        Kind::EdgeEdge => edge_edge,
    };
    first(&query.start, &query.end).expect("finite")
}

#[test]
fn the_longest_answers_are_right() {
    for query in queries() {
        query.check(ask(&query)).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// Ten milliseconds of a processor. Other programs run beside tests, so the least of some times counts.
#[test]
fn the_longest_answers_take_milliseconds() {
    const MOST: Duration = Duration::from_millis(10);
    for query in queries() {
        let timed = || {
            let start = Instant::now();
            std::hint::black_box(ask(&query));
            start.elapsed()
        };
        let least = (0..50).map(|_| timed()).find(|took| *took <= MOST);
        assert!(least.is_some(), "always longer than {MOST:?}: {query:?}");
    }
}
