import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in requests to providers and in discovery. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/oauth/client.ts', [
    {
      id: 'oauth/tolerance-of-minutes',
      in: 'clockTolerance',
      find: '= 30',
      replace: '= 3000',
      breaks: ['OI-03'],
    },
  ]),
  ...mutantsOf('src/oauth/discover-server.ts', [
    {
      id: 'oauth/discovered-on-this-machine',
      in: 'settle',
      find: 'findForeignLoopback(provider, discovered) ??',
      replace: '',
      breaks: ['OI-16', 'DEC-11f'],
    },
    {
      id: 'oauth/issuer-unchecked',
      in: 'checkDocument',
      find: '!accepted.some((text) => text === named)',
      replace: 'named === undefined',
      breaks: ['OI-15', 'DEC-09d'],
    },
    {
      id: 'oauth/well-known-of-oauth',
      in: 'requestDocument',
      find: '[oauth.customFetch]',
      replace: "algorithm: 'oauth2', [oauth.customFetch]",
      breaks: ['PRV-010', 'DEC-10f'],
    },
    {
      id: 'oauth/well-known-ignored',
      in: 'requestDocument',
      find: 'if (provider.wellKnown) return send(provider.wellKnown)',
      replace: '',
      breaks: ['DEC-10a', 'PRV-008'],
    },
    {
      id: 'oauth/always-discovers',
      in: 'discoverServer',
      find: 'isConfigured(provider, need) && isIssuerSettled(provider)',
      replace: 'false',
      breaks: ['DEC-10e', 'PRV-005', 'PRV-006', 'PRV-007'],
    },
    {
      id: 'oauth/jwks-endpoint-ignored',
      in: 'complete',
      find: 'provider.jwksUri || discovered.jwks_uri',
      replace: 'discovered.jwks_uri || provider.jwksUri',
      breaks: ['PRV-009', 'PRV-011', 'DEC-10a', 'DEC-09a'],
    },
    {
      id: 'oauth/documents-forever',
      in: 'documents',
      find: '60 * 60 * 1000',
      replace: 'Number.POSITIVE_INFINITY',
      breaks: ['DEC-10d', 'LM-06', 'DEC-33e'],
    },
    {
      id: 'oauth/cache-key-without-rules',
      in: 'readDocument',
      find: ', issuer, preset.issuerTemplate, allowInsecureRequests',
      replace: ' ?? issuer',
      breaks: ['CC-11', 'CC-07'],
    },
    {
      id: 'races/one-document-for-all',
      in: 'readDocument',
      find: 'wellKnown, issuer,',
      replace: '',
      breaks: ['CC-11', 'CC-07'],
    },
  ]),
  ...mutantsOf('src/oauth/id-token.ts', [
    {
      id: 'oauth/key-of-the-header',
      in: 'verifyWith',
      find: 'await compactVerify(jwt, find, options)',
      replace:
        'await compactVerify(jwt, async (header, token) => header.jwk ? ((await (await import("jose")).importJWK(header.jwk, header.alg)) as CryptoKey) : find(header, token), options)',
      breaks: ['OI-10'],
    },
    {
      id: 'oauth/rotation-missed',
      in: 'verifyByKeys',
      find: '< held.renewableFrom',
      replace: '>= 0',
      breaks: ['OI-11', 'DEC-09b'],
    },
    {
      id: 'oauth/keys-renewed-without-bound',
      in: 'verifyByKeys',
      find: '+ cooldown',
      replace: '',
      breaks: ['OI-11'],
    },
    {
      id: 'oauth/keys-across-rules',
      in: 'verifyByKeys',
      find: 'JSON.stringify([uri, provider.allowInsecureRequests])',
      replace: 'uri',
      breaks: ['CC-11'],
    },
  ]),
  ...mutantsOf('src/oauth/outbound-fetch.ts', [
    {
      // Hooks and presets get a response whose body was already read.
      id: 'oauth/read-response-passed-on',
      in: 'readWhole',
      find: 'return new Response(bodiless.includes(status) ? null : bytes, { status, statusText, headers })',
      replace: 'return response',
      breaks: ['WIR-039', 'DEC-10a'],
    },
    {
      id: 'oauth/no-user-agent',
      in: 'limitFetch',
      find: "'user-agent': `authmachine/${context.version}`,",
      replace: '',
      breaks: ['DEC-03d'],
    },
    {
      id: 'oauth/custom-fetch-ignored',
      in: 'limitFetch',
      find: 'provider.fetch ??',
      replace: '',
      breaks: ['DEC-10c', 'PRV-026', 'PRV-027'],
    },
    {
      id: 'oauth/follows-redirects',
      in: 'limitFetch',
      find: ": 'manual",
      replace: ": 'follow",
      breaks: ['DEC-11b', 'OI-16', 'OI-13'],
    },
    {
      id: 'oauth/fixed-deadline',
      in: 'withDeadline',
      find: 'timeout,',
      replace: '10_000,',
      breaks: ['DEC-11c'],
    },
    {
      id: 'oauth/limits-each-chunk',
      in: 'readBytes',
      find: 'length >',
      replace: 'value.byteLength >',
      breaks: ['DEC-11d', 'FI-06'],
    },
    {
      id: 'oauth/any-content-type',
      in: 'readJson',
      find: '|| !/^application\\/(?:[\\w.-]+\\+)?json$/.test(type)',
      replace: '',
      breaks: ['OI-13', 'FI-06'],
    },
    {
      id: 'oauth/insecure-always',
      in: 'isSecureUrl',
      find: '(allowInsecureRequests || isLoopback(url.hostname))',
      replace: 'true',
      breaks: ['DEC-11a', 'OI-16'],
    },
  ]),
]
