import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the protocol flows, written without knowledge of the properties that have to detect them. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/oauth/optional-members.ts', [
    {
      // A token that has expired already counts as one without an expiry.
      id: 'hunt/lifetime-of-zero-ignored',
      in: 'readLifetime',
      find: 'lifetime >= 0',
      replace: 'lifetime > 0',
      breaks: ['OI-22'],
    },
  ]),
  ...mutantsOf('src/oauth/authorization-url.ts', [
    {
      id: 'hunt/request-parameter-beside-configured-one',
      in: 'replaceParameters',
      find: '.filter(([name]) => !replaced.has(name))',
      replace: '',
      breaks: ['WIR-033'],
    },
    {
      id: 'hunt/first-of-repeated-parameter-only',
      in: 'replaceParameters',
      find: 'values.push([name, value])',
      replace: 'if (values.length === 0) values.push([name, value])',
      breaks: ['DEC-07b'],
    },
    {
      id: 'hunt/configured-response-type-overwritten',
      in: 'readEndpoint',
      find: "if (!configured.has('response_type')) configured",
      replace: 'configured',
      breaks: ['WIR-033'],
    },
  ]),
  ...mutantsOf('src/oauth/choose-checks.ts', [
    {
      // One random value serves as verifier and as nonce, so the authorization URL contains the verifier.
      id: 'hunt/verifier-is-also-nonce',
      in: 'mintChecks',
      find: 'const mint = (check: Check) => (checks.includes(check) ? randomText(randomBytes) : undefined)',
      replace:
        'const value = randomText(randomBytes)\n  const mint = (check: Check) => (checks.includes(check) ? value : undefined)',
      breaks: ['TX-08'],
    },
    {
      // A server that advertises only `plain` counts as one that checks PKCE.
      id: 'hunt/plain-counts-as-s256',
      in: 'chooseChecks',
      find: "server.code_challenge_methods_supported?.includes('S256') === true",
      replace: 'server.code_challenge_methods_supported !== undefined',
      breaks: ['DEC-06b', 'TX-09'],
    },
  ]),
  ...mutantsOf('src/oauth/client.ts', [
    {
      // Without an issuer, an assertion names the placeholder as its audience.
      id: 'hunt/assertion-for-unknown-issuer',
      in: 'nameAudience',
      find: 'server.issuer === unknownIssuer ? undefined : server.issuer',
      replace: 'server.issuer',
      breaks: ['WIR-038'],
    },
  ]),
  ...mutantsOf('src/oauth/context.ts', [
    {
      // A hook gets the application's own fetch, without deadline, limits and User-Agent.
      id: 'hunt/hook-gets-unlimited-fetch',
      in: 'hookProvider',
      find: '[customFetch]: send',
      replace: '[customFetch]: config[customFetch] ?? send',
      breaks: ['FI-05', 'DEC-03d'],
    },
  ]),
  ...mutantsOf('src/oauth/discover-server.ts', [
    {
      id: 'hunt/discovered-issuer-with-other-slash',
      in: 'judgeDocument',
      find: 'accepted.some((text) => text === named)',
      replace: "accepted.some((text) => text?.replace(/\\/$/, '') === String(named).replace(/\\/$/, ''))",
      breaks: ['OI-15'],
    },
    {
      // A document that was accepted for one issuer is used for another issuer with the same discovery URL.
      id: 'hunt/document-cached-without-issuer',
      in: 'readDocument',
      find: 'JSON.stringify([wellKnown, issuer,',
      replace: 'JSON.stringify([wellKnown ?? issuer,',
      breaks: ['CC-11', 'OI-15'],
    },
    {
      id: 'hunt/loopback-only-by-its-usual-names',
      in: 'findForeignLoopback',
      find: '!isOwnMachine(new URL(endpoint).hostname)',
      replace: '!/^(localhost|127[.].*|.*[.]localhost|.::1.)$/.test(new URL(endpoint).hostname)',
      breaks: ['DEC-11f'],
    },
    {
      id: 'hunt/userinfo-discovered-on-loopback',
      in: 'findForeignLoopback',
      find: 'Object.keys(members) as Need[]',
      replace: "(Object.keys(members) as Need[]).filter((each) => each !== 'userinfo')",
      breaks: ['DEC-11f'],
    },
    {
      id: 'hunt/insecure-issuer-with-secure-endpoints',
      in: 'judgeEndpoint',
      find: '[endpoint, ...(provider.issuer && URL.canParse(provider.issuer) ? [provider.issuer] : [])]',
      replace: '[endpoint]',
      breaks: ['OI-07', 'OI-16'],
    },
  ]),
  ...mutantsOf('src/text/host.ts', [
    {
      // `shop.example/auth/callback/pw?` counts as a host.
      id: 'hunt/host-with-text-after-it',
      in: 'shape',
      find: '(?::\\d{1,5})?$/i',
      replace: '(?::\\d{1,5})?/i',
      breaks: ['EMB-014'],
    },
    {
      id: 'hunt/only-one-ipv4-loopback-address',
      in: 'isLoopback',
      find: '/^127(\\.\\d+){3}$/.test(host)',
      replace: "host === '127.0.0.1'",
      breaks: ['DEC-11f', 'OI-16'],
    },
  ]),
  ...mutantsOf('src/oauth/provider-cache.ts', [
    {
      id: 'hunt/pending-discovery-not-shared',
      in: 'openCache',
      find: ': !failure && isWithin(askedAt, patience)',
      replace: ': false',
      breaks: ['LM-06'],
    },
    {
      // After a timeout of ten seconds, the five seconds of the failure are over already.
      id: 'hunt/failure-cached-from-request',
      in: 'ask',
      find: 'at: now() } })',
      replace: 'at: entry.askedAt } })',
      breaks: ['DEC-10g'],
    },
  ]),
  ...mutantsOf('src/oauth/exchange-code.ts', [
    {
      id: 'hunt/token-hook-without-verifier',
      in: 'askHook',
      find: '...(codeVerifier !== undefined && { code_verifier: codeVerifier }),',
      replace: '',
      breaks: ['TX-08', 'DEC-10a'],
    },
    {
      id: 'hunt/token-error-with-200-ignored',
      in: 'judgeTokens',
      find: 'errorOf(body) ?? (response.ok ? undefined : await readProviderError(response))',
      replace: 'response.ok ? undefined : await readProviderError(response)',
      breaks: ['OI-14', 'SEA-008'],
    },
    {
      id: 'hunt/client-secret-in-token-error',
      in: 'judgeTokens',
      find: "[exchange.response.get('code'), provider.clientSecret]",
      replace: "[exchange.response.get('code')]",
      breaks: ['SEA-009', 'IL-02'],
    },
    {
      id: 'hunt/provider-sets-expires-at',
      in: 'withExpiry',
      find: 'tokens.expires_in === undefined ? said : seconds(platform.now()) + tokens.expires_in',
      replace: 'said ?? seconds(platform.now()) + (tokens.expires_in ?? Number.NaN)',
      breaks: ['REC-011'],
    },
  ]),
  ...mutantsOf('src/oauth/id-token.ts', [
    {
      id: 'hunt/token-without-tenant-passes-list',
      in: 'judgeClaims',
      find: 'if (provider.tenants && !provider',
      replace: 'if (tid !== undefined && provider.tenants && !provider',
      breaks: ['OI-21'],
    },
    {
      id: 'hunt/at-hash-of-other-type-ignored',
      in: 'judgeClaims',
      find: 'claims.at_hash !== undefined &&',
      replace: "typeof claims.at_hash === 'string' &&",
      breaks: ['OI-08'],
    },
    {
      id: 'hunt/eddsa-hash-of-256-bits',
      in: 'halfHash',
      find: "? '512' :",
      replace: "? '256' :",
      breaks: ['OI-08'],
    },
    {
      // The token chooses HS256, although the provider did not declare it.
      id: 'hunt/hs256-by-header',
      in: 'verifySignature',
      find: "if (declared === 'HS256') {",
      replace: "if (decodeProtectedHeader(jwt).alg === 'HS256') {",
      breaks: ['OI-06'],
    },
    {
      // Two tenants of a process that use the same provider id verify with each other's keys.
      id: 'hunt/keys-cached-by-provider-id',
      in: 'verifyByKeys',
      find: 'JSON.stringify([uri,',
      replace: 'JSON.stringify([provider.id,',
      breaks: ['CC-11', 'DEC-33e'],
    },
  ]),
  ...mutantsOf('src/oauth/fetch-userinfo.ts', [
    {
      id: 'hunt/unsigned-userinfo-despite-registration',
      in: 'judgeUserinfo',
      find: "declared === undefined && mediaType(response) !== 'application/jwt'",
      replace: "mediaType(response) !== 'application/jwt'",
      breaks: ['DEC-10b', 'OI-13'],
    },
    {
      id: 'hunt/userinfo-hook-of-another-subject',
      in: 'askHook',
      find: 'return judgeSubject(provider, userinfo as Profile, subject)',
      replace: 'return { userinfo: userinfo as Profile }',
      breaks: ['OI-12'],
    },
    {
      id: 'hunt/access-token-in-userinfo-error',
      in: 'requestUserinfo',
      find: '[tokens.access_token, tokens.id_token, provider.clientSecret]',
      replace: '[tokens.id_token, provider.clientSecret]',
      breaks: ['SEA-009', 'IL-02'],
    },
  ]),
  ...mutantsOf('src/oauth/judge-response.ts', [
    {
      // `code=a&code=a` passes, and fails later with another error.
      id: 'hunt/identical-duplicates-pass',
      in: 'findAmbiguous',
      find: 'parameters.getAll(name).length > 1',
      replace: 'new Set(parameters.getAll(name)).size > 1',
      breaks: ['TX-12', 'WIR-036'],
    },
  ]),
  ...mutantsOf('src/oauth/outbound-fetch.ts', [
    {
      // A provider that sends headers at once and the body slowly is never timed out.
      id: 'hunt/deadline-ends-with-headers',
      in: 'limitFetch',
      find: 'return readWhole(await send(request ?? url.href, options), name, signal) } const isCustom = provider.fetch !== undefined return withDeadline(name, provider.timeout, init?.signal, context, work, isCustom)',
      replace: `return send(request ?? url.href, options)
    }
    const isCustom = provider.fetch !== undefined
    const started = await withDeadline(name, provider.timeout, init?.signal, context, work, isCustom)
    return readWhole(started, name, new AbortController().signal)`,
      breaks: ['FI-05', 'FI-06'],
    },
    {
      id: 'hunt/endpoint-query-in-log',
      in: 'limitFetch',
      find: '`${url.origin}${url.pathname}`',
      replace: 'url.href',
      breaks: ['IL-02'],
    },
    {
      id: 'hunt/json-in-any-content-type-name',
      in: 'readJson',
      find: '/^application\\/(?:[\\w.-]+\\+)?json$/.test(type)',
      replace: "type.includes('json')",
      breaks: ['OI-13'],
    },
  ]),
  ...mutantsOf('src/oauth/provider-error.ts', [
    {
      id: 'hunt/secret-redacted-once',
      in: 'quote',
      find: "text.replaceAll(secret, '…')",
      replace: "text.replace(secret, '…')",
      breaks: ['SEA-009', 'IL-02'],
    },
    {
      id: 'hunt/challenge-not-logged',
      in: 'readProviderError',
      find: "(await readBody(response)) ?? readChallenge(response.headers.get('www-authenticate') ?? '')",
      replace: 'await readBody(response)',
      breaks: ['SEA-008'],
    },
    {
      id: 'hunt/advice-only-without-description',
      in: 'tellProviderError',
      find: '${advice ?',
      replace: '${advice && !said ?',
      breaks: ['SEA-010'],
    },
  ]),
  ...mutantsOf('src/oauth/read-profile.ts', [
    {
      id: 'hunt/rounded-id-of-token-response',
      in: 'readMapped',
      find: 'isRounded(providerAccountId, profile, tokens)',
      replace: 'isRounded(providerAccountId, profile)',
      breaks: ['OI-18'],
    },
    {
      id: 'hunt/id-token-over-userinfo',
      in: 'mergeClaims',
      find: '{ ...claims, ...userinfo }',
      replace: '{ ...userinfo, ...claims }',
      breaks: ['PRV-030'],
    },
    {
      id: 'hunt/verdict-on-another-address',
      in: 'mergeClaims',
      find: 'delete merged.email_verified',
      replace: 'return merged',
      breaks: ['AL-09'],
    },
  ]),
  ...mutantsOf('src/oauth/refresh-tokens.ts', [
    {
      id: 'hunt/refresh-without-conform',
      in: 'refreshTokens',
      find: 'await conformTokens(provider, sent)',
      replace: 'sent',
      breaks: ['WIR-039', 'OPT-008'],
    },
    {
      id: 'hunt/refresh-token-in-refresh-error',
      in: 'refreshTokens',
      find: '[held.refreshToken, held.idToken, provider.clientSecret]',
      replace: '[held.idToken, provider.clientSecret]',
      breaks: ['SEA-009', 'IL-02'],
    },
    {
      // A refused token is sent again and again, because GitHub refuses it with status 200.
      id: 'hunt/refresh-error-with-200-ignored',
      in: 'refreshTokens',
      find: 'errorOf(body) ?? (response.ok ? undefined : await readProviderError(response))',
      replace: 'response.ok ? undefined : await readProviderError(response)',
      breaks: ['RO-07'],
    },
    {
      id: 'hunt/any-refresh-error-is-final',
      in: 'refreshTokens',
      find: 'forGood.includes(problem.error)',
      replace: "typeof problem.error === 'string'",
      breaks: ['RO-07'],
    },
    {
      id: 'hunt/refreshed-id-token-of-another-tenant',
      in: 'isForeign',
      find: '|| one.iss !== other.iss',
      replace: '',
      breaks: ['OI-24'],
    },
  ]),
  ...mutantsOf('src/flows/refresh/flow.ts', [
    {
      // The old expiry stays, so that each call refreshes again.
      id: 'hunt/refresh-without-lifetime-keeps-old-expiry',
      in: 'storeTokens',
      find: 'expires_at: renewed.expires_at ?? Math.floor(world.platform.now() / 1000) + unsaidLifetime,',
      replace: '...(renewed.expires_at !== undefined && { expires_at: renewed.expires_at }),',
      breaks: ['OPT-008'],
    },
    {
      // Others read the end of the claim as milliseconds, so it is over at once.
      id: 'hunt/refresh-claim-in-seconds',
      in: 'claimRefresh',
      find: 'world.platform.now() + claimTime',
      replace: 'Math.floor((world.platform.now() + claimTime) / 1000)',
      breaks: ['RO-06'],
    },
    {
      // If a process stops while it refreshes, its claim is never taken over.
      id: 'hunt/abandoned-refresh-claim-kept',
      in: 'readTokens',
      find: 'now < claimedUntil',
      replace: 'claimedUntil > 0',
      breaks: ['FI-10', 'OPT-008'],
    },
    {
      // The refusal of an old token removes the token of a sign-in that finished in the meantime.
      id: 'hunt/refusal-drops-token-of-new-sign-in',
      in: 'dropToken',
      find: "({ ...accountKey, refresh_token: '' }, { refresh_token: claim })",
      replace: "({ ...accountKey, refresh_token: '' })",
      breaks: ['RO-07', 'OPT-001'],
    },
    {
      // After a failure, the old token replaces that of a sign-in that finished in the meantime.
      id: 'hunt/release-restores-token-over-new-sign-in',
      in: 'releaseClaim',
      find: '(patch, { refresh_token: claim })',
      replace: '(patch)',
      breaks: ['RO-07', 'OPT-001'],
    },
    {
      id: 'hunt/refused-refresh-not-logged',
      in: 'refreshFlow',
      find: "({ ...answerWith({ state: 'lapsed' }), logs: failure })",
      replace: "answerWith({ state: 'lapsed' })",
      breaks: ['SEA-008'],
    },
    {
      // A `userId` in the response to a refresh moves the account to another user.
      id: 'hunt/refresh-stores-whole-response',
      in: 'storeTokens',
      find: 'const kept = await keepTokens(provider, renewed)',
      replace: 'const kept = { ...renewed }',
      breaks: ['AL-12', 'REC-014'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/sign-in.ts', [
    {
      id: 'hunt/verifier-in-debug-log',
      in: 'buildAuthorizationUrl',
      find: 'if (built.ignored.length > 0)',
      replace: "logger.debug('authorization request', { checks })\n    if (built.ignored.length > 0)",
      breaks: ['DEC-35', 'TX-08', 'IL-03'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/check-cookies.ts', [
    {
      id: 'hunt/newest-parallel-sign-ins-removed',
      in: 'findSurplus',
      find: '.slice(0, -kept)',
      replace: '.slice(kept)',
      breaks: ['OPT-009', 'TX-16'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/callback.ts', [
    {
      // A POST is read as a form, and a GET as a query, whatever the provider's response mode is.
      id: 'hunt/response-mode-by-method',
      in: 'readResponse',
      find: "provider.responseMode === 'form_post'",
      replace: "visit.method === 'POST'",
      breaks: ['TX-15'],
    },
    {
      id: 'hunt/unknown-duplicate-names-in-log',
      in: 'listNames',
      find: 'names.filter((name) => /^\\w{1,40}$/.test(name))',
      replace: 'names',
      breaks: ['IL-09'],
    },
    {
      // The promise of the allow function counts as permission.
      id: 'hunt/forward-permission-unawaited',
      in: 'findHop',
      find: 'await world.settings.mayForward(origin)',
      replace: 'world.settings.mayForward(origin)',
      breaks: ['DEC-41a', 'TX-20'],
    },
    {
      id: 'hunt/proxy-forwards-code-and-state-only',
      in: 'findHop',
      find: '${response.toString()}',
      replace: "${new URLSearchParams({ code: response.get('code') ?? '', state })}",
      breaks: ['WIR-035'],
    },
    {
      // The log then blames a missing cookie, not the secret of the proxy.
      id: 'hunt/unreadable-state-at-proxy-taken-for-own',
      in: 'findHop',
      find: "return { type: 'state.unreadable', failure }",
      replace: "return { type: 'hop.none' }",
      breaks: ['SEA-003'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/flow.ts', [
    {
      id: 'hunt/checks-kept-when-not-linked',
      in: 'callbackFlow',
      find: 'notLinked: ends.failed',
      replace: 'notLinked: failed',
      breaks: ['CK-14'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/identity.ts', [
    {
      id: 'hunt/own-redirect-uri-at-exchange-by-proxy',
      in: 'exchangeCode',
      find: 'redirectUriOf(visit, provider)',
      replace: '`${visit.base}/callback/${provider.id}`',
      breaks: ['TX-14'],
    },
    {
      id: 'hunt/invalid-claimed-address-kept',
      in: 'mapProfile',
      find: 'canonicaliseEmail: canonicaliseClaim',
      replace: 'canonicaliseEmail: (raw: string) => canonicaliseClaim(raw) ?? raw.trim().toLowerCase()',
      breaks: ['DEC-13f', 'DEC-13d'],
    },
  ]),
  ...mutantsOf('src/flows/shared/endings.ts', [
    {
      id: 'hunt/failed-discovery-thrown-in-raw-mode',
      in: 'returned',
      find: '[EmailSignInError, InvalidEndpoints, OAuthSignInError]',
      replace: '[EmailSignInError, OAuthSignInError]',
      breaks: ['SEA-001'],
    },
  ]),
  ...mutantsOf('src/flows/shared/admission.ts', [
    {
      // The user signed in at the callback gets the identity, if anyone was signed in at the start.
      id: 'hunt/linked-to-user-of-callback',
      in: 'decideLink',
      find: 'isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined',
      replace: 'checks.startedBy ? currentUser : undefined',
      breaks: ['DEC-19a'],
    },
    {
      // If another request links the identity to its user first, the signed-in user is switched to that one.
      id: 'hunt/lost-link-race-switches-user',
      in: 'rereadOwner',
      find: 'isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined',
      replace: 'undefined',
      breaks: ['AL-05'],
    },
  ]),
  ...mutantsOf('src/flows/shared/linking.ts', [
    {
      id: 'hunt/link-intent-from-query',
      in: 'asksToLink',
      find: "({ body }: Visit): boolean { return body.link === 'true'",
      replace:
        "({ body, query }: Visit): boolean {\n  return query.get('link') === 'true' || body.link === 'true'",
      breaks: ['DEC-38'],
    },
    {
      id: 'hunt/null-verification-links',
      in: 'saysUnverified',
      find: 'profile?.email_verified !== undefined',
      replace: '(profile?.email_verified ?? undefined) !== undefined',
      breaks: ['DEC-19b', 'AL-13'],
    },
  ]),
  ...mutantsOf('src/flows/shared/link-account.ts', [
    {
      // A `userId` in the token response of a later sign-in moves the account to another user.
      id: 'hunt/later-sign-in-stores-whole-response',
      in: 'updateAccount',
      find: 'const kept = await keepTokens(provider, grant.tokens)',
      replace: 'const kept = { ...grant.tokens }',
      breaks: ['AL-12', 'REC-014'],
    },
    {
      id: 'hunt/account-update-unawaited',
      in: 'updateAccount',
      find: 'await store.updateAccount(',
      replace: 'void store.updateAccount(',
      breaks: ['FI-01', 'FI-12'],
    },
  ]),
  ...mutantsOf('src/flows/shared/seal-into-cookies.ts', [
    {
      id: 'hunt/cookie-outlives-chosen-lifetime',
      in: 'sealIntoCookies',
      find: 'tokenExpiry(token, platform.now(), settings)',
      replace: 'tokenExpiry({}, platform.now(), settings)',
      breaks: ['OPT-007', 'SE-07'],
    },
  ]),
  ...mutantsOf('src/flows/shared/ask-sign-in.ts', [
    {
      id: 'hunt/denial-without-original-error',
      in: 'askSignIn',
      find: 'new AccessDenied(asError(error))',
      replace: 'new AccessDenied(asError(error).message)',
      breaks: ['DEC-02a'],
    },
  ]),
  ...mutantsOf('src/flows/shared/recognition.ts', [
    {
      // The suggested end is a day too early, and signs out the last sessions of the older version.
      id: 'hunt/legacy-end-a-day-early',
      in: 'warnLegacy',
      find: 'Math.ceil(last / day)',
      replace: 'Math.floor(last / day)',
      breaks: ['OPT-023'],
    },
  ]),
  ...mutantsOf('src/flows/shared/resolve-callback-url.ts', [
    {
      id: 'hunt/async-redirect-callback-unawaited',
      in: 'askRedirect',
      find: 'await redirect({ url, baseUrl: origin })',
      replace: 'String(redirect({ url, baseUrl: origin }))',
      breaks: ['CBK-014'],
    },
    {
      id: 'hunt/invalid-callback-url-in-log',
      in: 'readTarget',
      find: '`The callback URL in the ${asked.by} is',
      replace: '`The callback URL ${String(asked.value)} in the ${asked.by} is',
      breaks: ['IL-09'],
    },
    {
      id: 'hunt/throwing-redirect-callback-goes-to-target',
      in: 'askRedirect',
      find: "new CallbackRouteError('The redirect callback threw an error', { err: asError(error) }))",
      replace:
        "new CallbackRouteError('The redirect callback threw an error', { err: asError(error) }))\n    return url",
      breaks: ['RD-06'],
    },
  ]),
  ...mutantsOf('src/http/callback-url.ts', [
    {
      id: 'hunt/encoded-callback-url-exceeds-cookie',
      in: 'parseCallbackUrl',
      find: '|| isTooLongEncoded(href)',
      replace: '',
      breaks: ['CK-03', 'DEC-31e'],
    },
    {
      id: 'hunt/callback-url-with-other-scheme',
      in: 'isOfOrigin',
      find: 'target === origin || target.startsWith(`${origin}/`)',
      replace: 'new URL(target).host === new URL(origin).host',
      breaks: ['RD-10'],
    },
  ]),
  ...mutantsOf('src/http/csrf.ts', [
    {
      // A page opened after a rotation replaces the token of the forms that are open already.
      id: 'hunt/page-replaces-csrf-token-of-old-secret',
      in: 'readHeldCsrf',
      find: 'readCsrf(first, secrets)',
      replace: 'readCsrf(first, secrets.slice(0, 1))',
      breaks: ['RO-03'],
    },
  ]),
  ...mutantsOf('src/crypto/hash.ts', [
    {
      // Text that only starts with the token matches it.
      id: 'hunt/longer-csrf-token-accepted',
      in: 'equalsInConstantTime',
      find: 'a.length !== b.length',
      replace: 'a.length > b.length',
      breaks: ['TX-18'],
    },
  ]),
  ...mutantsOf('src/http/limits.ts', [
    {
      // An escaped quote ends a text, so that the structure after it counts as text.
      id: 'hunt/escaped-quote-hides-nesting',
      in: 'findExcess',
      find: 'if (byte === backslash) at++ else if (byte === quote) isText = false',
      replace: 'if (byte === quote) isText = false',
      breaks: ['LM-10', 'LM-09'],
    },
  ]),
  ...mutantsOf('src/http/parse-body.ts', [
    {
      id: 'hunt/prototype-in-list-kept',
      in: 'dropPrototypes',
      find: 'member !== null) dropPrototypes',
      replace: 'member !== null && !Array.isArray(member)) dropPrototypes',
      breaks: ['LM-12'],
    },
    {
      // The part of a body that arrived before the deadline counts as the whole.
      id: 'hunt/late-body-cut-off',
      in: 'readBytes',
      find: "if (isLate) throw new TypeError('The body did not end in time')",
      replace: '',
      breaks: ['DEC-34b'],
    },
  ]),
  ...mutantsOf('src/http/parse-visit.ts', [
    {
      // A callback with a mistyped path puts its code into the log.
      id: 'hunt/query-of-unknown-route-in-log',
      in: 'parse',
      find: 'at ${pathname}`',
      replace: 'at ${pathname}${search}`',
      breaks: ['IL-02'],
    },
    {
      id: 'hunt/empty-return-redirect-header-ignored',
      in: 'parse',
      find: "request.headers.has('x-auth-return-redirect')",
      replace: "Boolean(request.headers.get('x-auth-return-redirect'))",
      breaks: ['WIR-006'],
    },
    {
      id: 'hunt/long-path-accepted',
      in: 'parse',
      find: 'pathname.length + search.length > maxUrl',
      replace: 'search.length > maxUrl',
      breaks: ['LM-01'],
    },
    {
      id: 'hunt/secure-cookies-by-request-scheme',
      in: 'parse',
      find: '...placeOf(origin, settings),',
      replace:
        "...placeOf(origin, settings), cookieTable: settings.cookies[(settings.useSecureCookies ?? request.url.startsWith('https:')) ? 'secure' : 'plain'],",
      breaks: ['CK-15', 'DEC-04b'],
    },
  ]),
  ...mutantsOf('src/cookies/cookie-table.ts', [
    {
      id: 'hunt/undefined-cookie-option-removes-default',
      in: 'createCookieTable',
      find: 'withoutUndefined(given?.options ?? {})',
      replace: '(given?.options ?? {})',
      breaks: ['CFG-009'],
    },
    {
      id: 'hunt/host-prefix-with-other-path',
      in: 'prefix',
      find: "&& path === '/'",
      replace: '',
      breaks: ['CK-02', 'WIR-017'],
    },
  ]),
  ...mutantsOf('src/cookies/cookie.ts', [
    {
      id: 'hunt/own-encoding-not-escaped',
      in: 'encode',
      find: 'escapeUnsafe(encode(text), name)',
      replace: 'encode(text)',
      breaks: ['CK-10'],
    },
    {
      // Cookies with a lifetime are emptied, and not removed.
      id: 'hunt/cleared-cookie-keeps-max-age',
      in: 'clearCookie',
      find: '{ ...options, maxAge: 0, expires: undefined }',
      replace: '{ maxAge: 0, ...options, expires: undefined }',
      breaks: ['WIR-022', 'CK-09'],
    },
  ]),
  ...mutantsOf('src/session/session-token.ts', [
    {
      id: 'hunt/audience-unchecked-with-own-decoder',
      in: 'openSessionToken',
      find: 'if (jwt.audience === undefined &&',
      replace: 'if ((jwt.audience === undefined || jwt.decode) &&',
      breaks: ['OPT-020'],
    },
    {
      id: 'hunt/callback-overrides-audience',
      in: 'sealSessionToken',
      find: '{ ...placed, aud: jwt.audience }',
      replace: '{ aud: jwt.audience, ...claims }',
      breaks: ['OPT-020'],
    },
    {
      id: 'hunt/own-encoder-without-audience',
      in: 'sealSessionToken',
      find: 'token: named',
      replace: 'token: claims',
      breaks: ['TOK-002', 'OPT-020'],
    },
    {
      id: 'hunt/own-decoder-gets-the-list-of-all',
      in: 'oneOrAll',
      find: '[...secrets]',
      replace: '(secrets as string[])',
      breaks: ['CC-12'],
    },
    {
      // After a rotation, the application's decoder cannot read earlier sessions.
      id: 'hunt/own-decoder-gets-first-secret-only',
      in: 'oneOrAll',
      find: '[...secrets]',
      replace: "secrets[0] ?? ''",
      breaks: ['RO-03', 'TOK-003'],
    },
  ]),
  ...mutantsOf('src/token/keyring.ts', [
    {
      id: 'hunt/expiry-in-32-bits',
      in: 'stampClaims',
      find: 'exp: iat + maxAge',
      replace: 'exp: (iat + maxAge) | 0',
      breaks: ['JW-10'],
    },
  ]),
  ...mutantsOf('src/token/jwt.ts', [
    {
      id: 'hunt/refused-token-in-debug-log',
      in: 'readToken',
      find: '{ reason: opened.refused }',
      replace: '{ reason: opened.refused, token }',
      breaks: ['DEC-35', 'IL-03'],
    },
    {
      id: 'hunt/nextauth-url-before-auth-url',
      in: 'isSecureSite',
      find: "environment['AUTH_URL'] || environment['NEXTAUTH_URL']",
      replace: "environment['NEXTAUTH_URL'] || environment['AUTH_URL']",
      breaks: ['DEC-02c'],
    },
  ]),
  ...mutantsOf('src/handler/serve-sessions.ts', [
    {
      id: 'hunt/required-session-redirects-to-request-host',
      in: 'serveSessionParts.requireSession',
      find: 'canonicalOrigin ?? new URL(request.url).origin',
      replace: 'new URL(request.url).origin',
      breaks: ['HH-02'],
    },
    {
      id: 'hunt/required-session-refusal-cacheable',
      in: 'refuse',
      find: '...noStore, Vary',
      replace: 'Vary',
      breaks: ['DEC-32d'],
    },
  ]),
  ...mutantsOf('src/handler/error-location.ts', [
    {
      id: 'hunt/sign-in-error-on-custom-error-page',
      in: 'locateError',
      find: '? pages.signIn :',
      replace: '? (pages.signIn ?? pages.error) :',
      breaks: ['WIR-008'],
    },
    {
      id: 'hunt/error-message-in-url-with-debug',
      in: 'locateError',
      find: 'return page.href',
      replace: "if (debug) page.searchParams.set('message', error.message)\n  return page.href",
      breaks: ['IL-04', 'RD-08'],
    },
  ]),
  ...mutantsOf('src/handler/answer.ts', [
    {
      id: 'hunt/not-found-page-links-to-request-host',
      in: 'answerRefused',
      find: 'settings.canonicalOrigin ?? new URL(request.url).origin',
      replace: 'new URL(request.url).origin',
      breaks: ['HH-01'],
    },
  ]),
  ...mutantsOf('src/handler/finish.ts', [
    {
      // A sign-out whose revocation fails leaves the cookie in the browser.
      id: 'hunt/cookies-of-failed-run-dropped',
      in: 'finish',
      find: 'joinLists(out?.cookies ?? [], cookies)',
      replace: '[...(logs ? [] : (out?.cookies ?? [])), ...cookies]',
      breaks: ['DEC-12b', 'SE-12'],
    },
  ]),
  ...mutantsOf('src/handler/fire-events.ts', [
    {
      id: 'hunt/next-event-before-last-one-is-done',
      in: 'fireInTurn',
      find: 'await fire(announcement, settings)',
      replace: 'void fire(announcement, settings)',
      breaks: ['DEC-21c', 'CB-05'],
    },
  ]),
  ...mutantsOf('src/handler/read-session.ts', [
    {
      id: 'hunt/get-session-does-not-await-events',
      in: 'createSessionReader',
      find: 'whenReady(fired, () => ({',
      replace: 'whenReady(undefined, () => ({',
      breaks: ['DEC-21c'],
    },
  ]),
  ...mutantsOf('src/errors/classes.ts', [
    {
      id: 'hunt/sign-out-error-shown',
      in: 'SignOutError',
      find: "static override type: ErrorType = 'SignOutError'",
      replace: "static override type: ErrorType = 'SignOutError'\n  static override clientSafe = true",
      breaks: ['WIR-055'],
    },
  ]),
  ...mutantsOf('src/config/create-logger.ts', [
    {
      id: 'hunt/rejecting-logger-unhandled',
      in: 'guard',
      find: 'if (logged instanceof Promise) logged.catch(() => undefined)',
      replace: 'void logged',
      breaks: ['FI-12', 'FI-07'],
    },
    {
      id: 'hunt/invisible-characters-in-log-details',
      in: 'writeJson',
      find: 'escapeLines(JSON.stringify(value, null, 2))',
      replace: 'JSON.stringify(value, null, 2)',
      breaks: ['IL-09'],
    },
  ]),
  ...mutantsOf('src/config/store.ts', [
    {
      id: 'hunt/adapter-arguments-in-debug-log',
      in: 'wrapStore',
      find: 'logger.debug(`adapter_${name}`)',
      replace: 'logger.debug(`adapter_${name}`, { args })',
      breaks: ['DEC-35', 'IL-03'],
    },
  ]),
  ...mutantsOf('src/config/derive-settings.ts', [
    {
      id: 'hunt/process-url-over-given-environment',
      in: 'readSite',
      find: 'said?.AUTH_URL ?? AUTH_URL',
      replace: 'AUTH_URL ?? said?.AUTH_URL',
      breaks: ['DEC-40d'],
    },
    {
      // A secret that is removed from the list in place still opens tokens.
      id: 'hunt/list-of-secrets-not-copied',
      in: 'copyList',
      find: '[...(secret as unknown[])]',
      replace: '(secret as unknown[])',
      breaks: ['ECO-001'],
    },
    {
      // `https://preview.test` also allows `https://preview.test.evil`.
      id: 'hunt/forwarding-allowed-by-prefix',
      in: 'readAllowList',
      find: 'origins.has(origin)',
      replace: '[...origins].some((allowed) => origin.startsWith(allowed))',
      breaks: ['DEC-41a', 'TX-20'],
    },
  ]),
  ...mutantsOf('src/config/resolve-oauth.ts', [
    {
      // A response mode in the URL of the endpoint is sent to the provider, but not expected in its response.
      id: 'hunt/response-mode-in-url-ignored',
      in: 'isFormPost',
      find: "params.response_mode ?? (url && new URL(url).searchParams.get('response_mode'))",
      replace: 'params.response_mode',
      breaks: ['TX-15'],
    },
  ]),
  ...mutantsOf('src/providers/microsoft-entra-id.ts', [
    {
      // The text "false" counts as a domain that was checked.
      id: 'hunt/unchecked-domain-of-tenant-trusted',
      in: 'judgeAddress',
      find: "['true', '1'].includes(String(profile.xms_edov))",
      replace: 'Boolean(profile.xms_edov)',
      breaks: ['AL-01'],
    },
  ]),
  ...mutantsOf('src/config/warnings.ts', [
    {
      // The warning about one configuration silences that of another with the same cookie.
      id: 'hunt/cookie-warning-shared-by-configurations',
      in: 'isDue',
      find: '${entry} ${basePath} ${cookieName}',
      replace: '${entry} ${cookieName}',
      breaks: ['SEA-011'],
    },
  ]),
  ...mutantsOf('src/flows/pages.ts', [
    {
      id: 'hunt/providers-of-request-host-cacheable',
      in: 'showProviders',
      find: 'settings.canonicalOrigin === undefined',
      replace: 'false',
      breaks: ['DEC-32d'],
    },
  ]),
  ...mutantsOf('src/handler/get-access-token.ts', [
    {
      id: 'hunt/access-token-despite-configuration-fault',
      in: 'createTokenReader',
      find: 'if (settings.fault) throw copyOfError(settings.fault)',
      replace: '',
      breaks: ['CF-01'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/check-cookies.ts', [
    {
      // The provider compares the verifier, so its own provider seems not to matter.
      id: 'hunt/verifier-of-another-provider',
      in: 'checkCookie',
      find: "boundTo: ['provider'],",
      replace: "boundTo: check === 'pkce' ? [] : ['provider'],",
      breaks: ['TX-05', 'WIR-024'],
    },
  ]),
  ...mutantsOf('src/oauth/id-token.ts', [
    {
      id: 'hunt/azp-of-single-audience-ignored',
      in: 'judgeClaims',
      find: 'if (azp !== undefined && azp !== provider.clientId)',
      replace: 'if (Array.isArray(claims.aud) && azp !== undefined && azp !== provider.clientId)',
      breaks: ['OI-02'],
    },
    {
      id: 'hunt/issued-in-milliseconds',
      in: 'judgeClaims',
      find: 'const latest = seconds(platform.now()) + clockTolerance',
      replace: 'const latest = platform.now() + clockTolerance',
      breaks: ['OI-03'],
    },
  ]),
  ...mutantsOf('src/oauth/provider-cache.ts', [
    {
      // Each use starts the lifetime again, so a document or key set in constant use is never fetched again.
      id: 'hunt/cache-lifetime-slides',
      in: 'openCache.read',
      find: 'const entry = held.get(key)',
      replace:
        'const entry = held.get(key)\nif (entry?.loaded && isFresh(entry)) held.set(key, { ...entry, askedAt: now() })',
      breaks: ['DEC-10d', 'DEC-09b'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/identity.ts', [
    {
      // The callbacks get what the account callback selects for the row.
      id: 'hunt/callbacks-get-account-to-store',
      in: 'mapProfile',
      find: 'map(provider, profile, grant.tokens, help)',
      replace: 'map(provider, profile, { ...(provider.account(grant.tokens) as object) }, help)',
      breaks: ['WIR-040', 'REC-010'],
    },
  ]),
  ...mutantsOf('src/token/sealed.ts', [
    {
      id: 'hunt/check-outlives-its-lifetime',
      in: 'decrypt',
      find: '{ salt, now }',
      replace: '{ salt, now, tolerance: 60 }',
      breaks: ['TX-04'],
    },
  ]),
]
