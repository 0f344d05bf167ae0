//! Rules for chat, mail, telephony and social networks.

use super::super::checks::VARIED;
use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "slack-token",
        "Slack token",
        "Slack Docs: Token types",
        &[
            "xox(b|p|o|s|a|r|e)-[0-9]{8,14}-[0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9-]{28,34}",
            "xox(b|p|a|r)-[0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9]{20,32}",
            "xoxb-[0-9]{8,14}-[A-Za-z0-9]{18,26}",
            "xox(a|r)-(2-|)[A-Za-z0-9]{16,48}",
            "xoxc-[0-9]{8,14}-[0-9]{8,14}-[0-9]{8,14}-[a-f0-9]{64}",
        ],
    ),
    Rule::certain(
        "slack-cookie",
        "Slack session",
        "Slack Docs: Token types",
        &["xoxd-[A-Za-z0-9%/+=-]{60,400}"],
    ),
    Rule::certain(
        "slack-app-token",
        "Slack app token",
        "Slack Docs: Token types",
        &["xapp-[0-9]{1}-[A-Z0-9]{9,13}-[0-9]{10,15}-[a-f0-9]{64}"],
    ),
    Rule::certain(
        "slack-configuration-token",
        "Slack configuration token",
        "Slack Docs: Configuration tokens",
        &["xoxe.xox(b|p)-[0-9]{1}-[A-Za-z0-9]{140,200}", "xoxe-[0-9]{1}-[A-Za-z0-9]{140,200}"],
    ),
    Rule::certain(
        "discord-bot-token",
        "Discord bot token",
        "Discord Developer Docs: Reference, authentication",
        &["(M|N|O)[A-Za-z0-9]{23,27}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{27,38}"],
    ),
    Rule::certain(
        "discord-mfa-token",
        "Discord token",
        "Discord Developer Docs: Reference, authentication",
        &["mfa.[A-Za-z0-9_-]{84}"],
    ),
    Rule::certain(
        "telegram-bot-token",
        "Telegram bot token",
        "Telegram Bot API: Authorizing your bot",
        &["[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"],
    ),
    Rule::certain(
        "facebook-token",
        "Facebook token",
        "Meta for Developers: Access tokens",
        &["EAA[A-Z]{1}[A-Za-z0-9]{100,400}"],
    ),
    Rule::certain(
        "instagram-token",
        "Instagram token",
        "Meta for Developers: Instagram platform",
        &["IG(QV|AA)[A-Za-z0-9_-]{100,300}"],
    ),
    Rule::certain(
        "twitter-bearer-token",
        "X bearer token",
        "X Developer Docs: App-only authentication",
        &["AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{80,110}"],
    )
    .checked(&VARIED),
    Rule::certain(
        "linkedin-token",
        "LinkedIn secret",
        "LinkedIn: client secret format",
        &["WPL_AP(0|1).[A-Za-z0-9]{16}.[A-Za-z0-9+/]{8}=="],
    ),
    Rule::certain(
        "sendgrid-key",
        "SendGrid key",
        "Twilio Docs: SendGrid API keys",
        &["SG.[A-Za-z0-9_-]{22}.[A-Za-z0-9_-]{43}"],
    ),
    Rule::certain("mailgun-key", "Mailgun key", "Mailgun Docs: API keys", &["key-[a-f0-9]{32}"]),
    Rule::likely(
        "mailgun-account-key",
        "Mailgun key",
        "Mailgun Docs: API keys",
        &["[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}"],
    ),
    Rule::certain(
        "mailchimp-key",
        "Mailchimp key",
        "Mailchimp Developer: API keys",
        &["[a-f0-9]{32}-us[0-9]{1,2}"],
    ),
    Rule::certain(
        "mandrill-key",
        "Mandrill key",
        "Mailchimp Developer: Transactional API",
        &["md-[A-Za-z0-9_-]{22}"],
    )
    .checked(&VARIED),
    Rule::certain(
        "brevo-key",
        "Brevo key",
        "Brevo Docs: API keys",
        &["xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}", "xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}"],
    ),
    Rule::certain(
        "resend-key",
        "Resend key",
        "Resend Docs: API keys",
        &["re_[A-Za-z0-9]{7,9}_[A-Za-z0-9]{22,26}"],
    )
    .checked(&VARIED),
    Rule::certain(
        "mailersend-key",
        "MailerSend key",
        "MailerSend Docs: API tokens",
        &["mlsn.[a-f0-9]{64}"],
    ),
    Rule::certain(
        "klaviyo-key",
        "Klaviyo key",
        "Klaviyo Developers: Authenticate",
        &["pk_[a-f0-9]{34}"],
    ),
    Rule::certain("twilio-key", "Twilio key", "Twilio Docs: API keys", &["SK[0-9a-fA-F]{32}"]),
    Rule::certain(
        "twilio-account",
        "Twilio account id",
        "Twilio Docs: Account SID",
        &["AC[0-9a-f]{32}"],
    ),
    Rule::certain(
        "telnyx-key",
        "Telnyx key",
        "Telnyx Docs: Authentication",
        &["KEY0[A-F0-9]{31}_[A-Za-z0-9]{22}"],
    ),
    Rule::certain(
        "intercom-token",
        "Intercom token",
        "Intercom Developers: access tokens",
        &["dG9rOj[A-Za-z0-9+/]{50,54}="],
    ),
    Rule::certain(
        "matrix-token",
        "Matrix token",
        "Synapse Docs: access token format",
        &["sy(t|r)_[A-Za-z0-9+/=]{2,90}_[A-Za-z]{20}_[A-Za-z0-9]{6}"],
    ),
];
