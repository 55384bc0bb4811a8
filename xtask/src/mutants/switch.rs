//! Many mutants in one build: each mutant is written beside the original, and a switch, set by an
//! environment variable at program start, selects between them. A crate is thus compiled once for a
//! whole sample, and a mutant costs no more than the tests that reach it.

use std::fmt::Write as _;
use std::ops::Range;

use super::Mutant;
use super::operators::Shape;

/// The environment variable with the number of the active mutant, from 1.
pub(super) const ON: &str = "IMPINGE_MUTANT";
/// The environment variable with the file to which the numbers of reached mutants are written.
pub(super) const REACHED: &str = "IMPINGE_MUTANTS_REACHED";

/// The module appended to `lib.rs`: `on(id)` tells whether mutant `id` is active.
pub(super) fn module(mutants: usize) -> String {
    let text = include_str!("switch_module.txt").replace("\r\n", "\n").replace('\n', " ");
    text.replace("COUNT", &(mutants + 1).to_string()).replace("ON", ON).replace("REACHED", REACHED)
}

/// The mutants of one place, with their numbers.
struct Place<'a> {
    range: Range<usize>,
    shape: &'a Shape,
    depth: usize,
    mutants: Vec<(usize, &'a Mutant)>,
}

/// The text of a file with mutants beside the original; line numbers stay the same.
pub(super) fn written(text: &str, mutants: &[(usize, &Mutant)]) -> String {
    let mut places: Vec<Place<'_>> = Vec::new();
    for &(id, mutant) in mutants {
        let site = &mutant.site;
        let same = |place: &&mut Place<'_>| place.range == site.place && *place.shape == site.shape;
        match places.iter_mut().find(same) {
            Some(place) => place.mutants.push((id, mutant)),
            None => places.push(Place {
                range: site.place.clone(),
                shape: &site.shape,
                depth: site.depth,
                mutants: vec![(id, mutant)],
            }),
        }
    }
    // Outer places before inner ones; insertions at a point before replacements that begin there.
    places.sort_by_key(|place| {
        let Range { start, end } = place.range;
        (start, start != end, usize::MAX - end, place.depth)
    });
    let places: Vec<&Place<'_>> = places.iter().collect();
    render(text, 0..text.len(), &places)
}

