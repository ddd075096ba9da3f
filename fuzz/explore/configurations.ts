import type { Setup } from '../targets/setup.ts'
import type { Action, Seat } from './action.ts'
import {
  deleteUser,
  endListedSession,
  endOtherSessions,
  removePasskey,
  revokeSessions,
  unlinkAt,
} from './actions/account.ts'
import { confirmAddress, requestAddress } from './actions/addresses.ts'
import { loseCookies, pass, restoreCookies, saveCookies, saveWaiting, signOut } from './actions/browsers.ts'
import {
  enrolApp,
  enterCode,
  enterOldCode,
  enterRecoveryCode,
  removeFactor,
  renewRecovery,
} from './actions/factors.ts'
import { enterMailedCode, openLink, requestLink, requestLinkToAdd } from './actions/mails.ts'
import { addPasskey, registerUser, signInByPasskey } from './actions/passkeys.ts'
import { changePassword, choosePassword, enterPassword, requestPasswordLink } from './actions/passwords.ts'
import { finishAt, finishElsewhere, linkAt, logOutAt, signInAt, startAt } from './actions/providers.ts'

/** A few features and people, small enough to try every sequence. */
export interface Configuration {
  readonly name: string
  readonly setup: Setup
  readonly browsers: readonly string[]
  /** What happens before the search. */
  readonly begin: readonly Action[]
  readonly actions: readonly Action[]
  /** The capabilities that it is about. */
  readonly needs: readonly string[]
  /** Whether sessions record when their user authenticated. */
  readonly recordsTime: boolean
}

const phone: Seat = { person: 'ada', browser: 'Ada’s phone' }
const laptop: Seat = { person: 'ada', browser: 'Ada’s laptop' }
/** Is signed in from the beginning, so that there are other sessions to end. */
const tablet: Seat = { person: 'ada', browser: 'Ada’s tablet' }
const eve: Seat = { person: 'eve', browser: 'Eve’s browser' }
const browsers = [phone, laptop, tablet, eve].map(({ browser }) => browser)
const own = [phone.browser, laptop.browser, tablet.browser]

const time = [pass('short'), pass('day'), pass('month')]
const copies = [saveCookies(phone.browser), restoreCookies(phone.browser)]

/** Sign-ins and links at providers, also with the responses of others. */
const linking: Configuration = {
  name: 'linking',
  needs: [],
  setup: { providers: ['alpha', 'beta', 'mail'], with: { 'account-page': true } },
  browsers,
  begin: [],
  recordsTime: true,
  actions: [
    ...[phone, eve].flatMap((seat) => [signInAt(seat, 'alpha'), startAt(seat, 'alpha'), finishAt(seat)]),
    startAt(phone, 'beta', 'link'),
    linkAt(phone, 'beta'),
    linkAt(eve, 'beta'),
    finishElsewhere(phone.browser, eve.browser),
    finishElsewhere(eve.browser, phone.browser),
    requestLink(phone),
    openLink(phone, 'newest'),
    openLink(laptop, 'newest'),
    unlinkAt(phone, 'alpha'),
    signInAt(laptop, 'alpha'),
    endOtherSessions(laptop),
    signOut(phone),
    ...copies,
    ...time,
  ],
}

/** Mailed links, two of them, in two browsers of a user with a password. */
const mails: Configuration = {
  name: 'mails',
  needs: ['passwords'],
  setup: { providers: ['alpha', 'mail'], passwords: {}, with: { 'account-page': true } },
  browsers,
  begin: [requestPasswordLink(phone), choosePassword(phone, 'newest'), enterPassword(tablet, 'current')],
  recordsTime: true,
  actions: [
    requestLink(laptop),
    requestLink(eve, 'ada'),
    openLink(laptop, 'newest'),
    openLink(laptop, 'older'),
    openLink(phone, 'newest'),
    requestPasswordLink(laptop),
    choosePassword(laptop, 'newest'),
    choosePassword(laptop, 'older'),
    enterPassword(laptop, 'current'),
    enterPassword(laptop, 'former'),
    changePassword(phone),
    linkAt(phone, 'alpha'),
    unlinkAt(phone, 'alpha'),
    endOtherSessions(phone),
    endListedSession(phone),
    revokeSessions('ada'),
    signOut(phone),
    ...copies,
    ...time,
  ],
}

