//! Step 6: every placed mesh as a part of its own, with a name and a pose.

use std::borrow::Cow;
use std::collections::HashMap;

use impinge_geometry::{Mesh, MeshError};

use super::cut::{Cut, Cuts};
use super::fault;
use super::nodes::{Affine, Forest, Placed};
use super::rigid::Rests;
use super::schema::{MOST, Named, Names};
use crate::files::ReadOptions;
use crate::files::assemble::Assembly;
use crate::files::error::Fault;
use crate::files::parts::{Part, Parts};

/// Longest name of a part; a longer one is cut, since any number of nodes may take that of one
/// mesh. Unit: bytes.
const LONGEST_NAME: usize = 256;

/// The parts with their notes, `notes` first.
pub(super) fn collect(
    cuts: &Cuts,
    forest: &Forest<'_>,
    names: &Names<'_>,
    options: &ReadOptions,
    mut notes: Vec<String>,
) -> Result<Parts, Fault> {
    let (count, empty) = count(cuts, forest)?;
    if count == 0 {
        return Err(MeshError::Empty.into());
    }
    let (mut parts, mut given) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut cut = 0;
    let mut rests = Rests::new(cuts.len());
    forest.each(|placed| {
        if !cuts.mesh(placed.mesh).is_empty() {
            let (mesh, pose) = rests.split(placed.mesh, placed.transform);
            let (name, whole) = name_of(&placed, names);
            cut += usize::from(!whole);
            given.push(name);
            parts.push(Part { name: String::new(), mesh, pose });
        }
        Ok(())
    })?;
    let (taken, numbered) = unique(&given);
    drop(given);
    for (part, name) in parts.iter_mut().zip(taken) {
        part.name = name;
    }
    notes.extend(cuts.note());
    if empty > 0 {
        notes.push(format!("{empty} placed meshes without triangles left out"));
    }
    if cut > 0 {
        notes.push(format!("{cut} names longer than {LONGEST_NAME} bytes cut"));
    }
    if numbered > 0 {
        notes.push(format!("{numbered} names that stood before got a number, such as \"(2)\""));
    }
    let baked = rests.into_baked();
    let meshes = baked.iter().map(|baked| bake(cuts.mesh(baked.mesh), &baked.rest, options));
    Ok(Parts { meshes: meshes.collect::<Result<_, _>>()?, parts, notes })
}

/// The number of parts, and of placed meshes without triangles.
fn count(cuts: &Cuts, forest: &Forest<'_>) -> Result<(usize, usize), Fault> {
    let mut count = [0; 2];
    forest.each(|placed| {
        count[usize::from(cuts.mesh(placed.mesh).is_empty())] += 1;
        // Nodes are as many at most, but meshes of a file without nodes may be more.
        if count[0] > MOST {
            return Err(fault("meshes", placed.mesh as usize, format!("more than {MOST} parts")));
        }
        Ok(())
    })?;
    let [full, empty] = count;
    Ok((full, empty))
}

/// The mesh of a cut, its vertices moved by `rest`.
fn bake(cut: &Cut, rest: &Affine, options: &ReadOptions) -> Result<Mesh, Fault> {
    let mut assembly = Assembly::new(options);
    let [vertices, triangles] = cut.size();
    assembly.reserve(vertices, triangles);
    cut.place(rest, &mut assembly)?;
    assembly.finish().map(|(mesh, _)| mesh)
}

/// The name of the node, or else of its mesh, or else its number; and whether it is whole.
fn name_of<'n>(placed: &Placed<'_>, names: &'n Names<'_>) -> (Cow<'n, str>, bool) {
    let given = |list: &'n [Named<'_>], index: u32| {
        let name = &*list.get(index as usize)?.name.as_ref()?.0;
        (!name.trim().is_empty()).then_some(name)
    };
    let node = placed.node.and_then(|node| given(&names.nodes, node));
    if let Some(name) = node.or_else(|| given(&names.meshes, placed.mesh)) {
        let ends = (0..=name.len().min(LONGEST_NAME)).rev();
        let end = ends.into_iter().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
        return (Cow::Borrowed(&name[..end]), end == name.len());
    }
    let number = match placed.node {
        Some(node) => format!("node {node}"),
        None => format!("mesh {}", placed.mesh),
    };
    (Cow::Owned(number), true)
}

/// The names in the same order, each once: where one stands again, it gets a number that makes it
/// another than all others. Also how many did.
fn unique(names: &[Cow<'_, str>]) -> (Vec<String>, usize) {
    // Per name, the next number. A numbered name ends with its number, so no two are equal.
    let mut next: HashMap<&str, u32> = HashMap::with_capacity(names.len());
    for name in names {
        next.insert(name, 1);
    }
    let mut numbered = 0;
    let mut taken = Vec::with_capacity(names.len());
    for name in names {
        let mut number = next[&**name];
        let mut own = name.clone().into_owned();
        while number > 1 && next.contains_key(&*own) {
            own = [&**name, " (", &number.to_string(), ")"].concat();
            number += 1;
        }
        numbered += usize::from(number > 1);
        next.insert(name, number.max(2));
        taken.push(own);
    }
    (taken, numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_unique_and_others_stay() {
        let names = ["a", "a", "a (2)", "b", "a", "a (2)", "a (2) (2)"].map(Cow::Borrowed);
        let (found, numbered) = unique(&names);
        assert_eq!(found, ["a", "a (3)", "a (2)", "b", "a (4)", "a (2) (3)", "a (2) (2)"]);
        assert_eq!(numbered, 3);
    }

    #[test]
    fn many_equal_names_take_linear_time() {
        let mut names = vec![Cow::Borrowed("a"); 100_000];
        names.extend((2..100_000).map(|i| Cow::Owned(format!("a ({i})"))));
        let (mut found, numbered) = unique(&names);
        assert_eq!(numbered, 99_999);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), names.len());
    }
}
