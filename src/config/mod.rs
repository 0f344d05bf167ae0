//! `site.toml` as a value: [`Config`].

mod base_url;
mod build_environment;
mod code;
mod conversation_name;
mod color;
mod frame;
mod extra;
mod gate;
mod keys;
mod load;
mod markup_options;
mod theme_overrides;
mod pseudonyms;
mod misplaced;
mod date_or_time;
mod edits;
mod edits_writer;
mod people;
mod located_text;
mod key_locations;
mod podcast;
mod publish_list;
mod search;
mod services;
mod shown_texts;
mod source;
mod source_rule;
mod toml_file;
mod values;

pub use self::base_url::{BaseUrl, Host};
pub use self::build_environment::{ADDRESS_VARIABLE, BuildEnvironment, DeployContext};
pub use self::code::Code;
pub use self::conversation_name::ConversationName;
pub use self::date_or_time::DateOrTime;
pub use self::edits::{Edit, Edits};
pub use self::edits_writer::{ConversationEdit, EditChange, EditValue, EditedConversation};
pub use self::extra::Extra;
pub use self::frame::{Footer, Head, HomePart, HomeParts, MenuLink, MenuTarget, SECTIONS};
pub use self::gate::{Action, GatePolicy, OwnWords, PersonalAction};
pub use self::key_locations::KeyLocations;
pub use self::keys::Config;
pub use self::load::{defaults, load, load_at};
pub use self::located_text::LocatedText;
pub use self::people::{Others, People, Person, PersonAlias};
pub use self::podcast::Podcast;
pub use self::publish_list::PublishList;
pub use self::search::{Search, SearchEngine};
pub use self::services::{AllowedHost, Giscus, HostPath, LoadKind, Measurement, Services};
pub use self::source_rule::{SourceRule, Visibility};
pub use self::theme_overrides::{Color, Name, ThemeOverrides};
pub use self::toml_file::{REFERENCE, parse, place_of};
pub use self::values::{
    Count, Deploy, Download, EditUrl, Hosting, Indexing, OgImages, OutputOptions, Packing, Publish,
    Review, Schema, Updated,
};
