import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in authorization requests, code exchange and client authentication. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/oauth/exchange-code.ts', [
    {
      id: 'untidy/scope-from-the-browser',
      in: 'grantedScope',
      find: 'every(',
      replace: 'some(',
      breaks: ['REC-039'],
    },
    {
      id: 'advisories/tokens-of-the-response',
      in: 'checkTokens',
      find: 'await readJson(response)',
      replace: '{ ...(await readJson(response)), ...Object.fromEntries(exchange.response) }',
      breaks: ['OI-20'],
    },
    {
      id: 'oauth/redirect-uri-rewritten',
      in: 'requestTokens',
      find: 'exchange.redirectUri',
      replace: 'new URL(exchange.redirectUri).origin',
      breaks: ['TX-14'],
    },
    {
      id: 'oauth/token-type-as-it-came',
      in: 'checkTokens',
      find: 'withExpiry(judged, context)',
      replace: '{ ...withExpiry(judged, context), token_type: body.token_type as never }',
      breaks: ['OI-23', 'REC-012'],
    },
    {
      id: 'oauth/id-token-optional-with-userinfo',
      in: 'checkTokens',
      find: 'const idToken =',
      replace: "provider = provider.idToken ? provider : { ...provider, type: 'oauth' }\n    const idToken =",
      breaks: ['PRV-031'],
    },
    {
      id: 'oauth/nonce-of-the-token',
      in: 'checkTokens',
      find: 'exchange.nonce',
      replace: "JSON.parse(atob(idToken?.split('.')[1] ?? 'e30')).nonce",
      breaks: ['OI-04', 'TX-10'],
    },
    {
      id: 'oauth/unknown-members-lost',
      in: 'withExpiry',
      find: '...others,',
      replace:
        'access_token: others.access_token, token_type: others.token_type, id_token: others.id_token, expires_in: others.expires_in,',
      breaks: ['REC-001', 'REC-009'],
    },
  ]),
  ...mutantsOf('src/oauth/optional-members.ts', [
    {
      id: 'untidy/unreadable-scope-kept',
      in: 'tidyTokens',
      find: 'isText(joined) && ',
      replace: 'joined !== undefined && ',
      breaks: ['OI-27'],
    },
    {
      id: 'oauth/lifetime-in-milliseconds',
      in: 'readLifetime',
      find: '? lifetime',
      replace: '? lifetime * 1000',
      breaks: ['REC-010', 'REC-011', 'OI-22'],
    },
    {
      id: 'oauth/lifetime-parsed-loosely',
      in: 'readLifetime',
      find: '&& /^\\s*\\d+(\\.\\d+)?\\s*$/.test(raw)',
      replace: '',
      breaks: ['OI-22'],
    },
  ]),
  ...mutantsOf('src/oauth/refresh-tokens.ts', [
    {
      id: 'untidy/refreshed-nonce-ignored',
      in: 'checkIdToken',
      find: 'claims.nonce !== undefined &&',
      replace: 'claims.nonce === null &&',
      breaks: ['OI-28'],
    },
    {
      id: 'oauth/refresh-token-dropped-after-any-400',
      in: 'refreshTokens',
      find: 'forGood.includes(problem.error) ?',
      replace: 'forGood.includes(problem.error) || response.status === 400 ?',
      breaks: ['RO-07'],
    },
    {
      id: 'options/anybodys-id-token',
      in: 'isForeign',
      find: 'one.sub !== other.sub ||',
      replace: '',
      breaks: ['OI-24'],
    },
  ]),
  ...mutantsOf('src/oauth/id-token.ts', [
    {
      id: 'untidy/keys-renewed-without-bound',
      in: 'verifyByKeys',
      find: ' || now < held.renewableFrom',
      replace: '',
      breaks: ['OI-29', 'OI-11'],
    },
  ]),
  ...mutantsOf('src/oauth/provider-error.ts', [
    {
      id: 'untidy/algorithm-unnamed',
      in: 'explainAlgorithm',
      find: 'cause.expected === undefined',
      replace: 'true',
      breaks: ['OI-30'],
    },
  ]),
  ...mutantsOf('src/flows/shared/discover-server.ts', [
    {
      id: 'untidy/client-checked-when-the-user-returns',
      in: 'checkClient',
      find: 'hasFailed(selected) ? selected : found',
      replace: 'found',
      breaks: ['OI-31'],
    },
  ]),
  ...mutantsOf('src/flows/shared/provider-failure.ts', [
    {
      id: 'log/unreachable-provider-blamed-for-the-code',
      in: 'reportFailure',
      find: 'reason in common',
      replace: "reason === 'hook-failed'",
      breaks: ['LOG-02'],
    },
  ]),
  ...mutantsOf('src/config/create-logger.ts', [
    {
      id: 'log/only-the-first-cause',
      in: 'logError',
      find: 'listCauses(error)',
      replace: 'listCauses(error).slice(0, 2)',
      breaks: ['LOG-01', 'ERR-002', 'EMB-031'],
    },
  ]),
  ...mutantsOf('src/oauth/authorization-url.ts', [
    {
      id: 'oauth/verifier-in-url',
      in: 'writeAuthorizationUrl',
      find: "query.set('code_challenge_method', 'S256')",
      replace: "query.set('code_challenge_method', 'S256'), query.set('code_verifier', checks.codeVerifier)",
      breaks: ['TX-26', 'TX-08'],
    },
    {
      id: 'oauth/client-id-from-browser',
      in: 'reserved',
      find: "'client_id',",
      replace: '',
      breaks: ['TX-13', 'DEC-07a'],
    },
    {
      id: 'oauth/request-object-from-browser',
      in: 'reserved',
      find: "'request_uri',",
      replace: '',
      breaks: ['TX-13', 'DEC-07a'],
    },
    {
      id: 'oauth/empty-scope-replaced',
      in: 'readEndpoint',
      find: "has('scope')",
      replace: "get('scope')",
      breaks: ['WIR-032'],
    },
    {
      id: 'sign-in/plain-challenge',
      in: 'writeAuthorizationUrl',
      find: "', 'S256",
      replace: "', 'plain",
      breaks: ['TX-09', 'DEC-06a'],
    },
    {
      id: 'sign-in/first-of-repeated-parameters',
      in: 'replaceParameters',
      find: '.flat()',
      replace: '.flatMap((values) => values.slice(0, 1))',
      breaks: ['DEC-07b'],
    },
  ]),
  ...mutantsOf('src/oauth/choose-checks.ts', [
    {
      id: 'handler/state-not-for-the-proxy',
      in: 'chooseChecks',
      find: 'wantsState ||',
      replace: '',
      breaks: ['CFG-031'],
    },
    {
      id: 'sign-in/none-adds-state',
      in: 'chooseChecks',
      find: 'if (checksDisabled) return []',
      replace: '',
      breaks: ['DEC-06d', 'ATN-005'],
    },
  ]),
  ...mutantsOf('src/oauth/client.ts', [
    {
      id: 'oauth/method-ignored',
      in: 'selectClientAuth',
      find: 'provider.client.token_endpoint_auth_method ??',
      replace: '',
      breaks: ['WIR-038', 'PRV-013'],
    },
    {
      id: 'oauth/basic-without-encoding',
      in: 'encode',
      find: "encodeURIComponent(text).replaceAll('%20', '+')",
      replace: 'text',
      breaks: ['WIR-038', 'PRV-012'],
    },
  ]),
  ...mutantsOf('src/oauth/push-request.ts', [
    {
      id: 'oauth/push-demanded-by-clients-only',
      in: 'demandsPush',
      find: 'server.require_pushed_authorization_requests === true',
      replace: 'false',
      breaks: ['TX-23'],
    },
  ]),
  ...mutantsOf('src/oauth/choose-checks.ts', [
    {
      id: 'oauth/max-age-raised-by-browser',
      in: 'chooseMaxAge',
      find: 'Math.min(...',
      replace: 'Math.max(...',
      breaks: ['OI-25'],
    },
  ]),
]