/// The text of a range with all places inside it.
fn render(text: &str, range: Range<usize>, places: &[&Place<'_>]) -> String {
    let inside =
        |place: &Place<'_>| range.start <= place.range.start && place.range.end <= range.end;
    let places: Vec<&Place<'_>> = places.iter().copied().filter(|place| inside(place)).collect();
    let (mut written, mut at) = (String::new(), range.start);
    for (n, place) in places.iter().enumerate() {
        if place.range.start < at {
            continue; // inside the preceding place, which has rendered it
        }
        written += &text[at..place.range.start];
        written += &rendered(text, place, &places[n + 1..]);
        at = place.range.end;
    }
    written + &text[at..range.end]
}

/// As many line ends as the range has.
fn lines(text: &str, range: Range<usize>) -> String {
    "\n".repeat(text[range].matches('\n').count())
}

// long: one arm for each shape, which belong side by side
fn rendered(text: &str, place: &Place<'_>, inner: &[&Place<'_>]) -> String {
    let part = |range: &Range<usize>| render(text, range.clone(), inner);
    let on = |id: usize| format!("crate::mutant_switch::on({id})");
    let choice = |each: &dyn Fn(&Mutant) -> String, original: &str| {
        let mut chain = String::new();
        for (id, mutant) in &place.mutants {
            let _ = write!(chain, "if {} {{ {} }} else ", on(*id), each(mutant));
        }
        format!("{chain}{{ {original} }}")
    };
    let (first, original) = (place.mutants[0].0, &place.mutants[0].1.site.original);
    match place.shape {
        Shape::Binary { left, right, by_reference } => {
            let gap = lines(text, left.end..right.start);
            let (l, r) = (part(left), part(right));
            let (mark, star) = if *by_reference { ("&", "*") } else { ("", "") };
            let each = |m: &Mutant| format!("{star}l {} {star}r", m.site.changed);
            let chain = choice(&each, &format!("{star}l {original} {star}r"));
            format!("(match ({mark}({l}),{gap}{mark}({r})) {{ (l, r) => {chain} }})")
        }
        Shape::Lazy { left, right, or } => {
            let gap = lines(text, left.end..right.start);
            let (l, r, on) = (part(left), part(right), on(first));
            let (relation, end) = if *or { ("==", format!("!{on}")) } else { ("!=", on.clone()) };
            format!("(if ({l}) {relation}{gap} {on} {{ {r} }} else {{ {end} }})")
        }
        Shape::Assign { left, right } => {
            let gap = lines(text, left.start..right.start);
            let (l, r) = (part(left).replace('\n', " "), part(right));
            let each = |m: &Mutant| format!("{l} {} r", m.site.changed);
            let chain = choice(&each, &format!("{l} {original} r"));
            format!("{gap}match ({r}) {{ r => {chain} }}")
        }
        Shape::Unary { operand } => {
            let gap = lines(text, place.range.start..operand.start);
            let chain = choice(&|_| "v".to_owned(), &format!("{original}v"));
            format!("(match{gap} ({}) {{ v => {chain} }})", part(operand))
        }
        Shape::Guard => {
            let guard = part(&place.range);
            let ids = |value: &str| {
                let ids = place.mutants.iter().filter(|(_, m)| m.site.changed == value);
                ids.fold("false".to_owned(), |all, (id, _)| format!("{all} || {}", on(*id)))
            };
            format!("(({}) || (!({}) && ({guard})))", ids("true"), ids("false"))
        }
        Shape::Arm { guard: None } => format!(" if !{}", on(first)),
        Shape::Arm { guard: Some(guard) } => {
            let gap = lines(text, place.range.start..guard.start);
            format!(" if{gap} !{} && ({})", on(first), part(guard))
        }
        Shape::Body => place.mutants.iter().fold(String::new(), |all, (id, mutant)| {
            format!("{all} if {} {{ return {}; }}", on(*id), mutant.site.changed)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::operators::tests::of;
    use super::*;

    /// The text with all its mutants except those of bodies, with short switches.
    fn switched(text: &str) -> String {
        let mutants = of(text);
        let chosen: Vec<(usize, &Mutant)> = (mutants.iter())
            .filter(|mutant| mutant.site.shape != Shape::Body)
            .enumerate()
            .map(|(n, mutant)| (n + 1, mutant))
            .collect();
        let text = written(text, &chosen);
        assert!(syn::parse_file(&text).is_ok(), "{text}");
        text.replace("crate::mutant_switch::on", "on")
    }

    #[test]
    fn both_are_there_for_every_shape() {
        assert_eq!(
            switched("fn f() { a >= b; }"),
            "fn f() { (match (&(a),&(b)) { (l, r) => if on(1) { *l < *r } else if on(2) \
             { *l > *r } else { *l >= *r } }); }"
        );
        assert_eq!(
            switched("fn f() { a && b; }"),
            "fn f() { (if (a) != on(1) { b } else { on(1) }); }"
        );
        assert_eq!(
            switched("fn f() { a || b; }"),
            "fn f() { (if (a) == on(1) { b } else { !on(1) }); }"
        );
        assert_eq!(
            switched("fn f() { a <<= b; }"),
            "fn f() { match (b) { r => if on(1) { a >>= r } else { a <<= r } }; }"
        );
        assert_eq!(
            switched("fn f() { !a; }"),
            "fn f() { (match (a) { v => if on(1) { v } else { !v } }); }"
        );
        assert_eq!(
            switched("fn f() { match a { 0 if b => c, _ => d }; }"),
            "fn f() { match a { 0 if !on(1) && (((false || on(2)) || (!(false || on(3)) && (b)))) \
             => c, _ => d }; }"
        );
    }

    #[test]
    fn a_body_returns_early() {
        let text = "fn f() -> bool { g() }";
        let mutants = of(text);
        let numbered: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
        let text = written(text, &numbered).replace("crate::mutant_switch::", "");
        let body = "if on(0) { return true; } if on(1) { return false; }";
        assert_eq!(text, format!("fn f() -> bool {{ {body} g() }}"));
    }

    #[test]
    fn nested_places_are_all_switched_and_no_line_moves() {
        let text = "fn f() {\n    let x = a\n        + b * (c\n        - d);\n    g();\n}\n";
        let both = switched(text);
        assert_eq!(both.matches("on(").count(), 6);
        let line = |text: &str| text.lines().position(|line| line.contains("g()"));
        assert_eq!(line(&both), line(text));
    }

    #[test]
    fn the_module_is_rust_on_one_line() {
        let text = module(3);
        assert!(syn::parse_file(&text).is_ok() && text.contains("[AtomicBool; 4]"), "{text}");
        assert!(text.contains(ON) && text.contains(REACHED) && !text.contains('\n'));
    }
}
