import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in routes, pages, headers, cookies and redirects, written without knowledge of the properties. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/pages.ts', [
    {
      id: 'hunt/trusted-host-list-cached',
      in: 'showProviders',
      find: 'private: settings.canonicalOrigin === undefined',
      replace: 'private: !settings.trustHost',
      breaks: ['DEC-32d'],
    },
    {
      id: 'hunt/list-names-kinds',
      in: 'listProviders',
      find: '({ id, name, type }) => ({ id, name, type,',
      replace: '({ id, name, kind }) => ({ id, name, type: kind,',
      breaks: ['WIR-012', 'PRV-004'],
    },
    {
      id: 'hunt/custom-page-gets-raw-target',
      in: 'redirectToSignIn',
      find: "withParameter(own, visit, 'callbackUrl', callbackUrl)",
      replace: "withParameter(own, visit, 'callbackUrl', visit.query.get('callbackUrl') ?? callbackUrl)",
      breaks: ['RD-08'],
    },
    {
      id: 'hunt/custom-sign-out-forgets-target',
      in: 'showSignOut',
      find: 'own ? resolveCallbackUrl : resolveTarget',
      replace: 'resolveTarget',
      breaks: ['ECO-002'],
    },
    {
      id: 'hunt/verify-page-loses-repeated-parameters',
      in: 'showVerifyRequest',
      find: 'url.searchParams.append(name, value)',
      replace: 'if (!url.searchParams.has(name)) url.searchParams.set(name, value)',
      breaks: ['WIR-016'],
    },
  ]),
  ...mutantsOf('src/routes.ts', [
    {
      id: 'hunt/credentials-by-get',
      in: 'routes',
      find: "{ method: 'POST', action: 'callback', kinds: ['credentials', 'password'], flow: 'credentials' },",
      replace:
        "{ method: 'POST', action: 'callback', kinds: ['credentials', 'password'], flow: 'credentials' },\n{ method: 'GET', action: 'callback', kinds: ['credentials', 'password'], flow: 'credentials' },",
      breaks: ['TX-17', 'HH-04'],
    },
  ]),
  ...mutantsOf('src/flows/shared/issue-session.ts', [
    {
      id: 'hunt/csrf-token-survives-callbacks',
      in: 'prepareSession',
      find: 'const changed = settings.csrf ?',
      replace: 'const changed = settings.csrf && visit.body.csrfToken !== undefined ?',
      breaks: ['DEC-15c', 'TX-19'],
    },
  ]),
  ...mutantsOf('src/flows/shared/resolve-callback-url.ts', [
    {
      id: 'hunt/cookie-holds-unjudged-target',
      in: 'resolve',
      find: 'remember(callbackUrl, visit, provider)',
      replace: 'remember(target ?? callbackUrl, visit, provider)',
      breaks: ['WIR-023'],
    },
  ]),
  ...mutantsOf('src/handler/error-location.ts', [
    {
      id: 'hunt/message-in-error-url',
      in: 'locateError',
      find: "if (error instanceof CredentialsSignin) page.searchParams.set('code', error.code)",
      replace:
        "if (error instanceof CredentialsSignin) page.searchParams.set('code', error.code)\nif (error.type === 'AccessDenied') page.searchParams.set('message', error.message)",
      breaks: ['IL-04', 'RD-08'],
    },
    {
      id: 'hunt/errors-on-custom-sign-in-page',
      in: 'locateError',
      find: "error.kind === 'signIn' ? pages.signIn : pages.error",
      replace: "error.kind === 'signIn' ? pages.signIn : (pages.error ?? pages.signIn)",
      breaks: ['WIR-008'],
    },
  ]),
  ...mutantsOf('src/handler/answer.ts', [
    {
      id: 'hunt/allow-names-both-methods',
      in: 'answerUnrouted',
      find: "{ Allow: methods.join(', ') }",
      replace: "{ Allow: 'GET, POST' }",
      breaks: ['DEC-31a', 'HH-04'],
    },
    {
      id: 'hunt/refused-method-cached',
      in: 'answerRefused',
      find: 'return { status, headers, body, private: true, logs }',
      replace: 'return { status, headers, body, private: allow === undefined, logs }',
      breaks: ['DEC-32d'],
    },
    {
      id: 'hunt/fault-cached',
      in: 'answerMisconfigured',
      find: 'private: true, logs: fault',
      replace: 'logs: fault',
      breaks: ['DEC-32d'],
    },
  ]),
  ...mutantsOf('src/http/parse-visit.ts', [
    {
      id: 'hunt/empty-provider-counts-as-none',
      in: 'parseRoute',
      find: 'if (providerId === undefined)',
      replace: 'if (!providerId)',
      breaks: ['HH-03'],
    },
    {
      id: 'hunt/secure-by-requested-scheme',
      in: 'parse',
      find: '...placeOf(origin, settings),',
      replace:
        "...placeOf(origin, settings), cookieTable: settings.cookies[(settings.useSecureCookies ?? request.url.startsWith('https:')) ? 'secure' : 'plain'],",
      breaks: ['CK-15', 'CFG-042'],
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
    {
      id: 'hunt/plain-text-is-a-form',
      in: 'parseBody',
      find: "parsers.get(mediaType(headers.get('content-type')))",
      replace: "parsers.get(mediaType(headers.get('content-type'))) ?? parseForm",
      breaks: ['WIR-009'],
    },
    {
      id: 'hunt/prototypes-in-lists-kept',
      in: 'dropPrototypes',
      find: "typeof member === 'object' && member !== null)",
      replace: "typeof member === 'object' && member !== null && !Array.isArray(member))",
      breaks: ['LM-12'],
    },
  ]),
  ...mutantsOf('src/http/respond.ts', [
    {
      id: 'hunt/referrer-to-any-https-site',
      in: 'pageHeaders',
      find: "'same-origin'",
      replace: "'no-referrer-when-downgrade'",
      breaks: ['DEC-32a'],
    },
  ]),
  ...mutantsOf('src/cookies/cookie-table.ts', [
    {
      id: 'hunt/form-post-cookie-without-secure',
      in: 'forFormPost',
      find: "sameSite: 'none', secure: true",
      replace: "sameSite: 'none'",
      breaks: ['WIR-020', 'CK-01'],
    },
    {
      id: 'hunt/check-lifetime-not-overridable',
      in: 'createCookieTable',
      find: '...special, ...withoutUndefined(given?.options ?? {}),',
      replace: '...withoutUndefined(given?.options ?? {}),\n...special,',
      breaks: ['CFG-008'],
    },
  ]),
  ...mutantsOf('src/cookies/cookie.ts', [
    {
      id: 'hunt/partitioned-cookie-stays',
      in: 'clearCookie',
      find: '{ ...options, maxAge: 0, expires: undefined }',
      replace: '{ ...options, partitioned: undefined, maxAge: 0, expires: undefined }',
      breaks: ['CK-09', 'WIR-022'],
    },
  ]),
  ...mutantsOf('src/pages/sign-in-forms.ts', [
    {
      id: 'hunt/mail-form-without-target',
      in: 'createMailForm',
      find: 'createHidden(page)',
      replace: 'createHiddenFields({ csrfToken: page.csrfToken })',
      breaks: ['WIR-062'],
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
  ...mutantsOf('src/text/theme-value.ts', [
    {
      id: 'hunt/backslash-logo',
      in: 'readImage',
      find: "value.startsWith('/') && URL.canParse(value, here) && new URL(value, here).origin === here ?",
      replace: "value.startsWith('/') && !value.startsWith('//') ?",
      breaks: ['DEC-32c'],
    },
  ]),
  ...mutantsOf('src/config/derive-settings.ts', [
    {
      id: 'hunt/development-unless-production',
      in: 'deriveSettings',
      find: "NODE_ENV === 'development'",
      replace: "NODE_ENV !== 'production'",
      breaks: ['DEC-03g'],
    },
  ]),
  ...mutantsOf('src/config/create-logger.ts', [
    {
      id: 'hunt/cause-not-escaped',
      in: 'logError',
      find: 'describe(each.name, each)',
      replace: '`${each.name}: ${each.message}`',
      breaks: ['IL-09'],
    },
  ]),
  ...mutantsOf('src/handler/serve-sessions.ts', [
    {
      id: 'hunt/return-path-may-name-a-host',
      in: 'refuse',
      find: 'pathOf(request.url)',
      replace: 'new URL(request.url).pathname + new URL(request.url).search',
      breaks: ['EMB-007'],
    },
  ]),
  ...mutantsOf('src/flows/pages.ts', [
    {
      id: 'hunt/custom-page-error-loses-target',
      in: 'redirectToSignIn',
      find: "withParameter(location, visit, 'error', error)",
      replace: "withParameter(own, visit, 'error', error)",
      breaks: ['WIR-014'],
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
  ...mutantsOf('src/handler/create-handler.ts', [
    {
      id: 'hunt/page-without-deadline',
      in: 'answerShowing',
      find: 'return shown instanceof Promise ? withDeadline(shown, `showing ${visit.action}`, world.platform) : shown',
      replace: 'return shown',
      breaks: ['DEC-34', 'FI-12'],
    },
  ]),
  ...mutantsOf('src/handler/answer.ts', [
    {
      // requireSession sends a path, which never equals the URL.
      id: 'hunt/error-page-loops-by-path',
      in: 'leadsBack',
      find: 'new URL(target).pathname === page.pathname && new URL(target).origin === page.origin',
      replace: "query.get('callbackUrl') === page.href",
      breaks: ['WIR-005'],
    },
  ]),
  ...mutantsOf('src/flows/shared/resolve-callback-url.ts', [
    {
      // A callback that compares the URL with its base accepts every host.
      id: 'hunt/redirect-callback-gets-base-of-target',
      in: 'askRedirect',
      find: 'await redirect({ url, baseUrl: origin })',
      replace: 'await redirect({ url, baseUrl: new URL(url).origin })',
      breaks: ['CBK-015'],
    },
  ]),
]
