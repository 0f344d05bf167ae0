//! Rules for other services: identity, documents, tasks, devices.

use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "workos-key",
        "WorkOS key",
        "WorkOS Docs: API keys",
        &["sk_(live|test|prod)_a2V5[A-Za-z0-9+/=_-]{50,90}"],
    ),
    Rule::certain(
        "stytch-key",
        "Stytch secret",
        "Stytch Docs: API keys",
        &["secret-(live|test)-[A-Za-z0-9_=-]{36,50}"],
    ),
    Rule::certain(
        "authress-key",
        "Authress key",
        "Authress Docs: Service clients",
        &[
            "(sc|ext|scauth|authress)_[a-z0-9]{5,30}.[a-z0-9]{4,6}.acc(_|-)[a-z0-9-]{10,32}.[A-Za-z0-9+/_=-]{30,120}",
        ],
    ),
    Rule::certain(
        "adobe-secret",
        "Adobe secret",
        "Adobe Developer: Credentials",
        &["p8e-[A-Za-z0-9_-]{32}"],
    ),
    Rule::certain(
        "asana-token",
        "Asana token",
        "Asana Developers: Personal access tokens",
        &["(1|2)/[0-9]{14,17}/[0-9]{14,17}:[a-f0-9]{32}"],
    ),
    Rule::certain(
        "clickup-token",
        "ClickUp token",
        "ClickUp Developer: Personal tokens",
        &["pk_[0-9]{6,9}_[A-Z0-9]{32}"],
    ),
    Rule::certain(
        "hubspot-token",
        "HubSpot token",
        "HubSpot Developers: Private apps",
        &["pat-(na1|na2|eu1|ap1)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
    ),
    Rule::certain(
        "salesforce-token",
        "Salesforce session",
        "Salesforce Help: session ids",
        &["00D[A-Za-z0-9]{12}![A-Za-z0-9_.]{96}"],
    ),
    Rule::certain(
        "typeform-token",
        "Typeform token",
        "Typeform Developers: Personal access tokens",
        &["tfp_[A-Za-z0-9_.=-]{40,59}"],
    ),
    Rule::certain(
        "postman-key",
        "Postman key",
        "Postman Docs: API keys",
        &["PMAK-[a-f0-9]{24}-[a-f0-9]{34}"],
    ),
    Rule::certain(
        "frame-io-token",
        "Frame.io token",
        "Frame.io Developers: Tokens",
        &["fio-u-[A-Za-z0-9_=-]{64}"],
    ),
    Rule::certain(
        "canva-secret",
        "Canva secret",
        "Canva Developers: Client secrets",
        &["cnvca[A-Za-z0-9_-]{50,70}"],
    ),
    Rule::certain(
        "ionic-token",
        "Ionic token",
        "Ionic Docs: Personal access tokens",
        &["ion_[A-Za-z0-9]{42}"],
    ),
    Rule::certain(
        "adafruit-key",
        "Adafruit key",
        "Adafruit IO Docs: key format",
        &["aio_[A-Za-z0-9]{28}"],
    ),
    Rule::certain(
        "settlemint-token",
        "SettleMint token",
        "SettleMint Docs: Access tokens",
        &["sm_(aat|pat|sat)_[A-Za-z0-9]{16}"],
    ),
    Rule::certain(
        "persona-key",
        "Persona key",
        "Persona Docs: API keys",
        &[
            "persona_(production|sandbox)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        ],
    ),
    Rule::certain(
        "onfido-token",
        "Onfido key",
        "Onfido Docs: API tokens",
        &["api_(live|sandbox)(_us|_ca|_eu|).[A-Za-z0-9_-]{11}.[A-Za-z0-9_-]{32}"],
    ),
    Rule::certain(
        "lightspeed-token",
        "Lightspeed token",
        "Lightspeed Docs: Personal tokens",
        &["lsxs_pt_[A-Za-z0-9]{32}"],
    ),
    Rule::certain(
        "wakatime-key",
        "WakaTime key",
        "WakaTime Docs: API keys",
        &["waka_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
    ),
    Rule::certain(
        "thunderstore-token",
        "Thunderstore token",
        "Thunderstore Docs: service accounts",
        &["tss_[A-Za-z0-9]{40,60}"],
    ),
    Rule::certain(
        "trigger-dev-key",
        "Trigger.dev key",
        "Trigger.dev Docs: API keys",
        &["tr_(dev|prod|stg|preview|pat)_[A-Za-z0-9]{20,40}"],
    ),
    Rule::certain(
        "inngest-key",
        "Inngest signing key",
        "Inngest Docs: Signing keys",
        &["signkey-(prod|test|branch)-[a-f0-9]{64}"],
    ),
    Rule::certain(
        "trello-token",
        "Trello token",
        "Atlassian Developer: Trello API tokens",
        &["ATTA[a-f0-9]{72}"],
    ),
    Rule::certain(
        "intra-42-secret",
        "42 intra secret",
        "42 API Docs: Getting started",
        &["s-s4t2(ud|af)-[a-f0-9]{64}"],
    ),
    Rule::certain(
        "firebase-server-key",
        "Firebase server key",
        "Firebase Docs: Cloud Messaging server keys",
        &["AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140}"],
    ),
    Rule::certain(
        "sidekiq-credentials",
        "Sidekiq credentials",
        "Sidekiq Wiki: Commercial installation",
        &["BUNDLE_(GEMS|ENTERPRISE)__CONTRIBSYS__COM=[a-f0-9]{8}:[a-f0-9]{8}"],
    ),
    Rule::certain(
        "age-secret-key",
        "age secret key",
        "age specification: X25519 recipients",
        &["AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"],
    ),
];
