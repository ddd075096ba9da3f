import { assert, read } from './assert.ts'
import type { Demo } from './demo.ts'
import { members } from './members.ts'
import { createVisitor, type Visited, type Visitor } from './visitor.ts'

/** A visitor of the site who is not signed in yet. */
export interface Guest {
  /** The expected address of the session. */
  readonly email: string
  readonly signIn: () => Promise<void>
  readonly signOut: () => Promise<void>
  readonly readSession: () => Promise<unknown>
  readonly leave: () => Promise<void>
}

/** A sign-in method. */
export interface SignInMethod {
  readonly name: string
  /** The flows that must run, in addition to those that read and end a session. */
  readonly flows: readonly string[]
  readonly arrive: (demo: Demo) => Promise<Guest>
}

export const byOpenId: SignInMethod = {
  name: 'OpenID Connect',
  flows: ['sign-in', 'callback'],
  arrive: visit('ada@example.com', async ({ visitor, demo, post }) => {
    const page = await post('signin/demo')
    const isThere = page.url.startsWith(`${demo.issuer}/interaction/`)
    assert(isThere, `The sign-in ended at ${page.url}, not at the provider`)
    return visitor.post(page.url, { user: 'ada' })
  }),
}

export const byMailLink: SignInMethod = {
  name: 'mail link',
  flows: ['email-request', 'email-verification'],
  arrive: visit('katherine@example.com', async ({ visitor, demo, post }) => {
    const email = 'katherine@example.com'
    const inbox = await post('signin/mail', { email })
    assert(
      inbox.url.startsWith(`${demo.origin}/inbox?`),
      `The sign-in ended at ${inbox.url}, not at the inbox`,
    )
    const [, href] = /href="([^"]*\/callback\/mail\?[^"]*)"/.exec(inbox.text) ?? []
    assert(href !== undefined, 'There is no mail in the inbox')
    return visitor.open(href.replaceAll('&#38;', '&'))
  }),
}

export const byMailCode: SignInMethod = {
  name: 'mail code',
  flows: ['email-request', 'email-verification'],
  arrive: visit('dorothy@example.com', async ({ visitor, demo, post }) => {
    const inbox = await post('signin/code', { email: 'dorothy@example.com' })
    const [, code] = /^(\d{6})$/m.exec(inbox.text) ?? []
    assert(code !== undefined, 'There is no mail with a code in the inbox')
    const [, csrfToken] = /name="csrfToken" value="(\w+)"/.exec(inbox.text) ?? []
    assert(csrfToken !== undefined, 'The inbox has no form for the code')
    return visitor.post(`${demo.origin}/auth/callback/code`, { csrfToken, code })
  }),
}

export const byPassword: SignInMethod = {
  name: 'password',
  flows: ['credentials'],
  arrive: visit('mary@example.com', ({ post }) => {
    const { login = '', password = '' } = members.find(({ email }) => email === 'mary@example.com') ?? {}
    return post('callback/credentials', { login, password })
  }),
}

/** Milliseconds for all requests of a sign-in method together. */
const deadline = 9_000

interface Stage {
  readonly demo: Demo
  readonly visitor: Visitor
  /** Posts a form to the library, as a page of the site does. */
  readonly post: (path: string, form?: Readonly<Record<string, string>>) => Promise<Visited>
}

/** Creates a sign-in method without a window: `enter` returns the last page. */
function visit(email: string, enter: (stage: Stage) => Promise<Visited>): SignInMethod['arrive'] {
  return async (demo) => {
    const visitor = createVisitor(AbortSignal.timeout(deadline))
    const auth = `${demo.origin}/auth`
    const profile = `${demo.origin}/profile`
    const post: Stage['post'] = async (path, form) => {
      const csrfToken = String(read(await visitor.readJson(`${auth}/csrf`), 'csrfToken'))
      return visitor.post(`${auth}/${path}`, { csrfToken, callbackUrl: profile, ...form })
    }
    return {
      email,
      async signIn() {
        const { url } = await enter({ demo, visitor, post })
        assert(url === profile, `The sign-in ended at ${url}, not at the profile`)
      },
      signOut: async () => void (await post('signout')),
      readSession: () => visitor.readJson(`${auth}/session`),
      leave: async () => {},
    }
  }
}
