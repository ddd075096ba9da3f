/** What the oracle does about a module of the OpenID conformance suite for relying parties. */
export type Module = Judged | NotApplicable | NotJudged

interface Described {
  /** What the suite's provider does, in our words. */
  readonly does: string
}

/** A module whose provider does what the oracle's provider does in a property. */
export interface Judged extends Described {
  readonly property: string
  /** The only application of the property for which it does. @default any */
  readonly setup?: string
}

/** A module about something that the applications of the oracle do not do. */
interface NotApplicable extends Described {
  readonly notApplicable: string
  /** A property that tries something similar. */
  readonly similar?: string
}

/** A module without a property, although it applies. */
interface NotJudged extends Described {
  readonly notJudged: string
  readonly similar?: string
}

/** Modules of one plan of the suite. */
export interface Plan {
  readonly title: string
  /** The smallest plan that contains these modules. */
  readonly plan: string
  /** How the oracle differs from all of them. */
  readonly note?: string
  readonly modules: Readonly<Record<string, Module>>
}

const isAccepted = 'accepts a correctly signed id_token, wherever the endpoints are configured'
const isOfAnotherClient = 'rejects an id_token for another application'
const hasBadSignature = 'rejects an id_token with a bad signature that was received without TLS'
const hasOtherHash = 'rejects an id_token whose at_hash or c_hash belongs to other tokens'
const hasNewKeys = 'finds new provider keys, and limits requests for unknown ones'
const isOtherUserinfo = 'rejects userinfo of another user'
const isOfAnotherUser = 'accepts no tokens of another user at a refresh'
const isForgedLogout = 'ends no session for a forged logout token, and does not say what is wrong with it'

const otherFlows = 'It is about the implicit and hybrid flows; these applications use the code flow.'
const fixedIssuer = 'The issuer is part of the configuration, so nobody looks for it.'

function optional(feature: string): string {
  return `${feature} is optional, and this library does not implement it.`
}

