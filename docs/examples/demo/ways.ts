import { demand, read } from './demand.ts'
import type { Demo } from './demo.ts'
import { members } from './members.ts'
import { createVisitor, type Visited, type Visitor } from './visitor.ts'

/** Somebody at the site, who has not said who it is yet. */
export interface Guest {
  /** Whose session it is to be. */
  readonly email: string
  readonly signIn: () => Promise<void>
  readonly signOut: () => Promise<void>
  readonly readSession: () => Promise<unknown>
  readonly leave: () => Promise<void>
}

/** One way to sign in. */
export interface Way {
  readonly name: string
  /** The flows that have to run, beside those that read and end a session. */
  readonly flows: readonly string[]
  readonly arrive: (demo: Demo) => Promise<Guest>
}

export const byOpenId: Way = {
  name: 'OpenID Connect',
  flows: ['sign-in', 'callback'],
  arrive: visit('ada@example.com', async ({ visitor, demo, ask }) => {
    const asked = await ask('signin/demo')
    const isThere = asked.url.startsWith(`${demo.issuer}/interaction/`)
    demand(isThere, `It ended at ${asked.url}, not at the provider`)
    return visitor.post(asked.url, { user: 'ada' })
  }),
}

export const byMailLink: Way = {
  name: 'mail link',
  flows: ['email-request', 'email-verification'],
  arrive: visit('katherine@example.com', async ({ visitor, demo, ask }) => {
    const email = 'katherine@example.com'
    const inbox = await ask('signin/mail', { email })
    demand(inbox.url.startsWith(`${demo.origin}/inbox?`), `It ended at ${inbox.url}, not at the inbox`)
    const [, href] = /href="([^"]*\/callback\/mail\?[^"]*)"/.exec(inbox.text) ?? []
    demand(href !== undefined, 'There is no mail in the inbox')
    return visitor.open(href.replaceAll('&#38;', '&'))
  }),
}

export const byPassword: Way = {
  name: 'password',
  flows: ['credentials'],
  arrive: visit('mary@example.com', ({ ask }) => {
    const { login = '', password = '' } = members.find(({ email }) => email === 'mary@example.com') ?? {}
    return ask('callback/credentials', { login, password })
  }),
}

/** Milliseconds that all requests of a way may take together. */
const deadline = 9_000

interface Stage {
  readonly demo: Demo
  readonly visitor: Visitor
  /** Posts a form to the library, as a page of the site's has it. */
  readonly ask: (path: string, form?: Readonly<Record<string, string>>) => Promise<Visited>
}

/** A way that needs no window: `enter` answers where it led. */
function visit(email: string, enter: (stage: Stage) => Promise<Visited>): Way['arrive'] {
  return async (demo) => {
    const visitor = createVisitor(AbortSignal.timeout(deadline))
    const auth = `${demo.origin}/auth`
    const profile = `${demo.origin}/profile`
    const ask: Stage['ask'] = async (path, form) => {
      const csrfToken = String(read(await visitor.readJson(`${auth}/csrf`), 'csrfToken'))
      return visitor.post(`${auth}/${path}`, { csrfToken, callbackUrl: profile, ...form })
    }
    return {
      email,
      async signIn() {
        const { url } = await enter({ demo, visitor, ask })
        demand(url === profile, `It led to ${url}, not to the profile`)
      },
      signOut: async () => void (await ask('signout')),
      readSession: () => visitor.readJson(`${auth}/session`),
      leave: async () => {},
    }
  }
}