/** A second factor over a password and a mailed link. */
const factor: Configuration = {
  name: 'second factor',
  needs: ['second-factor', 'passwords'],
  setup: {
    providers: ['alpha', 'mail'],
    passwords: {},
    with: { 'account-page': true, 'second-factor': true },
  },
  browsers: own,
  begin: [
    requestPasswordLink(phone),
    choosePassword(phone, 'newest'),
    enrolApp(phone),
    enterPassword(tablet, 'current'),
    enterCode(tablet, false),
  ],
  recordsTime: true,
  actions: [
    enterPassword(laptop, 'current'),
    enterPassword(phone, 'current'),
    enterPassword(laptop, 'former'),
    enterCode(laptop, false),
    enterCode(laptop, true),
    enterCode(phone, false),
    enterRecoveryCode(laptop),
    enrolApp(phone),
    removeFactor(phone),
    removeFactor(laptop),
    renewRecovery(laptop),
    deleteUser(laptop),
    enterOldCode(laptop, 'last'),
    enterOldCode(laptop, 'used recovery'),
    enterOldCode(laptop, 'former recovery'),
    requestLink(laptop),
    openLink(laptop, 'newest'),
    openLink(laptop, 'older'),
    requestPasswordLink(laptop),
    choosePassword(laptop, 'newest'),
    changePassword(phone),
    endOtherSessions(phone),
    revokeSessions('ada'),
    signOut(laptop),
    saveCookies(laptop.browser),
    restoreCookies(laptop.browser),
    ...time,
  ],
}

/** A browser that is remembered, and so may leave out the second factor. */
const remembered: Configuration = {
  ...factor,
  name: 'remembered browser',
  setup: { ...factor.setup, providers: ['alpha', 'mail'] },
  begin: [...factor.begin, enterPassword(laptop, 'current'), enterCode(laptop, true), signOut(laptop)],
  actions: [
    enterPassword(laptop, 'current'),
    requestLink(laptop),
    openLink(laptop, 'newest'),
    enterCode(laptop, false),
    removeFactor(laptop),
    renewRecovery(laptop),
    enrolApp(laptop),
    enrolApp(phone),
    removeFactor(phone),
    deleteUser(laptop),
    changePassword(laptop),
    changePassword(phone),
    requestPasswordLink(laptop),
    choosePassword(laptop, 'newest'),
    linkAt(laptop, 'alpha'),
    linkAt(phone, 'alpha'),
    unlinkAt(laptop, 'alpha'),
    endOtherSessions(phone),
    endListedSession(phone),
    revokeSessions('ada'),
    signOut(laptop),
    saveCookies(laptop.browser),
    restoreCookies(laptop.browser),
    ...time,
  ],
}

/** A change of the address. */
const addresses: Configuration = {
  name: 'addresses',
  needs: ['email-change'],
  setup: { providers: ['alpha', 'mail'], emailChange: {}, with: { 'account-page': true } },
  browsers: own,
  begin: [phone, tablet].flatMap((seat) => [requestLink(seat), openLink(seat, 'newest')]),
  recordsTime: true,
  actions: [
    requestAddress(phone),
    ...[phone, laptop].flatMap((seat) => [confirmAddress(seat, 'newest'), confirmAddress(seat, 'older')]),
    requestLink(laptop),
    openLink(laptop, 'newest'),
    openLink(phone, 'newest'),
    signInAt(laptop, 'alpha'),
    linkAt(phone, 'alpha'),
    endOtherSessions(laptop),
    unlinkAt(laptop, 'alpha'),
    revokeSessions('ada'),
    signOut(phone),
    ...copies,
    ...time,
  ],
}

/** Addresses that another person claims, at a provider that does not verify them. */
const claims: Configuration = {
  name: 'claimed addresses',
  needs: [],
  setup: {
    providers: ['alpha', 'beta', 'mail'],
    passwords: {},
    idp: { beta: { users: [claimant('ada', 'beta'), claimant('eve', 'beta')] } },
    provider: { alpha: { allowDangerousEmailAccountLinking: true } },
    with: { 'account-page': true },
  },
  browsers,
  begin: [],
  recordsTime: true,
  actions: [
    signInAt(eve, 'beta'),
    requestLink(phone),
    requestLink(eve, 'ada'),
    openLink(phone, 'newest'),
    openLink(laptop, 'older'),
    linkAt(phone, 'beta'),
    linkAt(eve, 'alpha'),
    requestPasswordLink(phone),
    choosePassword(phone, 'newest'),
    enterPassword(laptop, 'current'),
    signInAt(laptop, 'alpha'),
    signInAt(eve, 'alpha'),
    finishElsewhere(phone.browser, eve.browser),
    startAt(eve, 'beta'),
    unlinkAt(phone, 'beta'),
    deleteUser(phone),
    signOut(eve),
    saveCookies(eve.browser),
    restoreCookies(eve.browser),
    ...time,
  ],
}

