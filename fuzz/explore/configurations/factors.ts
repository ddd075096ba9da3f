import {
  deleteUser,
  endListedSession,
  endOtherSessions,
  removeFirstWay,
  revokeSessions,
} from '../actions/account.ts'
import { loseCookies, restoreCookies, saveCookies, signOut } from '../actions/browsers.ts'
import {
  enrolApp,
  enterCode,
  enterOldCode,
  enterRecoveryCode,
  finishEnrolment,
  openEnrolment,
  removeFactor,
  renewRecovery,
} from '../actions/factors.ts'
import { failing } from '../actions/failing.ts'
import { openLink, requestLink } from '../actions/mails.ts'
import { changePassword, choosePassword, enterPassword, requestPasswordLink } from '../actions/passwords.ts'
import { finishAt, linkAt, logOutAt, signInAt, startAt } from '../actions/providers.ts'
import type { Configuration } from './configuration.ts'
import { adaAtShared, bob, bobAtShared, laptop, own, phone, tablet, time } from './seats.ts'

const register = [requestPasswordLink(phone), choosePassword(phone, 'newest')]
const enrol = [enrolApp(phone), enterPassword(tablet, 'current'), enterCode(tablet, false)]

/** A second factor over a password and a mailed link. */
export const factor: Configuration = {
  name: 'second factor',
  needs: ['second-factor', 'passwords'],
  setup: {
    providers: ['alpha', 'mail'],
    passwords: {},
    with: { 'account-page': true, 'second-factor': true },
  },
  browsers: own,
  begin: [...register, ...enrol],
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

/** Sign-ins that wait for the second factor, and copies of their cookies. */
export const waiting: Configuration = {
  ...factor,
  name: 'sign-ins that wait',
  setup: {
    ...factor.setup,
    with: { ...factor.setup.with, 'back-channel-logout': true },
  },
  begin: [
    ...register,
    linkAt(phone, 'alpha'),
    ...enrol,
    // One has ended before.
    enterPassword(laptop, 'current'),
    signOut(laptop),
    signInAt(laptop, 'alpha'),
    saveCookies(laptop.browser),
  ],
  actions: [
    enterCode(laptop, false),
    enterRecoveryCode(laptop),
    signOut(laptop),
    restoreCookies(laptop.browser),
    signInAt(laptop, 'alpha'),
    requestPasswordLink(laptop),
    choosePassword(laptop, 'newest'),
    logOutAt('ada', 'alpha'),
    changePassword(phone),
    enrolApp(phone),
    removeFactor(phone),
    endOtherSessions(phone),
    revokeSessions('ada'),
    ...time,
  ],
}

/** Calls of the store in the longest change, and in the shorter ones. */
const calls = Array.from({ length: 24 }, (_, call) => call)

/** A store that fails once, in the middle of a change. */
export const failures: Configuration = {
  ...factor,
  name: 'a failing store',
  setup: { ...factor.setup, providers: ['alpha', 'mail'] },
  begin: [
    ...register,
    linkAt(phone, 'alpha'),
    ...enrol,
    requestLink(laptop),
    requestPasswordLink(laptop),
    enterPassword(laptop, 'current'),
  ],
  actions: [
    enterPassword(laptop, 'current'),
    enterPassword(laptop, 'former'),
    enterCode(laptop, false),
    enterOldCode(laptop, 'last'),
    enterRecoveryCode(laptop),
    enterOldCode(laptop, 'used recovery'),
    openLink(laptop, 'newest'),
    choosePassword(laptop, 'newest'),
    changePassword(phone),
    ...[
      changePassword(phone),
      choosePassword(laptop, 'newest'),
      enrolApp(phone),
      removeFactor(phone),
      enterCode(laptop, true),
      enterRecoveryCode(laptop),
      openLink(laptop, 'newest'),
      endOtherSessions(phone),
      removeFirstWay(phone),
      deleteUser(phone),
    ].flatMap((action) =>
      calls.flatMap((call) => [
        failing(action, call, 'has no effect'),
        failing(action, call, 'has an effect'),
      ]),
    ),
  ],
}

/** A reset whose second factor was entered, and a copy of its cookies. */
export const reset: Configuration = {
  ...factor,
  name: 'a reset that waits',
  begin: [
    ...factor.begin,
    requestPasswordLink(laptop),
    choosePassword(laptop, 'newest'),
    enterCode(laptop, false),
    saveCookies(laptop.browser),
  ],
  actions: [
    choosePassword(laptop, 'newest'),
    choosePassword(tablet, 'newest'),
    requestPasswordLink(laptop),
    enterCode(laptop, false),
    signOut(laptop),
    restoreCookies(laptop.browser),
    enterPassword(laptop, 'current'),
    changePassword(phone),
    enrolApp(phone),
    removeFactor(phone),
    endOtherSessions(phone),
    revokeSessions('ada'),
    ...time,
  ],
}

/** An account with an address that nobody has proven, and a second factor, which its owner has. */
export const unproven: Configuration = {
  ...factor,
  name: 'first proof with a factor',
  needs: ['second-factor'],
  setup: {
    providers: ['plain', 'alpha', 'mail'],
    passwords: {},
    idp: {
      plain: { users: [adaAt('plain')] },
      alpha: { users: [adaAt('alpha', true)] },
    },
    provider: { alpha: { allowDangerousEmailAccountLinking: true } },
    with: { 'account-page': true, 'second-factor': true },
  },
  begin: [signInAt(phone, 'plain'), enrolApp(phone), signInAt(tablet, 'plain'), enterCode(tablet, false)],
  actions: [
    requestLink(laptop),
    openLink(laptop, 'newest'),
    openLink(laptop, 'older'),
    requestPasswordLink(laptop),
    choosePassword(laptop, 'newest'),
    signInAt(laptop, 'alpha'),
    signInAt(laptop, 'plain'),
    enterCode(laptop, false),
    removeFirstWay(phone),
    removeFactor(phone),
    endOtherSessions(phone),
    signOut(laptop),
    ...time,
  ],
}

function adaAt(provider: string, email_verified?: true) {
  return {
    sub: `ada-at-${provider}`,
    claims: { name: 'ada', email: 'ada@mail.example', ...(email_verified && { email_verified }) },
  }
}

/** A browser that two people use one after the other, and pages that one of them leaves open. */
export const shared: Configuration = {
  name: 'shared browser',
  needs: ['second-factor', 'passwords'],
  setup: {
    providers: ['alpha', 'beta', 'mail'],
    passwords: {},
    with: { 'account-page': true, 'second-factor': true },
  },
  browsers: [adaAtShared.browser, phone.browser, bob.browser],
  begin: [
    signInAt(phone, 'alpha'),
    signInAt(bob, 'alpha'),
    signInAt(adaAtShared, 'alpha'),
    openEnrolment(adaAtShared),
  ],
  actions: [
    ...[adaAtShared, bobAtShared].flatMap((seat) => [
      signInAt(seat, 'alpha'),
      startAt(seat, 'beta', 'link'),
      finishAt(seat),
      openEnrolment(seat),
      finishEnrolment(seat),
      signOut(seat),
    ]),
    enterCode(bobAtShared, false),
    enterCode(bobAtShared, true),
    startAt(adaAtShared, 'alpha'),
    removeFirstWay(bobAtShared),
    enrolApp(bob),
    endOtherSessions(bob),
    endOtherSessions(phone),
    loseCookies(adaAtShared.browser),
    ...time,
  ],
}

/** A browser that is remembered, and so may leave out the second factor. */
export const remembered: Configuration = {
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
    removeFirstWay(laptop),
    endOtherSessions(phone),
    endListedSession(phone),
    revokeSessions('ada'),
    signOut(laptop),
    saveCookies(laptop.browser),
    restoreCookies(laptop.browser),
    ...time,
  ],
}

/** An account at a provider, and a second factor: links by the address, and logouts by the provider. */
export const vouched: Configuration = {
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
  begin: [...register, linkAt(phone, 'alpha'), ...enrol],
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
    removeFirstWay(phone),
    removeFirstWay(laptop),
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
