//! What is counted of a log.

use convo_base::diag::{Counted, Severity};

/// Records that are not objects.
pub(super) const NOT_AN_OBJECT: Counted = Counted {
    before: "skipped ",
    ..Counted::new(
        Severity::Warning,
        "wrong-type",
        "record that is not an object",
        "records that are not objects",
    )
}
.hint("the other records are read");
/// Records of unknown kinds without a message.
pub(super) const SPEECHLESS: Counted = Counted::not_shown(
    "record of an unknown kind without a message",
    "records of unknown kinds without a message",
);
/// Records of speakers without a message.
pub(super) const SILENT: Counted = Counted::new(
    Severity::Warning,
    "missing-key",
    "record of a speaker has no message with contents",
    "records of speakers have no message with contents",
)
.hint("nothing of it can be shown; the others are kept");
/// Results without a call.
pub(super) const ORPHANS: Counted = Counted::new(
    Severity::Warning,
    "orphan-result",
    "result has no call",
    "results have no call",
)
.hint(
    "nobody knows of which tools they are, so they are not shown; the calls may stand in a part of \
     the log that is missing",
);
/// Outputs of which only the beginning is in the log.
pub(super) const CUT_OFF: Counted = Counted::new(
    Severity::Hint,
    "not-shown",
    "long output is here only in part",
    "long outputs are here only in part",
)
.hint("copy the folder `tool-results` of the session with its log");
