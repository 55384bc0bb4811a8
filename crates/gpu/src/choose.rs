//! The order in which the adapters found are tried.

use crate::adapter::AdapterFacts;
use crate::error::Refused;
use crate::need::Request;

/// The indices of suitable adapters, best first, and what the others miss. Equal ones stay in the
/// driver's order.
pub(crate) fn ranked(seen: &[AdapterFacts], request: &Request) -> (Vec<usize>, Vec<Refused>) {
    let (mut fitting, mut refused) = (Vec::new(), Vec::new());
    for (place, adapter) in seen.iter().enumerate() {
        let mut lacks = adapter.lacks(request.preference, &request.need);
        if let Some(part) = &request.name
            && !adapter.name.to_lowercase().contains(&part.to_lowercase())
        {
            lacks.push(format!("its name does not hold `{part}`"));
        }
        if lacks.is_empty() {
            fitting.push(place);
        } else {
            refused.push(Refused { adapter: adapter.clone(), lacks });
        }
    }
    fitting.sort_by_key(|&place| seen[place].rank());
    (fitting, refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::AdapterKind;
    use crate::error::OpenError;
    use crate::need::{Need, Preference};
    use wgpu::{Backend, Features, Limits, TextureFormat};

    fn adapter(name: &str, kind: AdapterKind, backend: Backend) -> AdapterFacts {
        AdapterFacts {
            name: name.to_owned(),
            driver: "made up 1".to_owned(),
            backend,
            kind,
            features: Features::empty(),
            limits: Limits::default(),
            complete: true,
            depth_stencil: vec![TextureFormat::Depth24PlusStencil8],
        }
    }

    fn four() -> [AdapterFacts; 4] {
        [
            adapter("soft", AdapterKind::Software, Backend::Vulkan),
            adapter("old", AdapterKind::Discrete, Backend::Gl),
            adapter("small", AdapterKind::Integrated, Backend::Vulkan),
            adapter("big", AdapterKind::Discrete, Backend::Vulkan),
        ]
    }

    fn names(request: &Request) -> Vec<String> {
        let seen = four();
        let (fitting, _) = ranked(&seen, request);
        fitting.into_iter().map(|place| seen[place].name.clone()).collect()
    }

    #[test]
    fn the_best_comes_first_and_the_preference_is_kept() {
        let request = |preference| Request { preference, ..Request::default() };
        assert_eq!(names(&request(Preference::Any)), ["big", "old", "small", "soft"]);
        assert_eq!(names(&request(Preference::Hardware)), ["big", "old", "small"]);
        assert_eq!(names(&request(Preference::Software)), ["soft"]);
        let named = Request { name: Some("SMALL".to_owned()), ..Request::default() };
        assert_eq!(names(&named), ["small"]);
    }

    #[test]
    fn everything_that_is_lacking_is_said() {
        let mut poor = adapter("poor", AdapterKind::Software, Backend::Vulkan);
        poor.complete = false;
        poor.depth_stencil.clear();
        let limits = Limits { max_texture_dimension_2d: 1 << 15, ..Limits::default() };
        let need = Need { features: Features::SHADER_F64, limits, ..Need::image() };
        let request = Request { preference: Preference::Hardware, need, ..Request::default() };
        let (fitting, refused) = ranked(&[poor], &request);
        assert!(fitting.is_empty());
        let said = OpenError::NoneFits { seen: refused }.to_string();
        for part in [
            "poor (Software, vulkan, driver made up 1)",
            "hardware was asked for",
            "lacks parts of the WebGPU standard",
            "it has no SHADER_F64",
            "max_texture_dimension_2d is 8192, 32768 needed",
            "no format with depth and stencil",
        ] {
            assert!(said.contains(part), "{part} in\n{said}");
        }
    }

    #[test]
    fn a_format_that_may_not_be_used_is_not_there() {
        let has = [adapter("has one", AdapterKind::Discrete, Backend::Vulkan)];
        let fits = |formats: &[TextureFormat]| {
            let need = Need { formats: formats.to_vec(), ..Need::image() };
            !ranked(&has, &Request { need, ..Request::default() }).0.is_empty()
        };
        assert!(fits(&[TextureFormat::Depth24PlusStencil8]));
        assert!(!fits(&[TextureFormat::Depth32FloatStencil8]) && !fits(&[]));
    }
}
