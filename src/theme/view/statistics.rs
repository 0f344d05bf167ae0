//! The view of the statistics page.

use serde::Serialize;

/// Statistics of the archive.
#[derive(Serialize)]
pub struct StatisticsView {
    /// Numbers of conversations, turns and words, as text.
    pub totals: Vec<String>,
    /// What stands out, in sentences.
    pub sentences: Vec<String>,
    /// A calendar for each year, the newest first.
    pub years: Vec<CalendarView>,
    /// Conversations by weekday and hour; absent if no times are known.
    pub hours: Option<HoursView>,
    /// Tables: speakers, models, languages, tools, the longest conversations, usage.
    pub tables: Vec<TableView>,
}

/// The days of a year, in columns of weeks.
#[derive(Serialize)]
pub struct CalendarView {
    /// Such as `2025`.
    pub title: String,
    /// Number of conversations in it, as text.
    pub total: String,
    /// Its twelve months.
    pub months: Vec<MonthView>,
    /// Days with conversations.
    pub days: Vec<CellView>,
}

/// A month in a calendar.
#[derive(Serialize)]
pub struct MonthView {
    /// Its name.
    pub name: String,
    /// Its short name.
    pub short_name: String,
    /// The URL of its list; absent if it is empty.
    pub url: Option<String>,
    /// Number of conversations.
    pub count: String,
    /// The week in which it starts, from 0.
    pub week: i16,
}

/// Conversations by hour, with a row for each weekday.
#[derive(Serialize)]
pub struct HoursView {
    /// The weekdays: their names, and the numbers of conversations, as text.
    pub days: Vec<(String, String)>,
    /// The hour in which most conversations started, as text, unless there are several.
    pub most: Option<String>,
    /// Hours with conversations.
    pub hours: Vec<CellView>,
}

/// A square of a chart.
#[derive(Serialize)]
pub struct CellView {
    /// Its column, from 0.
    pub x: i16,
    /// Its row, from 0.
    pub y: i16,
    /// How dark it is: 1 to 4.
    pub level: u8,
    /// Its label.
    pub title: String,
    /// The URL of the list that it links to.
    pub url: Option<String>,
}

/// A table of names and numbers.
#[derive(Serialize)]
pub struct TableView {
    /// The title.
    pub title: String,
    /// The unit of the numbers.
    pub unit: String,
    /// The unit of the second numbers, if there are any.
    pub second_unit: Option<String>,
    /// The rows, the largest number first.
    pub rows: Vec<RowView>,
}

/// A row of a table.
#[derive(Serialize)]
pub struct RowView {
    /// The name.
    pub title: String,
    /// The URL of its list.
    pub url: Option<String>,
    /// `AI`, `System`, `Tool` or empty.
    pub badge: String,
    /// The number.
    pub count: String,
    /// The second number.
    pub second: String,
    /// The number as a percentage of the largest one.
    pub share: u64,
}
