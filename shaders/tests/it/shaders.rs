//! Every shader is portable WGSL, has its declared entry points, and translates to the languages of
//! all drivers: SPIR-V, MSL, HLSL and GLSL.

use std::path::Path;

use impinge_shaders::{SHADERS, Shader, Stage, shader};
use naga::back;
use naga::proc::BoundsCheckPolicies;

use crate::support::{Compiled, assembled, compile, stage};

fn compiled(shader: &Shader) -> Compiled {
    compile(assembled(shader).text()).unwrap_or_else(|error| panic!("{}: {error}", shader.name))
}

#[test]
fn every_shader_is_valid_and_has_the_entry_points_it_says() {
    for shader in SHADERS {
        let module = compiled(shader).module;
        let names: Vec<&str> = module.entry_points.iter().map(|e| e.name.as_str()).collect();
        let said: Vec<&str> = shader.entries.iter().map(|e| e.name).collect();
        assert_eq!(names, said, "{}", shader.name);
        for (there, said) in module.entry_points.iter().zip(shader.entries) {
            assert_eq!(there.stage, stage(said.stage), "{}", said.name);
            if let Stage::Compute { group } = said.stage {
                assert_eq!(there.workgroup_size, group, "{}", said.name);
            }
        }
    }
}

#[test]
fn a_broken_shader_is_found() {
    let changes = [
        ("mark = token;", "mark = f32(token);"),
        ("groups[2] = 1u;", "groups[3] = 1u;"),
        ("numbers[i] = i;", "numbers[i] = f32(i);"),
        ("3u * vertex", "3.0 * vertex"),
        ("var first = NO_PIXEL;", "var first = 0.5;"),
        ("atomicAdd(&counts[pixel], 1u)", "atomicAdd(&counts, 1u)"),
        ("face = list[i];", "face = list;"),
        ("report(candidates[i].x, candidates[i].y);", "report(candidates[i]);"),
        ("go_below(pair.x, node.link);", "go_below(pair.x, node.centre);"),
        ("* blocks();", "* 0.5;"),
        ("atomicStore(&marks[place], 1u);", "marks[place] = 1.0;"),
        ("next[place] = link;", "next[place] = -1.0;"),
        ("height += 1u;", "height += 0.5;"),
        ("nodes_a[child_a];", "nodes_a[0.5];"),
        ("a > atomicMin(&least[index], a)", "a > least[index]"),
        ("discard;", "discarded;"),
        ("node + FIRST", "node + 2.0"),
        ("word - FIRST", "word - 2.0"),
        ("atomicStore(&marks[job.face_begin", "atomicStore(&marks[0.5 * job.face_begin"),
        ("nodes[node].link", "nodes[node].centre"),
        ("var b = a + 4.0;", "var b = local;"),
    ];
    assert_eq!(changes.len(), SHADERS.len());
    for (shader, (from, to)) in SHADERS.iter().zip(changes) {
        let text = assembled(shader).text().to_owned();
        let broken = text.replace(from, to);
        assert_ne!(broken, text, "{}", shader.name);
        assert!(compile(&broken).is_err(), "{}", shader.name);
    }
}

#[test]
fn every_file_is_used_by_a_shader() {
    let used: Vec<&str> =
        SHADERS.iter().flat_map(|shader| assembled(shader).files().to_vec()).collect();
    let listed: Vec<&str> = shader::files().map(|(path, _)| path).collect();
    let mut on_disk = Vec::new();
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("wgsl");
    let mut open = vec![top.clone()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of this crate") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let inner = path.strip_prefix(&top).expect("inside").to_string_lossy();
                on_disk.push(inner.replace('\\', "/"));
            }
        }
    }
    assert!(on_disk.len() > SHADERS.len(), "{on_disk:?}");
    for path in &on_disk {
        assert!(listed.contains(&path.as_str()), "{path} is on disk and not in the table");
        assert!(used.contains(&path.as_str()), "{path} is used by no shader");
    }
    assert_eq!(listed.len(), on_disk.len());
}

#[test]
fn every_shader_translates_to_spir_v() {
    for shader in SHADERS {
        let Compiled { module, info } = compiled(shader);
        let words = back::spv::write_vec(&module, &info, &back::spv::Options::default(), None);
        let words = words.unwrap_or_else(|error| panic!("{}: {error}", shader.name));
        assert_eq!(words.first(), Some(&0x0723_0203), "{}: the magic number", shader.name);
    }
}

#[test]
fn every_entry_point_translates_to_msl() {
    let (lang_version, fake_missing_bindings) = ((2, 1), true);
    let options = back::msl::Options { lang_version, fake_missing_bindings, ..Default::default() };
    for shader in SHADERS {
        let Compiled { module, info } = compiled(shader);
        for entry in shader.entries {
            let pipeline = back::msl::PipelineOptions {
                entry_point: Some((stage(entry.stage), entry.name.to_owned())),
                ..Default::default()
            };
            let text = back::msl::write_string(&module, &info, &options, &pipeline);
            let (text, _) = text.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert!(text.contains(entry.name), "{}", entry.name);
        }
    }
}

#[test]
fn every_entry_point_translates_to_hlsl() {
    let options = back::hlsl::Options::default();
    for shader in SHADERS {
        let Compiled { module, info } = compiled(shader);
        for entry in shader.entries {
            let pipeline = back::hlsl::PipelineOptions {
                entry_point: Some((stage(entry.stage), entry.name.to_owned())),
            };
            let mut text = String::new();
            let mut writer = back::hlsl::Writer::new(&mut text, &options, &pipeline);
            let written = writer.write(&module, &info, None);
            written.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert!(text.contains(entry.name), "{}", entry.name);
        }
    }
}

#[test]
fn every_entry_point_translates_to_glsl() {
    use back::glsl::{Options, PipelineOptions, Version, Writer};
    for version in [Version::Desktop(430), Version::new_gles(310)] {
        let options = Options { version, ..Default::default() };
        for shader in SHADERS {
            let Compiled { module, info } = compiled(shader);
            for entry in shader.entries {
                let pipeline = PipelineOptions {
                    shader_stage: stage(entry.stage),
                    entry_point: entry.name.to_owned(),
                    multiview: None,
                };
                let mut text = String::new();
                let checks = BoundsCheckPolicies::default();
                let written = Writer::new(&mut text, &module, &info, &options, &pipeline, checks)
                    .and_then(|mut writer| writer.write());
                written.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
                assert!(text.contains("void main()"), "{}", entry.name);
            }
        }
    }
}
