//! Finds the mutants of a file. The operators are those of cargo-mutants 27: function return
//! values, binary and unary operators, match arms and their guards.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::Expr;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::changes::{changes_of, has_let, short, squeezed, type_name};
use super::crate_source::{SourceFile, is_compiled};
use super::{Mutant, Wanted, values};

/// How a mutant is written beside the original, so that one build contains both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Two operands, both evaluated; `by_reference` for comparisons.
    Binary { left: Range<usize>, right: Range<usize>, by_reference: bool },
    /// `&&`, or `||` if `or`.
    Lazy { left: Range<usize>, right: Range<usize>, or: bool },
    /// `left op= right`.
    Assign { left: Range<usize>, right: Range<usize> },
    /// A sign or negation of `operand`.
    Unary { operand: Range<usize> },
    /// The guard of an arm.
    Guard,
    /// A match arm, with its guard if it has one. The place is the end of its pattern.
    Arm { guard: Option<Range<usize>> },
    /// A function's body. The place is after its opening brace.
    Body,
}

/// A replacement and its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Byte range of the original.
    pub(super) place: Range<usize>,
    /// The original operator.
    pub(super) original: String,
    /// The operator or value of the mutant.
    pub(super) changed: String,
    /// How the mutant is written beside the original.
    pub(super) shape: Shape,
    /// The direct replacement: byte range and new text.
    pub(super) plain: (Range<usize>, String),
    /// Nesting depth; outer places have smaller numbers.
    pub(super) depth: usize,
    /// Whether it is evaluated at compile time, so that it cannot be switched at run time.
    pub(super) constant: bool,
}

/// Finds all mutants of a file.
pub(super) fn mutants(file: &SourceFile, wanted: Wanted) -> Vec<Mutant> {
    let mut finder = Finder {
        file,
        wanted,
        owner: Vec::new(),
        functions: Vec::new(),
        constants: 0,
        depth: 0,
        found: Vec::new(),
        counts: BTreeMap::new(),
    };
    finder.visit_file(&file.syntax);
    finder.found
}

struct Finder<'a> {
    file: &'a SourceFile,
    wanted: Wanted,
    /// The enclosing `impl` types, innermost last.
    owner: Vec<String>,
    /// The enclosing functions, innermost last: name and lines.
    functions: Vec<(String, Range<usize>)>,
    /// Number of enclosing constants.
    constants: usize,
    depth: usize,
    found: Vec<Mutant>,
    /// How often each name was given.
    counts: BTreeMap<String, usize>,
}

