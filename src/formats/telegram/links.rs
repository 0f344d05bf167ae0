//! Links to accounts and chats of Telegram.

use convo_base::json::Map;

/// What is shown in place of a URL that is the text of its link.
const LINK: &str = "(link to Telegram)";

/// Returns what is shown for a link to an account, or for an invitation to a chat, which are not published. Links to
/// messages stay: `t.me/channel/12`.
pub(super) fn hidden(text: &str, url: &str) -> Option<String> {
    let url = url.trim().to_ascii_lowercase();
    if !is_hidden(&url) {
        return None;
    }
    let is_address = text.split_whitespace().any(|word| is_hidden(&word.to_ascii_lowercase()));
    Some(if is_address { LINK.to_owned() } else { text.to_owned() })
}

/// Returns whether a URL in lower case names an account or is an invitation.
fn is_hidden(url: &str) -> bool {
    if url.starts_with("tg:") {
        return true;
    }
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    let (host, path) = place.split_once('/').unwrap_or((place, ""));
    let host = host.strip_prefix("www.").unwrap_or(host);
    let is_own = ["t.me", "telegram.me", "telegram.dog"].contains(&host);
    let is_account = host.ends_with(".t.me");
    let mut parts = path.split(['?', '#']).next().unwrap_or_default().split('/');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_message = !first.is_empty()
        && first != "c"
        && !second.is_empty()
        && second.bytes().all(|byte| byte.is_ascii_digit());
    is_account || is_own && !is_message
}

/// Returns the text of a link in JSON, if its URL is not published.
pub(super) fn hidden_part(part: &Map, text: &str) -> Option<String> {
    let href = part.get("href").and_then(convo_base::json::Value::as_str);
    hidden(text, href.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn accounts_and_invitations_are_hidden() {
        for url in [
            "https://t.me/ada", "t.me/+abc", "T.me/joinchat/abc", "https://ada.t.me",
            "https://t.me/c/1/2", "tg://resolve?domain=ada", "telegram.me/ada",
            "http://www.t.me/ada?start=1",
        ] {
            assert_eq!(hidden("him", url).as_deref(), Some("him"), "{url}");
            assert_eq!(hidden(url, url).as_deref(), Some("(link to Telegram)"), "{url}");
        }
        for url in ["https://t.me/mills/12", "https://example.org/t.me/ada", "https://at.me/a", "x"]
        {
            assert_eq!(hidden("it", url), None, "{url}");
        }
    }
}
