//! `convo-site serve`: previews a site and rebuilds it on changes.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use super::args::{MessageFormat, ServeArgs, with_fallback_key};
use super::report;
use super::unconfigured::Subject;
use super::{Failure, Outcome, stores};
use crate::diag::Diagnostic;
use crate::diag::emit::visible;
use crate::files::Memory;
use crate::pipeline::Choices;
use crate::serve::{self, Event, Watching};
use crate::sources::Release;
use crate::text::plural;

/// The maximum number of ports to try.
const MAX_PORTS: u16 = 100;
/// The maximum number of changed files to name.
const MAX_NAMES: usize = 3;

pub(super) fn run(args: &ServeArgs) -> Result<Outcome, Failure> {
    // A site that breaks later will be fixed while it is edited.
    let subject = stores::subject(args)?;
    let cache = subject.cache(&args.cache)?;
    subject.files(None)?;
    let listener = listen(args.bind, args.port)?;
    let address = listener.local_addr().map_err(|error| cannot_listen(args, &error))?;
    if args.port != 0 && address.port() != args.port {
        report::summary(&format!("port {} is in use", args.port));
    }
    if !args.bind.is_loopback() {
        report::summary(match args.published {
            true => "everyone who can reach this computer can read the site",
            false => {
                "everyone who can reach this computer can read the site and its drafts; \
                 hide drafts with `--published`"
            }
        });
    }
    let url = format!("http://{}/", reachable(address));
    let shows_all = !args.published;
    let release = Release {
        // The owner looks at what there is, before anything is published.
        private: args.include_private || !subject.is_site() && shows_all && args.bind.is_loopback(),
        drafts: shows_all,
        future: shows_all,
        expired: shows_all,
        today: None,
    };
    let watching = if args.poll { Watching::Polling } else { Watching::Native };
    let first = std::sync::Once::new();
    let choices = Choices { release, ..Choices::default() };
    let choices = with_fallback_key(args.gate.choose(&args.address, choices)?)?;
    let open = || subject.files(None).unwrap_or_else(|_| Arc::new(Memory::default()));
    let site = serve::Site {
        folder: subject.folder(),
        open: &open,
        watched: subject.watched(),
        is_editable: subject.is_site() && args.bind.is_loopback() && !args.read_only,
    };
    serve::run(&site, &cache, listener, choices, watching, &|news| {
        report_event(&news, &subject);
        first.call_once(|| {
            if !subject.is_site() {
                report::summary(&subject.next_steps());
            }
            if site.is_editable {
                let host = url.trim_end_matches('/');
                report::summary(&format!("choose what is published at {host}{}", serve::TABLE));
            }
            report::summary(&format!("the site is at {url} (press Ctrl-C to stop)"));
            if args.open && open::that_detached(&url).is_err() {
                report::summary("cannot open a browser");
            }
        });
    })?;
    Ok(Outcome::Fine)
}

fn listen(bind: IpAddr, port: u16) -> Result<TcpListener, Failure> {
    let last = port.saturating_add(MAX_PORTS);
    let mut port = port;
    loop {
        match TcpListener::bind((bind, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && port < last => {
                port += 1;
            }
            Err(error) => {
                return Err(Failure::Usage(format!("cannot listen on {bind}:{port}: {error}")));
            }
        }
    }
}

fn cannot_listen(args: &ServeArgs, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot listen on {}:{}: {error}", args.bind, args.port))
}

/// Returns an address that a browser on this computer can open.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        let local = if address.is_ipv4() {
            [127, 0, 0, 1].into()
        } else {
            IpAddr::V6(std::net::Ipv6Addr::LOCALHOST)
        };
        address.set_ip(local);
    }
    address
}

fn report_event(news: &Event<'_>, subject: &Subject) {
    match news {
        Event::Polling(why) => {
            report::summary(&format!("checking for changes every second: {why}"));
        }
        Event::Built { is_new, news, notes, changed, differ, seconds } => {
            let reported = |notes: &[Diagnostic]| -> Vec<Diagnostic> {
                notes.iter().filter(|note| subject.reports(note)).cloned().collect()
            };
            report::notes(&reported(news), MessageFormat::Human);
            let mut line = name_list(changed);
            let milliseconds = seconds * 1000.0;
            line.push_str(&if *is_new {
                let (one, many) = match changed.is_empty() {
                    true => ("file", "files"),
                    false => ("file differs", "files differ"),
                };
                let files = plural(*differ as u64, one, many);
                format!("{files}, {milliseconds:.0} ms")
            } else {
                "the preview was not updated".to_owned()
            });
            if let Some(notes) = notes {
                let counts = report::counts(&reported(notes));
                line.push_str("; ");
                line.push_str(if counts.is_empty() { "no warnings" } else { &counts });
            }
            report::summary(&line);
        }
    }
}

/// Returns the first few names and the number of others.
fn name_list(changed: &[String]) -> String {
    let shown: Vec<_> = changed.iter().take(MAX_NAMES).map(|name| visible(name)).collect();
    let mut names = shown.join(", ");
    if changed.len() > MAX_NAMES {
        names.push_str(&format!(" and {} more", changed.len() - MAX_NAMES));
    }
    if !names.is_empty() {
        names.push_str(": ");
    }
    names
}
