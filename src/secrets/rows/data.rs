//! Rules for databases, tables, search and maps.

use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "planetscale-token",
        "PlanetScale token",
        "PlanetScale Docs: Service tokens, passwords",
        &["pscale_(tkn|oauth|pw)_[A-Za-z0-9=._-]{32,64}"],
    ),
    Rule::certain(
        "supabase-token",
        "Supabase token",
        "Supabase Docs: API keys, access tokens",
        &["sbp_[a-f0-9]{40}", "sb_secret_[A-Za-z0-9_-]{31,40}", "sbp_oauth_[a-f0-9]{40}"],
    ),
    Rule::certain("neon-key", "Neon key", "Neon Docs: API keys", &["napi_[a-z0-9]{64}"]),
    Rule::certain(
        "databricks-token",
        "Databricks token",
        "Databricks Docs: Personal access tokens",
        &["dapi[a-f0-9]{32}", "dose[a-f0-9]{32}", "dkea[a-f0-9]{32}"],
    ),
    Rule::certain(
        "clickhouse-key",
        "ClickHouse Cloud key",
        "ClickHouse Docs: API keys",
        &["4b1d[A-Za-z0-9]{38}"],
    ),
    Rule::certain(
        "confluent-secret",
        "Confluent secret",
        "Confluent Docs: API keys",
        &["cflt[A-Za-z0-9+/]{60}"],
    ),
    Rule::certain(
        "airtable-token",
        "Airtable token",
        "Airtable Support: Personal access tokens",
        &["pat[A-Za-z0-9]{14}.[a-f0-9]{64}"],
    ),
    Rule::certain(
        "notion-token",
        "Notion token",
        "Notion Developers: Authorization",
        &["ntn_[0-9]{11}[A-Za-z0-9]{35}", "secret_[A-Za-z0-9]{43}"],
    ),
    Rule::certain(
        "mapbox-secret-token",
        "Mapbox token",
        "Mapbox Docs: Access tokens",
        &["sk.eyJ[A-Za-z0-9_-]{60,120}.[A-Za-z0-9_-]{22}"],
    ),
    Rule::certain(
        "maxmind-key",
        "MaxMind key",
        "MaxMind Release Notes: license keys",
        &["[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"],
    ),
    Rule::certain(
        "dropbox-token",
        "Dropbox token",
        "Dropbox Developers: OAuth guide",
        &["sl.(u.|B|)[A-Za-z0-9_=-]{130,1400}"],
    ),
    Rule::certain(
        "contentful-token",
        "Contentful token",
        "Contentful Docs: Personal access tokens",
        &["CFPAT-[A-Za-z0-9_-]{43}"],
    ),
    Rule::certain(
        "aiven-password",
        "Aiven password",
        "Aiven Docs: service passwords",
        &["AVNS_[A-Za-z0-9_-]{19}"],
    ),
    Rule::certain(
        "elastic-key",
        "Elastic key",
        "Elastic Docs: API keys",
        &["essu_[A-Za-z0-9+/=]{60,120}"],
    ),
    Rule::certain("fauna-key", "Fauna key", "Fauna Docs: keys", &["fnA[A-Za-z0-9_-]{37}"]),
];
