//! The `convo-site` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    convo_site::cli::run(std::env::args_os())
}

/// Builds allocate and free many small strings on every core, which the allocators of most systems do
/// slowly.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
