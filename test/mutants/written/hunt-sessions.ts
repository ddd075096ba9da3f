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
      find: 'token: chooseLifetime(claims, lifetime)',
      replace: 'token: update ? claims : chooseLifetime(claims, lifetime)',
      breaks: ['OPT-007'],
    },
    {
      id: 'hunt/null-session-replaced',
      in: 'presentToken',
      find: 'writeBody(presented ?? null, settings)',
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
      find: 'const { maxAge } = rowLifetime(heldCookie, world.settings)',
      replace: 'const { maxAge } = world.settings.session',
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
      find: 'session: { ...row, user: narrow(user) }',
      replace: 'session: { ...(update ? session : row), user: narrow(user) }',
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
  ...mutantsOf('src/session/session-token.ts', [
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
      find: 'Math.min(Number(chosen), session.maxAge)',
      replace: 'Number(chosen)',
      breaks: ['SE-09', 'OPT-007'],
    },
    {
      id: 'hunt/shown-expiry-rounded-up',
      in: 'tokenExpiry',
      find: 'Math.floor(now / 1000)',
      replace: 'Math.ceil(now / 1000)',
      breaks: ['SE-25'],
    },
  ]),
  ...mutantsOf('src/flows/shared/issue-session.ts', [
    {
      id: 'hunt/first-cookie-outlives-token',
      in: 'issueToken',
      find: 'tokenExpiry(token, now, settings)',
      replace: 'new Date(now + settings.session.maxAge * 1000)',
      breaks: ['SE-07'],
    },
    {
      id: 'hunt/planted-session-id-adopted',
      in: 'storeSession',
      find: 'const sessionToken = nameLifetime(generated, lifetime)',
      replace:
        'const sessionToken = visit.cookies.get(visit.cookieTable.sessionToken.name) ?? nameLifetime(generated, lifetime)',
      breaks: ['SE-01'],
    },
    {
      id: 'hunt/old-session-deleted-first',
      in: 'storeSession',
      find: 'const sessionToken = nameLifetime(generated, lifetime)',
      replace:
        'const before = visit.cookies.get(visit.cookieTable.sessionToken.name)\nif (before) await demandStore(world).deleteSession(before)\nconst sessionToken = nameLifetime(generated, lifetime)',
      breaks: ['FI-13'],
    },
  ]),
  ...mutantsOf('src/flows/shared/recognition.ts', [
    {
      id: 'hunt/expiry-by-the-second',
      in: 'findSession',
      find: 'found.session.expires.getTime() <= world.platform.now()',
      replace: 'Math.floor(found.session.expires.getTime() / 1000) < Math.floor(world.platform.now() / 1000)',
      breaks: ['SE-05'],
    },
  ]),
  ...mutantsOf('src/config/warnings.ts', [
    {
      id: 'hunt/cookie-warning-of-any-site',
      in: 'warnEachMinute',
      find: 'const name = `${code} ${basePath} ${cookieName}`',
      replace: 'const name = code',
      breaks: ['SEA-011'],
    },
  ]),
  ...mutantsOf('src/flows/sign-out/flow.ts', [
    {
      id: 'hunt/chunked-sign-out-keeps-csrf',
      in: 'clearSessionCookies',
      find: 'if (settings.csrf)',
      replace: 'if (settings.csrf && visit.cookies.get(visit.cookieTable.sessionToken.name))',
      breaks: ['DEC-15c', 'TX-19'],
    },
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
      replace: 'sendsCookies && readBody(read.body) ? writeCookies',
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
]
