//! Every WGSL struct has the offsets of its Rust record, taken from the shader compiler's types.

use impinge_shaders::{LAYOUTS, Layout, SHADERS};
use naga::{Module, TypeInner};

use crate::support::{assembled, compile};

/// Differences between a WGSL struct and its record; `None` if the module has no struct of that
/// name.
fn differences(module: &Module, layout: &Layout) -> Option<Vec<String>> {
    let (_, kind) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(layout.name))?;
    let TypeInner::Struct { members, span } = &kind.inner else { return None };
    let mut found = Vec::new();
    if *span as usize != layout.size {
        found.push(format!("{}: {span} bytes, in Rust {}", layout.name, layout.size));
    }
    if members.len() != layout.fields.len() {
        found.push(format!("{}: {} members", layout.name, members.len()));
    }
    for (member, field) in members.iter().zip(layout.fields) {
        let name = member.name.as_deref().unwrap_or_default();
        let size = module.types[member.ty].inner.size(module.to_ctx()) as usize;
        if (name, member.offset as usize, size) != (field.name, field.offset, field.size) {
            found.push(format!("{}.{name}: at {}, {size} bytes", layout.name, member.offset));
        }
    }
    Some(found)
}

/// All differences over all shaders, and the number of compared structs.
fn compare(change: impl Fn(&str) -> String) -> (Vec<String>, usize) {
    let (mut found, mut compared) = (Vec::new(), 0);
    for shader in SHADERS {
        let text = change(assembled(shader).text());
        let module = compile(&text).unwrap_or_else(|e| panic!("{}: {e}", shader.name)).module;
        for layout in LAYOUTS {
            if let Some(differences) = differences(&module, layout) {
                compared += 1;
                found.extend(differences);
            }
        }
    }
    (found, compared)
}

#[test]
fn every_struct_has_the_offsets_of_its_record() {
    let (found, compared) = compare(str::to_owned);
    assert!(found.is_empty(), "{found:#?}");
    assert!(compared >= LAYOUTS.len(), "only {compared} structs were compared");
}

#[test]
fn every_struct_has_a_record() {
    for shader in SHADERS {
        let module = compile(assembled(shader).text()).expect("valid").module;
        for (_, kind) in module.types.iter() {
            let name = kind.name.as_deref().unwrap_or_default();
            let TypeInner::Struct { members, .. } = &kind.inner else { continue };
            // What goes from stage to stage is in no buffer.
            let between_stages = members.iter().all(|member| member.binding.is_some());
            let known = LAYOUTS.iter().any(|layout| layout.name == name);
            assert!(known || between_stages, "{name}");
        }
    }
}

#[test]
fn swapped_moved_and_resized_fields_are_found() {
    let changes = [
        ("    begin: u32,\n    length: u32,\n", "    length: u32,\n    begin: u32,\n"),
        ("    begin: u32,\n", "    extra: f32,\n    begin: u32,\n"),
        ("row_z: vec4<f32>", "row_z: mat2x4<f32>"),
        ("    strips: u32,\n", ""),
        ("    second: Placed,\n", ""),
    ];
    // Only the structs: with other field names the module's code would not compile.
    let text = include_str!("../../wgsl/image/pair.wgsl");
    for (from, to) in changes {
        let broken = text.replace(from, to);
        assert_ne!(broken, text, "{from}");
        let module = compile(&broken).expect("valid records").module;
        let found: Vec<String> =
            LAYOUTS.iter().filter_map(|layout| differences(&module, layout)).flatten().collect();
        assert!(!found.is_empty(), "{from} -> {to} was not noticed");
    }
}

#[test]
fn flags_have_the_same_values_in_both_languages() {
    use impinge_shaders::image::{CLASSIFY, word};
    use impinge_shaders::stream;
    let wanted = [
        (&CLASSIFY, "CLASSIFIED", word::CLASSIFIED),
        (&CLASSIFY, "OVERLAP", word::OVERLAP),
        (&CLASSIFY, "BEHIND", word::BEHIND),
        (&CLASSIFY, "OVERLAP_VALUE", u32::from(word::OVERLAP_VALUE)),
        (&CLASSIFY, "BEHIND_VALUE", u32::from(word::BEHIND_VALUE)),
        (&stream::FACES, "SAMPLED", stream::SAMPLED),
        (&stream::FACES, "OPEN", stream::OPEN),
        (&stream::FACES, "FOUND", stream::FOUND as u32),
        (&stream::FACES, "BLOCK", stream::BLOCK),
        (&stream::SHRINK, "LEAF", stream::LEAF),
        (&stream::SHRINK, "CANDIDATES", stream::CANDIDATES as u32),
        (&stream::SHRINK, "LEVELS", stream::LEVELS as u32),
        (&stream::MARK, "EDGES", stream::EDGES),
        (&stream::DRAW, "TARGETS", stream::TARGETS),
        (&stream::DRAW_BOXES, "PAIRS", stream::PAIRS_LISTED),
        (&stream::BELOW, "LEAF", stream::LEAF),
        (&stream::GATHER, "OPEN", stream::OPEN),
        (&stream::GATHER, "UNDRAWN", stream::UNDRAWN as u32),
    ];
    for (shader, name, value) in wanted {
        let module = compile(assembled(shader).text()).expect("valid").module;
        let constant = module.constants.iter().find(|(_, c)| c.name.as_deref() == Some(name));
        let (_, constant) = constant.unwrap_or_else(|| panic!("{name} is not there"));
        let got = match module.global_expressions[constant.init] {
            naga::Expression::Literal(naga::Literal::U32(number)) => number,
            ref other => panic!("{name}: {other:?}"),
        };
        assert_eq!(got, value, "{name}");
    }
}
