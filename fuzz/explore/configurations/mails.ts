import { endListedSession, endOtherSessions, removeFirstWay, revokeSessions } from '../actions/account.ts'
import { confirmAddress, requestAddress } from '../actions/addresses.ts'
import { openPage, restoreCookies, saveWaiting, signOut } from '../actions/browsers.ts'
import { enterMailedCode, openLink, requestLink } from '../actions/mails.ts'
import { changePassword, choosePassword, enterPassword, requestPasswordLink } from '../actions/passwords.ts'
import { linkAt, signInAt } from '../actions/providers.ts'
import type { Configuration } from './configuration.ts'
import { browsers, copies, eve, laptop, own, phone, tablet, time } from './seats.ts'

/** Mailed links, two of them, in two browsers of a user with a password. */
export const mails: Configuration = {
  name: 'mails',
  needs: ['passwords'],
  setup: { providers: ['alpha', 'mail'], passwords: {}, with: { 'account-page': true } },
  browsers,
  begin: [requestPasswordLink(phone), choosePassword(phone, 'newest'), enterPassword(tablet, 'current')],
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
    removeFirstWay(phone),
    endOtherSessions(phone),
    endListedSession(phone),
    revokeSessions('ada'),
    signOut(phone),
    ...copies,
    ...time,
  ],
}

/** Codes instead of links in mails. */
export const codes: Configuration = {
  name: 'codes',
  needs: ['mail-codes'],
  setup: {
    providers: ['alpha', 'mail'],
    provider: { mail: { method: 'code' } },
    passwords: {},
    with: { 'account-page': true },
  },
  browsers: own,
  begin: [
    requestLink(phone),
    enterMailedCode(phone, 'newest'),
    requestLink(laptop),
    enterMailedCode(laptop, 'wrong'),
    saveWaiting(laptop.browser),
  ],
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

/** One feature alone, so that no other feature provides the data that it needs. */
export const alone: readonly Configuration[] = [
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
      openPage(tablet),
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
      openPage(tablet),
      endOtherSessions(phone),
      endListedSession(phone),
      linkAt(phone, 'alpha'),
      removeFirstWay(phone),
      signOut(phone),
      ...copies,
      ...time,
    ],
  },
]

/** A change of the address. */
export const addresses: Configuration = {
  name: 'addresses',
  needs: ['email-change'],
  setup: { providers: ['alpha', 'mail'], emailChange: {}, with: { 'account-page': true } },
  browsers: own,
  begin: [phone, tablet].flatMap((seat) => [requestLink(seat), openLink(seat, 'newest')]),
  actions: [
    requestAddress(phone),
    ...[phone, laptop].flatMap((seat) => [confirmAddress(seat, 'newest'), confirmAddress(seat, 'older')]),
    requestLink(laptop),
    openLink(laptop, 'newest'),
    openLink(phone, 'newest'),
    signInAt(laptop, 'alpha'),
    linkAt(phone, 'alpha'),
    endOtherSessions(phone),
    endOtherSessions(laptop),
    removeFirstWay(laptop),
    revokeSessions('ada'),
    signOut(phone),
    ...copies,
    ...time,
  ],
}
