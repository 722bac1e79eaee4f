//! [`Job`]: a launched program and its descendants, with the limits of all together. The system ends them when the job is
//! closed, also when this program dies.

use crate::platform::exchange::ResourceUsage;
use crate::platform::process_limits::ProcessLimits;
use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::time::Duration;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS, JobObjectBasicAccountingInformation,
    JobObjectExtendedLimitInformation, QueryInformationJobObject, SetInformationJobObject,
    TerminateJobObject,
};

/// A program and its descendants.
pub(super) struct Job(OwnedHandle);

impl Job {
    /// A job with this much memory.
    pub(super) fn new(limits: &ProcessLimits) -> io::Result<Job> {
        // SAFETY: both arguments may be null.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was just made and belongs to nobody else.
        let job = Job(unsafe { OwnedHandle::from_raw_handle(handle) });
        let mut information = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        information.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
            | JOB_OBJECT_LIMIT_JOB_MEMORY;
        information.JobMemoryLimit = usize::try_from(limits.memory).unwrap_or(usize::MAX);
        let size = size_of_val(&information) as u32;
        // SAFETY: the handle is open, and the call reads the value whose size it is given.
        succeeded(unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const information).cast(),
                size,
            )
        })?;
        Ok(job)
    }

    /// Takes a program in, with every process that it starts from now on.
    pub(super) fn add(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        succeeded(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle()) })
    }

    /// Ends all of its processes.
    pub(super) fn end(&self) {
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
    }

    /// What its processes use; of memory, the most that they have had.
    pub(super) fn usage(&self) -> ResourceUsage {
        let mut times = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        let (times_size, limits_size) = (size_of_val(&times) as u32, size_of_val(&limits) as u32);
        self.ask(JobObjectBasicAccountingInformation, (&raw mut times).cast(), times_size);
        self.ask(JobObjectExtendedLimitInformation, (&raw mut limits).cast(), limits_size);
        let ticks = times.TotalUserTime.saturating_add(times.TotalKernelTime).max(0) as u64;
        ResourceUsage {
            memory: limits.PeakJobMemoryUsed as u64,
            cpu: Duration::from_nanos(ticks.saturating_mul(100)),
            tasks: u64::from(times.ActiveProcesses),
            deleted: 0,
        }
    }

    /// Fills a value; it stays zero if the system does not answer.
    fn ask(&self, class: JOBOBJECTINFOCLASS, into: *mut c_void, size: u32) {
        // SAFETY: the handle is open, and the caller gives a value of this class with its size.
        unsafe { QueryInformationJobObject(self.0.as_raw_handle(), class, into, size, std::ptr::null_mut()) };
    }
}

fn succeeded(answer: i32) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
