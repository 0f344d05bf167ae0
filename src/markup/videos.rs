//! Links to videos that become players when a reader asks for it.

/// The hosts of the players. Pages with a player may show frames of its host.
pub const PLAYERS: [(&str, &str); 2] =
    [("youtube", "www.youtube-nocookie.com"), ("vimeo", "player.vimeo.com")];

/// The services whose videos can become players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Videos {
    /// YouTube.
    pub youtube: bool,
    /// Vimeo.
    pub vimeo: bool,
}

impl Videos {
    /// Returns the URL of the player for the URL of a video.
    pub(super) fn player(self, url: &str) -> Option<String> {
        let (_, rest) = url.split_once("://").filter(|(scheme, _)| {
            scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
        })?;
        let rest = rest.split('#').next()?;
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = place.split_once('/')?;
        let host = host.to_ascii_lowercase();
        let host = ["www.", "m.", "music."]
            .into_iter()
            .find_map(|start| host.strip_prefix(start))
            .unwrap_or(&host);
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let asked = |name: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        match host {
            "youtube.com" | "youtube-nocookie.com" if self.youtube => {
                let id = match parts[..] {
                    ["watch"] => asked("v")?,
                    ["shorts" | "live" | "embed" | "v", id] => id,
                    _ => return None,
                };
                youtube(id, asked("t").or_else(|| asked("start")))
            }
            "youtu.be" if self.youtube => match parts[..] {
                [id] => youtube(id, asked("t").or_else(|| asked("start"))),
                _ => None,
            },
            "vimeo.com" | "player.vimeo.com" if self.vimeo => {
                let parts = parts.strip_prefix(&["video"]).unwrap_or(&parts);
                match *parts {
                    [id] => vimeo(id, asked("h")),
                    [id, key] => vimeo(id, Some(key)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn youtube(id: &str, from: Option<&str>) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if id.len() != 11 || !id.chars().all(fits) {
        return None;
    }
    let start = from.and_then(seconds).filter(|seconds| *seconds > 0);
    let start = start.map_or(String::new(), |seconds| format!("&amp;start={seconds}"));
    Some(format!("https://{}/embed/{id}?autoplay=1{start}", PLAYERS[0].1))
}

fn vimeo(id: &str, key: Option<&str>) -> Option<String> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !(6..=12).contains(&id.len()) || !is_number(id) {
        return None;
    }
    let is_key = |key: &&str| {
        (1..=32).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let key = key.filter(is_key).map_or(String::new(), |key| format!("&amp;h={key}"));
    Some(format!("https://{}/video/{id}?autoplay=1&amp;dnt=1{key}", PLAYERS[1].1))
}

/// Parses a time such as `90`, `90s` or `1h2m3s`, in seconds.
fn seconds(text: &str) -> Option<u32> {
    let (mut all, mut number) = (0_u32, 0_u32);
    let mut has_digits = false;
    for c in text.chars() {
        let unit = match c {
            '0'..='9' => {
                number = number.checked_mul(10)?.checked_add(c.to_digit(10)?)?;
                has_digits = true;
                continue;
            }
            'h' => 3600,
            'm' => 60,
            's' => 1,
            _ => return None,
        };
        all = all.checked_add(number.checked_mul(unit)?)?;
        number = 0;
    }
    all.checked_add(number).filter(|_| has_digits)
}
