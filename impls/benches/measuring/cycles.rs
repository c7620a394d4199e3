//! The CPU's counter of cycles.

/// The CPU's counter of cycles in this thread, where the system grants one.
pub struct Cycles {
    #[cfg(target_os = "linux")]
    counter: Option<std::fs::File>,
}

impl Cycles {
    #[cfg(not(target_os = "linux"))]
    pub fn open() -> Cycles {
        Cycles {}
    }

    #[cfg(not(target_os = "linux"))]
    pub fn read(&mut self) -> Option<u64> {
        None
    }

    #[cfg(target_os = "linux")]
    pub fn open() -> Cycles {
        use std::os::fd::FromRawFd;

        /// `struct perf_event_attr` as of its first version (`PERF_ATTR_SIZE_VER0`), which every Linux takes.
        #[repr(C)]
        struct Attributes {
            kind: u32,
            size: u32,
            config: u64,
            sample_period: u64,
            sample_type: u64,
            read_format: u64,
            flags: u64,
            wakeup_events: u32,
            breakpoint_type: u32,
            config1: u64,
        }
        const _: () = assert!(size_of::<Attributes>() == 64);
        const HARDWARE: u32 = 0;
        const CPU_CYCLES: u64 = 0;
        const EXCLUDE_KERNEL: u64 = 1 << 5;
        const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
        const THIS_THREAD: libc::pid_t = 0;
        const ANY_CPU: libc::c_int = -1;
        const NO_GROUP: libc::c_int = -1;
        const NO_FLAGS: libc::c_ulong = 0;

        let attributes = Attributes {
            kind: HARDWARE,
            size: size_of::<Attributes>() as u32,
            config: CPU_CYCLES,
            sample_period: 0,
            sample_type: 0,
            read_format: 0,
            flags: EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
            wakeup_events: 0,
            breakpoint_type: 0,
            config1: 0,
        };
        // SAFETY: perf_event_open(2) reads as many bytes at `attributes` as its size says; the other arguments are numbers.
        let descriptor = unsafe {
            libc::syscall(libc::SYS_perf_event_open, &raw const attributes, THIS_THREAD, ANY_CPU, NO_GROUP, NO_FLAGS)
        };
        // A C `long`, of 32 or 64 bits.
        let descriptor = i32::try_from(i128::from(descriptor)).ok().filter(|descriptor| *descriptor >= 0);
        // SAFETY: the call above opened the descriptor, and nothing else knows it.
        Cycles { counter: descriptor.map(|descriptor| unsafe { std::fs::File::from_raw_fd(descriptor) }) }
    }

    /// Cycles so far.
    #[cfg(target_os = "linux")]
    pub fn read(&mut self) -> Option<u64> {
        use std::io::Read;

        let mut count = [0; 8];
        self.counter.as_mut()?.read_exact(&mut count).ok()?;
        Some(u64::from_ne_bytes(count))
    }
}
