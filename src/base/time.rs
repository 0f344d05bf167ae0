//! Times as conversations state them: a day, or only its month or year, a local date and time without a zone,
//! or an instant.

use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use serde::{Deserialize, Serialize};

/// A time together with its original text, which is written back. Clones share the data, because
/// many pages contain the same time.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct Time(Arc<WrittenTime>);

#[derive(PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
struct WrittenTime {
    text: Box<str>,
    when: TimeValue,
}

#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
enum TimeValue {
    Day(Date),
    Clock(DateTime),
    Instant {
        at: Timestamp,
        offset_seconds: i32,
        zone: Option<Arc<str>>,
    },
    /// A month, by its first day.
    Month(Date),
    /// A year, by its first day.
    Year(Date),
}

/// A warning about a time that was parsed but looks wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeWarning {
    /// The offset is not that of the named zone at that moment; the offset was used.
    Contradiction {
        /// The zone, as written.
        zone: String,
        /// The correct offset of this zone, such as `-05:00`.
        expected: String,
    },
    /// The time zone is unknown.
    UnknownZone(String),
}

impl Time {
    fn new(text: impl Into<Box<str>>, when: TimeValue) -> Self {
        Self(Arc::new(WrittenTime { text: text.into(), when }))
    }

    /// Parses ISO 8601 with at least a date, an optional offset and an optional RFC 9557 zone, like
    /// `Temporal.ZonedDateTime.from()`.
    ///
    /// The error is a message for people.
    pub fn parse(text: &str) -> Result<(Self, Option<TimeWarning>), String> {
        let pieces = Pieces::parse(text).map_err(|error| match starts_with_year(text) {
            true => error.to_string(),
            false => "expected year, month and day, such as `2025-10-23`".to_owned(),
        })?;
        let clock = pieces.date().to_datetime(pieces.time().unwrap_or_default());
        let offset = pieces.offset().map(|offset| match offset {
            PiecesOffset::Zulu => Offset::UTC,
            PiecesOffset::Numeric(offset) => offset.offset(),
            _ => Offset::UTC,
        });
        let named = pieces.time_zone_annotation().map(|zone| {
            let name = match zone.kind() {
                jiff::fmt::temporal::TimeZoneAnnotationKind::Named(name) => {
                    name.as_str().to_owned()
                }
                _ => String::new(),
            };
            (name, zone.to_time_zone_with(&ZONES))
        });
        let instant = |at: Timestamp, offset: Offset, zone: Option<String>| TimeValue::Instant {
            at,
            offset_seconds: offset.seconds(),
            zone: zone.filter(|name| !name.is_empty()).map(Arc::from),
        };
        let at = |offset: Offset| offset.to_timestamp(clock).map_err(|e| e.to_string());
        let mut doubt = None;
        let when = match (offset, named) {
            (Some(offset), None) => instant(at(offset)?, offset, None),
            (Some(offset), Some((name, zone))) => {
                let at = at(offset)?;
                match zone {
                    Ok(zone) => {
                        let expected = zone.to_offset(at);
                        // With `Z`, the local offset comes from the zone.
                        let zulu = matches!(pieces.offset(), Some(PiecesOffset::Zulu));
                        if expected != offset && !zulu {
                            let expected = expected.to_string();
                            doubt =
                                Some(TimeWarning::Contradiction { zone: name.clone(), expected });
                        }
                        instant(at, if zulu { expected } else { offset }, Some(name))
                    }
                    Err(_) => {
                        doubt = Some(TimeWarning::UnknownZone(name));
                        instant(at, offset, None)
                    }
                }
            }
            (None, Some((name, Ok(zone)))) if pieces.time().is_some() => {
                let zoned = clock.to_zoned(zone).map_err(|error| error.to_string())?;
                instant(zoned.timestamp(), zoned.offset(), Some(name))
            }
            (None, named) => {
                if let Some((name, Err(_))) = named {
                    doubt = Some(TimeWarning::UnknownZone(name));
                }
                if pieces.time().is_some() {
                    TimeValue::Clock(clock)
                } else {
                    TimeValue::Day(pieces.date())
                }
            }
        };
        Ok((Self::new(text, when), doubt))
    }

