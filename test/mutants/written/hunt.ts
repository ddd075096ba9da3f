import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs by authors who had not read the properties that have to detect them. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/email/request.ts', [
    {
      id: 'hunt/account-named-after-user',
      in: 'findAddresseeWith',
      find: 'providerAccountId: identifier',
      replace: 'providerAccountId: addressee?.id ?? identifier',
      breaks: ['REC-004'],
    },
    {
      id: 'hunt/supersede-by-default',
      in: 'endOlderLinks',
      find: 'mailProvider.config.supersedeLinks !== true',
      replace: 'mailProvider.config.supersedeLinks === false',
      breaks: ['OPT-011'],
    },
  ]),
  ...mutantsOf('src/flows/email/send-mail.ts', [
    {
      id: 'hunt/sender-of-requested-host',
      in: 'defaultSender',
      find: 'function defaultSender({ origin }: Visit): string {',
      replace:
        'function defaultSender({ request }: Visit): string {\nconst { origin } = new URL(request.url)',
      breaks: ['DEC-03e'],
    },
  ]),
  ...mutantsOf('src/flows/email/verification.ts', [
    {
      id: 'hunt/claimed-address-simply-gained',
      in: 'decideStarter',
      find: "return { type: 'user.known', member }",
      replace: "return { type: 'address.gained', member }",
      breaks: ['DEC-39e'],
    },
  ]),
  ...mutantsOf('src/flows/email/verify-request-url.ts', [
    {
      id: 'hunt/address-in-verify-request-url',
      in: 'mailed',
      find: 'redirect(verifyRequestUrl(visit, mailProvider))',
      replace:
        'redirect(`${verifyRequestUrl(visit, mailProvider)}&email=${encodeURIComponent(String(visit.body.email))}`)',
      breaks: ['WIR-046'],
    },
  ]),
  ...mutantsOf('src/text/email-address.ts', [
    {
      id: 'hunt/throwing-normaliser-ignored',
      in: 'normaliseFor',
      find: 'report(asError(error)) return undefined',
      replace: 'report(asError(error))\n    return canonicaliseAddress(raw)',
      breaks: ['EM-05', 'SEA-002'],
    },
  ]),
  ...mutantsOf('src/flows/shared/store-user.ts', [
    {
      // Every sign-in by a link, not only the first one, removes sessions and passkeys.
      id: 'hunt/every-link-ends-earlier-access',
      in: 'revokeAccess',
      find: "isProven(member) ? { type: 'earlier-access.ended', stamp } : endAccess(member.id, stamp, world)",
      replace: 'endAccess(member.id, stamp, world)',
      breaks: ['DEC-39c'],
    },
  ]),
  ...mutantsOf('src/flows/pages.ts', [
    {
      id: 'hunt/list-names-kinds',
      in: 'listProviders',
      find: '({ id, name, type }) => ({ id, name, type,',
      replace: '({ id, name, kind }) => ({ id, name, type: kind,',
      breaks: ['WIR-012', 'PRV-004'],
    },
    {
      id: 'hunt/providers-of-request-host-cacheable',
      in: 'showProviders',
      find: 'settings.canonicalOrigin === undefined',
      replace: 'false',
      breaks: ['DEC-32d'],
    },
  ]),
  ...mutantsOf('src/handler/answer.ts', [
    {
      id: 'hunt/fault-cached',
      in: 'respondMisconfigured',
      find: 'private: true, logs: fault',
      replace: 'logs: fault',
      breaks: ['DEC-32d'],
    },
  ]),
  ...mutantsOf('src/http/parse-body.ts', [
    {
      id: 'hunt/limit-of-each-chunk',
      in: 'readBytes',
      find: 'size > maxDiscarded ||',
      replace: 'next.value.length > maxDiscarded ||',
      breaks: ['LM-01'],
    },
  ]),
  ...mutantsOf('src/pages/error-text.ts', [
    {
      id: 'hunt/unknown-error-shown-as-text',
      in: 'findSignInMessage',
      find: 'return signInMessages.get(error) ?? failed',
      replace: 'return signInMessages.get(error) ?? { text: error as never }',
      breaks: ['WIR-057'],
    },
  ]),
  ...mutantsOf('src/cookies/cookie-table.ts', [
    {
      // Other overridden options, such as a lifetime, leave the changes for form_post on.
      id: 'hunt/only-same-site-counts-as-overridden',
      in: 'createCookieTable',
      find: 'given?.options !== undefined',
      replace: 'given?.options?.sameSite !== undefined',
      breaks: ['DEC-27a'],
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
  ]),
  ...mutantsOf('src/oauth/choose-checks.ts', [
    {
      // One random value serves as verifier and as nonce, so the authorization URL contains the verifier.
      id: 'hunt/verifier-is-also-nonce',
      in: 'mintCheckValues',
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
  ...mutantsOf('src/oauth/discover-server.ts', [
    {
      id: 'hunt/discovered-issuer-with-other-slash',
      in: 'checkDocument',
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
  ]),
  ...mutantsOf('src/text/host.ts', [
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
      in: 'checkTokens',
      find: 'errorOf(body) ?? (response.ok ? undefined : await readProviderError(response))',
      replace: 'response.ok ? undefined : await readProviderError(response)',
      breaks: ['OI-14', 'SEA-008'],
    },
    {
      id: 'hunt/client-secret-in-token-error',
      in: 'checkTokens',
      find: "[exchange.response.get('code'), provider.clientSecret]",
      replace: "[exchange.response.get('code')]",
      breaks: ['SEA-009', 'IL-02'],
    },
  ]),
  ...mutantsOf('src/oauth/id-token.ts', [
    {
      id: 'hunt/token-without-tenant-passes-list',
      in: 'checkClaims',
      find: 'if (provider.tenants && !provider',
      replace: 'if (tid !== undefined && provider.tenants && !provider',
      breaks: ['OI-21'],
    },
    {
      id: 'hunt/at-hash-of-other-type-ignored',
      in: 'checkClaims',
      find: 'claims.at_hash !== undefined &&',
      replace: "typeof claims.at_hash === 'string' &&",
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
      in: 'checkUserinfo',
      find: "declared === undefined && mediaType(response) !== 'application/jwt'",
      replace: "mediaType(response) !== 'application/jwt'",
      breaks: ['DEC-10b', 'OI-13'],
    },
    {
      id: 'hunt/userinfo-hook-of-another-subject',
      in: 'askHook',
      find: 'return checkSubject(provider, userinfo as Profile, subject)',
      replace: 'return { userinfo: userinfo as Profile }',
      breaks: ['OI-12'],
    },
  ]),
  ...mutantsOf('src/oauth/provider-error.ts', [
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
  ...mutantsOf('src/flows/refresh/flow.ts', [
    {
      // Other requests read the end of the claim as milliseconds, so the claim ends at once.
      id: 'hunt/refresh-claim-in-seconds',
      in: 'claimRefresh',
      find: 'world.platform.now() + claimTime',
      replace: 'Math.floor((world.platform.now() + claimTime) / 1000)',
      breaks: ['RO-06'],
    },
    {
      // The refusal of an old token removes the token of a sign-in that finished in the meantime.
      id: 'hunt/refusal-drops-token-of-new-sign-in',
      in: 'dropToken',
      find: "({ ...accountKey, refresh_token: '' }, { refresh_token: claim })",
      replace: "({ ...accountKey, refresh_token: '' })",
      breaks: ['RO-07', 'OPT-001'],
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
      // The log then blames a missing cookie, not the secret of the proxy.
      id: 'hunt/unreadable-state-at-proxy-taken-for-own',
      in: 'findHop',
      find: "return { type: 'state.unreadable', failure }",
      replace: "return { type: 'hop.none' }",
      breaks: ['SEA-003'],
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
  ...mutantsOf('src/flows/shared/admission.ts', [
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
      // Every link of a signed-in user counts as a request to link the address.
      id: 'hunt/implied-link-keeps-access',
      in: 'asksToAddAddress',
      find: 'hasPasskeys(settings) && asksToLink(visit)',
      replace: 'hasPasskeys(settings) || asksToLink(visit)',
      breaks: ['AL-04', 'DEC-39e'],
    },
    {
      id: 'hunt/link-intent-from-query',
      in: 'asksToLink',
      find: "({ body }: Visit): boolean { return body.link === 'true'",
      replace:
        "({ body, query }: Visit): boolean {\n  return query.get('link') === 'true' || body.link === 'true'",
      breaks: ['DEC-38'],
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
  ...mutantsOf('src/flows/shared/resolve-callback-url.ts', [
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
  ...mutantsOf('src/session/lifetime.ts', [
    {
      id: 'hunt/chosen-lifetime-survives-lowered-age',
      in: 'rowLifetime',
      find: 'Math.min(chosen, session.maxAge)',
      replace: 'chosen',
      breaks: ['SE-09', 'OPT-007'],
    },
  ]),
  ...mutantsOf('src/session/session-token.ts', [
    {
      id: 'hunt/shown-expiry-rounded-up',
      in: 'tokenExpiry',
      find: 'Math.floor(now / 1000)',
      replace: 'Math.ceil(now / 1000)',
      breaks: ['SE-25'],
    },
  ]),
  ...mutantsOf('src/flows/shared/recognition.ts', [
    {
      id: 'hunt/expiry-by-the-second',
      in: 'findSession',
      find: 'expires <= world.platform.now()',
      replace: 'Math.floor(expires / 1000) < Math.floor(world.platform.now() / 1000)',
      breaks: ['SE-05'],
    },
  ]),
  ...mutantsOf('src/flows/sign-out/flow.ts', [
    {
      id: 'hunt/sign-out-everywhere',
      in: 'revokeSession',
      find: "return { type: 'session.revoked', revoked: { session } }",
      replace:
        "const store = requireStore(world)\nif (session && store.has('deleteSessionsByUserId')) await store.deleteSessionsByUserId(session.userId)\nreturn { type: 'session.revoked', revoked: { session } }",
      breaks: ['SE-24'],
    },
  ]),
  ...mutantsOf('src/config/derive-settings.ts', [
    {
      id: 'hunt/session-options-mean-jwt',
      in: 'deriveSession',
      find: "given?.strategy ?? (config.adapter ? 'database' : 'jwt')",
      replace: "given?.strategy ?? (config.adapter && !given ? 'database' : 'jwt')",
      breaks: ['SES-002'],
    },
  ]),
  ...mutantsOf('src/flows/session/extend.ts', [
    {
      // An update also extends the session, but only a read sends the cookie again.
      id: 'hunt/update-extends-row-only',
      in: 'finishExtension',
      find: 'out.setCookies(',
      replace: "if (visit.method === 'GET') out.setCookies(",
      breaks: ['DEC-17b', 'SE-07'],
    },
  ]),
  ...mutantsOf('src/cookies/chunks.ts', [
    {
      // The value is written, but never read.
      id: 'hunt/eleventh-chunk-written',
      in: 'split',
      find: 'pieces.length === maxPieces',
      replace: 'pieces.length > maxPieces',
      breaks: ['DEC-27b', 'DEC-27c'],
    },
  ]),
  ...mutantsOf('src/flows/credentials/flow.ts', [
    {
      id: 'hunt/subject-without-separator',
      in: 'identify',
      find: 'JSON.stringify([provider, canonicaliseClaim(email) ?? email])',
      replace: 'provider + (canonicaliseClaim(email) ?? email)',
      breaks: ['SEA-004'],
    },
    {
      id: 'hunt/event-names-stored-user',
      in: 'findHolder',
      find: "return { type: 'member.found', holder }",
      replace: "return { type: 'member.found', holder, ...{ member: holder } }",
      breaks: ['EVT-008'],
    },
  ]),
  ...mutantsOf('src/flows/shared/rate-limit.ts', [
    {
      id: 'hunt/any-object-allows-the-attempt',
      in: 'readDecision',
      find: 'if (decision === true) return allowed',
      replace: 'if (decision) return allowed',
      breaks: ['OPT-003'],
    },
  ]),
  ...mutantsOf('src/flows/shared/issue-session.ts', [
    {
      id: 'hunt/token-of-unstored-user',
      in: 'issueToken',
      find: '} = arrival.user',
      replace: '} = facts.candidate',
      breaks: ['WIR-041', 'OI-17'],
    },
    {
      id: 'hunt/loser-of-race-signs-up',
      in: 'describeArrival',
      find: 'createdUser !== undefined && createdUser === member',
      replace: 'createdUser !== undefined',
      breaks: ['AL-07', 'EVT-009'],
    },
  ]),
  ...mutantsOf('src/flows/shared/call-sign-in.ts', [
    {
      id: 'hunt/typed-address-counts-as-verified',
      in: 'callSignIn',
      find: '{ email: typedAddress || null, email_verified: false }',
      replace: '{ email: typedAddress || null }',
      breaks: ['DEC-39a'],
    },
  ]),
  ...mutantsOf('src/webauthn/ceremony-options.ts', [
    {
      id: 'hunt/relying-party-of-request',
      in: 'findRelyingParty',
      find: 'relayingParty.origin ?? visit.origin',
      replace: 'relayingParty.origin ?? new URL(visit.request.url).origin',
      breaks: ['WA-03'],
    },
  ]),
  ...mutantsOf('src/config/default-callbacks.ts', [
    {
      id: 'hunt/id-claim-before-subject',
      in: 'defaultProfile',
      find: 'profile.sub ?? profile.id',
      replace: 'profile.id ?? profile.sub',
      breaks: ['OI-17'],
    },
  ]),
]
