import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the account page, and in what is kept about sessions and passkeys. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/text/cut-text.ts', [
    {
      id: 'account/text-without-limit',
      in: 'cutText',
      find: '.slice(0, most)',
      replace: '.slice(0, most * 10)',
      breaks: ['ACP-02', 'ACP-10'],
    },
  ]),
  ...mutantsOf('src/features/account-page/flow.ts', [
    {
      id: 'account/no-way-back',
      find: 'returningTo(({ base }) => `${base}/account`)',
      replace: 'returningTo(({ base }) => base)',
      breaks: ['ACP-05'],
    },
  ]),
  ...mutantsOf('src/features/account-page/feature.ts', [
    {
      id: 'account/page-always-on',
      in: 'accountPage',
      find: 'optional.accountPage !== true',
      replace: 'optional === undefined',
      breaks: ['ACP-05'],
    },
  ]),
  ...mutantsOf('src/features/account-page/change.ts', [
    {
      id: 'account/inherited-changes',
      in: 'isOneOf',
      find: 'Object.hasOwn(table, name)',
      replace: 'name in table',
      breaks: ['ACP-07'],
    },
    {
      id: 'account/first-session-ended',
      in: 'endSession',
      find: 'await chooseSessions(sessions, chosen)',
      replace: '(void [chooseSessions, chosen], sessions.slice(0, 1))',
      breaks: ['ACP-07', 'ACP-08'],
    },
    {
      id: 'account/expired-end-told',
      in: 'endSession',
      find: 'if (isLive(session, settings))',
      replace: 'if (isLive(session, settings) || settings)',
      breaks: ['ACP-12'],
    },
    {
      id: 'account/deletion-by-any-text',
      in: 'confirmDeletion',
      find: 'typed === phraseOf(currentUser).toLowerCase()',
      replace: "typed !== '' && phraseOf(currentUser)",
      breaks: ['ACP-11'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/factor-record.ts', [
    {
      id: 'account/changed-factor-removed',
      in: 'deleteFactor',
      find: 'requireStore(world).deleteFactor(record.userId, { factor: sealed })',
      replace: 'requireStore(world).deleteFactor((void sealed, record.userId))',
      breaks: ['ACP-14'],
    },
  ]),
  ...mutantsOf('machines/account-page.ts', [
    {
      id: 'account/no-recent-sign-in-demanded',
      in: 'accountChart',
      find: "'sensitive.chosen': 'checkingSession'",
      replace: "'sensitive.chosen': 'choosingSensitiveChange'",
      breaks: ['ACP-13'],
    },
  ]),
  ...mutantsOf('src/pages/feature-page.ts', [
    {
      id: 'account/buttons-with-the-same-name',
      in: 'describeButton',
      find: "'aria-label': accessibleName",
      replace: "'aria-label': undefined",
      breaks: ['ACP-15'],
    },
  ]),
  ...mutantsOf('src/features/account-page/ways.ts', [
    {
      id: 'account/last-way-removed',
      in: 'findWay',
      find: 'canSignIn(currentUser, others, settings)',
      replace: 'canSignIn(currentUser, (void others, ways), settings)',
      breaks: ['ACP-09'],
    },
    {
      id: 'account/passkey-left',
      in: 'removeWay',
      find: 'if (passkey) await store.deleteAuthenticator(passkey.credentialID)',
      replace: 'void passkey',
      breaks: ['ACP-17'],
    },
  ]),
  ...mutantsOf('src/features/passwords/feature.ts', [
    {
      id: 'account/change-offered-without-a-password',
      in: 'passwords.account',
      find: 'Boolean(await store.getPassword(id))',
      replace: 'id !== undefined',
      breaks: ['ACP-16'],
    },
  ]),
  ...mutantsOf('src/features/account-page/page-data.ts', [
    {
      id: 'account/session-token-shown',
      in: 'preparePage',
      find: 'name: currentUser.name ?? undefined,',
      replace: 'name: heldCookie,',
      breaks: ['ACP-06'],
    },
  ]),
  ...mutantsOf('src/adapters/memory.ts', [
    {
      id: 'account/every-session-described',
      in: 'memoryAdapter',
      find: 'describeSession: (sessionToken, description) => sessions.change([sessionToken], { description }),',
      replace:
        'describeSession: (sessionToken, description) => sessions.change([sessionToken], { description: sessionToken && description.slice(1) }),',
      breaks: ['ACP-03'],
    },
  ]),
  ...mutantsOf('src/flows/shared/check-csrf.ts', [
    {
      id: 'account/forms-without-csrf-token',
      in: 'checkCsrf',
      find: "visit.method === 'GET'",
      replace: "visit.method === 'GET' || visit.action === 'account'",
      breaks: ['ACP-07', 'TX-18'],
    },
  ]),
]
