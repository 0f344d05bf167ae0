//! Says what is kept when Ctrl-C stops a command.

use std::io::IsTerminal;

use super::args::Command;
use super::report;

/// The exit code of a command that Ctrl-C stopped, as in shells: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// Returns what is kept when a command is stopped. `None` for commands that keep nothing, or that run until they
/// are stopped.
fn kept(command: &Command) -> Option<&'static str> {
    Some(match command {
        Command::Build { .. } => {
            "files that were already written are kept; the next build writes the rest"
        }
        Command::Read(_) => "nothing was added to the cache; run the command again",
        Command::Deploy(_) => {
            "files that were already uploaded are kept; the next deploy uploads the rest"
        }
        Command::SearchIndex(_) => {
            "documents that were already sent are kept; the next update sends the rest"
        }
        Command::Import(_) => {
            "conversations that were already imported are kept; run the command again for the rest"
        }
        Command::Check(_) => "nothing was written",
        _ => return None,
    })
}

/// Reports what is kept when Ctrl-C stops this command, and exits.
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "the other threads are in the middle of their work, and Ctrl-C means to stop it"
)]
pub(super) fn explain(command: &Command) {
    let Some(kept) = kept(command) else { return };
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            // The terminal shows `^C`, and maybe a progress bar, in the current line.
            let gap = if std::io::stderr().is_terminal() { "\n" } else { "" };
            report::always(&format!("{gap}interrupted: {kept}"));
            std::process::exit(INTERRUPTED);
        }
    });
}
