//! Rules for code hosts, CI and code analysis.

use super::super::checks::{CRC_BASE36, CRC_BASE62, VARIED};
use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "github-token",
        "GitHub token",
        "GitHub Docs: About authentication to GitHub",
        &["gh(p|o|u|s|r)_[A-Za-z0-9]{36}"],
    )
    .checked(&CRC_BASE62),
    Rule::certain(
        "github-fine-grained-token",
        "GitHub fine-grained token",
        "GitHub Docs: About authentication to GitHub",
        &["github_pat_[A-Za-z0-9_]{82}"],
    ),
    Rule::certain(
        "github-installation-token",
        "GitHub app token",
        "GitHub changelog: format of installation tokens",
        &[
            "ghs_[0-9]{1,12}_eyJ[A-Za-z0-9_-]{20,600}.eyJ[A-Za-z0-9_-]{20,900}.[A-Za-z0-9_-]{40,700}",
        ],
    ),
    Rule::certain(
        "gitlab-token",
        "GitLab token",
        "GitLab Docs: Token overview, token prefixes",
        &[
            "gl(pat|dt|ptt|ft|soat|ffct|rtr)-[A-Za-z0-9_-]{20,30}",
            "glptt-[a-f0-9]{40}",
            "glimt-[A-Za-z0-9_-]{25}",
            "glrt-(t1_|t2_|t3_|)[A-Za-z0-9_-]{20}",
        ],
    ),
    Rule::certain(
        "gitlab-routable-token",
        "GitLab token",
        "GitLab Handbook: Routable Tokens",
        &[
            "gl(pat|rt|dt)-[A-Za-z0-9_-]{27,300}.[0-9a-z]{9}",
            "gl(pat|rt|dt)-[A-Za-z0-9_-]{27,300}.[0-9]{2}.[0-9a-z]{9}",
        ],
    )
    .checked(&CRC_BASE36),
    Rule::certain(
        "gitlab-job-token",
        "GitLab job token",
        "GitLab Docs: Token overview, token prefixes",
        &["glcbt-[0-9a-zA-Z]{1,5}_[A-Za-z0-9_-]{20}"],
    ),
    Rule::certain(
        "gitlab-agent-token",
        "GitLab agent token",
        "GitLab Docs: Token overview, token prefixes",
        &["glagent-[A-Za-z0-9_-]{50,1024}"],
    ),
    Rule::certain(
        "gitlab-application-secret",
        "GitLab application secret",
        "GitLab Docs: Token overview, token prefixes",
        &["gloas-[A-Za-z0-9_-]{64}"],
    ),
    Rule::certain(
        "gitlab-runner-registration-token",
        "GitLab runner registration token",
        "GitLab Docs: Token overview, token prefixes",
        &["GR1348941[A-Za-z0-9_-]{20}"],
    ),
    Rule::certain(
        "gitlab-session-cookie",
        "GitLab session",
        "GitLab Docs: Token overview, session cookies",
        &["_gitlab_session=[0-9a-z]{32}"],
    ),
    Rule::certain(
        "bitbucket-token",
        "Bitbucket token",
        "Atlassian Support: App passwords, access tokens",
        &["ATBB[A-Za-z0-9]{32}", "ATCTT3xFfG[A-Za-z0-9+/=_-]{60,380}"],
    ),
    Rule::certain(
        "atlassian-token",
        "Atlassian token",
        "Atlassian Support: Manage API tokens",
        &["ATATT3xFfGF0[A-Za-z0-9_=-]{160,240}"],
    ),
    Rule::certain(
        "bitbucket-data-center-token",
        "Bitbucket Data Center token",
        "Atlassian Documentation: HTTP access tokens",
        &["BBDC-[MNO]{1}[A-Za-z0-9+/@_-]{39,51}"],
    ),
    Rule::certain(
        "sourcegraph-token",
        "Sourcegraph token",
        "Sourcegraph Docs: Access tokens",
        &[
            "sgp_[a-fA-F0-9]{16}_[a-fA-F0-9]{40}",
            "sgp_local_[a-fA-F0-9]{40}",
            "sg(p|d)_[a-fA-F0-9]{40}",
        ],
    ),
    Rule::certain(
        "sonar-token",
        "Sonar token",
        "SonarQube Docs: Managing your tokens",
        &["sq(p|u|a|b)_[a-f0-9]{40}"],
    ),
    Rule::certain(
        "circleci-token",
        "CircleCI token",
        "CircleCI Docs: Managing API tokens",
        &["CCIPRJ_[A-Za-z0-9]{22}_[a-f0-9]{40}", "CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"],
    ),
    Rule::certain(
        "buildkite-token",
        "Buildkite token",
        "Buildkite Docs: Token security",
        &["bkua_[a-f0-9]{40}", "bk(ct|aj|ar|as|pt)_[A-Za-z0-9._-]{40,900}"],
    ),
    Rule::likely(
        "octopus-deploy-key",
        "Octopus Deploy key",
        "Octopus Docs: How to create an API key",
        &["API-[A-Z0-9]{25,30}"],
    )
    .checked(&VARIED),
    Rule::certain(
        "pulumi-token",
        "Pulumi token",
        "Pulumi Docs: Access tokens",
        &["pul-[a-f0-9]{40}"],
    ),
    Rule::certain(
        "terraform-token",
        "HCP Terraform token",
        "HashiCorp Developer: API tokens",
        &["[A-Za-z0-9]{14}.atlasv1.[A-Za-z0-9_=-]{60,70}"],
    ),
    Rule::certain(
        "harness-token",
        "Harness token",
        "Harness Docs: Manage API keys",
        &["(pat|sat).[A-Za-z0-9_-]{22}.[0-9a-zA-Z]{24}.[A-Za-z0-9]{20}"],
    ),
    Rule::certain(
        "infracost-key",
        "Infracost key",
        "Infracost Docs: Environment variables",
        &["ico-[A-Za-z0-9]{32}"],
    ),
    Rule::certain(
        "prefect-key",
        "Prefect key",
        "Prefect Docs: Manage API keys",
        &["pn(u|b)_[A-Za-z0-9]{36}"],
    ),
    Rule::certain(
        "openshift-token",
        "OpenShift token",
        "OpenShift Docs: Managing OAuth access tokens",
        &["sha256~[A-Za-z0-9_-]{43}"],
    ),
    Rule::certain(
        "figma-token",
        "Figma token",
        "Figma Developer Docs: Personal access tokens",
        &["fig(d|u|dr|ur)_[A-Za-z0-9_-]{38,50}"],
    ),
    Rule::certain(
        "linear-key",
        "Linear key",
        "Linear Developers: API and webhooks",
        &["lin_api_[A-Za-z0-9]{40}", "lin_oauth_[A-Za-z0-9]{64}", "lin_wh_[A-Za-z0-9]{40}"],
    ),
    Rule::certain(
        "readme-key",
        "ReadMe key",
        "ReadMe Docs: Authentication",
        &["rdme_[a-z0-9]{70}"],
    ),
];
