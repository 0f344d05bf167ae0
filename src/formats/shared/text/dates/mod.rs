//! Reads dates and times as people and programs write them, in all languages and orders. Formats find the
//! text of a date; this module parses it.
//!
//! | function | input | used by |
//! |---|---|---|
//! | [`of_value`] | JSON values: ISO 8601, seconds since 1970 or smaller units, `{"$date": …}` | codex, all of `thread`, `chat` and `editor` |
//! | [`iso`] | `2026-03-04T18:20:05+01:00` and all of ISO 8601 | gemini_cli, formats that use nothing else |
//! | [`stamp()`] | `20260304-182005+0100`, `2026-03-04_18-20-05Z`: file names, logs | captions, chibi, specstory, vlinder |
//! | [`written()`] | `Wednesday, March 4, 2026 at 6:20:05 PM UTC`, `4. März 2026 um 18:20`, `2026年3月4日 18时20分` | gemini_takeout, google_chat, kakaotalk, markdown, sillytavern, specstory |
//! | [`localized()`], [`numbers_of_date`] | `2/19/2025, 9:30:45 AM`, `19.2.2025, 21:30:45`: times in the language of a browser | nextchat, specstory |
//! | [`written_day`] | the same without a clock time | kakaotalk, line_app, markdown, front matter |
//! | [`letter`] | `Wed, 4 Mar 2026 18:20:05 +0100`, as in mails and `asctime()` | mail, signal, vcon |
//! | [`day_in_path`], [`day_in_name`] | `2026/03/04/a.txt`, `a-20260304.log` | captions, claude_code, irc, markdown, slack |
//! | [`clock()`] | `18:20`, `6:20 p.m.`, `오후 6:20` | kakaotalk, line_app |
//! | [`is_clock`] | whether a word is `18:20` or `6:20:05` | gemini_takeout, markdown |
//! | [`timing`], [`of_recording`] | `00:01:02.500 --> 00:01:04.000`; positions in recordings | captions, srt, vcon |
//! | [`civil`], [`time_at`] | numbers that a format extracted itself | imessage, irc, kakaotalk, line_app, sillytavern, whatsapp, zoom_chat |
//! | [`Order`], [`ambiguous_dates`] | which part of `3/4/26` is the day: for one date, for a whole chat, from a file name | chat_export, line_app, specstory, whatsapp |
//! | [`HalfOfDay`], [`half_at_end`] | `AM`, `p. m.`, `오후`, `ÖS` | imessage, kakaotalk, markdown, whatsapp |
//! | [`month`], [`english_month`], [`weekday`] | names of months and weekdays | imessage, irc, kakaotalk, line_app, markdown, sniff |
//! | [`gregorian`], [`era`] | `2569` in Thailand, `R8` in Japan | line_app |
//!
//! [`letter`] and [`written()`] also read zones: `GMT+1`, `-0800 PST`, `MEZ`.

mod clock;
mod half_of_day;
mod in_names;
mod localized;
mod mail;
mod names;
mod order;
mod recording;
mod stamp;
mod values;
mod written;
mod zones;

use jiff::civil::Date;

pub(crate) use self::clock::{clock, is_clock};
pub(crate) use self::half_of_day::{ENGLISH_HALVES, HalfOfDay, half_at_end};
pub(crate) use self::in_names::{day_in_name, day_in_path};
pub(crate) use self::localized::{localized, numbers_of_date};
pub(crate) use self::mail::{MailDate, letter};
pub(crate) use self::names::{english_month, era, gregorian, month, weekday};
pub(crate) use self::order::{Order, ambiguous_dates};
pub(crate) use self::recording::{of_recording, timing};
pub(crate) use self::stamp::stamp;
pub(crate) use self::values::of_value;
pub(crate) use self::written::{written, written_day};
use convo_base::time::Time;

/// Reads ISO 8601.
pub(crate) fn iso(text: &str) -> Option<Time> {
    Time::parse(text).ok().map(|(time, _)| time)
}

/// Returns the time with this date and clock time; `None` if it does not exist. The offset is a value such as
/// `Z` or `+01:00`, or empty for a time without a zone.
pub(crate) fn civil(
    [year, month, day]: [u16; 3],
    [hour, minute, second]: [u16; 3],
    offset: &str,
) -> Option<Time> {
    iso(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{offset}"))
}

/// Returns a day as a time without a clock time.
pub(crate) fn on(day: Date) -> Option<Time> {
    iso(&day.to_string())
}

/// Returns the time on a day at this hour, minute and second.
pub(crate) fn time_at(day: Date, [hour, minute, second]: [u16; 3]) -> Option<Time> {
    iso(&format!("{day}T{hour:02}:{minute:02}:{second:02}"))
}
