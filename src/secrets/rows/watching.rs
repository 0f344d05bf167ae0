//! Rules for monitoring, logging, analytics and feature flags.

use super::super::checks::CRC_HEX;
use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "grafana-service-account-token",
        "Grafana token",
        "Grafana source: service account tokens",
        &["glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"],
    )
    .checked(&CRC_HEX),
    Rule::certain(
        "grafana-cloud-token",
        "Grafana Cloud token",
        "Grafana Cloud Docs: Access policies",
        &["glc_[A-Za-z0-9+/=]{32,400}", "eyJrIjoi[A-Za-z0-9+/]{60,400}"],
    ),
    Rule::certain(
        "sentry-token",
        "Sentry token",
        "Sentry Docs: Auth tokens",
        &[
            "sntryu_[a-f0-9]{64}",
            "sntrys_eyJ[A-Za-z0-9+/=]{60,400}_[A-Za-z0-9+/]{43}",
            "sntryi_[a-f0-9]{64}",
        ],
    ),
    Rule::certain(
        "new-relic-key",
        "New Relic key",
        "New Relic Docs: API keys",
        &[
            "NRAK-[A-Z0-9]{27}", "NRII-[A-Za-z0-9_-]{32}", "NRJS-[a-f0-9]{19}",
            "NRRA-[a-f0-9]{42}", "NRIQ-[A-Za-z0-9_-]{32}", "[a-f0-9]{36}NRAL",
        ],
    ),
    Rule::certain(
        "dynatrace-token",
        "Dynatrace token",
        "Dynatrace Docs: Access tokens",
        &["dt0(c01|s01|s02|s03|s08|s09|s16|a01).[A-Z2-7]{24}.[A-Z2-7]{64}"],
    ),
    Rule::certain(
        "datadog-key",
        "Datadog key",
        "Datadog Docs: identifiable keys",
        &["dd(pat|app)_[A-Za-z0-9]{34,60}"],
    ),
    Rule::certain(
        "posthog-key",
        "PostHog key",
        "PostHog Docs: Personal API keys",
        &["phx_[A-Za-z0-9]{40,60}", "phs_[A-Za-z0-9]{40,60}"],
    ),
    Rule::certain(
        "launchdarkly-key",
        "LaunchDarkly key",
        "LaunchDarkly Docs: SDK keys, access tokens",
        &["(sdk|api|mob|rel)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
    ),
    Rule::certain(
        "honeycomb-key",
        "Honeycomb key",
        "Honeycomb Docs: API keys",
        &["hc(a|b|x)(ik|lk|mk)_[0-9a-z]{58}"],
    ),
    Rule::certain(
        "logfire-token",
        "Logfire token",
        "Logfire Docs: Write tokens",
        &["pylf_v1_(us|eu|staging)_[A-Za-z0-9]{43}"],
    ),
    Rule::certain(
        "axiom-token",
        "Axiom token",
        "Axiom Docs: API tokens",
        &["xa(a|p)t-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
    ),
    Rule::certain(
        "configcat-key",
        "ConfigCat key",
        "ConfigCat Docs: SDK keys",
        &["configcat-sdk-1/[A-Za-z0-9_-]{22}/[A-Za-z0-9_-]{22}"],
    ),
    Rule::certain("rootly-key", "Rootly key", "Rootly Docs: API keys", &["rootly_[a-f0-9]{64}"]),
];
