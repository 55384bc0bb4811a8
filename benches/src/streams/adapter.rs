//! The adapter, and the rate that a kernel of fused multiply-adds reaches on it.

use impinge::stream::Device;
use impinge_records::streams::StreamAdapter;

/// Opens the adapter and measures its rate.
///
/// # Errors
/// If there is none, it fails, or it computes wrong numbers.
#[cfg(not(feature = "gpu"))]
pub fn look(_: Device) -> Result<StreamAdapter, String> {
    Err("this program was built without its feature `gpu`".to_owned())
}

#[cfg(feature = "gpu")]
pub use on::look;

#[cfg(feature = "gpu")]
mod on {
    use std::time::{Duration, Instant};

    use impinge_gpu::wgpu::BufferUsages;
    use impinge_gpu::{Gpu, GpuError, Kernel, Need, Preference, Request};
    use impinge_shaders::peak::{self, PeakJob};
    use impinge_shaders::stream;

    use super::{Device, StreamAdapter};

    /// Workgroups on hardware, and in software. More than an adapter runs at once, so that none of
    /// it waits.
    const GROUPS: [u32; 2] = [1 << 14, 1 << 6];
    /// A dispatch that takes this long is long against the time to submit it.
    const ENOUGH: Duration = Duration::from_millis(50);
    /// Dispatches that are timed; the shortest counts.
    const TRIES: usize = 5;

    /// Opens the adapter and measures its rate.
    ///
    /// # Errors
    /// If there is none, it fails, or it computes wrong numbers.
    pub fn look(device: Device) -> Result<StreamAdapter, String> {
        let preference = match device {
            Device::Adapter => Preference::Any,
            Device::SoftwareAdapter => Preference::Software,
        };
        let need = Need::default();
        let request = Request { preference, need, ..Request::default().with_environment() };
        let gpu = Gpu::shared(&request).map_err(|why| why.to_string())?;
        let hardware = !gpu.facts().is_software();
        let peak_per_s = rate(&gpu, GROUPS[usize::from(!hardware)])?;
        let name = gpu.facts().name.clone();
        let [in_floating_point, others] = stream::OPERATIONS_AT_LEAST;
        let operations = in_floating_point + others;
        Ok(StreamAdapter { name, hardware, peak_per_s, operations, in_floating_point })
    }

    /// Operations a second, with as many rounds as take long enough.
    fn rate(gpu: &Gpu, groups: u32) -> Result<f64, String> {
        let failed = |why: GpuError| format!("the peak rate of the adapter: {why}");
        let kernel = gpu.kernel(&peak::SHADER, peak::MULTIPLY_ADD).map_err(failed)?;
        let mut rounds = 16;
        while rounds < peak::ROUNDS && dispatch(gpu, &kernel, groups, rounds)? < ENOUGH {
            rounds *= 2;
        }
        let mut least = Duration::MAX;
        for _ in 0..TRIES {
            least = least.min(dispatch(gpu, &kernel, groups, rounds)?);
        }
        let each = f64::from(rounds) * f64::from(peak::OPERATIONS);
        Ok(f64::from(groups * peak::GROUP) * each / least.as_secs_f64())
    }

    /// Runs the kernel once and checks the last workgroup's numbers; returns the time.
    fn dispatch(gpu: &Gpu, kernel: &Kernel, groups: u32, rounds: u32) -> Result<Duration, String> {
        let (ran, took, ends) = submit(gpu, kernel, groups, rounds)
            .map_err(|why| format!("the peak rate of the adapter: {why}"))?;
        let last = ends.chunks(peak::GROUP as usize).next_back().unwrap_or_default();
        let right = (0..).zip(last).all(|(local, end)| peak::end(local, rounds) == *end);
        if !right || last.is_empty() {
            return Err("the adapter adds wrong numbers".to_owned());
        }
        Ok(ran.unwrap_or(took))
    }

    /// The time on the device if it tells it, the time of the submission, and all numbers.
    fn submit(
        gpu: &Gpu,
        kernel: &Kernel,
        groups: u32,
        rounds: u32,
    ) -> Result<(Option<Duration>, Duration, Vec<f32>), GpuError> {
        let what = "peak";
        let job =
            gpu.upload(what, BufferUsages::UNIFORM, bytemuck::bytes_of(&PeakJob::of(rounds)))?;
        let bytes = 4 * u64::from(groups * peak::GROUP);
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let ends = gpu.buffer(what, usage, bytes)?;
        let mut submission = gpu.submission(what)?;
        let resources = [job.as_entire_binding(), ends.as_entire_binding()];
        submission.dispatch(kernel, &resources, [groups, 1, 1])?;
        let slot = submission.read_buffer(&ends, bytes);
        let start = Instant::now();
        let ran = submission.run()?;
        let took = start.elapsed();
        let numbers = ran.words(slot).into_iter().map(f32::from_bits).collect();
        Ok((ran.time, took, numbers))
    }
}
