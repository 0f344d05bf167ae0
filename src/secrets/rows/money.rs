//! Rules for payments, shops, banks and exchanges.

use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "stripe-key",
        "Stripe key",
        "Stripe Docs: API keys",
        &["(sk|rk)_live_[A-Za-z0-9]{24,247}", "sk_org_(live|test)_[A-Za-z0-9]{24,247}"],
    ),
    Rule::likely(
        "stripe-test-key",
        "Stripe test key",
        "Stripe Docs: API keys",
        &["(sk|rk)_test_[A-Za-z0-9]{24,247}"],
    ),
    Rule::certain(
        "stripe-webhook-secret",
        "Stripe webhook secret",
        "Stripe Docs: Webhook signatures",
        &["whsec_[A-Za-z0-9+/]{32,64}"],
    ),
    Rule::certain(
        "square-token",
        "Square token",
        "Square Developer: access tokens",
        &["EAAA[A-Za-z0-9_-]{54,62}", "sq0(atp|csp|idp)-[A-Za-z0-9_-]{22,43}"],
    ),
    Rule::certain(
        "braintree-token",
        "Braintree token",
        "PayPal Developer: Braintree access tokens",
        &["access_token$production$[a-z0-9]{16}$[a-f0-9]{32}"],
    ),
    Rule::certain(
        "razorpay-key",
        "Razorpay key",
        "Razorpay Docs: API keys",
        &["rzp_live_[A-Za-z0-9]{14}"],
    ),
    Rule::certain(
        "flutterwave-key",
        "Flutterwave key",
        "Flutterwave Docs: API keys",
        &[
            "FLWSECK-[a-f0-9]{32}-X",
            "FLWSECK_TEST-[A-Za-z0-9]{32}-X",
            "FLWSECK_TEST(-|)[a-h0-9]{12}",
        ],
    ),
    Rule::certain(
        "paystack-key",
        "Paystack key",
        "Paystack Docs: API keys",
        &["sk_(live|test)_[a-f0-9]{40}"],
    ),
    Rule::certain(
        "adyen-key",
        "Adyen key",
        "Adyen Docs: API credentials",
        &["AQE[a-z]{1}[A-Za-z0-9+/=]{60,200}-[A-Za-z0-9+/=]{40,60}-[A-Za-z0-9]{16}"],
    ),
    Rule::certain(
        "gocardless-token",
        "GoCardless token",
        "GoCardless Docs: Access tokens",
        &["live_[A-Za-z0-9_=-]{40}"],
    ),
    Rule::certain(
        "plaid-token",
        "Plaid token",
        "Plaid Docs: Token types",
        &[
            "access-(sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        ],
    ),
    Rule::certain(
        "mollie-key",
        "Mollie key",
        "Mollie Docs: Authentication",
        &["live_[A-Za-z0-9]{30}", "access_[A-Za-z0-9]{40}"],
    ),
    Rule::certain(
        "duffel-token",
        "Duffel token",
        "Duffel Docs: Authentication",
        &["duffel_(test|live)_[A-Za-z0-9_=-]{43}"],
    ),
    Rule::certain(
        "easypost-key",
        "EasyPost key",
        "EasyPost Docs: Authentication",
        &["EZ(AK|TK)[A-Za-z0-9]{54}"],
    ),
    Rule::certain(
        "shippo-token",
        "Shippo token",
        "Shippo Docs: Authentication",
        &["shippo_(live|test)_[a-fA-F0-9]{40}"],
    ),
    Rule::certain("lob-key", "Lob key", "Lob Docs: API keys", &["(live|test)_[a-f0-9]{35}"]),
    Rule::certain(
        "shopify-token",
        "Shopify token",
        "Shopify changelog: length and prefix of tokens",
        &["shp(at|ca|pa|ss|ua|tka)_[a-fA-F0-9]{32}"],
    ),
    Rule::certain(
        "woocommerce-key",
        "WooCommerce key",
        "WooCommerce Docs: REST API keys",
        &["c(k|s)_[a-f0-9]{40}"],
    ),
    Rule::certain(
        "coinbase-key",
        "Coinbase key",
        "Coinbase Developer Docs: API key names",
        &[
            "organizations/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/apiKeys/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        ],
    ),
    Rule::certain(
        "paddle-key",
        "Paddle key",
        "Paddle Developer: API keys",
        &["pdl_(live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}"],
    ),
    Rule::certain(
        "bitcoin-extended-key",
        "extended private key",
        "BIP 32: Serialization format",
        &["(xprv|yprv|zprv|tprv)[1-9A-HJ-NP-Za-km-z]{107}"],
    ),
    Rule::certain(
        "stellar-secret-seed",
        "Stellar secret seed",
        "Stellar SEP-23: Strkeys",
        &["S[A-D]{1}[A-Z2-7]{54}"],
    ),
    Rule::named(
        "wallet-private-key",
        "wallet private key",
        "Ethereum Yellow Paper: private keys",
        &["private_key", "privatekey", "private-key", "private key", "privkey", "mnemonic"],
        &["(0x|)[a-f0-9]{64}"],
    ),
];
