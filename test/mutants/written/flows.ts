import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the flows, their outcomes and the routes. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('machines/recognition.ts', [
    {
      id: 'machines/state-cut-off',
      in: 'recognition',
      find: "'token.opened': 'findingUser'",
      replace: "'token.opened': 'findingSession'",
      breaks: ['MD-01'],
    },
  ]),
  ...mutantsOf('machines/replay.ts', [
    {
      id: 'devtools/replay-says-the-next',
      in: 'replayRun',
      find: 'hops[at++]',
      replace: 'hops[++at]',
      breaks: ['DEC-37e'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/flow.ts', [
    {
      id: 'oidc/refusal-keeps-checks',
      in: 'ends',
      find: ': clearing(failed, clearAll)',
      replace: '',
      breaks: ['DEC-12a'],
    },
  ]),
  ...mutantsOf('src/flows/shared/endings.ts', [
    {
      id: 'seams/mistyped-address-thrown-at-an-action',
      in: 'notStarted',
      find: '? redirectFor(failure)',
      replace: '? throwOrRedirectFor(failure)',
      breaks: ['SEA-001'],
    },
    {
      id: 'handler/code-in-location',
      in: 'signedIn',
      find: ': callbackUrl',
      replace: ': `${callbackUrl}?${visit.query}`',
      breaks: ['RD-07'],
    },
    {
      id: 'sign-in/nobody-welcomed',
      in: 'signedIn',
      find: 'createdUser !== undefined && createdUser === member',
      replace: 'false',
      breaks: ['WIR-042'],
    },
    {
      id: 'races/checks-kept',
      in: 'clearing',
      find: 'transaction)',
      replace: 'transaction).slice(0, 0)',
      breaks: ['CC-08'],
    },
  ]),
  ...mutantsOf('src/flows/engine/run.ts', [
    {
      id: 'session/step-without-deadline',
      in: 'advanceFrom',
      find: 'world.platform,',
      replace: '{ ...world.platform, timer: () => ({ cancel() {} }) },',
      breaks: ['DEC-34'],
    },
  ]),
  ...mutantsOf('src/flows/session/present.ts', [
    {
      id: 'session/nothing-written-for-a-function',
      in: 'writeBody',
      find: 'text === undefined',
      replace: "text === ''",
      breaks: ['DEC-23c'],
    },
  ]),
  ...mutantsOf('src/flows/session/flow.ts', [
    {
      id: 'session/token-not-announced',
      in: 'sessionFlow',
      find: '...(token && { token })',
      replace: '...(token && { token: {} })',
      breaks: ['EVT-006'],
    },
    {
      id: 'faults/hiccup-shown-as-signed-out',
      in: 'sessionFlow',
      find: 'json(null, 503)',
      replace: 'json(null)',
      breaks: ['FI-08'],
    },
    {
      id: 'session/bad-cookie-kept',
      in: 'sessionFlow',
      find: 'cookies: clearChunked(visit.cookies, visit.cookieTable.sessionToken),',
      replace: '',
      breaks: ['DEC-23b', 'SE-17', 'SE-13', 'DEC-17d', 'CBK-013'],
    },
    {
      id: 'session/absent-cookie-cleared',
      in: 'sessionFlow',
      find: '=> json()',
      replace:
        "=> ({ ...json(), cookies: [{ name: 'authjs.session-token', value: '', options: { maxAge: 0 } }] })",
      breaks: ['WIR-049'],
    },
  ]),
  ...mutantsOf('src/flows/sign-out/flow.ts', [
    {
      id: 'session/sign-out-not-announced',
      in: 'signOutFlow',
      find: 'message ?',
      replace: 'message === undefined ?',
      breaks: ['EVT-010', 'CB-05'],
    },
  ]),
  ...mutantsOf('src/routes.ts', [
    {
      id: 'handler/csrf-by-get',
      in: 'routes',
      find: "show: 'showSignOut'",
      replace: "flow: 'sign-out'",
      breaks: ['WIR-016', 'CFG-024', 'HH-06', 'WIR-001'],
    },
    {
      id: 'handler/post-forgotten',
      in: 'routes',
      find: "{ method: 'POST', action: 'signin', kinds: ['oauth'], flow: 'sign-in' },",
      replace: '',
      breaks: ['RTE-001', 'WIR-001', 'WIR-009'],
    },
    {
      id: 'oidc/session-not-readable-by-get',
      in: 'routes',
      find: "...getAndPost({ action: 'session', kinds: ['none'], flow: 'session' }),",
      replace: "{ method: 'POST', action: 'session', kinds: ['none'], flow: 'session' },",
      breaks: ['RTE-003'],
    },
    {
      id: 'webauthn/callback-by-get',
      in: 'routes',
      find: "POST', action: 'callback', kinds: ['webauthn']",
      replace: "GET', action: 'callback', kinds: ['webauthn']",
      breaks: ['TX-17', 'WIR-048'],
    },
  ]),
  ...mutantsOf('src/flows/pages.ts', [
    {
      id: 'handler/csrf-though-off',
      in: 'showCsrf',
      find: '!settings.csrf',
      replace: 'settings.csrf === undefined',
      breaks: ['WIR-011'],
    },
    {
      id: 'handler/csrf-by-another-name',
      in: 'showCsrf',
      find: 'csrfToken:',
      replace: '',
      breaks: ['WIR-010'],
    },
    {
      id: 'handler/providers-told-all',
      in: 'listProviders',
      find: '}) => ({',
      replace: ', ...config }) => ({\n...config,',
      breaks: ['IL-07', 'WIR-012'],
    },
    {
      id: 'handler/sign-in-post-starts',
      in: 'showSignIn',
      find: "if (visit.method === 'POST') return redirect(`${visit.base}/signin`)",
      replace: '',
      breaks: ['WIR-015'],
    },
    {
      id: 'handler/error-page-is-fine',
      in: 'showError',
      find: 'pageStatus(page)',
      replace: '200',
      breaks: ['WIR-056'],
    },
    {
      id: 'pages/target-of-sign-out-forgotten',
      in: 'showSignOut',
      find: "visit.query.has('callbackUrl')",
      replace: 'false',
      breaks: ['ECO-002'],
    },
  ]),
]
