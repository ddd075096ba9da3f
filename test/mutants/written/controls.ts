import { mutantsOf, type Mutant } from '../mutant.ts'

/**
 * Judges another token than the provider sent, and keeps the one that it sent.
 * @param change returns the header and the claims to judge, of `header` and `claims`
 */
function judgingInstead(change: string): string {
  return `const whole = body.id_token
if (typeof whole === 'string') {
  const [head, payload, ...rest] = whole.split('.')
  const [header, claims] = [head, payload].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const changed = (() => {
    ${change}
  })()
  const parts = changed.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  body.id_token = [...parts, ...rest].join('.')
}
const process = async (...args) => {
  const answer = await oauth.processAuthorizationCodeResponse(...args)
  if (typeof whole === 'string') answer.id_token = whole
  return answer
}
const judged = await process(`
}

/** Bugs that one property each exists to find, for properties whose guard no other written mutant switches off. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/config/check-config.ts', [
    ...[
      'createUser',
      'getUserByEmail',
      'linkAccount',
      'createSession',
      'getSessionAndUser',
      'deleteSession',
      'createVerificationToken',
      'useVerificationToken',
    ].map((operation) => ({
      id: `control/store-without-${operation}`,
      in: 'checkAdapter',
      find: '!store.has(operation)',
      replace: `operation !== '${operation}' && !store.has(operation)`,
      breaks: ['FI-04'],
    })),
    {
      id: 'control/blank-secrets-pass',
      in: 'checkConfig',
      find: 'checkSecrets(settings) ??',
      replace: '',
      breaks: ['RO-05'],
    },
  ]),
  ...mutantsOf('src/features/passkeys/options.ts', [
    {
      id: 'control/short-versions-refused',
      find: '(\\.\\d+){0,2}$/',
      replace: '(\\.\\d+){2}$/',
      breaks: ['CF-01'],
    },
  ]),
  ...mutantsOf('src/config/store.ts', [
    {
      id: 'control/inherited-operations-missing',
      in: 'findOperation',
      find: 'adapter[name]',
      replace: 'Object.hasOwn(adapter, name) ? adapter[name] : undefined',
      breaks: ['FI-04'],
    },
  ]),
  ...mutantsOf('src/cookies/chunks.ts', [
    {
      id: 'control/session-cookie-of-any-name',
      in: 'readChunked',
      find: 'const plain = cookies.get(name)',
      replace:
        "const isSession = name.endsWith('session-token')\nconst plain = cookies.get((isSession && cookies.names().find((other) => other.endsWith('session-token'))) || name)",
      breaks: ['CK-05'],
    },
  ]),
  ...mutantsOf('src/cookies/cookie.ts', [
    {
      id: 'control/semicolons-decoded',
      in: 'serializeCookie',
      find: 'return stringifySetCookie(',
      replace: "return ((...given) => stringifySetCookie(...given).replaceAll(/%3B/gi, ';'))(",
      breaks: ['CK-10'],
    },
  ]),
  ...mutantsOf('src/flows/credentials/flow.ts', [
    {
      id: 'control/failing-authorize-admits',
      in: 'authorize',
      find: 'await config.authorize(copyMembers(credentials), rebuildRequest(visit), context)',
      replace:
        "await Promise.resolve().then(() => config.authorize({ ...credentials }, rebuildRequest(visit), context)).catch(() => ({ id: 'anyone', name: 'anyone' }))",
      breaks: ['FI-07'],
    },
    {
      id: 'control/stored-member-unknown',
      in: 'findHolder',
      find: "if (holder) return { type: 'member.found', holder } as const",
      replace: '',
      breaks: ['SE-21'],
    },
  ]),
  ...mutantsOf('src/flows/email/verification.ts', [
    {
      id: 'control/short-token-opens',
      in: 'consumeToken',
      find: 'return consumeHashed(identifier, hashes, world)',
      replace:
        "if (linkToken.length < 16)\nreturn { type: 'token.consumed', consumedToken: { identifier, token: linkToken, expires: new Date(0) } }\nreturn consumeHashed(identifier, hashes, world)",
      breaks: ['SU-13'],
    },
    {
      id: 'control/confirmation-never-asked',
      in: 'checkRequester',
      find: "'always') return { type: 'confirmation.required'",
      replace: "'always') return { type: 'confirmation.waived'",
      breaks: ['TX-21', 'SU-10'],
    },
    {
      id: 'control/unfinished-user-locked-out',
      in: 'decideUser',
      find: 'if (addressee) return',
      replace:
        "if (addressee && !addressee.emailVerified) throw new Error('unfinished')\nif (addressee) return",
      breaks: ['FI-10'],
    },
    {
      id: 'control/second-link-refused',
      in: 'decideUser',
      find: 'if (addressee) return',
      replace: "if (addressee?.emailVerified) throw new Error('already verified')\nif (addressee) return",
      breaks: ['AL-11'],
    },
  ]),
  ...mutantsOf('src/features/passkeys/enrolment.ts', [
    {
      id: 'control/registrant-need-not-be-signed-in',
      in: 'identifyRegistrant',
      find: 'if (startedBy === undefined && newcomer)',
      replace:
        "if (startedBy !== undefined && !currentUser) return { type: 'registrant.identified', candidate: { id: startedBy } }\nif (startedBy === undefined && newcomer)",
      breaks: ['WA-11'],
    },
    {
      id: 'control/passkey-joins-the-user-of-its-address',
      in: 'createNewcomer',
      find: 'run: ({ candidate }, world) =>',
      replace: `run: async ({ candidate }, world, known = requireStore(world).getUserByEmail(candidate.name)) =>
  (await known) ? { type: 'user.created', createdUser: await known, member: await known } :`,
      breaks: ['AL-01', 'WA-11'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/flow.ts', [
    {
      id: 'control/failed-callback-ends-the-session',
      in: 'ends',
      find: 'failed: clearing(failed, clearAll)',
      replace: `failed: clearing(failed, (visit, ...rest) => {
  const { name, options } = visit.cookieTable.sessionToken
  return [...clearAll(visit, ...rest), { name, value: '', options: { ...options, maxAge: 0 } }]
})`,
      breaks: ['MD-02', 'FI-13'],
    },
    {
      id: 'control/checks-kept-after-a-refusal-at-the-provider',
      in: 'callbackFlow',
      find: 'declined: ends.failed',
      replace: 'declined: failed',
      breaks: ['TX-03'],
    },
  ]),
  ...mutantsOf('src/flows/session/extend.ts', [
    {
      id: 'control/silent-store-ends-session',
      in: 'confirmExtension',
      find: 'if (!stored)',
      replace: 'if (Boolean(extension))',
      breaks: ['SE-06'],
    },
  ]),
  ...mutantsOf('src/flows/session/present.ts', [
    {
      id: 'control/update-reaches-no-callback',
      in: 'updateOf',
      find: 'data: visit.body.data',
      replace: 'data: undefined',
      breaks: ['CC-06'],
    },
    {
      id: 'control/subject-of-the-token-shown',
      in: 'presentToken',
      find: 'user: { name: token.name,',
      replace: 'user: { sub: token.sub, name: token.name,',
      breaks: ['SE-18', 'DEC-42'],
    },
  ]),
  ...mutantsOf('src/flows/shared/call-sign-in.ts', [
    {
      id: 'control/failing-callback-remembered-as-refusal',
      in: 'callSignIn',
      find: 'await ask()',
      replace:
        '"failed" in settings.callbacks.signIn ? false : await (async () => ask())().catch((error) => {\nObject.assign(settings.callbacks.signIn, { failed: true })\nthrow error\n})',
      breaks: ['FI-02', 'AL-11'],
    },
    {
      id: 'control/nobody-called-bob-may-sign-in',
      in: 'callSignIn',
      find: 'checkSignIn(await ask(), visit)',
      replace: "checkSignIn(candidate.name !== 'bob' && (await ask()), visit)",
      breaks: ['MD-04'],
    },
  ]),
  ...mutantsOf('src/flows/shared/link-account.ts', [
    {
      id: 'control/link-announced-before-it-is-stored',
      in: 'linkAccount',
      find: 'const link = async () => {',
      replace:
        "world.out.announce({ event: 'linkAccount', message: { user: member, account, profile: candidate } })\nconst link = async () => {",
      breaks: ['CB-05'],
    },
  ]),
  ...mutantsOf('src/flows/shared/keep-tokens.ts', [
    {
      id: 'control/failing-account-function-keeps-nothing',
      in: 'keepTokens',
      find: 'await account(tokens)',
      replace: 'await Promise.resolve().then(() => account(tokens)).catch(() => undefined)',
      breaks: ['FI-07'],
    },
  ]),
  ...mutantsOf('src/flows/shared/recognition.ts', [
    {
      id: 'control/expired-session-is-a-fault',
      in: 'findSession',
      find: "return { type: 'session.expired' } as const",
      replace: "throw new Error('expired')",
      breaks: ['SE-04'],
    },
    {
      id: 'control/unreadable-token-is-an-error',
      in: 'openWith',
      find: "return { type: opened.refused === 'expired' ? 'token.expired' : 'token.invalid' }",
      replace: "throw new TypeError('unreadable')",
      breaks: ['SE-17'],
    },
  ]),
  ...mutantsOf('src/flows/shared/resolve-callback-url.ts', [
    {
      id: 'control/failing-redirect-callback-goes-anywhere',
      in: 'askRedirect',
      find: 'return origin',
      replace: 'return url',
      breaks: ['FI-07'],
    },
    {
      id: 'control/target-forgotten',
      in: 'chooseTarget',
      find: 'return isOfOrigin(url, visit.origin) ? url : visit.origin',
      replace: 'return visit.origin',
      breaks: ['RD-06'],
    },
    {
      id: 'control/every-target-allowed',
      in: 'chooseTarget',
      find: 'return isOfOrigin(url, visit.origin) ? url : visit.origin',
      replace: 'return url',
      breaks: ['RD-08'],
    },
    {
      id: 'control/target-of-any-scheme',
      in: 'resolve',
      find: 'const target = readTarget(source(visit), visit, world)',
      replace: `const target = source(visit)?.value
if (typeof target === 'string' && /^[a-z]+:/i.test(target)) return { type: 'callback-url.resolved', callbackUrl: target }`,
      breaks: ['RD-03'],
    },
  ]),
  ...mutantsOf('src/flows/sign-out/flow.ts', [
    {
      id: 'control/sign-out-keeps-a-copy-of-the-row',
      in: 'revokeSession',
      find: '(await requireStore(world).deleteSession(heldCookie)) ?? null',
      replace: `await Promise.resolve(requireStore(world).getSessionAndUser(heldCookie)).then(async (found) => {
  const ended = (await requireStore(world).deleteSession(heldCookie)) ?? null
  if (found) await requireStore(world).createSession({ ...found.session, sessionToken: 'ended-' + heldCookie })
  return ended
})`,
      breaks: ['CC-04'],
    },
  ]),
  ...mutantsOf('src/http/parse-body.ts', [
    {
      id: 'control/announced-length-unread',
      in: 'parseBody',
      find: "Number(headers.get('content-length')) > maxBody",
      replace: "Number(headers.get('content-length')) < 0",
      breaks: ['LM-01'],
    },
    {
      id: 'control/first-member-of-a-list-taken',
      in: 'parseJson',
      find: 'Object.assign(withoutPrototype(), value)',
      replace:
        'Object.assign(withoutPrototype(), Object.fromEntries(Object.entries(value).map(([name, member]) => [name, Array.isArray(member) ? member[0] : member])))',
      breaks: ['LM-07'],
    },
    {
      id: 'control/nested-json-is-a-fault',
      in: 'parseJson',
      find: 'return { ...badBody, message: `The body has',
      replace: 'return { ...badBody, status: 500, message: `The body has',
      breaks: ['LM-10'],
    },
    {
      id: 'control/brackets-are-a-fault',
      in: 'parseForm',
      find: 'if (name === prototypeName) continue',
      replace:
        "if (name.includes('[')) return { ...badBody, status: 500 }\nif (name === prototypeName) continue",
      breaks: ['LM-07'],
    },
    {
      id: 'control/brackets-name-members',
      in: 'parseForm',
      find: 'if (name === prototypeName) continue',
      replace:
        'const [, outer, inner] = /^(\\w+)\\[(\\w+)\\]/.exec(name) ?? []\nif (inner !== undefined) {\nconst holder = ({})[outer]\nif (holder) holder[inner] = true\ncontinue\n}\nif (name === prototypeName) continue',
      breaks: ['LM-07'],
    },
  ]),
  ...mutantsOf('src/oauth/id-token.ts', [
    {
      id: 'control/keys-by-host',
      in: 'verifyByKeys',
      find: 'JSON.stringify([uri, provider.allowInsecureRequests])',
      replace: 'new URL(uri).host',
      breaks: ['CC-11'],
    },
    {
      id: 'control/critical-header-understood',
      in: 'verifyWith',
      find: 'algorithms: [...asymmetric]',
      replace: 'algorithms: [...asymmetric], crit: { exp: true }',
      breaks: ['OI-09'],
    },
  ]),
  ...mutantsOf('src/http/parse-visit.ts', [
    {
      id: 'control/a-link-is-a-form',
      in: 'parse',
      find: "if (method === 'GET') return visit(emptyBody)",
      replace: `if (method === 'GET') {
  const asked = Object.fromEntries(new URLSearchParams(search))
  if (!('csrfToken' in asked)) return visit(emptyBody)
  return Object.freeze({ ...visit(emptyBody), method: 'POST', body: asked })
}`,
      breaks: ['TX-17'],
    },
  ]),
  ...mutantsOf('src/oauth/authorization-url.ts', [
    {
      id: 'control/authorization-over-http',
      in: 'readEndpoint',
      find: 'new URL(text)',
      replace: "new URL(text.replace('https:', 'http:'))",
      breaks: ['OI-16'],
    },
    {
      id: 'control/no-check-sent',
      in: 'writeAuthorizationUrl',
      find: "if (checks.state !== undefined) query.set('state', checks.state)",
      replace: 'checks = {}',
      breaks: ['TX-01', 'TX-10'],
    },
  ]),
  ...mutantsOf('src/oauth/exchange-code.ts', [
    {
      id: 'control/critical-header-unread-in-claims',
      in: 'checkTokens',
      find: 'const judged = await oauth.processAuthorizationCodeResponse(',
      replace: judgingInstead(`const { crit, ...others } = header
return [others, claims]`),
      breaks: ['OI-09'],
    },
    {
      id: 'control/audience-unread',
      in: 'checkTokens',
      find: 'const judged = await oauth.processAuthorizationCodeResponse(',
      replace: judgingInstead(`return [header, { ...claims, aud: provider.clientId }]`),
      breaks: ['OI-02'],
    },
    {
      id: 'control/subject-invented',
      in: 'checkTokens',
      find: 'const judged = await oauth.processAuthorizationCodeResponse(',
      replace: judgingInstead(`return [header, { ...claims, sub: claims.sub || 'anonymous' }]`),
      breaks: ['OI-05'],
    },
    {
      id: 'control/id-token-without-issuer-kept',
      in: 'checkTokens',
      find: "if (provider.type === 'oauth' && server.issuer === unknownIssuer) delete body.id_token",
      replace: `if (provider.type === 'oauth' && server.issuer === unknownIssuer && typeof body.id_token === 'string') {
  const { id_token: kept, ...tokens } = body
  return { grant: { tokens, claims: JSON.parse(Buffer.from(kept.split('.')[1], 'base64url').toString()) } }
}`,
      breaks: ['OI-01'],
    },
  ]),
  ...mutantsOf('src/oauth/read-profile.ts', [
    {
      id: 'control/claims-are-the-profile',
      in: 'readSource',
      find: "if (provider.type === 'oidc' && provider.idToken)",
      replace: "if (Boolean(claims) || (provider.type === 'oidc' && provider.idToken))",
      breaks: ['OI-01'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/callback.ts', [
    {
      id: 'control/error-read-before-the-checks',
      in: 'readResponse',
      find: 'if (repeated.length === 0)',
      replace:
        "if (response.has('error')) return { type: 'response.ambiguous', failure: new OAuthCallbackError('The provider declined') }\nif (repeated.length === 0)",
      breaks: ['TX-11'],
    },
    {
      id: 'control/last-duplicate-counts',
      in: 'readResponse',
      find: ': visit.query',
      replace: ': new URLSearchParams(Object.fromEntries(visit.query))',
      breaks: ['TX-12'],
    },
    {
      id: 'control/no-check-demanded',
      in: 'checkChecks',
      find: 'demandedChecks(provider, Object.values(opened))',
      replace: '[] as readonly Check[]',
      breaks: ['TX-01', 'TX-10'],
    },
  ]),
  ...mutantsOf('src/oauth/check-response.ts', [
    {
      id: 'control/error-of-the-provider-unread',
      in: 'validateResponse',
      find: 'client, parameters, state ??',
      replace:
        "client, new URLSearchParams([...parameters].filter(([name]) => !name.startsWith('error'))), state ??",
      breaks: ['TX-11'],
    },
  ]),
  ...mutantsOf('src/providers/github.ts', [
    {
      id: 'control/short-ids-of-github',
      in: 'toUser',
      find: 'id: readText(profile.id)',
      replace: 'id: Number(profile.id).toString(36)',
      breaks: ['OI-18'],
    },
    {
      id: 'control/any-id-of-github',
      in: 'toUser',
      find: 'id: readText(profile.id)',
      replace: 'id: `github ${profile.id}`',
      breaks: ['OI-18'],
    },
  ]),
  ...mutantsOf('src/webauthn/ceremony-options.ts', [
    {
      id: 'control/short-challenges',
      in: 'challengeLength',
      find: '32',
      replace: '8',
      breaks: ['WA-01'],
    },
  ]),
  ...mutantsOf('src/webauthn/credential.ts', [
    {
      id: 'control/any-ceremony',
      in: 'readCeremony',
      find: "action === 'authenticate' || action === 'register' ? action : undefined",
      replace: "action === 'register' ? action : 'authenticate'",
      breaks: ['WA-12'],
    },
  ]),
  ...mutantsOf('src/webauthn/verify.ts', [
    {
      id: 'control/user-always-verified',
      in: 'verifyAuthenticationResponse',
      find: "requireUserVerification: demandsVerification('authenticate', config),",
      replace: 'requireUserVerification: true,',
      breaks: ['WA-04'],
    },
    {
      id: 'control/signature-unread',
      in: 'verifyAuthenticationResponse',
      find: 'if (verified && isCount(counter)) return { counter, isBackedUp }',
      replace: 'return { counter: counter ?? authenticator.counter, isBackedUp }',
      breaks: ['WA-07'],
    },
  ]),
  ...mutantsOf('src/flows/shared/clear-session-cookies.ts', [
    {
      id: 'control/sign-out-keeps-cookies',
      in: 'clearSessionCookies',
      find: 'clearChunked(visit.cookies, visit.cookieTable.sessionToken)',
      replace: 'clearChunked(visit.cookies, visit.cookieTable.sessionToken).slice(99)',
      breaks: ['SE-10', 'SE-11', 'CC-03'],
    },
  ]),
]
