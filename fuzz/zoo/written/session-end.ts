import type { Mutant } from '../mutant.ts'

const signOut = 'src/steps/sign-out.ts'
const flow = 'src/flows/sign-out.ts'
const target = 'src/steps/resolve-callback-url.ts'
const finish = 'src/handler/finish.ts'
const handler = 'src/handler/create-handler.ts'
const run = 'src/flows/run.ts'

/** Faults of how sessions end, where the browser goes, and what is announced. */
export const mutants: readonly Mutant[] = [
  {
    id: 'session/row-not-revoked',
    file: signOut,
    find: 'const session = (await demandStore(world).deleteSession(heldCookie)) ?? null',
    replace: 'const session = (await demandStore(world).getSessionAndUser(heldCookie))?.session ?? null',
    kills: ['SE-10', 'SE-24'],
  },
  {
    id: 'session/failed-revocation-swallowed',
    file: signOut,
    find: '(await demandStore(world).deleteSession(heldCookie)) ?? null',
    replace: '(await (async () => demandStore(world).deleteSession(heldCookie))().catch(() => null)) ?? null',
    kills: ['SE-12', 'DEC-22'],
  },
  {
    id: 'session/revoked-row-not-told',
    file: signOut,
    find: 'revoked: { session }',
    replace: 'revoked: { session: null }',
    kills: ['EVT-010'],
  },
  {
    id: 'session/cookie-left',
    file: signOut,
    find: '    out.setCookies(clearChunked(visit.cookies, visit.cookieTable.sessionToken))\n',
    replace: '',
    kills: ['SE-10', 'SE-11', 'CK-16', 'WIR-052', 'DEC-22'],
  },
  {
    id: 'session/csrf-token-left',
    file: signOut,
    find: 'if (!settings.csrf) return',
    replace: 'if (settings.jwt) return',
    kills: ['TX-19', 'DEC-15c', 'CK-16'],
  },
  {
    id: 'session/sign-out-not-announced',
    file: flow,
    find: 'message ? [{ event',
    replace: 'message === undefined ? [{ event',
    kills: ['EVT-010', 'CB-05'],
  },
  {
    id: 'session/garbage-announced',
    file: flow,
    find: 'revoked ?? (token && { token })',
    replace: 'revoked ?? { token: token ?? null }',
    kills: ['EVT-010', 'SE-11'],
  },
  {
    id: 'session/query-before-body',
    file: target,
    find: "visit.body.callbackUrl ?? visit.query.get('callbackUrl') ?? undefined",
    replace: "visit.query.get('callbackUrl') ?? visit.body.callbackUrl",
    kills: ['WIR-054'],
  },
  {
    id: 'session/cookie-before-request',
    file: target,
    find: 'return told === undefined ? remembered(visit) :',
    replace: 'return told === undefined || remembered(visit) ? remembered(visit) :',
    kills: ['WIR-054'],
  },
  {
    id: 'session/goes-anywhere',
    file: target,
    find: 'if (!redirect) return defaultRedirect({ url, baseUrl: origin })',
    replace: 'if (!redirect) return url',
    kills: ['RD-09', 'CBK-016'],
  },
  {
    id: 'session/broken-redirect-callback-passed-on',
    file: target,
    find: "    logger.error(new CallbackRouteError('The redirect callback failed', { err: asError(error) }))\n",
    replace: '    throw asError(error)\n',
    kills: ['RD-06'],
  },
  {
    id: 'session/any-scheme',
    file: target,
    find: "if (target.protocol === 'https:' || target.protocol === 'http:') return",
    replace: "if (target.protocol !== '') return",
    kills: ['RD-06'],
  },
  {
    id: 'session/redirect-asked-twice',
    file: target,
    find: 'const target = new URL(await redirect({ url, baseUrl: origin }), origin)',
    replace:
      'const once = await redirect({ url, baseUrl: origin })\n    const target = new URL(await redirect({ url: once, baseUrl: origin }), origin)',
    kills: ['RD-06', 'CBK-014', 'CBK-015'],
  },
  {
    id: 'session/redirect-not-heeded',
    file: target,
    find: 'return target.href',
    replace: 'return url',
    kills: ['RD-06', 'CBK-014'],
  },
  {
    id: 'session/base-url-wrong',
    file: target,
    find: 'await redirect({ url, baseUrl: origin })',
    replace: 'await redirect({ url, baseUrl: url })',
    kills: ['CBK-015'],
  },
  {
    id: 'session/sign-out-forgets-where-to',
    file: target,
    find: 'export const resolveTarget = resolve(askedFor, false)',
    replace: 'export const resolveTarget = resolve(remembered, false)',
    kills: ['CBK-014', 'WIR-052', 'SE-11'],
  },
  {
    id: 'session/events-not-awaited',
    file: finish,
    find: 'for (const announcement of announcements) await fire',
    replace: 'for (const announcement of announcements) void fire',
    kills: ['EVT-001', 'DEC-21c'],
  },
  {
    id: 'session/event-error-passed-on',
    file: finish,
    find: '  } catch (error) {\n    logger',
    replace: '  } catch (error) {\n    if (event) throw error\n    logger',
    kills: ['CB-05', 'DEC-21c'],
  },
  {
    id: 'session/event-error-not-logged',
    file: finish,
    find: 'logger.error(new EventError',
    replace: 'void (new EventError',
    kills: ['CB-05', 'DEC-21c'],
  },
  {
    id: 'session/event-without-deadline',
    file: finish,
    find: 'await withDeadline(Promise.resolve(hook?.(message)), `the ${event} event`, platform)',
    replace: 'await hook?.(message)',
    kills: ['DEC-21c', 'DEC-34'],
  },
  {
    id: 'session/cookies-lost-on-error',
    file: finish,
    find: '[...(out?.cookies ?? []), ...answer.cookies]',
    replace: '[...(throws ? [] : (out?.cookies ?? [])), ...answer.cookies]',
    kills: ['SE-12', 'DEC-22'],
  },
  {
    id: 'session/one-outbox-for-all',
    file: handler,
    find: 'out: createOutbox() }',
    replace:
      "out: (Reflect.get(settings.providers, 'box') as never) ?? (Reflect.set(settings.providers, 'box', createOutbox()), Reflect.get(settings.providers, 'box') as never) }",
    kills: ['SE-20'],
  },
  {
    id: 'session/step-without-deadline',
    file: run,
    find: 'report instanceof Promise ? withDeadline(report, node.step, world.platform) : report',
    replace: 'report',
    kills: ['DEC-34'],
  },
]
