//! The operations of the streaming test, counted in the compiled shader, are those that the page of
//! the method says and the bench divides by.

use std::path::Path;

use impinge_shaders::stream::{FACES, OPERATIONS_AT_LEAST};
use naga::{
    BinaryOperator, Block, Expression, Function, Handle, MathFunction, ScalarKind, Statement,
    TypeInner, UnaryOperator,
};

use crate::support::{Compiled, assembled, compile};

/// Operations in floating point, and exclusive ors of words: one for each component.
type Count = [u64; 2];

fn sum(counts: impl IntoIterator<Item = Count>) -> Count {
    counts.into_iter().fold([0; 2], |[a, b], [c, d]| [a + c, b + d])
}

/// The part of a function up to a statement that may return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part {
    /// What every run does that comes here.
    always: Count,
    /// What only some do: the second operand of `&&` and `||`.
    sometimes: Count,
}

/// Counts the operations of one function.
struct Counter<'c> {
    compiled: &'c Compiled,
    function: Handle<Function>,
}

impl<'c> Counter<'c> {
    fn named(compiled: &'c Compiled, name: &str) -> Self {
        let mut functions = compiled.module.functions.iter();
        let found = functions.find(|(_, function)| function.name.as_deref() == Some(name));
        let (function, _) = found.unwrap_or_else(|| panic!("there is no function {name}"));
        Self { compiled, function }
    }

    fn body(&self) -> &'c Function {
        &self.compiled.module.functions[self.function]
    }

    /// Kind of scalar and number of components of an expression.
    fn shape(&self, of: Handle<Expression>) -> (ScalarKind, u64) {
        let Compiled { module, info } = self.compiled;
        match *info[self.function][of].ty.inner_with(&module.types) {
            TypeInner::Scalar(scalar) => (scalar.kind, 1),
            TypeInner::Vector { size, scalar } => (scalar.kind, size as u64),
            ref other => panic!("{other:?} is no number"),
        }
    }

    /// The operations of one expression, without those of its operands.
    fn expression(&self, handle: Handle<Expression>) -> Count {
        let operand = match self.body().expressions[handle] {
            Expression::Binary { left, .. } => left,
            Expression::Unary { expr, .. } => expr,
            Expression::Math { arg, .. } => arg,
            Expression::Select { accept, .. } => accept,
            // What moves, names or reads values.
            Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::As { convert: None, .. }
            | Expression::Compose { .. }
            | Expression::Load { .. }
            | Expression::Relational { .. }
            | Expression::Splat { .. }
            | Expression::Swizzle { .. } => return [0; 2],
            ref other => panic!("{other:?} is not counted"),
        };
        let kind = self.shape(operand).0;
        let each = self.shape(handle).1;
        match (kind, &self.body().expressions[handle]) {
            (ScalarKind::Bool, _) => [0; 2],
            (ScalarKind::Uint, Expression::Binary { op: BinaryOperator::ExclusiveOr, .. }) => {
                [0, each]
            }
            (
                ScalarKind::Float,
                Expression::Binary { .. }
                | Expression::Select { .. }
                | Expression::Unary { op: UnaryOperator::Negate, .. }
                | Expression::Math {
                    fun: MathFunction::Min | MathFunction::Max | MathFunction::Abs,
                    ..
                },
            ) => [each, 0],
            (ScalarKind::Float, Expression::Math { fun: MathFunction::Fma, .. }) => [2 * each, 0],
            other => panic!("{other:?} is not counted"),
        }
    }

    /// The parts of a block. The conditions of an inner block are what only some runs evaluate.
    fn parts(&self, block: &Block) -> Vec<Part> {
        let mut parts = vec![Part::default()];
        for statement in block {
            let Some(part) = parts.last_mut() else { break };
            match statement {
                Statement::Emit(range) => {
                    let counts = range.clone().map(|handle| self.expression(handle));
                    part.always = sum(counts.chain([part.always]));
                }
                Statement::Call { function, .. } => {
                    let called = Self { function: *function, ..*self };
                    part.always = sum([part.always, called.whole()]);
                }
                Statement::Block(block) => {
                    let [inner] = self.parts(block)[..] else { panic!("a block returns") };
                    part.always = sum([part.always, inner.always]);
                    part.sometimes = sum([part.sometimes, inner.sometimes]);
                }
                Statement::If { accept, reject, .. } => {
                    let inner = [accept, reject].map(|block| self.parts(block));
                    let counts = inner.iter().flatten().flat_map(|p| [p.always, p.sometimes]);
                    part.sometimes = sum(counts.chain([part.sometimes]));
                    if inner.iter().any(|parts| parts.len() > 1) {
                        parts.push(Part::default());
                    }
                }
                Statement::Return { .. } => parts.push(Part::default()),
                Statement::Store { .. } => {}
                other => panic!("{other:?} is not counted"),
            }
        }
        parts
    }

    /// All operations of the function.
    fn whole(&self) -> Count {
        sum(self.parts(&self.body().body).iter().flat_map(|part| [part.always, part.sometimes]))
    }
}

