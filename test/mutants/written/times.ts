import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in how long something lasts: what ends too late, too early, or starts again. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/features/second-factor/factor-record.ts', [
    {
      id: 'times/guesses-count-from-one-after-a-pause',
      in: 'countFailure',
      find: 'const failures = record.failures + 1',
      replace:
        'const isPast = record.blockedUntil > 0 && record.blockedUntil <= now\nconst failures = isPast ? 1 : record.failures + 1',
      breaks: ['SF-11'],
    },
    {
      id: 'times/pauses-of-half-a-minute',
      in: 'countFailure',
      find: 'Math.min(first * 2 ** (failures - free), longest)',
      replace: 'Math.min(first, longest)',
      breaks: ['SF-11'],
    },
    {
      id: 'times/guesses-without-an-end',
      in: 'countFailure',
      find: 'failures < most ?',
      replace: 'most > 0 ?',
      breaks: ['SF-11'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/totp.ts', [
    {
      id: 'times/codes-of-five-minutes',
      in: 'totp',
      find: 'window: 1',
      replace: 'window: 10',
      breaks: ['SF-03'],
    },
    {
      id: 'times/codes-of-this-step',
      in: 'totp',
      find: 'window: 1',
      replace: 'window: 0',
      breaks: ['SF-03'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/remembered-device.ts', [
    {
      id: 'times/browser-remembered-for-a-year',
      in: 'deviceCookie',
      find: '(settings.optional.secondFactor?.rememberFor ?? 0) * 1000',
      replace: '(settings.optional.secondFactor?.rememberFor ? 366 * 86_400 : 0) * 1000',
      breaks: ['SF-09'],
    },
    {
      id: 'times/browser-remembered-for-an-hour',
      in: 'deviceCookie',
      find: '(settings.optional.secondFactor?.rememberFor ?? 0) * 1000',
      replace: 'Math.min(3600, settings.optional.secondFactor?.rememberFor ?? 0) * 1000',
      breaks: ['SF-09'],
    },
  ]),
  ...mutantsOf('src/session/revocations.ts', [
    {
      id: 'times/logout-at-the-provider-for-an-hour',
      in: 'revokeKeys',
      find: 'list.add(key, issuedAt, lifetime(settings))',
      replace: 'list.add(key, issuedAt, 3600)',
      breaks: ['BCL-03'],
    },
    {
      id: 'times/user-revoked-for-a-day',
      in: 'revokeUser',
      find: 'await list.add(user, now, lifetime(settings))',
      replace: 'await list.add(user, now, 86_400)',
      breaks: ['POL-03'],
    },
    {
      id: 'times/spared-session-for-a-day',
      in: 'revokeUser',
      find: 'now + 1, lifetime(settings) + allowance)',
      replace: 'now + 1, 86_400)',
      breaks: ['POL-03'],
    },
    {
      id: 'times/reset-ends-tokens-for-a-day',
      in: 'revokeEarlier',
      find: 'settings.platform.now() - 1, lifetime(settings))',
      replace: 'settings.platform.now() - 1, 86_400)',
      breaks: ['POL-03'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/elevate.ts', [
    {
      id: 'times/code-renews-the-absolute-end',
      in: 'storeElevated',
      find: '...parseRow(heldCookie), scope: cookie.options, authentication }',
      replace:
        '...parseRow(heldCookie), since: Math.floor(platform.now() / 1000), scope: cookie.options, authentication }',
      breaks: ['SE-08'],
    },
    {
      id: 'times/code-renews-the-absolute-end-of-a-token',
      in: 'resealToken',
      find: '{ ...ownClaims(token, settings), authentication })',
      replace:
        '{ ...ownClaims(token, settings), lifetime: { since: Math.floor(platform.now() / 1000) }, authentication })',
      breaks: ['SE-08'],
    },
    {
      id: 'times/code-renews-the-expiry',
      in: 'storeElevated',
      find: 'earlier?.expires ?? new Date(platform.now())',
      replace: 'new Date(platform.now() + settings.session.maxAge * 1000)',
      breaks: ['SF-08'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/flow.ts', [
    {
      id: 'times/code-leaves-the-earlier-session',
      in: 'elevationSteps',
      find: 'revokePreviousSession: issuanceSteps.revokePreviousSession,',
      replace:
        "revokePreviousSession: { ...issuanceSteps.revokePreviousSession, run: () => ({ type: 'previous-session.revoked' }) },",
      breaks: ['SF-08'],
    },
  ]),
  ...mutantsOf('src/policy/end-held.ts', [
    {
      id: 'times/sign-out-forgets-the-cookie-only',
      in: 'endHeldOf',
      find: 'if (storeOfRows(world)) await takeHeld(held.id, world)',
      replace: 'if (storeOfRows(world)) return',
      breaks: ['POL-06'],
    },
  ]),
  ...mutantsOf('src/flows/refresh/flow.ts', [
    {
      id: 'times/tokens-refreshed-when-expired',
      in: 'margin',
      find: '60',
      replace: '0',
      breaks: ['OPT-008'],
    },
    {
      id: 'times/claims-of-a-second',
      in: 'claimTime',
      find: '120_000',
      replace: '1_000',
      breaks: ['RO-06'],
    },
    {
      id: 'times/claims-without-an-end',
      in: 'claimTime',
      find: '120_000',
      replace: '1_200_000_000',
      breaks: ['RO-07', 'OPT-008'],
    },
  ]),
]
