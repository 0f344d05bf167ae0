//! Builds the template view models of statistics.

use super::blocks::dollars;
use crate::locale::Locale;
use crate::outputs::format::badge;
use crate::site::{Row, Statistics, UsageRow, Year};
use crate::theme::view::{
    CalendarView, CellView, HoursView, MonthView, RowView, StatisticsView, TableView,
};
use crate::time::week_of_month;

pub(crate) fn view(sums: &Statistics, locale: &Locale) -> StatisticsView {
    let totals = [
        ("count.conversations", sums.conversations),
        ("count.turns", sums.turns),
        ("count.words", sums.words),
    ];
    // Across years, so that shades are comparable.
    let days = sums.years.iter().flat_map(|year| year.days.values());
    let shades = Shades::of(days.map(|(_, count)| *count));
    let tables = [
        ("list.speakers", "statistics.turns", true, &sums.speakers),
        ("list.models", "statistics.turns", true, &sums.models),
        ("list.languages", "statistics.conversations", false, &sums.languages),
        ("statistics.tools", "statistics.calls", false, &sums.tools),
    ];
    StatisticsView {
        totals: totals.map(|(key, count)| locale.count(key, count)).to_vec(),
        sentences: sentences(sums, locale),
        years: sums.years.iter().map(|year| calendar(year, shades, locale)).collect(),
        hours: (!sums.hours.is_empty()).then(|| hours(&sums.hours, locale)),
        tables: tables
            .into_iter()
            .filter(|(.., rows)| !rows.is_empty())
            .map(|(title, unit, has_words, rows)| TableView {
                title: locale.text(title).to_owned(),
                unit: locale.text(unit).to_owned(),
                second_unit: has_words.then(|| locale.text("statistics.words").to_owned()),
                rows: table(rows, locale),
            })
            .chain(longest(&sums.longest, locale))
            .chain(usage("usage.by_model", &sums.usage_by_model, locale))
            .chain(usage("usage.by_month", &sums.usage_by_month, locale))
            .collect(),
    }
}

/// Returns what stands out, in sentences. Nothing is said where several are equal.
fn sentences(sums: &Statistics, locale: &Locale) -> Vec<String> {
    let conversations = |count: u64| locale.count("count.conversations", count);
    let month = sums.busiest_month.map(|((year, month), count)| {
        let month = locale.month_of(year, month);
        locale.fill(
            "statistics.busiest_month",
            &[("month", &month), ("count", &conversations(count))],
        )
    });
    let days: Vec<u64> = sums.hours.chunks(24).map(|hours| hours.iter().sum()).collect();
    let most = days.iter().copied().max().unwrap_or_default();
    let mut busiest = days.iter().enumerate().filter(|(_, count)| **count == most);
    let day =
        busiest.next().filter(|_| busiest.next().is_none() && most > 1).map(|(day, count)| {
            let day = locale.weekday(day);
            locale
                .fill("statistics.busiest_day", &[("day", day), ("count", &conversations(*count))])
        });
    let model = sums.model_change.as_ref().map(|change| {
        let (year, month) = change.since;
        let since = locale.month_of(year, month);
        let parts = [("model", &*change.model), ("month", &since), ("before", &change.before)];
        locale.fill("statistics.model_change", &parts)
    });
    [month, day, model].into_iter().flatten().collect()
}

/// Returns a table of the longest conversations.
fn longest(rows: &[Row], locale: &Locale) -> Option<TableView> {
    (rows.len() > 1).then(|| TableView {
        title: locale.text("statistics.longest").to_owned(),
        unit: locale.text("statistics.words").to_owned(),
        second_unit: Some(locale.text("statistics.turns").to_owned()),
        rows: table(rows, locale),
    })
}

