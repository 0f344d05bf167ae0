//! Recognises nicks, services, hosts and targets in lines of a log.

/// Returns whether a word may be a nick.
pub(super) fn is_nick(word: &str) -> bool {
    let bare = without_mode(word);
    // Bouncers put a star before the names of their services.
    bare.contains(char::is_alphanumeric)
        && !bare.starts_with('*')
        && bare.chars().count() <= 40
        && !bare.contains(|c: char| c.is_whitespace() || "<>:,".contains(c))
}

/// Returns a nick without its mode prefix.
pub(super) fn without_mode(nick: &str) -> &str {
    nick.trim_start_matches(['@', '+', '%', '&', '~', '!'])
}

/// Services whose names do not end in `Serv`.
const SERVICES: [&str; 5] = ["q", "x", "x3", "cserve", "services"];

/// Returns whether a nick is a network service, which informs people about their accounts, a module
/// of ZNC, or a server. A host may follow the nick.
pub(super) fn is_service(nick: &str) -> bool {
    let nick = without_mode(nick.trim());
    let nick = nick.split(['(', '!', '@']).next().unwrap_or(nick);
    let lower = nick.to_ascii_lowercase();
    lower.ends_with("serv")
        || SERVICES.contains(&lower.as_str())
        || nick.starts_with('*')
        || nick.contains('.')
}

/// Returns whether a target is a whole channel. A status prefix, as in `@#mill`, addresses only the
/// operators of a channel.
pub(super) fn is_channel(target: &str) -> bool {
    let local = target.strip_prefix('&');
    target.starts_with('#') || local.is_some_and(|name| name.starts_with(char::is_alphanumeric))
}

/// Returns whether a text begins with a host in brackets: `(~ada@mill.example)`.
pub(super) fn begins_with_host(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    // `(@ada)` mentions somebody.
    word.starts_with(['(', '[', '<']) && word.find('@').is_some_and(|at| at > 1)
}

#[cfg(test)]
mod tests {
    use super::is_service;

    #[test]
    fn services_are_recognised_in_any_case() {
        for (nick, is) in [
            ("NickServ", true),
            ("nickserv", true),
            ("@ChanServ", true),
            ("NickServ(NickServ@services)", true),
            ("Q!TheQBot@CServe", true),
            ("Q@CServe", true),
            ("X", true),
            ("*controlpanel", true),
            ("irc.mill.example", true),
            ("ada", false),
            ("ada(~ada@mill.example)", false),
            ("serena", false),
        ] {
            assert_eq!(is_service(nick), is, "{nick}");
        }
    }
}
