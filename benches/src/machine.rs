//! Properties of this machine, as far as the system reports them.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use impinge_records::host::Host;

/// The current machine, with compiler and commit as given by the caller.
pub fn host(rustc: Option<&str>, commit: Option<&str>) -> Host {
    let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let memory_info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let clock = SystemTime::now().duration_since(UNIX_EPOCH);
    Host {
        started_unix_s: clock.map_or(0, |since| since.as_secs()),
        cpu: value_of(&cpu_info, "model name").unwrap_or("unknown").to_owned(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        extensions: extensions(),
        memory_bytes: memory_bytes(&memory_info),
        load: load.split_whitespace().next().and_then(|first| first.parse().ok()),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        rustc: rustc.map(str::to_owned),
        commit: commit.map(str::to_owned),
        debug: cfg!(debug_assertions),
    }
}

/// The value of the first line of the form `key : value`.
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
        let here = host(Some("rustc"), None);
        assert!(here.cores > 0 && here.rustc.is_some() && here.commit.is_none());
    }
}
