import { deleteUser, endOtherSessions, removeFirstWay } from '../actions/account.ts'
import { openPage, restoreCookies, saveCookies, signOut } from '../actions/browsers.ts'
import { enrolApp, enterCode } from '../actions/factors.ts'
import { openLink, requestLink } from '../actions/mails.ts'
import { addPasskey, signInByPasskey } from '../actions/passkeys.ts'
import { choosePassword, enterPassword, requestPasswordLink } from '../actions/passwords.ts'
import {
  finishAt,
  finishElsewhere,
  issueRefreshTokens,
  linkAt,
  signInAt,
  startAt,
  useAccessToken,
} from '../actions/providers.ts'
import type { Configuration } from './configuration.ts'
import { browsers, copies, eve, laptop, phone, time } from './seats.ts'

/** Sign-ins and links at providers, including responses that belong to other people. */
export const linking: Configuration = {
  name: 'linking',
  needs: [],
  setup: { providers: ['alpha', 'beta', 'mail'], with: { 'account-page': true } },
  browsers,
  begin: [issueRefreshTokens],
  actions: [
    useAccessToken('ada'),
    openPage(phone),
    ...[phone, eve].flatMap((seat) => [signInAt(seat, 'alpha'), startAt(seat, 'alpha'), finishAt(seat)]),
    startAt(phone, 'beta', 'link'),
    linkAt(phone, 'beta'),
    linkAt(eve, 'beta'),
    finishElsewhere(phone.browser, eve.browser),
    finishElsewhere(eve.browser, phone.browser),
    requestLink(phone),
    openLink(phone, 'newest'),
    openLink(laptop, 'newest'),
    removeFirstWay(phone),
    signInAt(laptop, 'alpha'),
    endOtherSessions(laptop),
    signOut(phone),
    ...copies,
    ...time,
  ],
}

/** Addresses that another person claims at a provider that does not verify addresses. */
export const claims: Configuration = {
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
    removeFirstWay(phone),
    deleteUser(phone),
    signOut(eve),
    saveCookies(eve.browser),
    restoreCookies(eve.browser),
    ...time,
  ],
}

/** An identity with Ada's address, at a provider that does not verify addresses. */
function claimant(name: 'ada' | 'eve', provider: 'beta') {
  return { sub: `${name}-at-${provider}`, claims: { name, email: 'ada@mail.example', email_verified: false } }
}

/** An account that somebody prepared with the address of another person, before that person signs in. */
export const prepared: Configuration = {
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
    removeFirstWay(phone),
    ...time,
  ],
}
