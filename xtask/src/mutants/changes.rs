//! Replacements for operators, and the names of changes.

use std::ops::Range;

use syn::visit::Visit;
use syn::{BinOp, Expr};

use super::operators::Shape;

/// The replacements for a binary operator.
pub(super) fn changes_of(
    operator: &BinOp,
    left: Range<usize>,
    right: Range<usize>,
) -> Option<(&'static [&'static str], Shape)> {
    let binary = Shape::Binary { left: left.clone(), right: right.clone(), by_reference: false };
    let compare = Shape::Binary { left: left.clone(), right: right.clone(), by_reference: true };
    let assign = Shape::Assign { left: left.clone(), right: right.clone() };
    Some(match operator {
        BinOp::Eq(_) => (&["!="], compare),
        BinOp::Ne(_) => (&["=="], compare),
        BinOp::Lt(_) => (&["==", ">", "<="], compare),
        BinOp::Gt(_) => (&["==", "<", ">="], compare),
        BinOp::Le(_) => (&[">", "<"], compare),
        BinOp::Ge(_) => (&["<", ">"], compare),
        BinOp::And(_) => (&["||"], Shape::Lazy { left, right, or: false }),
        BinOp::Or(_) => (&["&&"], Shape::Lazy { left, right, or: true }),
        BinOp::Add(_) => (&["-", "*"], binary),
        BinOp::Sub(_) | BinOp::Mul(_) => (&["+", "/"], binary),
        BinOp::Div(_) => (&["%", "*"], binary),
        BinOp::Rem(_) => (&["/", "+"], binary),
        BinOp::Shl(_) => (&[">>"], binary),
        BinOp::Shr(_) => (&["<<"], binary),
        BinOp::BitAnd(_) => (&["|", "^"], binary),
        BinOp::BitOr(_) => (&["&", "^"], binary),
        BinOp::BitXor(_) => (&["|", "&"], binary),
        BinOp::AddAssign(_) => (&["-=", "*="], assign),
        BinOp::SubAssign(_) | BinOp::MulAssign(_) => (&["+=", "/="], assign),
        BinOp::DivAssign(_) => (&["%=", "*="], assign),
        BinOp::RemAssign(_) => (&["/=", "+="], assign),
        BinOp::ShlAssign(_) => (&[">>="], assign),
        BinOp::ShrAssign(_) => (&["<<="], assign),
        BinOp::BitAndAssign(_) => (&["|=", "^="], assign),
        BinOp::BitOrAssign(_) => (&["&=", "^="], assign),
        BinOp::BitXorAssign(_) => (&["|=", "&="], assign),
        _ => return None,
    })
}

/// Whether an expression contains a `let`, as conditions may.
pub(super) fn has_let(expression: &Expr) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
        fn visit_block(&mut self, _: &'ast syn::Block) {}
    }
    let mut search = Search(false);
    search.visit_expr(expression);
    search.0
}

/// The last segment of a type's path.
pub(super) fn type_name(kind: &syn::Type) -> String {
    match kind {
        syn::Type::Path(path) => {
            path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default()
        }
        syn::Type::Reference(inner) => format!("&{}", type_name(&inner.elem)),
        syn::Type::Array(inner) => format!("[{}]", type_name(&inner.elem)),
        syn::Type::Slice(inner) => format!("[{}]", type_name(&inner.elem)),
        _ => "_".to_owned(),
    }
}

/// A text on one line, without its comments.
pub(super) fn squeezed(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

/// As [`squeezed`], with a long text shortened to its beginning and end.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 48;
    let text = squeezed(text);
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= MOST {
        return text;
    }
    let half = MOST / 2;
    let [head, tail] = [&letters[..half], &letters[letters.len() - half..]];
    format!("{}…{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_on_one_line() {
        assert_eq!(short("a\n    + b // the sum\n"), "a + b");
        let long = short(&"abcdefgh ".repeat(20));
        assert!(long.chars().count() == 49 && long.contains('…'), "{long}");
    }

    #[test]
    fn only_conditions_of_this_expression_are_searched() {
        let has = |text: &str| has_let(&syn::parse_str(text).expect("an expression"));
        assert!(has("let Some(x) = y"));
        assert!(has("a && let Some(x) = y"));
        assert!(!has("{ let x = y; x } + 1"));
    }
}
