import type { Setup } from '../../targets/setup.ts'
import { deleteUser, endOtherSessions, removeFirstWay, removeLastWay } from '../actions/account.ts'
import { loseCookies, signOut } from '../actions/browsers.ts'
import { enrolApp, enterCode, removeFactor } from '../actions/factors.ts'
import { openLink, requestLink, requestLinkToAdd } from '../actions/mails.ts'
import { addPasskey, enterPasskey, registerUser, signInByPasskey } from '../actions/passkeys.ts'
import { linkAt, signInAt } from '../actions/providers.ts'
import type { Configuration } from './configuration.ts'
import { copies, laptop, own, phone, time } from './seats.ts'

/** Passkeys of users who add their first address later. */
export const passkeys: Configuration = {
  name: 'passkeys',
  needs: [],
  setup: {
    providers: ['alpha', 'mail', 'passkey'],
    config: { experimental: { enableWebAuthn: true } },
    with: { 'account-page': true },
  },
  browsers: own,
  begin: [],
  actions: [
    registerUser(phone),
    addPasskey(phone),
    addPasskey(laptop),
    signInByPasskey(phone),
    signInByPasskey(laptop),
    removeLastWay(phone),
    removeLastWay(laptop),
    requestLink(phone),
    openLink(phone, 'newest'),
    openLink(laptop, 'newest'),
    linkAt(phone, 'alpha'),
    signInAt(laptop, 'alpha'),
    removeFirstWay(laptop),
    endOtherSessions(phone),
    signOut(phone),
    loseCookies(laptop.browser),
    deleteUser(phone),
    ...copies,
    ...time,
  ],
}

const withFactor: Setup = {
  providers: ['alpha', 'mail', 'passkey'],
  config: { experimental: { enableWebAuthn: true } },
  with: { 'account-page': true, 'second-factor': true },
}

/** Passkeys in a remembered browser, whose session therefore lacks the second factor. */
export const passkeysRemembered: Configuration = {
  name: 'passkeys in a remembered browser',
  needs: ['second-factor'],
  setup: withFactor,
  browsers: own,
  begin: [
    registerUser(phone),
    enrolApp(phone),
    signInByPasskey(laptop),
    enterCode(laptop, true),
    signOut(laptop),
  ],
  actions: [
    signInByPasskey(laptop),
    linkAt(laptop, 'alpha'),
    signInAt(laptop, 'alpha'),
    addPasskey(laptop),
    requestLinkToAdd(laptop),
    openLink(laptop, 'newest'),
    enterPasskey(laptop),
    enterCode(laptop, false),
    enrolApp(laptop),
    removeFactor(laptop),
    removeFirstWay(laptop),
    endOtherSessions(phone),
    signOut(laptop),
    ...time,
  ],
}

/** Passkeys of users with a second factor. */
export const passkeysAndFactor: Configuration = {
  name: 'passkeys and factor',
  needs: ['second-factor'],
  setup: withFactor,
  browsers: own,
  begin: [registerUser(phone)],
  actions: [
    enrolApp(phone),
    enterCode(phone, false),
    enterCode(laptop, true),
    signInByPasskey(phone),
    signInByPasskey(laptop),
    enterPasskey(laptop),
    addPasskey(phone),
    addPasskey(laptop),
    removeFirstWay(laptop),
    removeLastWay(laptop),
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