    /// Returns a day, or only its year or year and month, written as `text`; `None` if it is not in the calendar.
    pub fn of_date(text: &str, year: i16, month: Option<i8>, day: Option<i8>) -> Option<Self> {
        let first = Date::new(year, month.unwrap_or(1), day.unwrap_or(1)).ok()?;
        let when = match (month, day) {
            (None, _) => TimeValue::Year(first),
            (_, None) => TimeValue::Month(first),
            _ => TimeValue::Day(first),
        };
        Some(Self::new(text, when))
    }

    /// Returns the instant that is this many seconds after the start of 1970 in UTC; `None` outside
    /// of the supported years.
    pub fn from_unix(seconds: i64) -> Option<Self> {
        let at = Timestamp::from_second(seconds).ok()?;
        let text = at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        Some(Self::new(text, TimeValue::Instant { at, offset_seconds: 0, zone: None }))
    }

    /// Returns the whole seconds since the start of 1970, and whether they represent the time
    /// completely: as an instant in UTC without a fraction.
    pub fn unix(&self) -> (i64, bool) {
        let at = self.instant();
        let plain =
            matches!(&self.0.when, TimeValue::Instant { offset_seconds: 0, zone: None, .. });
        (at.as_second(), plain && at.subsec_nanosecond() == 0)
    }

    /// Converts a time without a zone to an instant in the named zone; any other time is unchanged.
    /// `None` if the zone is unknown.
    pub fn in_zone(self, zone: &str) -> Option<Self> {
        let zone_data = time_zone(zone)?;
        let TimeValue::Clock(clock) = self.0.when else { return Some(self) };
        let zoned = clock.to_zoned(zone_data).ok()?;
        let when = TimeValue::Instant {
            at: zoned.timestamp(),
            offset_seconds: zoned.offset().seconds(),
            zone: Some(zone.into()),
        };
        Some(Self::new(&*self.0.text, when))
    }

    /// Displays an instant in the named zone; any other time is unchanged. `None` if the zone is
    /// unknown.
    pub fn shown_in(self, zone: &str) -> Option<Self> {
        let zone_data = time_zone(zone)?;
        let TimeValue::Instant { at, .. } = self.0.when else { return Some(self) };
        let offset_seconds = zone_data.to_offset(at).seconds();
        let when = TimeValue::Instant { at, offset_seconds, zone: Some(zone.into()) };
        Some(Self::new(&*self.0.text, when))
    }

    /// Rewrites the original text with the offset and local time of the zone in which it is
    /// displayed.
    pub fn restated(self) -> Self {
        let says_it = Self::parse(&self.0.text).is_ok_and(|(read, _)| read.0.when == self.0.when);
        match says_it {
            true => self,
            false => Self::new(self.machine(), self.0.when.clone()),
        }
    }

    /// Returns the original text.
    pub fn as_written(&self) -> &str {
        &self.0.text
    }

    /// Returns whether it has a zone or an offset.
    pub fn has_zone(&self) -> bool {
        matches!(self.0.when, TimeValue::Instant { .. })
    }

    /// Returns the instant used for sorting; a day or a time without a zone counts as UTC.
    pub fn instant(&self) -> Timestamp {
        match &self.0.when {
            TimeValue::Clock(clock) => utc(*clock),
            TimeValue::Instant { at, .. } => *at,
            TimeValue::Day(_) | TimeValue::Month(_) | TimeValue::Year(_) => utc(self.local()),
        }
    }

    /// Returns the year, and the month (1 to 12) if it is known, of a time without a day.
    pub fn without_day(&self) -> Option<(i16, Option<i8>)> {
        match &self.0.when {
            TimeValue::Month(first) => Some((first.year(), Some(first.month()))),
            TimeValue::Year(first) => Some((first.year(), None)),
            TimeValue::Day(_) | TimeValue::Clock(_) | TimeValue::Instant { .. } => None,
        }
    }

