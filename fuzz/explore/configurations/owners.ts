import { endOtherSessions, removeFirstWay } from '../actions/account.ts'
import { loseCookies, signOut } from '../actions/browsers.ts'
import { enrolApp, enterCode, finishEnrolment, openEnrolment, removeFactor } from '../actions/factors.ts'
import { openLink, requestLink } from '../actions/mails.ts'
import { choosePassword, requestPasswordLink } from '../actions/passwords.ts'
import { finishAt, signInAt, startAt } from '../actions/providers.ts'
import type { Configuration } from './configuration.ts'
import { factor } from './factors.ts'
import { adaAtShared, bob, bobAtShared, laptop, phone, tablet, time } from './seats.ts'

/** An account with an unproven address and a second factor that belongs to the person who created the account. */
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
