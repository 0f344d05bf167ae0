//! Rules for package registries.

use super::super::checks::CRC_BASE62;
use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "npm-token",
        "npm token",
        "GitHub blog: npm access token format",
        &["npm_[A-Za-z0-9]{36}"],
    )
    .checked(&CRC_BASE62),
    Rule::certain(
        "pypi-token",
        "PyPI token",
        "PyPI Help: API tokens",
        &[
            "pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}",
            "pypi-AgENdGVzdC5weXBpLm9yZw[A-Za-z0-9_-]{50,1000}",
        ],
    ),
    Rule::certain(
        "crates-io-token",
        "crates.io token",
        "crates.io: secret scanning partner format",
        &["cio[A-Za-z0-9]{32}"],
    ),
    Rule::certain(
        "rubygems-key",
        "RubyGems key",
        "RubyGems Guides: API key scopes",
        &["rubygems_[a-f0-9]{48}"],
    ),
    Rule::certain(
        "nuget-key",
        "NuGet key",
        "Microsoft Learn: nuget.org API keys",
        &["oy2[a-z0-9]{43}"],
    ),
    Rule::certain(
        "clojars-token",
        "Clojars token",
        "Clojars Wiki: Deploy tokens",
        &["CLOJARS_[a-z0-9]{60}"],
    ),
    Rule::certain(
        "docker-token",
        "Docker token",
        "Docker Docs: Access tokens",
        &["dckr_(pat|oat)_[A-Za-z0-9_-]{27,32}"],
    ),
    Rule::certain(
        "artifactory-key",
        "Artifactory key",
        "JFrog Help: Access tokens",
        &["AKCp[A-Za-z0-9]{69}", "cmVmd[A-Za-z0-9]{59}"],
    ),
    Rule::certain(
        "packagist-token",
        "Packagist token",
        "Private Packagist Docs: API tokens",
        &["packagist_(ort|out|uut|urt|oht|uht)_[a-f0-9]{68}"],
    ),
    Rule::certain("jsr-token", "JSR token", "JSR Docs: API", &["jsr(d|p|w)_[A-Za-z0-9]{22,60}"]),
    Rule::certain(
        "anaconda-token",
        "Anaconda token",
        "Anaconda Docs: Tokens",
        &["an(a|y)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"],
    ),
];
