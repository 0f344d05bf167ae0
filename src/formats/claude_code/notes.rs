//! Notes on records of a log.

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
.hint("the other records were read");
/// Records of unknown kinds without a message.
pub(super) const UNKNOWN_WITHOUT_MESSAGE: Counted = Counted::not_shown(
    "record of an unknown kind without a message",
    "records of unknown kinds without a message",
);
/// Records of speakers without message content.
pub(super) const WITHOUT_CONTENT: Counted = Counted::new(
    Severity::Warning,
    "missing-key",
    "message has no content",
    "messages have no content",
)
.hint("only these messages are skipped");
/// Outputs of which the log contains only the beginning.
pub(super) const CUT_OFF: Counted = Counted::new(
    Severity::Hint,
    "not-shown",
    "long output is incomplete",
    "long outputs are incomplete",
)
.hint("copy the `tool-results` folder of the session together with its log");