impl Finder<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        &self.file.text[range]
    }

    fn add(&mut self, change: String, site: Site) {
        let Some((function, lines)) = self.functions.last().cloned() else { return };
        let name = format!("{function}: {change}");
        let count = self.counts.entry(name).or_default();
        *count += 1;
        let change = if *count == 1 { change } else { format!("{change} #{count}") };
        let line = self.file.text[..site.place.start].matches('\n').count() + 1;
        self.found.push(Mutant {
            file: self.file.path.clone(),
            function,
            change,
            lines,
            line,
            site,
        });
    }

    fn site(&self, place: Range<usize>, shape: Shape, plain: (Range<usize>, String)) -> Site {
        Site {
            place,
            original: String::new(),
            changed: String::new(),
            shape,
            plain,
            depth: self.depth,
            constant: self.constants > 0,
        }
    }

    /// Visits a function: first the values for its body, then the body itself.
    fn function(&mut self, signature: &syn::Signature, whole: Range<usize>, body: &syn::Block) {
        let name = match self.owner.last() {
            Some(owner) => format!("{owner}::{}", signature.ident),
            None => signature.ident.to_string(),
        };
        let lines = self.line(whole.start)..self.line(whole.end) + 1;
        self.functions.push((name, lines));
        self.constants += usize::from(signature.constness.is_some());
        if signature.unsafety.is_none() && !body.stmts.is_empty() {
            self.values(signature, body);
        }
        visit::visit_block(self, body);
        self.constants -= usize::from(signature.constness.is_some());
        self.functions.pop();
    }

    fn values(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let inside = body.span().byte_range();
        let (open, close) = (inside.start + 1, inside.end - 1);
        let stands = squeezed(self.text(open..close));
        for value in values::for_return(&signature.output, &self.file.text) {
            let inside_default = signature.ident == "default" && value == "Default::default()";
            if stands == value || inside_default {
                continue;
            }
            let plain = (open..close, value.clone());
            let mut site = self.site(open..open, Shape::Body, plain);
            site.changed.clone_from(&value);
            self.add(format!("returns {value}"), site);
        }
    }

    /// The line of a byte offset, from 1.
    fn line(&self, at: usize) -> usize {
        self.file.text[..at].matches('\n').count() + 1
    }

    fn constant<T>(&mut self, name: &str, whole: &T, visit: impl FnOnce(&mut Self))
    where
        T: Spanned,
    {
        let span = whole.span().byte_range();
        let lines = self.line(span.start)..self.line(span.end) + 1;
        self.functions.push((name.to_owned(), lines));
        self.constants += 1;
        visit(self);
        self.constants -= 1;
        self.functions.pop();
    }

    fn binary(&mut self, whole: &syn::ExprBinary) {
        let (left, right) = (whole.left.span().byte_range(), whole.right.span().byte_range());
        let place = left.start..right.end;
        let Some((changes, shape)) = changes_of(&whole.op, left.clone(), right.clone()) else {
            return;
        };
        if has_let(&whole.left) || has_let(&whole.right) {
            return;
        }
        let operator = whole.op.span().byte_range();
        let original = self.text(operator.clone()).to_owned();
        let [l, r] = [short(self.text(left)), short(self.text(right))];
        for &changed in changes {
            let plain = (operator.clone(), changed.to_owned());
            let mut site = self.site(place.clone(), shape.clone(), plain);
            (site.original, site.changed) = (original.clone(), changed.to_owned());
            self.add(format!("{l} {original} {r} => {changed}"), site);
        }
    }

    fn unary(&mut self, whole: &syn::ExprUnary) {
        if !matches!(whole.op, syn::UnOp::Not(_) | syn::UnOp::Neg(_)) || has_let(&whole.expr) {
            return;
        }
        let (place, operand) = (whole.span().byte_range(), whole.expr.span().byte_range());
        let plain = (place.start..operand.start, String::new());
        let original = self.text(plain.0.clone()).trim().to_owned();
        let change =
            format!("{original}{} => without {original}", short(self.text(operand.clone())));
        let mut site = self.site(place, Shape::Unary { operand }, plain);
        site.original = original;
        self.add(change, site);
    }

    /// Arms can be removed only if a wildcard arm catches their values.
    fn arms(&mut self, whole: &syn::ExprMatch) {
        let takes_all =
            |arm: &syn::Arm| arm.guard.is_none() && matches!(arm.pat, syn::Pat::Wild(_));
        if !whole.arms.iter().any(takes_all) {
            return;
        }
        for arm in whole.arms.iter().filter(|arm| !takes_all(arm)) {
            if !is_compiled(&arm.attrs, self.wanted) {
                continue;
            }
            let end = arm.pat.span().byte_range().end;
            let guard = arm.guard.as_ref().map(|(_, guard)| guard.span().byte_range());
            let place = end..guard.as_ref().map_or(end, |guard| guard.end);
            let plain = (arm.span().byte_range(), String::new());
            let change = format!("arm {} => gone", short(self.text(arm.pat.span().byte_range())));
            let site = self.site(place, Shape::Arm { guard }, plain);
            self.add(change, site);
        }
    }

    fn guard(&mut self, guard: &Expr) {
        if has_let(guard) {
            return;
        }
        let place = guard.span().byte_range();
        for value in ["true", "false"] {
            let change = format!("guard {} => {value}", short(self.text(place.clone())));
            let plain = (place.clone(), value.to_owned());
            let mut site = self.site(place.clone(), Shape::Guard, plain);
            value.clone_into(&mut site.changed);
            self.add(change, site);
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Static(item) => &item.attrs,
            syn::Item::Trait(item) => &item.attrs,
            _ => return,
        };
        if is_compiled(attributes, self.wanted) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let owner = std::mem::take(&mut self.owner);
        self.function(&item.sig, item.span().byte_range(), &item.block);
        self.owner = owner;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if is_compiled(&item.attrs, self.wanted) {
            self.function(&item.sig, item.span().byte_range(), &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = item.default.as_ref().filter(|_| is_compiled(&item.attrs, self.wanted))
        {
            self.function(&item.sig, item.span().byte_range(), body);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let kind = type_name(&item.self_ty);
        let owner = match &item.trait_ {
            Some((_, path, _)) => {
                let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
                format!("<{name} for {kind}>")
            }
            None => kind,
        };
        self.owner.push(owner);
        visit::visit_item_impl(self, item);
        self.owner.pop();
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.owner.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.owner.pop();
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        let name = item.ident.to_string();
        self.constant(&name, item, |finder| finder.visit_expr(&item.expr));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        let name = item.ident.to_string();
        self.constant(&name, item, |finder| finder.visit_expr(&item.expr));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        let name = match self.owner.last() {
            Some(owner) => format!("{owner}::{}", item.ident),
            None => item.ident.to_string(),
        };
        self.constant(&name, item, |finder| finder.visit_expr(&item.expr));
    }

    // Array lengths and type arguments are not run-time expressions.
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}

    fn visit_expr_repeat(&mut self, whole: &'ast syn::ExprRepeat) {
        self.visit_expr(&whole.expr);
    }

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !is_compiled(&arm.attrs, self.wanted) {
            return;
        }
        if let Some((_, guard)) = &arm.guard {
            self.depth += 1;
            self.guard(guard);
        }
        visit::visit_arm(self, arm);
        self.depth -= usize::from(arm.guard.is_some());
    }

    fn visit_expr(&mut self, whole: &'ast Expr) {
        self.depth += 1;
        match whole {
            Expr::Binary(whole) => self.binary(whole),
            Expr::Unary(whole) => self.unary(whole),
            Expr::Match(whole) => self.arms(whole),
            _ => {}
        }
        visit::visit_expr(self, whole);
        self.depth -= 1;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The mutants of a text.
    pub(in crate::mutants) fn of(text: &str) -> Vec<Mutant> {
        let syntax = syn::parse_file(text).expect("it is Rust");
        let file = SourceFile { path: "x.rs".to_owned(), text: text.to_owned(), syntax };
        mutants(&file, Wanted { name: "x", all_features: true })
    }

    fn names(text: &str) -> Vec<String> {
        of(text).iter().map(Mutant::name).collect()
    }

    #[test]
    fn operators_values_arms_and_guards_have_their_mutants() {
        assert_eq!(
            names("fn f(a: u8, b: u8) -> bool { a < b }"),
            [
                "f: returns true",
                "f: returns false",
                "f: a < b => ==",
                "f: a < b => >",
                "f: a < b => <="
            ]
        );
        let text = "impl A { fn g(&mut self) { match x { 0 if y => z(), 1 => z(), _ => {} } } }";
        assert_eq!(
            names(text),
            [
                "A::g: returns ()",
                "A::g: arm 0 => gone",
                "A::g: arm 1 => gone",
                "A::g: guard y => true",
                "A::g: guard y => false"
            ]
        );
        assert_eq!(names("fn f() { x += -1; }").len(), 4);
        assert_eq!(names("impl T for A { fn f() { a; } }"), ["<T for A>::f: returns ()"]);
    }

    #[test]
    fn tests_conditions_that_bind_and_lengths_have_none() {
        assert!(names("#[cfg(test)] mod t { fn f() -> u8 { 1 + 2 } }").is_empty());
        assert!(names("#[test] fn f() { a + b; }").is_empty());
        assert_eq!(names("fn f() { if a && let B = c {} }"), ["f: returns ()"]);
        assert_eq!(names("fn f(x: [u8; 1 + 2]) { [0; 3 * 4]; }"), ["f: returns ()"]);
        assert!(names("fn f() {}").is_empty());
    }

    #[test]
    fn equal_changes_of_one_function_are_numbered() {
        assert_eq!(
            names("fn f() -> ! { a == b; a == b; }"),
            ["f: a == b => !=", "f: a == b => != #2"]
        );
    }

    #[test]
    fn constants_cannot_be_switched() {
        let constant = |text: &str| of(text).iter().all(|mutant| mutant.site.constant);
        assert!(constant("const A: u8 = 1 + 2;") && constant("const fn f() -> u8 { 1 + 2 }"));
        assert!(!constant("fn f() -> u8 { 1 + 2 }"));
        assert_eq!(names("const A: u8 = 1 << 2;"), ["A: 1 << 2 => >>"]);
    }
}