    /// Returns whether it has a time of day.
    fn has_clock(&self) -> bool {
        matches!(self.0.when, TimeValue::Clock(_) | TimeValue::Instant { .. })
    }

    /// Returns the seconds until a later time; `None` if one of them is only a day, or if it is earlier.
    pub fn seconds_until(&self, later: &Self) -> Option<u64> {
        let seconds = later.instant().as_second() - self.instant().as_second();
        u64::try_from(seconds).ok().filter(|_| self.has_clock() && later.has_clock())
    }

    /// Returns the first day, in UTC, that lies completely after it; for a day, that day itself.
    pub fn next_whole_day(&self) -> Date {
        let day = self.day_in_utc();
        let begins = day.to_datetime(jiff::civil::Time::midnight());
        match self.has_clock() && self.instant() != utc(begins) {
            true => day.tomorrow().unwrap_or(day),
            false => day,
        }
    }

    /// Returns its date in UTC.
    pub fn day_in_utc(&self) -> Date {
        match &self.0.when {
            TimeValue::Day(day) | TimeValue::Month(day) | TimeValue::Year(day) => *day,
            _ => Offset::UTC.to_datetime(self.instant()).date(),
        }
    }

    /// Returns the local date and time.
    fn local(&self) -> DateTime {
        match &self.0.when {
            TimeValue::Day(day) | TimeValue::Month(day) | TimeValue::Year(day) => {
                day.to_datetime(jiff::civil::Time::midnight())
            }
            TimeValue::Clock(clock) => *clock,
            TimeValue::Instant { at, offset_seconds, .. } => {
                offset(*offset_seconds).to_datetime(*at)
            }
        }
    }

    /// Returns the local year and month (1 to 12); a year counts as its first month.
    pub fn year_month(&self) -> (i16, i8) {
        let local = self.local();
        (local.year(), local.month())
    }

    /// Returns the local date as far as it is known, such as `2025-10-23`, `2025-10` or `2025`.
    pub fn day(&self) -> String {
        match self.without_day() {
            Some((year, Some(month))) => format!("{year:04}-{month:02}"),
            Some((year, None)) => format!("{year:04}"),
            None => self.first_day(),
        }
    }

    /// Returns the local date, such as `2025-10-23`; the first day of a month or year.
    pub fn first_day(&self) -> String {
        self.local().date().to_string()
    }

    /// Returns the time for programs: an instant as RFC 3339, and otherwise only the date, because a time
    /// of day without a zone would be a different instant for each reader.
    pub fn published(&self) -> String {
        match &self.0.when {
            TimeValue::Instant { .. } => self.rfc3339(),
            _ => self.day(),
        }
    }

    /// Returns the time for formats that require an instant, such as feeds. If only the date is certain,
    /// that is the start of the day in UTC.
    pub fn published_instant(&self) -> String {
        match &self.0.when {
            TimeValue::Instant { .. } => self.rfc3339(),
            _ => format!("{}T00:00:00Z", self.first_day()),
        }
    }

    /// Formats as ISO 8601, with the precision of the original.
    pub fn machine(&self) -> String {
        match &self.0.when {
            TimeValue::Clock(clock) => clock.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
            TimeValue::Instant { .. } => self.rfc3339(),
            TimeValue::Day(_) | TimeValue::Month(_) | TimeValue::Year(_) => self.day(),
        }
    }

    /// Formats as RFC 3339 with an offset; a day or a time without a zone counts as UTC.
    pub fn rfc3339(&self) -> String {
        let offset_seconds = match &self.0.when {
            TimeValue::Instant { offset_seconds, .. } => *offset_seconds,
            _ => 0,
        };
        let sign = if offset_seconds < 0 { '-' } else { '+' };
        let minutes = offset_seconds.abs() / 60;
        let clock = self.local().strftime("%Y-%m-%dT%H:%M:%S").to_string();
        if minutes == 0 {
            format!("{clock}Z")
        } else {
            format!("{clock}{sign}{:02}:{:02}", minutes / 60, minutes % 60)
        }
    }

