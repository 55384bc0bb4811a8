//! What machine this is, as far as the system tells.

use std::fs;

/// Facts about this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Model of the processor; `"unknown"` if the system does not tell.
    pub cpu: String,
    /// Logical processors this process may use.
    pub cores: usize,
    /// Vector extensions that a method may use.
    pub extensions: Vec<String>,
    /// Main memory in bytes; 0 if unknown.
    pub memory_bytes: u64,
    /// Operating system and architecture.
    pub system: String,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let memory_info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Self {
            cpu: value_of(&cpu_info, "model name").unwrap_or("unknown").to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            extensions: extensions(),
            memory_bytes: memory_bytes(&memory_info),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// The value of the first line `key : value`.
fn value_of<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    })
}

fn memory_bytes(memory_info: &str) -> u64 {
    value_of(memory_info, "MemTotal")
        .and_then(|value| value.trim_end_matches("kB").trim().parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes * 1024)
}

#[cfg(target_arch = "x86_64")]
fn extensions() -> Vec<String> {
    let list = [
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("fma", std::arch::is_x86_feature_detected!("fma")),
        ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
    ];
    list.iter().filter(|(_, there)| *there).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn extensions() -> Vec<String> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_files_are_understood() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n";
        assert_eq!(value_of(text, "model name"), Some("Some CPU @ 2 GHz"));
        assert_eq!(value_of("", "model name"), None);
        assert_eq!(memory_bytes("MemTotal:       16 kB\n"), 16 * 1024);
        assert_eq!(memory_bytes("nonsense"), 0);
        assert!(Machine::here().cores > 0);
    }
}
