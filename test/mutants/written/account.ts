import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the account page, and in what is kept about sessions and passkeys. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/session/description.ts', [
    {
      id: 'account/time-not-kept',
      in: 'writeDescription',
      find: 'createdAt,\n  })',
      replace: '})\n  void createdAt',
      breaks: ['ACP-01'],
    },
    {
      id: 'account/any-type-of-device',
      in: 'cut',
      find: 'throw new TypeError(',
      replace: 'return String(value)\n  if (!value) throw new TypeError(',
      breaks: ['ACP-02'],
    },
  ]),
  ...mutantsOf('src/text/cut-text.ts', [
    {
      id: 'account/text-without-limit',
      in: 'cutText',
      find: '.slice(0, most)',
      replace: '.slice(0, most * 10)',
      breaks: ['ACP-02', 'ACP-10'],
    },
    {
      id: 'account/text-cut-within-characters',
      in: 'cutText',
      find: "Array.from(start.replaceAll(/[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]+/gu, ' ').trim())",
      replace: "start.replaceAll(/[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]+/gu, ' ').trim().split('')",
      breaks: ['ACP-02'],
    },
    {
      id: 'account/control-characters-kept',
      in: 'cutText',
      find: '\\p{Cc}',
      replace: '',
      breaks: ['ACP-02'],
    },
  ]),
  ...mutantsOf('src/flows/shared/describe-session.ts', [
    {
      id: 'account/failed-description-ends-the-sign-in',
      in: 'describeSession',
      find: "logger.warn('session-not-described', cause.message)",
      replace: "logger.warn('session-not-described', cause.message)\n    throw error",
      breaks: ['ACP-02'],
    },
    {
      id: 'account/endless-description',
      in: 'describeSession',
      find: "await answerInTime(describe(), 'session.describe', platform)",
      replace: 'await (void answerInTime, describe())',
      breaks: ['ACP-02'],
    },
  ]),
  ...mutantsOf('src/flows/session/present.ts', [
    {
      id: 'account/description-shown-to-callback',
      in: 'presentSession',
      find: '{ sessionToken, description: _, ...row }',
      replace: '{ sessionToken, ...row }',
      breaks: ['ACP-03'],
    },
  ]),
  ...mutantsOf('src/flows/account/flow.ts', [
    {
      id: 'account/no-way-back',
      find: "error: 'SessionRequired', callbackUrl: `${base}/account`",
      replace: "error: 'SessionRequired', callbackUrl: base",
      breaks: ['ACP-05'],
    },
  ]),
  ...mutantsOf('src/flows/account/change.ts', [
    {
      id: 'account/page-always-on',
      in: 'checkPage',
      find: "settings.accountPage ? 'page.offered' : 'page.disabled'",
      replace: "settings.basePath ? 'page.offered' : 'page.disabled'",
      breaks: ['ACP-05'],
    },
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
      id: 'account/unlisted-sessions-ended',
      in: 'canEnd',
      find: "return store?.has('listSessionsByUserId') ?? false",
      replace: "return store?.has('deleteSession') ?? false",
      breaks: ['ACP-15'],
    },
    {
      id: 'account/deletion-by-any-text',
      in: 'confirmDeletion',
      find: 'typed === phraseOf(currentUser).toLowerCase()',
      replace: "typed !== '' && phraseOf(currentUser)",
      breaks: ['ACP-11'],
    },
  ]),
  ...mutantsOf('src/second-factor/factor-record.ts', [
    {
      id: 'account/changed-factor-removed',
      in: 'removeFactor',
      find: 'store.deleteFactor(record.userId, { factor: sealed })',
      replace: 'store.deleteFactor((void sealed, record.userId))',
      breaks: ['ACP-14'],
    },
  ]),
  ...mutantsOf('machines/account.ts', [
    {
      id: 'account/no-recent-sign-in-demanded',
      in: 'accountChart',
      find: "'sensitive.chosen': 'judgingSession'",
      replace: "'sensitive.chosen': 'choosingSensitiveChange'",
      breaks: ['ACP-13'],
    },
  ]),
  ...mutantsOf('src/pages/account-page.ts', [
    {
      id: 'account/buttons-with-the-same-name',
      in: 'createForm',
      find: "'aria-label': name",
      replace: "'aria-label': label",
      breaks: ['ACP-15'],
    },
  ]),
  ...mutantsOf('src/flows/account/ways.ts', [
    {
      id: 'account/last-way-removed',
      in: 'findWay',
      find: 'canSignIn(currentUser, others, settings)',
      replace: 'canSignIn(currentUser, (void others, ways), settings)',
      breaks: ['ACP-09'],
    },
    {
      id: 'account/unverified-address-is-a-way',
      in: 'canSignIn',
      find: 'user.email && isProven(user)',
      replace: 'user.email && Boolean(isProven)',
      breaks: ['ACP-09'],
    },
    {
      id: 'account/address-without-mails-is-a-way',
      in: 'canSignIn',
      find: "(kinds.has('email') || kinds.has('password'))",
      replace: "(kinds.has('oauth') || kinds.has('email') || kinds.has('password'))",
      breaks: ['ACP-09'],
    },
    {
      id: 'account/removed-provider-is-a-way',
      in: 'canSignIn',
      find: "kind === 'oauth' ||",
      replace: "kind === 'oauth' || kind === undefined ||",
      breaks: ['ACP-09'],
    },
    {
      id: 'account/concurrent-removals',
      in: 'findWay',
      find: "await world.turns.take(['ways'",
      replace: "void world.turns.take(['ways'",
      breaks: ['ACP-09'],
    },
    {
      id: 'account/passkey-without-account',
      in: 'removeWay',
      find: 'if (passkey) await',
      replace: "if (!passkey) return { type: 'way.removed' }\n      if (account) await",
      breaks: ['ACP-12'],
    },
    {
      id: 'account/passkey-left',
      in: 'removeWay',
      find: 'if (passkey) await store.deleteAuthenticator(passkey.credentialID)',
      replace: 'void passkey',
      breaks: ['ACP-09'],
    },
    {
      id: 'account/ids-of-accounts-shown',
      in: 'identifyWay',
      find: 'return sha256Hex(JSON.stringify([userId, provider, providerAccountId]))',
      replace: 'return (void [sha256Hex, userId, provider], providerAccountId)',
      breaks: ['ACP-06'],
    },
  ]),
  ...mutantsOf('src/flows/account/page.ts', [
    {
      id: 'account/change-offered-without-a-password',
      in: 'listPasswords',
      find: 'Boolean(await demandStore(world).getPassword(userId))',
      replace: 'userId !== undefined',
      breaks: ['ACP-16'],
    },
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