    /// Formats as RFC 2822 in UTC, for RSS. If only the date is certain, that is the start of the day.
    pub fn rfc2822(&self) -> String {
        let at = match &self.0.when {
            TimeValue::Instant { at, .. } => *at,
            _ => utc(self.local().date().to_datetime(jiff::civil::Time::midnight())),
        };
        at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
    }

    /// Returns the local hour of the week, from 0 for Monday after midnight; `None` for a day.
    pub fn hour_of_week(&self) -> Option<u8> {
        self.clock()?;
        let local = self.local();
        let day = i16::from(local.date().weekday().to_monday_zero_offset());
        u8::try_from(day * 24 + i16::from(local.hour())).ok()
    }

    /// Returns the position of its day in a calendar of the year: the week, from 0, and the day of
    /// the week, from 0 for Monday. Days before the first Monday are in week 0. `None` without a day.
    pub fn place_in_year(&self) -> Option<(i16, i8)> {
        let day = self.local().date();
        let place = (week_of_day(day), day.weekday().to_monday_zero_offset());
        self.without_day().is_none().then_some(place)
    }

    /// Returns the local year, month and day.
    pub fn date(&self) -> (i16, i8, i8) {
        let local = self.local();
        (local.year(), local.month(), local.day())
    }

    /// Returns the local date as a number, such as 20251023; 0 before the year 0.
    pub fn day_number(&self) -> u32 {
        let (year, month, day) = self.date();
        let part = |part: i16| u32::try_from(part).ok();
        let number =
            |year: u32| Some(year * 10_000 + part(month.into())? * 100 + part(day.into())?);
        part(year).and_then(number).unwrap_or_default()
    }

    /// Returns hour and minute, and the zone, such as `12:00` and `America/Chicago`, as far as they
    /// are known.
    pub fn clock(&self) -> Option<(String, Option<String>)> {
        let hour = |clock: DateTime| clock.strftime("%H:%M").to_string();
        match &self.0.when {
            TimeValue::Day(_) | TimeValue::Month(_) | TimeValue::Year(_) => None,
            TimeValue::Clock(clock) => Some((hour(*clock), None)),
            TimeValue::Instant { offset_seconds, zone, .. } => {
                let place = match zone {
                    Some(zone) => zone.replace('_', " "),
                    None if *offset_seconds == 0 => "UTC".to_owned(),
                    None => format!("UTC{}", offset(*offset_seconds)),
                };
                Some((hour(self.local()), Some(place)))
            }
        }
    }
}

/// Returns whether a text starts with a year of four digits, as all accepted forms do.
fn starts_with_year(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']).bytes();
    digits.take_while(u8::is_ascii_digit).count() >= 4
}

