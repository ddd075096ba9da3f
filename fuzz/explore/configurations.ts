import type { Setup } from '../targets/setup.ts'
import type { Action, Seat } from './action.ts'
import { deleteUser, endOtherSessions, removePasskey, revokeSessions, unlinkAt } from './actions/account.ts'
import { confirmAddress, requestAddress } from './actions/addresses.ts'
import { loseCookies, pass, restoreCookies, saveCookies, signOut } from './actions/browsers.ts'
import { enrolApp, enterCode, enterRecoveryCode, removeFactor } from './actions/factors.ts'
import { openLink, requestLink } from './actions/mails.ts'
import { addPasskey, registerUser, signInByPasskey } from './actions/passkeys.ts'
import { changePassword, choosePassword, enterPassword, requestPasswordLink } from './actions/passwords.ts'
import { finishAt, finishElsewhere, linkAt, signInAt, startAt } from './actions/providers.ts'

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
const eve: Seat = { person: 'eve', browser: 'Eve’s browser' }
const browsers = [phone, laptop, eve].map(({ browser }) => browser)
const own = [phone.browser, laptop.browser]

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

/** Mailed links, two of them, in two browsers. */
const mails: Configuration = {
  name: 'mails',
  needs: [],
  setup: { providers: ['alpha', 'mail'], passwords: {}, with: { 'account-page': true } },
  browsers,
  begin: [],
  recordsTime: true,
  actions: [
    requestLink(phone),
    requestLink(eve, 'ada'),
    ...[phone, laptop].flatMap((seat) => [openLink(seat, 'newest'), openLink(seat, 'older')]),
    requestPasswordLink(phone),
    choosePassword(phone, 'newest'),
    choosePassword(laptop, 'older'),
    choosePassword(laptop, 'newest'),
    enterPassword(laptop, 'current'),
    enterPassword(laptop, 'former'),
    changePassword(laptop),
    endOtherSessions(phone),
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
  begin: [requestPasswordLink(phone), choosePassword(phone, 'newest'), enrolApp(phone)],
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

/** A change of the address. */
const addresses: Configuration = {
  name: 'addresses',
  needs: ['email-change'],
  setup: { providers: ['alpha', 'mail'], emailChange: {}, with: { 'account-page': true } },
  browsers: own,
  begin: [requestLink(phone), openLink(phone, 'newest')],
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

const inBoth = ({ setup, ...rest }: Configuration): Configuration[] => [
  { ...rest, setup: { ...setup, strategy: 'database' } },
  { ...rest, name: `${rest.name} and tokens`, setup: { ...setup, strategy: 'jwt' } },
]

export const configurations: readonly Configuration[] = [linking, claims, mails, passkeys, factor, addresses].flatMap(inBoth)
