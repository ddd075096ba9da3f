import {
  deleteUser,
  endListedSession,
  endOtherSessions,
  removeFirstWay,
  revokeSessions,
} from '../actions/account.ts'
import { restoreCookies, saveCookies, signOut } from '../actions/browsers.ts'
import {
  enrolApp,
  enterCode,
  enterOldCode,
  enterRecoveryCode,
  removeFactor,
  renewRecovery,
} from '../actions/factors.ts'
import { openLink, requestLink } from '../actions/mails.ts'
import { changePassword, choosePassword, enterPassword, requestPasswordLink } from '../actions/passwords.ts'
import { finishAt, linkAt, logOutAt, signInAt, startAt } from '../actions/providers.ts'
import type { Configuration } from './configuration.ts'
import { laptop, own, phone, tablet, time } from './seats.ts'

export const register = [requestPasswordLink(phone), choosePassword(phone, 'newest')]
export const enrol = [enrolApp(phone), enterPassword(tablet, 'current'), enterCode(tablet, false)]

/** A second factor after a password or a mailed link. */
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

/** A remembered browser, in which the user need not enter the second factor. */
export const remembered: Configuration = {
  ...factor,
  name: 'remembered browser',
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
