//! The view of an archive in numbers.

use serde::Serialize;

/// The archive in numbers.
#[derive(Serialize)]
pub struct StatisticsView {
    /// Numbers of conversations, turns and words, in words.
    pub totals: Vec<String>,
    /// A calendar for each year, the newest first.
    pub years: Vec<CalendarView>,
    /// The hours of the week; absent where none are known.
    pub hours: Option<HoursView>,
    /// Tables: speakers, models, languages, tools.
    pub tables: Vec<TableView>,
}

/// The days of a year, in columns of weeks.
#[derive(Serialize)]
pub struct CalendarView {
    /// Such as `2025`.
    pub title: String,
    /// Number of conversations in it, in words.
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
    /// Its name, as short as the language has it.
    pub short_name: String,
    /// The address of its list; absent where it is empty.
    pub url: Option<String>,
    /// Number of conversations.
    pub count: String,
    /// The week in which it begins, from 0.
    pub week: i16,
}

/// The hours of the week, in rows of days.
#[derive(Serialize)]
pub struct HoursView {
    /// The days: their names, and the numbers of conversations, in words.
    pub days: Vec<(String, String)>,
    /// The hour in which most conversations began, in words.
    pub most: String,
    /// Hours with conversations.
    pub hours: Vec<CellView>,
}

/// A square of a drawing.
#[derive(Serialize)]
pub struct CellView {
    /// Its column, from 0.
    pub x: i16,
    /// Its row, from 0.
    pub y: i16,
    /// How dark it is: 1 to 4.
    pub level: u8,
    /// What it stands for, in words.
    pub title: String,
    /// The address of a list in which it is.
    pub url: Option<String>,
}

/// Names with numbers.
#[derive(Serialize)]
pub struct TableView {
    /// What they are.
    pub title: String,
    /// What the numbers count.
    pub unit: String,
    /// What the second numbers count, where there are any.
    pub second_unit: Option<String>,
    /// The rows, the greatest first.
    pub rows: Vec<RowView>,
}

/// A name with its numbers.
#[derive(Serialize)]
pub struct RowView {
    /// The name.
    pub title: String,
    /// The address of its list.
    pub url: Option<String>,
    /// `AI`, `System`, `Tool` or empty.
    pub badge: String,
    /// The number.
    pub count: String,
    /// The second number.
    pub second: String,
    /// Its part of the greatest. Percent.
    pub share: u64,
}