/** The modules for relying parties of the OpenID conformance suite, by their public names. */
export const plans: readonly Plan[] = [
  {
    title: 'Sign-in, discovery and keys',
    plan: 'oidcc-client-test-plan',
    modules: {
      'oidcc-client-test': { does: 'responds correctly', property: isAccepted },
      'oidcc-client-test-idtoken-sig-rs256': { does: 'signs with RS256', property: isAccepted },
      'oidcc-client-test-client-secret-basic': {
        does: 'accepts the client secret by HTTP Basic only',
        property: isAccepted,
      },
      'oidcc-client-test-discovery-openid-config': {
        does: 'publishes its endpoints in its metadata',
        property: isAccepted,
        setup: 'wellKnown',
      },
      'oidcc-client-test-discovery-jwks-uri-keys': {
        does: 'publishes its keys at the `jwks_uri` of its metadata',
        property: isAccepted,
        setup: 'named endpoints',
      },
      'oidcc-client-test-discovery-issuer-mismatch': {
        does: 'names another issuer in its metadata; no sign-in may start',
        property: 'rejects metadata of another issuer',
      },
      'oidcc-client-test-discovery-webfinger-acct': {
        does: 'lets an application find its issuer by an `acct:` address',
        notApplicable: fixedIssuer,
      },
      'oidcc-client-test-discovery-webfinger-url': {
        does: 'lets an application find its issuer by a URL of the user',
        notApplicable: fixedIssuer,
      },
      'oidcc-client-test-dynamic-registration': {
        does: 'expects that the application registers itself',
        notApplicable: 'The client is part of the configuration.',
      },
      'oidcc-client-test-signing-key-rotation': {
        does: 'changes its keys between two sign-ins',
        property: hasNewKeys,
      },
      'oidcc-client-test-signing-key-rotation-just-before-signing': {
        does: 'changes its keys just before it signs the id_token',
        property: hasNewKeys,
      },
      'oidcc-client-test-kid-absent-single-jwks': {
        does: 'names no key, and publishes only one',
        property: 'accepts an id_token that names no key, if the provider has only one',
      },
      'oidcc-client-test-kid-absent-multiple-jwks': {
        does: 'names no key, and publishes several',
        notJudged: 'The application may accept or reject the id_token.',
      },
      'oidcc-client-test-nonce-invalid': {
        does: 'changes the nonce',
        property: 'rejects an id_token with the wrong nonce',
      },
      'oidcc-client-test-nonce-unless-code-flow': {
        does: 'expects a nonce in each request',
        notApplicable: otherFlows,
      },
      'oidcc-client-test-invalid-iss': {
        does: 'names another issuer in the id_token',
        property: 'rejects an id_token of another issuer, however similar the names',
      },
      'oidcc-client-test-invalid-aud': {
        does: 'names another client in `aud`',
        property: isOfAnotherClient,
      },
      'oidcc-client-test-missing-aud': { does: 'leaves out `aud`', property: isOfAnotherClient },
      'oidcc-client-test-missing-iat': {
        does: 'leaves out `iat`',
        property: 'rejects an id_token that is not yet valid, or undated',
      },
      'oidcc-client-test-missing-sub': {
        does: 'leaves out `sub`',
        property: 'rejects an id_token without a valid subject',
      },
      'oidcc-client-test-invalid-athash': {
        does: 'sends the `at_hash` of another token from its authorization endpoint',
        notApplicable: otherFlows,
        similar: hasOtherHash,
      },
      'oidcc-client-test-missing-athash': {
        does: 'leaves out `at_hash` at its authorization endpoint',
        notApplicable: otherFlows,
      },
      'oidcc-client-test-invalid-chash': {
        does: 'sends the `c_hash` of another code from its authorization endpoint',
        notApplicable: otherFlows,
        similar: hasOtherHash,
      },
      'oidcc-client-test-missing-chash': {
        does: 'leaves out `c_hash` at its authorization endpoint',
        notApplicable: otherFlows,
      },
      'oidcc-client-test-idtoken-sig-none': {
        does: 'sends an unsigned id_token to a client that registered `none`',
        notJudged: 'The application may accept or reject it. Other clients must reject it.',
        similar: 'rejects an id_token signed with an unexpected algorithm',
      },
      'oidcc-client-test-invalid-sig-rs256': {
        does: 'damages a signature with RS256',
        property: hasBadSignature,
      },
      'oidcc-client-test-invalid-sig-es256': {
        does: 'damages a signature with ES256, which the client registered',
        property: hasBadSignature,
        setup: 'ES256',
      },
      'oidcc-client-test-invalid-sig-hs256': {
        does: 'damages a signature with HS256, which the client registered',
        property: hasBadSignature,
        setup: 'HS256',
      },
      'oidcc-client-test-userinfo-invalid-sub': {
        does: 'returns the userinfo of another user',
        property: 'signs nobody in as the user of another userinfo response',
      },
      'oidcc-client-test-userinfo-signed': {
        does: 'signs the userinfo',
        property: 'rejects signed userinfo with a bad signature that was received without TLS',
      },
      'oidcc-client-test-userinfo-bearer-header': {
        does: 'accepts the access token in a header only',
        property: isOtherUserinfo,
      },
      'oidcc-client-test-userinfo-bearer-body': {
        does: 'accepts the access token in the body only',
        notApplicable: 'Applications may choose, and RFC 6750 recommends the header.',
      },
      'oidcc-client-test-scope-userinfo-claims': {
        does: 'expects a scope that requests claims, such as `profile`',
        notJudged: 'The application decides which claims it needs.',
      },
      'oidcc-client-test-aggregated-claims': {
        does: 'returns claims that another party signed',
        notApplicable: optional('Support for aggregated claims'),
      },
      'oidcc-client-test-distributed-claims': {
        does: 'returns the address of another server, which has more claims',
        notApplicable: optional('Support for distributed claims'),
      },
      'oidcc-client-test-form-post-error': {
        does: 'posts the error `login_required`',
        property: 'signs nobody in on a provider error, and ignores its text and URL',
        setup: 'form post',
      },
      'oidcc-client-test-request-uri-signed-rs256': {
        does: 'fetches the request, signed with RS256, from the application',
        notApplicable: optional('A request object by reference'),
      },
      'oidcc-client-test-request-uri-signed-none': {
        does: 'fetches the request, unsigned, from the application',
        notApplicable: optional('A request object by reference'),
      },
      'oidcc-client-test-mtls-endpoint-aliases': {
        does: 'has another token endpoint for clients with a certificate',
        notApplicable: optional('Client authentication by certificate'),
      },
    },
  },
  {
    title: 'Refresh',
    plan: 'oidcc-client-refreshtoken-test-plan',
    modules: {
      'oidcc-client-test-refresh-token': {
        does: 'refreshes the tokens',
        property: 'sends each refresh token back unchanged, whatever its text',
      },
      'oidcc-client-test-refresh-token-invalid-issuer': {
        does: 'names another issuer in the new id_token',
        property: isOfAnotherUser,
      },
      'oidcc-client-test-refresh-token-invalid-sub': {
        does: 'names another user in the new id_token',
        property: isOfAnotherUser,
      },
    },
  },
  {
    title: 'Logout',
    plan: 'oidcc-client-logout-test-plan',
    note: 'In the suite, the provider posts a logout token after a sign-out in the application. The oracle’s provider posts it unasked.',
    modules: {
      'oidcc-client-test-rp-backchannel-rpinitlogout': {
        does: 'posts a valid logout token',
        property: 'ends the sessions that a logout of the provider names, on every device, and no other',
      },
      'oidcc-client-test-rp-backchannel-rpinitlogout-alg-none': {
        does: 'does not sign the logout token',
        property: isForgedLogout,
      },
      'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg': {
        does: 'signs the logout token with another algorithm than the registered one',
        property: 'ends no session for a logout token signed with another algorithm than the registered one',
      },
      'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss': {
        does: 'names another issuer in the logout token',
        property: isForgedLogout,
      },
      'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud': {
        does: 'names another client in the logout token',
        property: isForgedLogout,
      },
      'oidcc-client-test-rp-backchannel-rpinitlogout-no-event': {
        does: 'leaves out `events`',
        property: isForgedLogout,
      },
      'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event': {
        does: 'names another event',
        property: isForgedLogout,
      },
      'oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce': {
        does: 'adds a nonce to the logout token',
        property: isForgedLogout,
      },
      'oidcc-client-test-rp-frontchannel-rpinitlogout': {
        does: 'opens a page of the application in a frame, after a sign-out there',
        notApplicable: optional('Front-channel logout'),
      },
      'oidcc-client-test-rp-frontchannel-opinitlogout': {
        does: 'opens a page of the application in a frame, after a sign-out at the provider',
        notApplicable: optional('Front-channel logout'),
      },
      'oidcc-client-test-rp-init-logout': {
        does: 'ends its session after a sign-out, and sends the browser back',
        notJudged: 'The provider of the oracle has no logout endpoint. Unit tests check the request.',
      },
      'oidcc-client-test-rp-init-logout-no-state': {
        does: 'sends the browser back without the `state` of the sign-out',
        notApplicable: 'The suite skips it if the application sends no `state`, as with this library.',
      },
      'oidcc-client-test-rp-init-logout-other-state': {
        does: 'sends the browser back with another `state`',
        notApplicable: 'The suite skips it if the application sends no `state`, as with this library.',
      },
      'oidcc-client-test-session-management': {
        does: 'tells a frame on each page whether its session has changed',
        notApplicable: optional('Session Management'),
      },
    },
  },
  {
    title: 'Sign-in that another site starts',
    plan: 'oidcc-client-test-3rd-party-init-login-test-plan',
    modules: {
      'oidcc-client-test-3rd-party-init-login': {
        does: 'sends the browser to the application, which must start a sign-in',
        notApplicable: optional('A sign-in that another site starts'),
      },
    },
  },
]
