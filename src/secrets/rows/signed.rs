//! Rules for URLs that give access to anyone who has them.

use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "slack-webhook",
        "Slack webhook",
        "Slack Docs: Incoming webhooks",
        &[
            "hooks.slack.com/services/T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20,26}",
            "hooks.slack.com/(workflows|triggers)/[A-Z0-9]{8,12}/[A-Za-z0-9]{8,20}/[A-Za-z0-9]{16,50}",
        ],
    ),
    Rule::certain(
        "discord-webhook",
        "Discord webhook",
        "Discord Developer Docs: Webhook",
        &[
            "(discord|discordapp).com/api/(v10/|v9/|v8/|v7/|v6/|)webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,80}",
        ],
    ),
    Rule::likely(
        "discord-signed-link",
        "signed Discord link",
        "Discord Developer Docs: Signed attachment CDN URLs",
        &["?ex=[0-9a-f]{8}&is=[0-9a-f]{8}&hm=[0-9a-f]{64}"],
    ),
    Rule::certain(
        "teams-webhook",
        "Teams webhook",
        "Microsoft Learn: Incoming webhooks",
        &[
            ".webhook.office.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[a-z0-9]{32}/[0-9a-f-]{36}",
        ],
    ),
    Rule::certain(
        "logic-apps-link",
        "signed Azure workflow link",
        "Microsoft Learn: Secure access in Logic Apps",
        &["&sv=1.0&sig=[A-Za-z0-9_-]{43}"],
    ),
    Rule::certain(
        "google-chat-webhook",
        "Google Chat webhook",
        "Google Developers: Chat webhooks",
        &[
            "chat.googleapis.com/v1/spaces/[A-Za-z0-9_-]{8,16}/messages?key=[A-Za-z0-9_-]{39}&token=[A-Za-z0-9_-]{30,60}(%3D|)",
        ],
    ),
    Rule::certain(
        "zapier-webhook",
        "Zapier webhook",
        "Zapier Help: Catch hooks",
        &["hooks.zapier.com/hooks/catch/[0-9]{5,10}/[a-z0-9]{6,8}"],
    ),
    Rule::certain(
        "ifttt-webhook",
        "IFTTT webhook",
        "IFTTT Help: Webhooks",
        &["maker.ifttt.com/trigger/[A-Za-z0-9_-]{1,60}/with/key/[A-Za-z0-9_-]{20,48}"],
    ),
    Rule::likely(
        "slack-file-link",
        "public Slack file link",
        "Slack Docs: public_url_shared, file permalinks",
        &[
            "slack-files.com/T[A-Z0-9]{8,12}-F[A-Z0-9]{8,12}-[0-9a-f]{10}",
            "?pub_secret=[0-9a-f]{10}",
            "?t=xoxe-[A-Za-z0-9-]{40,200}",
        ],
    ),
    Rule::likely(
        "aws-signed-link",
        "signed AWS link",
        "AWS Docs: Signature Version 4 query strings",
        &["X-Amz-Signature=[0-9a-f]{64}"],
    ),
    Rule::likely(
        "google-signed-link",
        "signed Google Cloud link",
        "Google Cloud Docs: V4 signing",
        &["X-Goog-Signature=[0-9a-f]{128,1024}"],
    ),
    Rule::likely(
        "azure-signed-link",
        "signed Azure link",
        "Microsoft Learn: Shared access signatures",
        &["sig=[A-Za-z0-9%/+=]{44,90}"],
    ),
    Rule::likely(
        "cloudfront-signed-link",
        "signed CloudFront link",
        "AWS Docs: CloudFront signed URLs",
        &["Signature=[A-Za-z0-9~_-]{340,350}"],
    ),
];