/** An identity at a provider that does not verify the address, which is that of Ada. */
function claimant(name: 'ada' | 'eve', provider: 'beta') {
  return { sub: `${name}-at-${provider}`, claims: { name, email: 'ada@mail.example', email_verified: false } }
}

/** Passkeys, with a first address that is added later. */
const passkeys: Configuration = {
  name: 'passkeys',
  needs: [],
  setup: {
    providers: ['alpha', 'mail', 'passkey'],
    config: { experimental: { enableWebAuthn: true } },
    with: { 'account-page': true },
  },
  browsers: own,
  begin: [],
  recordsTime: true,
  actions: [
    registerUser(phone),
    addPasskey(phone),
    addPasskey(laptop),
    signInByPasskey(phone),
    signInByPasskey(laptop),
    removePasskey(phone),
    removePasskey(laptop),
    requestLink(phone),
    openLink(phone, 'newest'),
    openLink(laptop, 'newest'),
    linkAt(phone, 'alpha'),
    signInAt(laptop, 'alpha'),
    unlinkAt(laptop, 'alpha'),
    endOtherSessions(phone),
    signOut(phone),
    loseCookies(laptop.browser),
    deleteUser(phone),
    ...copies,
    ...time,
  ],
}

/** An account at a provider, and a second factor: links by the address, and logouts by the provider. */
const vouched: Configuration = {
  name: 'provider and factor',
  needs: ['second-factor', 'passwords'],
  setup: {
    providers: ['alpha', 'beta', 'mail'],
    passwords: {},
    idp: {
      beta: {
        users: [
          { sub: 'ada-at-beta', claims: { name: 'ada', email: 'ada@mail.example', email_verified: true } },
        ],
      },
    },
    provider: { beta: { allowDangerousEmailAccountLinking: true } },
    with: { 'account-page': true, 'second-factor': true, 'back-channel-logout': true },
  },
  browsers: own,
  begin: [
    requestPasswordLink(phone),
    choosePassword(phone, 'newest'),
    linkAt(phone, 'alpha'),
    enrolApp(phone),
    enterPassword(tablet, 'current'),
    enterCode(tablet, false),
  ],
  recordsTime: true,
  actions: [
    signInAt(laptop, 'alpha'),
    signInAt(laptop, 'beta'),
    enterCode(laptop, false),
    enterCode(laptop, true),
    enterCode(phone, false),
    linkAt(laptop, 'beta'),
    linkAt(phone, 'beta'),
    startAt(laptop, 'beta', 'link'),
    finishAt(laptop),
    unlinkAt(phone, 'alpha'),
    unlinkAt(laptop, 'alpha'),
    removeFactor(laptop),
    logOutAt('ada', 'alpha'),
    endOtherSessions(phone),
    endListedSession(phone),
    changePassword(laptop),
    signOut(laptop),
    saveCookies(laptop.browser),
    restoreCookies(laptop.browser),
    ...time,
  ],
}

/** An account that somebody prepared with the address of another person, before its owner comes. */
const prepared: Configuration = {
  name: 'prepared accounts',
  needs: [],
  setup: {
    providers: ['plain', 'alpha', 'mail', 'passkey'],
    passwords: {},
    config: { experimental: { enableWebAuthn: true } },
    idp: {
      plain: { users: [{ sub: 'eve-at-plain', claims: { name: 'eve', email: 'ada@mail.example' } }] },
      alpha: {
        users: [
          { sub: 'ada-at-alpha', claims: { name: 'ada', email: 'ada@mail.example', email_verified: true } },
        ],
      },
    },
    provider: { alpha: { allowDangerousEmailAccountLinking: true } },
    with: { 'account-page': true, 'second-factor': true },
  },
  browsers: [phone.browser, eve.browser],
  begin: [signInAt(eve, 'plain')],
  recordsTime: true,
  actions: [
    addPasskey(eve),
    signInByPasskey(eve),
    enrolApp(eve),
    enterCode(eve, false),
    signOut(eve),
    saveCookies(eve.browser),
    restoreCookies(eve.browser),
    requestLink(phone),
    openLink(phone, 'newest'),
    requestPasswordLink(phone),
    choosePassword(phone, 'newest'),
    signInAt(phone, 'alpha'),
    unlinkAt(phone, 'plain'),
    ...time,
  ],
}

