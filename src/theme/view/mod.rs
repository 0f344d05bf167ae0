//! Everything that a template can see. Authors of themes rely on these names.
//!
//! Every template gets `site`, `text` and `page`, and one of the other fields, depending on the
//! template. `text` contains the page texts in the site's language, by section and key;
//! `{{ text.list.page_of | fill(n=2, count=3) }}` fills in the placeholders of a text. All strings
//! are escaped when printed, except those of type [`Html`](crate::markup::Html), which are printed
//! with `| safe`.

mod conversation;
mod data;
mod listing;
mod page;
mod picture;
mod plain;
mod services;
mod site;
mod statistics;
mod turn;

use serde::Serialize;

pub use self::conversation::{
    ConversationView, DiscussionView, DownloadView, FacetView, OutlinePartView, PlaceView,
    QuestionView, RecordingView, SessionFileView, SessionView, SpeakerView, TodoView,
};
pub use self::data::DataView;
pub use self::listing::{
    AvatarView, BarLabelView, BarView, CardView, CollectionView, GroupView, HomeView, ListingView,
    MonthGroupView, ProfileView, TermView, TimelineView,
};
pub use self::page::{AlternateView, ImageView, LinkView, PageView, TimeView, TranslationView};
pub use self::picture::{PictureSpeakerView, PictureView};
pub use self::plain::PlainView;
pub use self::services::{CommentsView, ScriptView, ServicesView};
pub use self::site::{FooterView, HeadView, SearchView, SiteView};
pub use self::statistics::{
    CalendarView, CellView, HoursView, MonthView, RowView, StatisticsView, TableView,
};
pub use self::turn::{
    ActionView, AnsweredView, ApprovalView, AttachmentView, BlockView, FileView, ItemView,
    ReactionView, ResultView, StepTurnView, StepView, ToolErrorView, ToolView, TurnView, WorkView,
};

/// Everything that a template gets.
#[derive(Serialize)]
pub struct View {
    /// The page.
    pub page: PageView,
    /// `conversation.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationView>,
    /// `page.html`, and `home.html` if the site has a text for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plain: Option<PlainView>,
    /// `home.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<HomeView>,
    /// `listing.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listing: Option<ListingView>,
    /// `terms.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<GroupView>>,
    /// `statistics.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<StatisticsView>,
}