fn calendar(year: &Year, shades: Shades, locale: &Locale) -> CalendarView {
    let url = |month: i8| format!("{}{month:02}/", year.url);
    let months = (1..=12).map(|month| {
        let days = year.days.range((month, 0)..(month + 1, 0));
        let count: u64 = days.map(|(_, (_, count))| count).sum();
        MonthView {
            name: locale.month(month).to_owned(),
            short_name: locale.short_month(month).to_owned(),
            url: (count > 0).then(|| url(month)),
            count: locale.count("count.conversations", count),
            week: week_of_month(year.year, month),
        }
    });
    let days = year.days.iter().map(|((month, day), ((week, weekday), count))| {
        let day = locale.day_of(year.year, *month, *day);
        CellView {
            x: *week,
            y: i16::from(*weekday),
            level: shades.level(*count),
            title: format!("{day}: {}", locale.count("count.conversations", *count)),
            url: Some(url(*month)),
        }
    });
    CalendarView {
        title: year.year.to_string(),
        total: locale.count("count.conversations", year.conversations),
        months: months.collect(),
        days: days.collect(),
    }
}

fn hours(hours: &[u64], locale: &Locale) -> HoursView {
    let most = hours.iter().copied().max().unwrap_or_default();
    let hour_of = |at: usize| {
        let (day, hour) = (locale.weekday(at / 24), format!("{}:00", at % 24));
        locale.fill("statistics.hour", &[("day", day), ("hour", &hour)])
    };
    // Several hours may be equally busy.
    let mut busiest = hours.iter().enumerate().filter(|(_, count)| **count == most);
    let best = busiest.next().filter(|_| busiest.next().is_none());
    let shades = Shades::of(hours.iter().copied().filter(|count| *count > 0));
    let days = hours.chunks(24).enumerate().map(|(day, hours)| {
        let count = locale.count("count.conversations", hours.iter().sum());
        (locale.weekday(day).to_owned(), count)
    });
    let cells = hours.iter().enumerate().filter(|(_, count)| **count > 0);
    let cells = cells.map(|(at, count)| {
        let count_of = locale.count("count.conversations", *count);
        CellView {
            x: (at % 24) as i16,
            y: (at / 24) as i16,
            level: shades.level(*count),
            title: format!("{}: {count_of}", hour_of(at)),
            url: None,
        }
    });
    HoursView {
        days: days.collect(),
        most: best.map(|(at, _)| locale.fill("statistics.most", &[("hour", &hour_of(at))])),
        hours: cells.collect(),
    }
}

/// The thresholds of the shades: the quartiles of all squares. This way, a single busy day does not make
/// all others look alike.
#[derive(Clone, Copy)]
struct Shades([u64; 3]);

impl Shades {
    fn of(counts: impl Iterator<Item = u64>) -> Self {
        let mut counts: Vec<u64> = counts.collect();
        counts.sort_unstable();
        let last = counts.len().saturating_sub(1);
        Self([1, 2, 3].map(|part| counts.get(last * part / 4).copied().unwrap_or_default()))
    }

    /// Returns a shade from 1 to 4.
    fn level(self, count: u64) -> u8 {
        1 + self.0.iter().map(|quartile| u8::from(count > *quartile)).sum::<u8>()
    }
}

fn table(rows: &[Row], locale: &Locale) -> Vec<RowView> {
    let most = rows.iter().map(|row| row.count).max().unwrap_or_default().max(1);
    let row = |row: &Row| RowView {
        title: row.name.clone(),
        url: row.url.as_deref().map(str::to_owned),
        badge: row.kind.map_or("", |kind| badge(kind, locale)).to_owned(),
        count: locale.number(row.count),
        second: locale.number(row.words),
        share: (row.count * 100).div_ceil(most),
    };
    rows.iter().map(row).collect()
}

/// Returns a table of usage, if any turn has one.
fn usage(title: &'static str, rows: &[UsageRow], locale: &Locale) -> Option<TableView> {
    let most = rows.iter().map(|row| row.sum.tokens).max()?.max(1);
    let has_cost = rows.iter().any(|row| row.sum.cost > 0);
    let row = |row: &UsageRow| RowView {
        title: row.name.clone(),
        url: None,
        badge: String::new(),
        count: locale.number(row.sum.tokens),
        second: match row.sum.cost {
            0 => String::new(),
            cost => dollars(cost as f64 / 1e6),
        },
        share: (u128::from(row.sum.tokens) * 100).div_ceil(most.into()) as u64,
    };
    Some(TableView {
        title: locale.text(title).to_owned(),
        unit: locale.text("usage.tokens").to_owned(),
        second_unit: has_cost.then(|| locale.text("usage.cost").to_owned()),
        rows: rows.iter().map(row).collect(),
    })
}