/** Passkeys of users with a second factor. */
const passkeysAndFactor: Configuration = {
  name: 'passkeys and factor',
  needs: ['second-factor'],
  setup: {
    providers: ['alpha', 'mail', 'passkey'],
    config: { experimental: { enableWebAuthn: true } },
    with: { 'account-page': true, 'second-factor': true },
  },
  browsers: own,
  begin: [registerUser(phone)],
  recordsTime: true,
  actions: [
    enrolApp(phone),
    enterCode(phone, false),
    enterCode(laptop, true),
    signInByPasskey(phone),
    signInByPasskey(laptop),
    addPasskey(phone),
    addPasskey(laptop),
    removePasskey(laptop),
    requestLinkToAdd(phone),
    openLink(phone, 'newest'),
    openLink(laptop, 'newest'),
    linkAt(phone, 'alpha'),
    linkAt(laptop, 'alpha'),
    removeFactor(laptop),
    endOtherSessions(phone),
    signOut(laptop),
    ...time,
  ],
}

/** Codes instead of links in mails. */
const codes: Configuration = {
  name: 'codes',
  needs: ['mail-codes'],
  setup: {
    providers: ['alpha', 'mail'],
    provider: { mail: { method: 'code' } },
    passwords: {},
    with: { 'account-page': true },
  },
  browsers: own,
  begin: [],
  recordsTime: true,
  actions: [
    requestLink(phone),
    requestLink(laptop),
    ...[phone, laptop].flatMap((seat) => [
      enterMailedCode(seat, 'newest'),
      enterMailedCode(seat, 'older'),
      enterMailedCode(seat, 'wrong'),
    ]),
    requestPasswordLink(phone),
    choosePassword(phone, 'newest'),
    changePassword(phone),
    endOtherSessions(phone),
    signOut(phone),
    saveWaiting(laptop.browser),
    restoreCookies(laptop.browser),
    ...time,
  ],
}

/** One feature alone, so that nothing else keeps what it needs. */
const alone: readonly Configuration[] = [
  {
    ...codes,
    name: 'mails alone',
    needs: [],
    setup: { providers: ['mail'], with: { 'account-page': true } },
    begin: [phone, tablet].flatMap((seat) => [requestLink(seat), openLink(seat, 'newest')]),
    actions: [
      requestLink(laptop),
      openLink(laptop, 'newest'),
      openLink(laptop, 'older'),
      endOtherSessions(phone),
      endListedSession(phone),
      signOut(phone),
      ...copies,
      ...time,
    ],
  },
  {
    ...codes,
    name: 'passwords alone',
    needs: ['account-page', 'passwords'],
    setup: { providers: ['alpha'], passwords: {}, with: { 'account-page': true } },
    begin: [requestPasswordLink(phone), choosePassword(phone, 'newest'), enterPassword(tablet, 'current')],
    actions: [
      requestPasswordLink(laptop),
      choosePassword(laptop, 'newest'),
      choosePassword(laptop, 'older'),
      enterPassword(laptop, 'current'),
      enterPassword(laptop, 'former'),
      changePassword(phone),
      endOtherSessions(phone),
      endListedSession(phone),
      linkAt(phone, 'alpha'),
      unlinkAt(phone, 'alpha'),
      signOut(phone),
      ...copies,
      ...time,
    ],
  },
]

const all: readonly Configuration[] = [
  factor,
  remembered,
  vouched,
  mails,
  addresses,
  passkeysAndFactor,
  passkeys,
  prepared,
  claims,
  linking,
  codes,
  ...alone,
]

/** Each with sessions in the store, and then with tokens. */
export const configurations: readonly Configuration[] = (['database', 'jwt'] as const).flatMap((strategy) =>
  all.map(({ name, setup, ...rest }) => ({
    ...rest,
    name: strategy === 'jwt' ? `tokens: ${name}` : name,
    setup: { ...setup, strategy },
  })),
)
