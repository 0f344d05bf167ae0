//! Rules for clouds, hosting and infrastructure.

use super::super::checks::VARIED;
use super::super::pairs;
use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "aws-access-key",
        "AWS access key",
        "AWS IAM User Guide: unique identifiers",
        &["(AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}", "A3T[A-Z0-9]{1}[A-Z2-7]{16}"],
    )
    .checked(&VARIED)
    .beside(pairs::aws_secret),
    Rule::named(
        "aws-secret-key",
        "AWS secret key",
        "AWS IAM User Guide: Manage access keys",
        &["aws_secret", "secret_access_key", "secretaccesskey", "aws", "secretkey", "secret_key"],
        &["[A-Za-z0-9/+]{40}"],
    ),
    Rule::named(
        "aws-session-token",
        "AWS session token",
        "AWS IAM User Guide: Temporary credentials",
        &["session_token", "sessiontoken", "security_token", "security-token"],
        &["(IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9/+=]{200,2000}"],
    ),
    Rule::certain(
        "aws-bedrock-key",
        "Amazon Bedrock key",
        "Amazon Bedrock User Guide: API keys",
        &[
            "ABSK[A-Za-z0-9+/]{109,269}",
            "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]{20,2000}",
        ],
    ),
    Rule::certain(
        "google-api-key",
        "Google API key",
        "Google Cloud Docs: Manage API keys",
        &["AIza[A-Za-z0-9_-]{35}", "AQ.Ab[A-Za-z0-9_-]{46,52}"],
    ),
    Rule::certain(
        "google-oauth-secret",
        "Google OAuth secret",
        "Google Cloud Docs: OAuth client secrets",
        &["GOCSPX-[A-Za-z0-9_-]{28}"],
    ),
    Rule::certain(
        "google-oauth-token",
        "Google OAuth token",
        "Google Identity Docs: OAuth 2.0 token size",
        &["ya29.[A-Za-z0-9_-]{60,900}", "1//0[A-Za-z0-9_-]{60,200}"],
    ),
    Rule::likely(
        "azure-client-secret",
        "Azure client secret",
        "Microsoft Purview: Azure AD client secret",
        &["[A-Za-z0-9_~.-]{3,4}Q~[A-Za-z0-9_~.-]{31,34}"],
    )
    .checked(&VARIED),
    Rule::certain(
        "azure-key",
        "Azure key",
        "Microsoft Purview: identifiable Azure keys",
        &[
            "[A-Za-z0-9+/]{76}+ASt[A-Za-z0-9+/]{5}==",
            "[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{5}=(=|)",
            "[A-Za-z0-9+/]{33}AIoT[A-Za-z0-9+/]{5}=(=|)",
            "[A-Za-z0-9+/]{33}+ASb[A-Za-z0-9+/]{5}=(=|)",
            "[A-Za-z0-9+/]{33}+AEh[A-Za-z0-9+/]{5}=(=|)",
            "[A-Za-z0-9+/]{42}+ACR[A-Za-z0-9+/]{6}",
            "[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}==",
            "[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}",
        ],
    ),
    Rule::named(
        "azure-storage-key",
        "Azure storage key",
        "Microsoft Learn: Storage connection strings",
        &["accountkey", "storage_key", "storagekey", "azure", "sharedaccesskey"],
        &["[A-Za-z0-9+/]{86}=="],
    ),
    Rule::named(
        "azure-shared-access-key",
        "Azure shared access key",
        "Microsoft Learn: Service Bus connection strings",
        &["sharedaccesskey", "shared_access_key"],
        &["[A-Za-z0-9+/]{43}="],
    ),
    Rule::certain(
        "azure-devops-token",
        "Azure DevOps token",
        "Microsoft Learn: personal access token format",
        &["[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"],
    ),
    Rule::certain(
        "alibaba-access-key",
        "Alibaba Cloud access key",
        "Alibaba Cloud Docs: AccessKey pair",
        &["LTAI[A-Za-z0-9]{20}"],
    ),
    Rule::certain(
        "tencent-secret-id",
        "Tencent Cloud key",
        "Tencent Cloud Docs: access keys",
        &["AKID[A-Za-z0-9]{32}"],
    ),
    Rule::certain(
        "digitalocean-token",
        "DigitalOcean token",
        "DigitalOcean Docs: token formats",
        &["do(p|o|r)_v1_[a-f0-9]{64}"],
    ),
    Rule::certain(
        "cloudflare-token",
        "Cloudflare token",
        "Cloudflare Docs: Token formats",
        &["cf(k|ut|at)_[A-Za-z0-9]{48}"],
    ),
    Rule::certain(
        "cloudflare-origin-key",
        "Cloudflare origin key",
        "Cloudflare Docs: Origin CA keys",
        &["v1.0-[a-f0-9]{24}-[a-f0-9]{146}"],
    ),
    Rule::certain(
        "heroku-key",
        "Heroku key",
        "Heroku Dev Center: token prefix",
        &["HRKU-AA[A-Za-z0-9_-]{58}"],
    ),
    Rule::certain(
        "fly-token",
        "Fly.io token",
        "Fly Docs: Access tokens",
        &[
            "fo1_[A-Za-z0-9_-]{43}",
            "fm1(r|a)_[A-Za-z0-9+/]{100,2000}",
            "fm2_[A-Za-z0-9+/]{100,2000}",
        ],
    ),
    Rule::certain(
        "netlify-token",
        "Netlify token",
        "Netlify Docs: token prefix",
        &["nf(p|c|o|u|b)_[A-Za-z0-9]{36}"],
    ),
    Rule::certain(
        "vercel-token",
        "Vercel token",
        "Vercel changelog: token formats",
        &["vc(p|i|a|r|k)_[A-Za-z0-9_-]{24,80}", "vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{30}"],
    ),
    Rule::certain(
        "railway-token",
        "Railway token",
        "Railway Docs: tokens",
        &["rw_Fe26.2**[A-Za-z0-9_.*-]{100,600}"],
    ),
    Rule::certain("render-key", "Render key", "Render Docs: API keys", &["rnd_[A-Za-z0-9]{28,36}"]),
    Rule::certain("scaleway-key", "Scaleway key", "Scaleway Docs: API keys", &["SCW[A-Z0-9]{17}"])
        .checked(&VARIED),
    Rule::certain(
        "scalingo-token",
        "Scalingo token",
        "Scalingo Docs: API tokens",
        &["tk-us-[A-Za-z0-9_-]{48}"],
    ),
    Rule::certain(
        "yandex-cloud-key",
        "Yandex Cloud key",
        "Yandex Cloud Docs: API keys, IAM tokens",
        &[
            "AQVN[A-Za-z0-9_-]{35,38}",
            "t1.[A-Za-z0-9_-]{40,400}.[A-Za-z0-9_-]{86}",
            "YC(AJE|AJH|P|N|M|O)[A-Za-z0-9_-]{20,37}",
        ],
    ),
    Rule::certain(
        "doppler-token",
        "Doppler token",
        "Doppler Docs: Token formats",
        &[
            "dp.(pt|st|ct|scim|audit|sa|said|ds).[A-Za-z0-9_-]{40,60}",
            "dp.st.[a-z0-9_-]{2,35}.[A-Za-z0-9]{40,44}",
        ],
    ),
    Rule::certain(
        "vault-token",
        "Vault token",
        "HashiCorp Developer: Vault tokens",
        &["hv(s|b|r).[A-Za-z0-9_-]{90,300}"],
    ),
    Rule::certain(
        "infisical-token",
        "Infisical token",
        "Infisical Docs: service tokens",
        &["st.[a-f0-9]{24}.[a-f0-9]{32}.[a-f0-9]{32}"],
    ),
    Rule::certain(
        "one-password-token",
        "1Password service account token",
        "1Password Developer: service accounts",
        &["ops_eyJ[A-Za-z0-9+/]{250,2000}"],
    ),
    Rule::certain(
        "one-password-secret-key",
        "1Password secret key",
        "1Password Support: Secret Key",
        &[
            "A3-[A-Z0-9]{6}-[A-Z0-9]{11}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
            "A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
        ],
    ),
    Rule::certain(
        "tailscale-key",
        "Tailscale key",
        "Tailscale Docs: Key prefixes",
        &["tskey-(auth|api|client|scim|webhook)-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,40}"],
    ),
    Rule::certain(
        "defined-networking-key",
        "Defined Networking key",
        "Defined Networking Docs: API",
        &["dnkey-[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{52}"],
    ),
    Rule::certain(
        "rancher-token",
        "Rancher token",
        "Rancher Docs: API tokens",
        &["token-[a-z0-9]{5}:[bcdfghjklmnpqrstvwxz2456789]{54}"],
    ),
    Rule::named(
        "vault-legacy-token",
        "Vault token",
        "HashiCorp Developer: Vault tokens",
        &["vault"],
        &["s.[A-Za-z0-9]{24}"],
    ),
];
