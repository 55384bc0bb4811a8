//! Triangles, boxes and edges as the records of the kernels of an adapter.

use impinge_shaders::stream::{LEAF, StreamEdge, StreamFace, StreamNode};

use super::{Face, StreamBox};
use crate::model::Below;
use crate::stream::Record;

impl Face {
    pub(crate) fn record(&self) -> StreamFace {
        StreamFace {
            corner: with(self.corner, self.size),
            e12: with(self.e12, 0.0),
            e13: with(self.e13, 0.0),
            normal: with(self.normal, 0.0),
        }
    }
}

impl StreamBox {
    pub(crate) fn record(&self, below: Below) -> StreamNode {
        let [x, y, z] = self.axes;
        let [along_x, along_y, along_z] = self.half;
        StreamNode {
            axis_x: with(x, along_x),
            axis_y: with(y, along_y),
            axis_z: with(z, along_z),
            centre: self.centre,
            link: below.link(),
        }
    }
}

impl Below {
    /// The first of two nodes, or the triangle and `LEAF`.
    pub(crate) const fn link(self) -> u32 {
        match self {
            Self::Nodes(first) => first,
            Self::Triangle(t) => t | LEAF,
        }
    }
}

impl Record {
    /// Infinity is not portable: a negative bound stands for it.
    pub(crate) fn portable(&self) -> StreamEdge {
        let last = if self.last.is_finite() { self.last } else { -1.0 };
        StreamEdge { head: with(self.from, last), tail: with(self.to, 0.0) }
    }
}

fn with([x, y, z]: [f32; 3], w: f32) -> [f32; 4] {
    [x, y, z, w]
}

#[cfg(test)]
mod tests {
    use impinge_shaders::{Shader, stream, trees};

    use super::super::{RHO, boxes, certified};

    fn has(shader: &Shader, name: &str, value: f32) -> bool {
        let assembled = shader.assemble().expect("a test of its crate assembles it");
        assembled.text().contains(&format!("\nconst {name}: f32 = {value:?};\n"))
    }

    #[test]
    fn constants_of_bounds_are_the_same_in_both_languages() {
        assert!(has(&stream::FACES, "INPUT", certified::INPUT));
        assert!(has(&stream::FACES, "RHO", RHO));
        assert!(has(&stream::PAIRS, "ROUNDING", certified::ROUNDING));
        assert!(has(&stream::SHRINK, "ENLARGED", boxes::ENLARGED));
        assert!(has(&stream::MARK, "TINY", boxes::TINY));
        assert!(!has(&stream::MARK, "TINY", f32::MIN_POSITIVE), "nothing is compared");
    }

    #[test]
    fn constants_of_pairs_of_trees_are_the_same_in_both_languages() {
        let has = |shader: &Shader, line: &str| {
            let assembled = shader.assemble().expect("a test of its crate assembles it");
            assembled.text().contains(&format!("\nconst {line};\n"))
        };
        let words: [(&Shader, &str, usize); 5] = [
            (&trees::DESCEND, "ENTRY", trees::ENTRY),
            (&trees::DESCEND, "POSES", trees::POSES),
            (&trees::MEET, "FIRST", trees::FIRST as usize),
            (&trees::DESCEND, "LEVELS", stream::LEVELS),
            (&trees::PROBE, "STACK", 3 * trees::DEEPEST + 2),
        ];
        for (shader, name, value) in words {
            assert!(has(shader, &format!("{name}: u32 = {value}u")), "{name}");
        }
        let [place, turn] = [28, 30].map(|places| 1.0 / (1u64 << places) as f32);
        assert!(has(&trees::MEET, &format!("PLACE: f32 = {place:e}")), "{place:e}");
        assert!(has(&trees::MEET, &format!("TURN: f32 = {turn:e}")), "{turn:e}");
        assert!(!has(&trees::MEET, "ENTRY: u32 = 4u"), "nothing is compared");
    }
}
