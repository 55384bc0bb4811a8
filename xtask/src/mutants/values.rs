//! Values that replace a function's body: a few constants of its return type.

use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, ReturnType, Type, TypePath, TypeReference};

/// Most values of a type, which limits the combinations for tuples.
const MOST: usize = 4;

/// Values for a function's body; none if no value of the type is known. `source` is the text that
/// the type was parsed from.
pub(super) fn for_return(result: &ReturnType, source: &str) -> Vec<String> {
    match result {
        ReturnType::Default => vec!["()".to_owned()],
        ReturnType::Type(_, kind) => of(kind, source),
    }
}

fn of(kind: &Type, source: &str) -> Vec<String> {
    let mut values = match kind {
        Type::Never(_) | Type::ImplTrait(_) => Vec::new(),
        Type::Paren(inner) => of(&inner.elem, source),
        Type::Group(inner) => of(&inner.elem, source),
        Type::Array(array) => {
            let length = &source[array.len.span().byte_range()];
            mapped(&array.elem, source, |value| {
                // A vector cannot be copied, and the compiler would report that within the macro.
                if value.contains("vec!") {
                    format!("std::array::from_fn::<_, {{ {length} }}, _>(|_| {value})")
                } else {
                    format!("[{value}; {length}]")
                }
            })
        }
        Type::Tuple(tuple) => tuples(tuple, source),
        Type::Reference(reference) => referred(reference, source),
        Type::Path(path) => named(path, source),
        _ => default(),
    };
    values.truncate(MOST);
    values
}

fn default() -> Vec<String> {
    vec!["Default::default()".to_owned()]
}

fn mapped(kind: &Type, source: &str, wrap: impl Fn(&str) -> String) -> Vec<String> {
    of(kind, source).iter().map(|value| wrap(value)).collect()
}

/// All combinations of the values of the elements.
fn tuples(tuple: &syn::TypeTuple, source: &str) -> Vec<String> {
    let mut rows = vec![String::new()];
    for part in &tuple.elems {
        let values = of(part, source);
        rows = (rows.iter())
            .flat_map(|row| values.iter().map(move |value| format!("{row}{value}, ")))
            .collect();
    }
    rows.iter().map(|row| format!("({})", row.trim_end())).collect()
}

fn referred(reference: &TypeReference, source: &str) -> Vec<String> {
    match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") => {
            vec!["\"\"".to_owned(), "\"xyzzy\"".to_owned()]
        }
        Type::Slice(_) => vec!["Vec::leak(Vec::new())".to_owned()],
        inner => mapped(inner, source, |value| format!("Box::leak(Box::new({value}))")),
    }
}

fn named(path: &TypePath, source: &str) -> Vec<String> {
    let Some(last) = path.path.segments.last() else { return default() };
    let inner = match &last.arguments {
        PathArguments::AngleBracketed(list) => {
            list.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(kind) => Some(kind),
                _ => None,
            })
        }
        _ => None,
    };
    let list = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    match (last.ident.to_string().as_str(), inner) {
        ("bool", _) => list(&["true", "false"]),
        ("u8" | "u16" | "u32" | "u64" | "u128" | "usize", _) => list(&["0", "1"]),
        ("i8" | "i16" | "i32" | "i64" | "i128" | "isize", _) => list(&["0", "1", "-1"]),
        ("f32" | "f64", _) => list(&["0.0", "1.0", "-1.0"]),
        ("String", _) => list(&["String::new()", "\"xyzzy\".into()"]),
        ("Vec", Some(inner)) => {
            let one = mapped(inner, source, |value| format!("vec![{value}]"));
            [list(&["vec![]"]), one].concat()
        }
        ("Option", Some(inner)) => {
            let some = mapped(inner, source, |value| format!("Some({value})"));
            [list(&["None"]), some].concat()
        }
        ("Result", Some(inner)) => mapped(inner, source, |value| format!("Ok({value})")),
        ("Result" | "Outcome", None) => list(&["Ok(Default::default())"]),
        ("Box", Some(inner)) => mapped(inner, source, |value| format!("Box::new({value})")),
        _ => default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        let result: ReturnType = syn::parse_str(text).expect("a return type");
        for_return(&result, text)
    }

    #[test]
    fn every_kind_of_type_has_its_values() {
        assert_eq!(values(""), ["()"]);
        assert_eq!(values("-> bool"), ["true", "false"]);
        assert_eq!(values("-> i32"), ["0", "1", "-1"]);
        assert_eq!(values("-> [f64; 3]"), ["[0.0; 3]", "[1.0; 3]", "[-1.0; 3]"]);
        let lists = "std::array::from_fn::<_, { 2 }, _>(|_| vec![])";
        assert_eq!(values("-> [Vec<bool>; 2]")[0], lists);
        assert_eq!(values("-> Option<bool>"), ["None", "Some(true)", "Some(false)"]);
        assert_eq!(values("-> Result<(), E>"), ["Ok(())"]);
        assert_eq!(values("-> (bool, Box<u8>)").len(), 4);
        assert_eq!(values("-> (bool, Box<u8>)")[0], "(true, Box::new(0),)");
        assert_eq!(values("-> &str"), ["\"\"", "\"xyzzy\""]);
        assert_eq!(values("-> Point"), ["Default::default()"]);
        assert!(values("-> !").is_empty());
    }
}
