//! Dates and times as people and programs write them, in all languages and orders. Formats find the place of a
//! date in their lines; what it says is read here.
//!
//! | function | shapes | who uses it |
//! |---|---|---|
//! | [`of_value`] | values of JSON: ISO 8601, seconds since 1970 or finer units, `{"$date": …}` | codex, all of `thread`, `chat` and `editor` |
//! | [`iso`] | `2026-03-04T18:20:05+01:00` and all of ISO 8601 | formats that write nothing else |
//! | [`stamp`] | `20260304-182005+0100`, `2026-03-04_18-20-05Z`: names of files, logs | captions, chibi, specstory, vlinder |
//! | [`written`] | `Wednesday, March 4, 2026 at 6:20:05 PM UTC`, `4. März 2026 um 18:20`, `2026年3月4日 18时20分` | gemini_takeout, google_chat, kakaotalk, markdown, sillytavern, specstory |
//! | [`written_day`] | the same without a clock | kakaotalk, line_app |
//! | [`letter`] | `Wed, 4 Mar 2026 18:20:05 +0100`, as mails and `asctime()` have it | mail, signal, vcon |
//! | [`day_in_path`], [`day_in_name`] | `2026/03/04/a.txt`, `a-20260304.log` | irc, slack |
//! | [`clock`] | `18:20`, `6:20 p.m.`, `오후 6:20` | kakaotalk, line_app |
//! | [`is_clock`] | whether a word is `18:20` or `6:20:05` | gemini_takeout, markdown |
//! | [`timing`], [`of_recording`] | `00:01:02.500 --> 00:01:04.000`; moments of recordings | captions, srt, vcon |
//! | [`civil`], [`time_at`] | numbers that a format found itself | imessage, irc, kakaotalk, line_app, sillytavern, whatsapp |
//! | [`Order`] | which of `3/4/26` is the day: of one date, of all of a chat, of a file's name | line_app, specstory, whatsapp |
//! | [`HalfOfDay`], [`half_at_end`] | `AM`, `p. m.`, `오후`, `ÖS` | imessage, kakaotalk, markdown, whatsapp |
//! | [`month`], [`english_month`], [`weekday`] | names of months and days | imessage, irc, kakaotalk, line_app, markdown, sniff |
//! | [`gregorian`], [`era`] | `2569` of Thailand, `R8` of Japan | line_app |
//!
//! Zones are read by [`letter`] and [`written`]: `GMT+1`, `-0800 PST`, `MEZ`.

mod clock;
mod half_of_day;
mod in_names;
mod mail;
mod names;
mod order;
mod recording;
mod stamp;
mod values;
mod written;
mod zones;

use jiff::civil::Date;

pub(super) use self::clock::{clock, is_clock};
pub(super) use self::half_of_day::{ENGLISH_HALVES, HalfOfDay, half_at_end};
pub(super) use self::in_names::{day_in_name, day_in_path};
pub(super) use self::mail::{MailDate, letter};
pub(super) use self::names::{english_month, era, gregorian, month, weekday};
pub(super) use self::order::Order;
pub(super) use self::recording::{of_recording, timing};
pub(super) use self::stamp::stamp;
pub(super) use self::values::of_value;
pub(super) use self::written::{written, written_day};
use convo_base::time::Time;

/// Reads ISO 8601.
pub(super) fn iso(text: &str) -> Option<Time> {
    Time::parse(text).ok().map(|(time, _)| time)
}

/// Returns the time of a year, a month and a day, and of an hour, a minute and a second; `None` where no calendar
/// has it. The offset is one such as `Z` or `+01:00`, or empty for a clock without a zone.
pub(super) fn civil(
    [year, month, day]: [u16; 3],
    [hour, minute, second]: [u16; 3],
    offset: &str,
) -> Option<Time> {
    iso(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{offset}"))
}

/// Returns the time of a day at an hour, a minute and a second.
pub(super) fn time_at(day: Date, [hour, minute, second]: [u16; 3]) -> Option<Time> {
    iso(&format!("{day}T{hour:02}:{minute:02}:{second:02}"))
}
