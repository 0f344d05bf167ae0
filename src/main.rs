//! The `convo-site` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    convo_site::cli::run(std::env::args_os())
}
