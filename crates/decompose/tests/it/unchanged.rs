//! Decompositions equal, triangle by triangle, those of the first version of this crate, which
//! searched for faces that meet the hull one tetrahedron at a time.

use impinge_decompose::{Decomposition, Options, Order};
use impinge_models::Random;
use impinge_threads::Control;

use crate::bodies;

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, 1991).
fn hash(numbers: impl Iterator<Item = u32>) -> u64 {
    let bytes = numbers.flat_map(u32::to_le_bytes);
    bytes.fold(BASIS, |h, b| mix(h, u64::from(b)))
}

fn mix(h: u64, x: u64) -> u64 {
    (h ^ x).wrapping_mul(0x100_0000_01b3)
}

fn fingerprint(d: &Decomposition) -> u64 {
    let patches = d.patches().iter().flat_map(|p| {
        let sizes = [u32::from(p.is_flat()), p.faces().len() as u32];
        let hull = p.hull().faces().iter().flatten();
        sizes.into_iter().chain(p.faces().iter().chain(hull).copied())
    });
    hash(patches.chain([d.merges() as u32]))
}

/// Cell bodies have integer coordinates, so the hashes hold on every platform.
#[test]
fn bodies_of_cells_are_decomposed_as_ever() {
    let mut random = Random::new(31);
    for k in 0..30 {
        bodies::rough_ball(&mut random, 24 + 10 * k, 0.0);
    }
    let (mut all, mut count) = (BASIS, 0);
    for k in 0..60 {
        let fill = [0.3, 0.6, 0.85][k as usize % 3];
        let mesh = bodies::random_cells(&mut random, 2 + k % 3, fill);
        for order in [Order::Breadth, Order::Depth] {
            let options = Options { order, ..Options::default() };
            if let Ok(d) = Decomposition::new(&mesh, &options, &Control::NONE) {
                all = mix(all, fingerprint(&d));
                count += 1;
            }
        }
    }
    assert_eq!((count, all), (24, 0xee7e_5458_e35f_db27));
}