/// Returns the instant of a date and time in UTC.
fn utc(clock: DateTime) -> Timestamp {
    let utc = TimeZone::UTC.to_ambiguous_timestamp(clock).compatible();
    utc.unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The bundled time zones, so that pages do not depend on the machine. jiff's default depends on
/// features enabled by other crates, which would select the system's data.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

fn time_zone(name: &str) -> Option<TimeZone> {
    ZONES.get(name).ok()
}

fn offset(seconds: i32) -> Offset {
    Offset::from_seconds(seconds).unwrap_or(Offset::UTC)
}

/// Returns the week of the year, from 0, in which a month (1 to 12) starts. Weeks start on Monday.
pub fn week_of_month(year: i16, month: i8) -> i16 {
    Date::new(year, month, 1).map_or(0, week_of_day)
}

fn week_of_day(day: Date) -> i16 {
    let first = day.first_of_year().weekday().to_monday_zero_offset();
    (day.day_of_year() - 1 + i16::from(first)) / 7
}

#[cfg(test)]
mod tests {
    use super::{Time, TimeWarning};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (time, doubt) = Time::parse(text).unwrap();
        let (year, month, day) = time.date();
        let clock = match time.clock() {
            Some((clock, Some(zone))) => format!("{clock}, {zone}"),
            Some((clock, None)) => clock,
            None => String::new(),
        };
        let seen = format!("{} | {day}.{month}.{year} | {clock}", time.machine());
        assert_eq!(seen, expected);
        assert_eq!(doubt, None);
        assert_eq!(time.as_written(), text);
    }

    #[test]
    fn only_instants_are_published_with_their_time_of_day() {
        for (text, published, instant, rss) in [
            (
                "2025-10-23T12:00:00-05:00",
                "2025-10-23T12:00:00-05:00",
                "2025-10-23T12:00:00-05:00",
                "Thu, 23 Oct 2025 17:00:00 +0000",
            ),
            (
                "2025-10-23T12:00:00",
                "2025-10-23",
                "2025-10-23T00:00:00Z",
                "Thu, 23 Oct 2025 00:00:00 +0000",
            ),
            ("2025-10-23", "2025-10-23", "2025-10-23T00:00:00Z", "Thu, 23 Oct 2025 00:00:00 +0000"),
        ] {
            let (time, _) = Time::parse(text).unwrap();
            assert_eq!(time.published(), published);
            assert_eq!(time.published_instant(), instant);
            assert_eq!(time.rfc2822(), rss);
        }
    }

    #[test]
    fn every_precision_is_read() {
        check("2025-10-23", "2025-10-23 | 23.10.2025 | ");
        check("2025-10-23T12:00", "2025-10-23T12:00:00 | 23.10.2025 | 12:00");
        check("2025-10-23 12:00:00Z", "2025-10-23T12:00:00Z | 23.10.2025 | 12:00, UTC");
        check(
            "2025-10-23T12:00:00-05:00[America/Chicago]",
            "2025-10-23T12:00:00-05:00 | 23.10.2025 | 12:00, America/Chicago",
        );
        check(
            "2025-10-23T12:00:00[Asia/Kolkata]",
            "2025-10-23T12:00:00+05:30 | 23.10.2025 | 12:00, Asia/Kolkata",
        );
        check(
            "2025-10-23T12:00:00+02:00",
            "2025-10-23T12:00:00+02:00 | 23.10.2025 | 12:00, UTC+02",
        );
    }

    #[test]
    fn a_moment_has_a_place_in_the_week_and_in_the_year() {
        let place = |text: &str| {
            let (time, _) = Time::parse(text).unwrap();
            (time.hour_of_week(), time.place_in_year().unwrap())
        };
        // 2024 started on a Monday, 2023 on a Sunday.
        assert_eq!(place("2024-01-01T00:30Z"), (Some(0), (0, 0)));
        assert_eq!(place("2024-12-31T23:00Z"), (Some(47), (52, 1)));
        assert_eq!(place("2023-01-01"), (None, (0, 6)));
        assert_eq!(place("2023-12-31T23:59:59+14:00"), (Some(167), (52, 6)));
        assert_eq!(place("2012-12-31"), (None, (53, 0)));
    }

    #[test]
    fn an_offset_that_contradicts_its_zone_is_doubted() {
        let (_, doubt) = Time::parse("2025-10-23T12:00:00+01:00[America/Chicago]").unwrap();
        assert!(
            matches!(doubt, Some(TimeWarning::Contradiction { expected, .. }) if expected == "-05")
        );
        let (_, doubt) = Time::parse("2025-10-23T12:00:00[Mars/Olympus]").unwrap();
        assert_eq!(doubt, Some(TimeWarning::UnknownZone("Mars/Olympus".to_owned())));
    }

    #[test]
    fn other_texts_are_not_days() {
        for bad in ["", "2025-10", "yesterday", "2025-13-01", "2025-10-23T25:00", "12:00"] {
            assert!(Time::parse(bad).is_err(), "{bad}");
        }
    }
}
