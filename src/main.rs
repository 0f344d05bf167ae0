//! The `convo-site` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    convo_site::cli::run(std::env::args_os())
}

/// Building makes and drops many small strings on every core, which the system's allocators
/// do slowly.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
