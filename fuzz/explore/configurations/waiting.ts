import { deleteUser, endOtherSessions, removeFirstWay, revokeSessions } from '../actions/account.ts'
import { restoreCookies, saveCookies, signOut } from '../actions/browsers.ts'
import { enrolApp, enterCode, enterOldCode, enterRecoveryCode, removeFactor } from '../actions/factors.ts'
import { failing } from '../actions/failing.ts'
import { openLink, requestLink } from '../actions/mails.ts'
import { changePassword, choosePassword, enterPassword, requestPasswordLink } from '../actions/passwords.ts'
import { linkAt, logOutAt, signInAt } from '../actions/providers.ts'
import type { Configuration } from './configuration.ts'
import { enrol, factor, register } from './factors.ts'
import { laptop, phone, tablet, time } from './seats.ts'

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
    // One sign-in has ended before.
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

/** The longest change makes fewer calls of the store. */
const calls = Array.from({ length: 24 }, (_, call) => call)

/** A store that fails once, in the middle of a change. */
export const failures: Configuration = {
  ...factor,
  name: 'a failing store',
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

/** A reset that waits for the second factor, and a copy of its cookies. */
export const reset: Configuration = {
  ...factor,
  name: 'a reset that waits',
  begin: [
    ...factor.begin,
    requestPasswordLink(laptop),
    choosePassword(laptop, 'newest'),
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
