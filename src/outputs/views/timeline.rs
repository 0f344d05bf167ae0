//! The drawing of conversations over time on the home page.

use std::collections::BTreeMap;

use crate::config::Config;
use crate::site::{MonthCount, month_path, year_path};
use crate::theme::view::{BarLabelView, BarView, TimelineView};

/// The width of the drawing.
const WIDTH: u32 = 1000;
/// The height of the highest bar.
const HEIGHT: u32 = 72;
/// The minimum height of a bar.
const MIN_HEIGHT: u32 = 3;
/// The maximum width of a bar, with the gap after it.
const MAX_STEP: u32 = 36;
/// The number of months from which on there is a bar for each year.
const MANY_MONTHS: i32 = 121;
/// The minimum distance between two labels.
const LABEL_GAP: u32 = 62;

/// Returns the drawing; `None` if all conversations are of one month.
pub(super) fn timeline(months: &[MonthCount], config: &Config) -> Option<TimelineView> {
    let (first, last) = (months.first()?, months.last()?);
    let number = |one: &MonthCount| i32::from(one.year) * 12 + i32::from(one.month) - 1;
    let all = number(last) - number(first) + 1;
    let is_by_year = all >= MANY_MONTHS;
    let place = |one: &MonthCount| match is_by_year {
        true => i32::from(one.year) - i32::from(first.year),
        false => number(one) - number(first),
    };
    let mut counts: BTreeMap<u32, (&MonthCount, u64)> = BTreeMap::new();
    for one in months {
        let at = u32::try_from(place(one)).ok()?;
        counts.entry(at).or_insert((one, 0)).1 += one.count;
    }
    let slots = u32::try_from(place(last)).ok()? + 1;
    let most = counts.values().map(|(_, count)| *count).max().filter(|_| slots > 1)?;
    let step = (WIDTH / slots).min(MAX_STEP);
    if step < 2 {
        return None;
    }
    let bar = |(at, (month, count)): (&u32, &(&MonthCount, u64))| {
        let height = u32::try_from(count * u64::from(HEIGHT) / most).unwrap_or(HEIGHT);
        let height = height.max(MIN_HEIGHT);
        let (name, path) = match is_by_year {
            true => (month.year.to_string(), year_path(month.year)),
            false => (
                config.locale.month_of(month.year, month.month),
                month_path(month.year, month.month),
            ),
        };
        let conversations = config.locale.count("count.conversations", *count);
        BarView {
            url: config.base_url.link(&path),
            title: format!("{name}: {conversations}"),
            x: at * step,
            y: HEIGHT - height,
            height,
        }
    };
    Some(TimelineView {
        bars: counts.iter().map(bar).collect(),
        bar_width: step - step.div_ceil(6),
        width: slots * step,
        labels: labels(first, slots, step, is_by_year),
    })
}

/// Returns the years, each below its first bar, without those that would touch the one before.
fn labels(first: &MonthCount, slots: u32, step: u32, is_by_year: bool) -> Vec<BarLabelView> {
    let mut labels: Vec<BarLabelView> = Vec::new();
    let mut at = 0;
    let mut year = first.year;
    while at < slots {
        let x = at * step;
        let is_free = labels.last().is_none_or(|last| x >= last.x + LABEL_GAP);
        if is_free && x + LABEL_GAP <= WIDTH {
            labels.push(BarLabelView { x, text: year.to_string() });
        }
        at += match (is_by_year, at) {
            (true, _) => 1,
            (false, 0) => 13 - u32::from(first.month.unsigned_abs()),
            (false, _) => 12,
        };
        year += 1;
    }
    labels
}
