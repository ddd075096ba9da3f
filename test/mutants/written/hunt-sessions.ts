import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in sessions, their lifetimes and updates, and in sign-out, written without knowledge of the properties. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/session/present.ts', [
    {
      id: 'hunt/empty-update-is-a-read',
      in: 'updateOf',
      find: "visit.method === 'POST' ?",
      replace: "visit.method === 'POST' && visit.body.data !== undefined ?",
      breaks: ['DEC-02h', 'CB-03'],
    },
    {
      id: 'hunt/update-drops-chosen-lifetime',
      in: 'renewToken',
      find: 'token: setOwnClaims(claims, own)',
      replace: 'token: update ? claims : setOwnClaims(claims, own)',
      breaks: ['OPT-007'],
    },
    {
      id: 'hunt/null-session-replaced',
      in: 'presentToken',
      find: 'writeBody(presented ?? null, visit, settings)',
      replace: 'writeBody(presented ?? (params as { session: object }).session, settings)',
      breaks: ['CB-04'],
    },
  ]),
  ...mutantsOf('src/flows/session/extend.ts', [
    {
      id: 'hunt/lowered-age-tolerated',
      in: 'judgeAge',
      find: 'left > maxAge ||',
      replace: 'left > maxAge + updateAge ||',
      breaks: ['DEC-17c', 'SE-09'],
    },
    {
      id: 'hunt/extension-forgets-chosen-lifetime',
      in: 'extendSession',
      find: 'const { maxAge, end } = rowLifetime(heldCookie, world.settings)',
      replace:
        'const { maxAge, end } = { ...rowLifetime(heldCookie, world.settings), ...world.settings.session }',
      breaks: ['OPT-007'],
    },
    {
      id: 'hunt/asked-expiry-told',
      in: 'extendSession',
      find: 'finishExtension({ ...asked, ...answer },',
      replace: 'finishExtension({ ...answer, ...asked },',
      breaks: ['SE-07', 'SE-25'],
    },
    {
      id: 'hunt/deleted-row-marks-store-silent',
      in: 'confirmExtension',
      find: "if (!stored) return { type: 'session.gone' }",
      replace: "silent.add(store.adapter)\nif (!stored) return { type: 'session.gone' }",
      breaks: ['DEC-17d', 'CC-04'],
    },
  ]),
  ...mutantsOf('src/flows/session/present.ts', [
    {
      id: 'hunt/update-shows-session-token',
      in: 'presentSession',
      find: 'session: { ...row, user: narrow(user), ...authentication }',
      replace: 'session: { ...(update ? session : row), user: narrow(user), ...authentication }',
      breaks: ['DEC-17e'],
    },
    {
      id: 'hunt/update-changes-shown-user',
      in: 'presentSession',
      find: 'user: narrow(user)',
      replace: 'user: narrow({ ...user, ...(update?.data as { user?: object } | undefined)?.user })',
      breaks: ['SE-19'],
    },
    {
      id: 'hunt/expired-row-removed-later',
      in: 'removeSession',
      find: 'await demandStore(world).deleteSession(heldCookie)',
      replace: 'void demandStore(world).deleteSession(heldCookie)',
      breaks: ['FI-12', 'SE-13'],
    },
  ]),
  ...mutantsOf('src/session/lifetime.ts', [
    {
      id: 'hunt/choice-above-max-age',
      in: 'askLifetime',
      find: 'Math.floor(Math.min(chosen, session.maxAge))',
      replace: 'Math.floor(chosen)',
      breaks: ['OPT-007'],
    },
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
  ...mutantsOf('src/flows/shared/seal-into-cookies.ts', [
    {
      id: 'hunt/first-cookie-outlives-token',
      in: 'sealIntoCookies',
      find: 'tokenExpiry(token, platform.now(), settings)',
      replace: 'new Date(platform.now() + settings.session.maxAge * 1000)',
      breaks: ['SE-07'],
    },
  ]),
  ...mutantsOf('src/flows/shared/issue-session.ts', [
    {
      id: 'hunt/planted-session-id-adopted',
      in: 'storeSession',
      find: 'const sessionToken = nameRow(generated, notes)',
      replace:
        'const sessionToken = visit.cookies.get(visit.cookieTable.sessionToken.name) ?? nameRow(generated, notes)',
      breaks: ['SE-01'],
    },
    {
      id: 'hunt/old-session-deleted-first',
      in: 'storeSession',
      find: 'const sessionToken = nameRow(generated, notes)',
      replace:
        'const before = visit.cookies.get(visit.cookieTable.sessionToken.name)\nif (before) await demandStore(world).deleteSession(before)\nconst sessionToken = nameRow(generated, notes)',
      breaks: ['FI-13'],
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
  ...mutantsOf('src/config/warnings.ts', [
    {
      id: 'hunt/cookie-warning-of-any-site',
      in: 'isDue',
      find: 'const name = `${entry} ${basePath} ${cookieName}`',
      replace: 'const name = entry',
      breaks: ['SEA-011'],
    },
  ]),
  ...mutantsOf('src/flows/sign-out/flow.ts', [
    {
      id: 'hunt/sign-out-everywhere',
      in: 'revokeSession',
      find: "return { type: 'session.revoked', revoked: { session } }",
      replace:
        "const store = demandStore(world)\nif (session && store.has('deleteSessionsByUserId')) await store.deleteSessionsByUserId(session.userId)\nreturn { type: 'session.revoked', revoked: { session } }",
      breaks: ['SE-24'],
    },
    {
      id: 'hunt/logout-hint-replaces-client',
      in: 'locateLogout',
      find: "url.searchParams.set('client_id', provider.clientId)",
      replace: "else url.searchParams.set('client_id', provider.clientId)",
      breaks: ['OPT-004'],
    },
    {
      id: 'hunt/unreachable-provider-fails-sign-out',
      in: 'locateLogout',
      find: 'const endpoint = hasFailed(found) ? undefined : found.server.end_session_endpoint',
      replace:
        'if (hasFailed(found)) throw found.failed.error\nconst endpoint = found.server.end_session_endpoint',
      breaks: ['OPT-005'],
    },
  ]),
  ...mutantsOf('src/cookies/chunks.ts', [
    {
      id: 'hunt/sign-out-keeps-plain-cookie',
      in: 'clearChunked',
      find: '[cookie.name, ...pieces].map',
      replace: '(pieces.length > 0 ? pieces : [cookie.name]).map',
      breaks: ['CK-16', 'SE-11'],
    },
  ]),
  ...mutantsOf('src/handler/read-session.ts', [
    {
      id: 'hunt/reader-drops-deletion',
      in: 'createSessionReader',
      find: 'sendsCookies ? writeCookies',
      replace: 'sendsCookies && isSession(read.body) ? writeCookies',
      breaks: ['DEC-49b'],
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
    {
      id: 'hunt/jwt-age-defaults-to-a-month',
      in: 'deriveSettings',
      find: 'readAge(config.jwt?.maxAge, session.maxAge)',
      replace: 'readAge(config.jwt?.maxAge, 30 * day)',
      breaks: ['DEC-24c'],
    },
  ]),
  ...mutantsOf('src/flows/session/flow.ts', [
    {
      id: 'hunt/absence-of-session-cacheable',
      in: 'sessionFlow',
      find: 'anonymous: outcome({ answer: () => json() })',
      replace: 'anonymous: outcome({ answer: () => ({ ...json(), private: false }) })',
      breaks: ['WIR-013', 'CK-12'],
    },
  ]),
  ...mutantsOf('src/flows/session/extend.ts', [
    {
      // A store whose update says nothing then fails to read the row.
      id: 'hunt/failed-confirmation-signs-out',
      in: 'confirmExtension',
      find: 'await store.getSessionAndUser(heldCookie)',
      replace: 'await Promise.resolve(store.getSessionAndUser(heldCookie)).catch(() => null)',
      breaks: ['FI-08', 'DEC-23a'],
    },
    {
      // An update also extends the session, but only a read sends the cookie again.
      id: 'hunt/update-extends-row-only',
      in: 'finishExtension',
      find: 'out.setCookies(',
      replace: "if (visit.method === 'GET') out.setCookies(",
      breaks: ['DEC-17b', 'SE-07'],
    },
  ]),
  ...mutantsOf('src/flows/shared/recognition.ts', [
    {
      id: 'hunt/silent-revocation-check-passes',
      in: 'demandFlag',
      find: "if (typeof answer === 'boolean') return answer",
      replace: "if (typeof answer === 'boolean' || answer === undefined) return answer === true",
      breaks: ['OPT-006'],
    },
  ]),
  ...mutantsOf('src/flows/sign-out/flow.ts', [
    {
      // An adapter may return nothing for a session that it deleted.
      id: 'hunt/sign-out-event-needs-returned-row',
      in: 'signOutFlow',
      find: 'const message = revoked ?? (token && { token })',
      replace: 'const message = revoked?.session ? revoked : token && { token }',
      breaks: ['EVT-010', 'WIR-052'],
    },
  ]),
  ...mutantsOf('src/cookies/chunks.ts', [
    {
      id: 'hunt/plain-cookie-survives-growth',
      in: 'writeChunked',
      find: '(name) => !written.some(',
      replace: '(name) => name !== cookie.name && !written.some(',
      breaks: ['CK-05'],
    },
    {
      id: 'hunt/duplicate-of-later-chunk-tolerated',
      in: 'readChunked',
      find: 'if (cookies.isDuplicate(',
      replace: 'if (index === 0 && cookies.isDuplicate(',
      breaks: ['CK-07'],
    },
    {
      // It is written, but never read.
      id: 'hunt/eleventh-chunk-written',
      in: 'split',
      find: 'pieces.length === maxPieces',
      replace: 'pieces.length > maxPieces',
      breaks: ['DEC-27b', 'DEC-27c'],
    },
  ]),
  ...mutantsOf('src/token/keyring.ts', [
    {
      // A renewed token keeps the id of the one before it.
      id: 'hunt/token-id-survives-renewal',
      in: 'stampClaims',
      find: '{ ...claims, iat, exp: iat + maxAge, jti }',
      replace: '{ jti, ...claims, iat, exp: iat + maxAge }',
      breaks: ['JW-08', 'WIR-029'],
    },
  ]),
  ...mutantsOf('src/token/decrypt-token.ts', [
    {
      id: 'hunt/token-without-kid-tries-newest-secret-only',
      in: 'decrypt',
      find: "return jwe.kid === undefined ? decrypt(jwe, others, salt) : 'forged'",
      replace: "return 'forged'",
      breaks: ['RO-02', 'DEC-25b'],
    },
  ]),
  ...mutantsOf('src/flows/shared/clear-session-cookies.ts', [
    {
      id: 'hunt/chunked-sign-out-keeps-csrf',
      in: 'clearSessionCookies',
      find: 'settings.csrf ?',
      replace: 'settings.csrf && visit.cookies.get(visit.cookieTable.sessionToken.name) ?',
      breaks: ['DEC-15c', 'TX-19'],
    },
  ]),
]
