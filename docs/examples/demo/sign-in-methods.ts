import { assert } from './assert.ts'
import type { Demo } from './demo.ts'
import { readField } from './forms.ts'
import { findLink, followMail, type Guest, visit } from './stage.ts'

/** A chapter of the check: a sign-in method, or what users do with their account. */
export interface Chapter {
  readonly title: string
  /** The flows that must run, in addition to those that read and end a session. */
  readonly flows: readonly string[]
  readonly arrive: (demo: Demo) => Promise<Guest>
}

export const byOpenId: Chapter = {
  title: 'Sign-in with OpenID Connect',
  flows: ['sign-in', 'callback'],
  arrive: visit('ada@example.com', async ({ visitor, demo, post }) => {
    const page = await post('signin/demo')
    const isThere = page.url.startsWith(`${demo.issuer}/interaction/`)
    assert(isThere, `The sign-in ended at ${page.url}, not at the provider`)
    return visitor.post(page.url, { user: 'ada' })
  }),
}

export const byMailLink: Chapter = {
  title: 'Sign-in with a mail link',
  flows: ['email-request', 'email-verification'],
  arrive: visit('katherine@example.com', followMail),
}

export const byMailCode: Chapter = {
  title: 'Sign-in with a mail code',
  flows: ['mail-code-request', 'mail-code-guess'],
  arrive: visit('dorothy@example.com', async ({ visitor, demo, email, post }) => {
    const inbox = await post('signin/code', { email })
    const [, code] = /^(\d{6})$/m.exec(inbox.text) ?? []
    assert(code !== undefined, 'There is no mail with a code in the inbox')
    const csrfToken = readField(inbox, 'csrfToken')
    return visitor.post(`${demo.origin}/auth/callback/code`, { csrfToken, code })
  }),
}

/** Chooses a password with a mailed link, which registers the user, and signs in with it. */
export const byPassword: Chapter = {
  title: 'Sign-in with a password',
  flows: ['password-request', 'password-reset', 'credentials'],
  arrive: visit('hedy@example.com', async ({ visitor, email, post, readSession }) => {
    const password = 'frequencies that hop'
    const inbox = await post('password/password', { email })
    const form = await visitor.open(findLink(inbox, 'password-reset/password'))
    await post('password-reset/password', { email, token: readField(form, 'token'), password })
    assert((await readSession()) !== null, 'Setting the password did not sign the user in')
    await post('signout')
    return post('callback/password', { email, password })
  }),
}
