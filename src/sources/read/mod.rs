//! Reads the bytes of a source and parses them, part by part.

pub(super) mod branch_limit;
pub(super) mod breaks;
pub(super) mod elements;
pub(super) mod limits;
pub(super) mod long_turns;
pub(super) mod named_files;
pub(super) mod pages;
pub(super) mod parse;
pub(super) mod part_builder;
pub(super) mod part_reader;
pub(super) mod pieces;
pub(super) mod scanner;
pub(super) mod split;
pub(super) mod unread;
pub(super) mod workers;