/// The parts of `certified` in a text of the shader: up to each `return`, and behind the last.
fn parts(text: &str) -> Vec<Part> {
    let compiled = compile(text).unwrap_or_else(|why| panic!("{why}"));
    let counter = Counter::named(&compiled, "certified");
    counter.parts(&counter.body().body)
}

/// The rows of the table: a part's name, and its operations.
fn table() -> Vec<(String, Count)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/methods/stream-basic.md");
    let page = std::fs::read_to_string(page).expect("the page of the method");
    let (_, section) = page.split_once("\n## Operations of a test\n").expect("its section");
    let (section, _) = section.split_once("\n## ").expect("another section");
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('*')).collect();
        let count = |cell: &str| if cell.is_empty() { Ok(0) } else { cell.parse() };
        let [fp, op] = [cells[2], cells[3]].map(|cell| count(cell).expect("a number"));
        (cells[1].to_owned(), [fp, op])
    })
    .collect()
}

/// `UNKNOWN` for a negative bound, three times `MISS`, `HIT`, `UNKNOWN`.
#[test]
fn the_table_of_operations_is_that_of_the_shader() {
    let parts = parts(assembled(&FACES).text());
    let [sign, bounds, heights, products, hit, unknown, end] = parts[..] else {
        panic!("{parts:?}")
    };
    assert_eq!([unknown, end], [Part::default(); 2]);
    let rows = table();
    println!("{rows:?}\n{parts:?}");
    let names: Vec<&str> = rows.iter().map(|(name, _)| &**name).collect();
    let at = |name: &str| names.iter().position(|row| *row == name).expect("a row of the table");
    let [least, all] = ["before the first return", "all"].map(at);
    assert_eq!((least, all, rows.len()), (5, least + 5, all + 1), "{names:?}");
    let of = |from: usize, to: usize| sum(rows[from..to].iter().map(|(_, count)| *count));
    let whole = |part: Part| sum([part.always, part.sometimes]);
    assert_eq!(of(0, 1), sign.always);
    assert_eq!(of(1, least), bounds.always);
    assert_eq!(rows[least].1, of(0, least));
    assert_eq!(rows[least + 1].1, bounds.sometimes);
    assert_eq!(rows[least + 2].1, whole(heights));
    assert_eq!(rows[least + 3].1, whole(products));
    assert_eq!(rows[least + 4].1, whole(hit));
    assert_eq!(rows[all].1, sum([of(0, least), of(least + 1, all)]));
    assert_eq!(rows[least].1, OPERATIONS_AT_LEAST.map(u64::from));
}

/// Each operation that is added to the shader is counted where it is.
#[test]
fn another_operation_is_counted() {
    let text = assembled(&FACES).text().to_owned();
    let usual = parts(&text);
    for (from, to, part, more) in [
        ("let delta = edge.head.w;", "let delta = -edge.head.w;", 0, [1, 0]),
        ("let slack = op(2.0 * delta);", "let slack = op(op(2.0 * delta));", 1, [0, 1]),
        ("let u = op3(edge.head.xyz -", "let u = op3(2.0 * edge.head.xyz -", 1, [3, 0]),
        (
            "let size = op(face.corner.w + slack)",
            "let size = op(fma(delta, 3.0, slack))",
            1,
            [1, 0],
        ),
        ("dot_of(face.normal.xyz, u)", "op(dot_of(face.normal.xyz, u))", 2, [0, 1]),
        ("let c = over_c * turn;", "let c = abs(over_c * turn);", 3, [1, 0]),
        ("&& c > of_c {", "&& c > of_c && c != a {", 4, [1, 0]),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        let changed = parts(&changed);
        for (index, (new, old)) in changed.iter().zip(&usual).enumerate() {
            let [new, old] = [new, old].map(|part| sum([part.always, part.sometimes]));
            let expected = if index == part { sum([old, more]) } else { old };
            assert_eq!(new, expected, "{to}: part {index}");
        }
    }
}
