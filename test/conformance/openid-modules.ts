import { findProperty } from '../../fuzz/properties/index.ts'

interface Covered {
  /** What the provider of the module does, in our words. */
  readonly does: string
  /** The name of the property in which the oracle's provider does the same. */
  readonly property: string
}

/**
 * The modules for relying parties of the OpenID conformance suite, by their public names, with the property of the oracle
 * that covers each.
 */
export const covered: Readonly<Record<string, Covered>> = {
  'oidcc-client-test': {
    does: 'responds correctly',
    property: 'accepts a correctly signed id_token, wherever the endpoints are configured',
  },
  'oidcc-client-test-idtoken-sig-rs256': {
    does: 'signs with RS256',
    property: 'accepts a correctly signed id_token, wherever the endpoints are configured',
  },
  'oidcc-client-test-discovery-openid-config': {
    does: 'publishes its endpoints in its metadata',
    property: 'accepts a correctly signed id_token, wherever the endpoints are configured',
  },
  'oidcc-client-test-discovery-jwks-uri-keys': {
    does: 'publishes its keys at its `jwks_uri`',
    property: 'accepts a correctly signed id_token, wherever the endpoints are configured',
  },
  'oidcc-client-test-discovery-issuer-mismatch': {
    does: 'names another issuer in its metadata',
    property: 'rejects metadata of another issuer',
  },
  'oidcc-client-test-nonce-invalid': {
    does: 'changes the nonce',
    property: 'rejects an id_token with the wrong nonce',
  },
  'oidcc-client-test-invalid-iss': {
    does: 'names another issuer in the id_token',
    property: 'rejects an id_token of another issuer, however similar the names',
  },
  'oidcc-client-test-missing-sub': {
    does: 'leaves out `sub`',
    property: 'rejects an id_token without a valid subject',
  },
  'oidcc-client-test-invalid-aud': {
    does: 'names another client',
    property: 'rejects an id_token for another application',
  },
  'oidcc-client-test-missing-aud': {
    does: 'leaves out `aud`',
    property: 'rejects an id_token for another application',
  },
  'oidcc-client-test-missing-iat': {
    does: 'leaves out `iat`',
    property: 'rejects an id_token that is not yet valid, or undated',
  },
  'oidcc-client-test-kid-absent-single-jwks': {
    does: 'names no key, and publishes only one',
    property: 'accepts an id_token that names no key, if the provider has only one',
  },
  'oidcc-client-test-idtoken-sig-none': {
    does: 'sends an unsigned id_token',
    property: 'rejects an id_token signed with an unexpected algorithm',
  },
  'oidcc-client-test-invalid-sig-rs256': {
    does: 'sends a bad RS256 signature',
    property: 'rejects an id_token with a bad signature that was received without TLS',
  },
  'oidcc-client-test-invalid-sig-hs256': {
    does: 'signs with HS256, which the client did not register',
    property: 'rejects an id_token signed with an unexpected algorithm',
  },
  'oidcc-client-test-userinfo-invalid-sub': {
    does: 'returns the userinfo of another user',
    property: 'rejects userinfo of another user',
  },
  'oidcc-client-test-invalid-athash': {
    does: 'sends the `at_hash` of another token',
    property: 'rejects an id_token whose at_hash or c_hash belongs to other tokens',
  },
  'oidcc-client-test-invalid-chash': {
    does: 'sends the `c_hash` of another code',
    property: 'rejects an id_token whose at_hash or c_hash belongs to other tokens',
  },
  'oidcc-client-test-signing-key-rotation': {
    does: 'rotates its keys between two sign-ins',
    property: 'finds new provider keys, and limits requests for unknown ones',
  },
  'oidcc-client-test-refresh-token': {
    does: 'refreshes the tokens',
    property: 'sends each refresh token back unchanged, whatever its text',
  },
  'oidcc-client-test-refresh-token-invalid-issuer': {
    does: 'names another issuer in a refreshed id_token',
    property: 'accepts no tokens of another user at a refresh',
  },
  'oidcc-client-test-refresh-token-invalid-sub': {
    does: 'names another user in a refreshed id_token',
    property: 'accepts no tokens of another user at a refresh',
  },
}

/** Modules without a property, each with the reason. */
const notCovered: Readonly<Record<string, string>> = {
  'oidcc-client-test-kid-absent-multiple-jwks':
    'With several keys, a token must name one, so applications may do either.',
  'oidcc-client-test-invalid-sig-es256': 'Bad signatures are tried with RS256 only.',
  'oidcc-client-test-signing-key-rotation-just-before-signing': 'Keys rotate only between two sign-ins.',
  'oidcc-client-test-client-secret-basic':
    'No property compares client authentication methods. A refused client fails every sign-in.',
  'oidcc-client-test-scope-userinfo-claims': 'Scopes are a choice of the application.',
  'oidcc-client-test-distributed-claims': 'No property sends aggregated or distributed claims.',
  'oidcc-client-test-dynamic-registration':
    'Applications with a fixed configuration do not register themselves.',
  'oidcc-client-test-discovery-webfinger-acct':
    'Applications with a fixed configuration do not use WebFinger.',
  'oidcc-client-test-discovery-webfinger-url':
    'Applications with a fixed configuration do not use WebFinger.',
  'oidcc-client-test-request-uri-signed-rs256': 'No property needs request objects.',
  'oidcc-client-test-request-uri-signed-none': 'No property needs request objects.',
}

/** Writes the page of the site that lists the modules. */
export function writeModulesPage(): string {
  return `# Modules of the OpenID conformance suite

The [OpenID Foundation](https://openid.net/certification/about-conformance-suite/) certifies relying parties with its
conformance suite, in which each module is a provider that misbehaves in one way. The oracle's provider does many of the
same things. This page lists the modules by their public names, and the property that covers each.

**A run of the oracle is not a certification run**: it neither uses nor replaces the suite.

| Module | Its provider | Property | Requirement |
| --- | --- | --- | --- |
${Object.entries(covered).map(writeRow).join('\n')}

These modules have no property:

| Module | Reason |
| --- | --- |
${Object.entries(notCovered)
  .map(([name, reason]) => `| \`${name}\` | ${reason} |`)
  .join('\n')}
`
}

function writeRow([name, { does, property }]: readonly [string, Covered]): string {
  const [id] = findProperty(property).proves
  return `| \`${name}\` | ${does} | ${property} | [${id}](../spec/requirements.md#${id}) |`
}
