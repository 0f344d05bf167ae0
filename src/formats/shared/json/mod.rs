//! JSON values and lists of them.

pub(crate) mod events;
pub(crate) mod long_list;
pub(crate) mod object;
pub(crate) mod records;
pub(crate) mod rows;
pub(crate) mod stored;
