import { randomUUID } from 'node:crypto'
import { assert, read } from './assert.ts'
import type { Demo } from './demo.ts'
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

/** What a guest without a window uses. */
export interface Stage {
  readonly demo: Demo
  readonly email: string
  readonly visitor: Visitor
  /** Posts a form to the library, as a page of the site does. */
  readonly post: (path: string, form?: Readonly<Record<string, string>>) => Promise<Visited>
  readonly readSession: () => Promise<unknown>
}

/** Milliseconds for all requests of a guest together. */
const deadline = 20_000

/** Lets a new visitor open the site. */
export function enterStage(demo: Demo, email: string): Stage {
  const visitor = createVisitor(AbortSignal.timeout(deadline))
  const auth = `${demo.origin}/auth`
  return {
    demo,
    email,
    visitor,
    async post(path, form) {
      const csrfToken = String(read(await visitor.readJson(`${auth}/csrf`), 'csrfToken'))
      const callbackUrl = `${demo.origin}/profile`
      return visitor.post(`${auth}/${path}`, { csrfToken, callbackUrl, ...form })
    },
    readSession: () => visitor.readJson(`${auth}/session`),
  }
}

/** Creates a guest without a window. `enter` signs in, and returns the last page. `exit` ends the session. */
export function visit(
  address: string | (() => string),
  enter: (stage: Stage) => Promise<Visited>,
  exit: (stage: Stage) => Promise<unknown> = ({ post }) => post('signout'),
): (demo: Demo) => Promise<Guest> {
  return async (demo) => {
    const email = typeof address === 'string' ? address : address()
    const stage = enterStage(demo, email)
    return {
      email,
      async signIn() {
        const { url } = await enter(stage)
        assert(url === `${demo.origin}/profile`, `The sign-in ended at ${url}, not at the profile`)
      },
      signOut: async () => void (await exit(stage)),
      readSession: stage.readSession,
      leave: async () => {},
    }
  }
}

/** A new address each time, because the store may contain earlier users. */
export function inventAddress(): string {
  return `visitor-${randomUUID()}@example.com`
}

/** Signs in with a mailed link. @returns the page that it leads to */
export async function followMail({ email, visitor, post }: Stage): Promise<Visited> {
  return visitor.open(findLink(await post('signin/mail', { email }), 'callback/mail'))
}

/** Finds the newest link of the inbox to a route of the library. */
export function findLink({ url, text }: Visited, route: string): string {
  assert(new URL(url).pathname === '/inbox', `The request of a link ended at ${url}, not at the inbox`)
  const href = new RegExp(`href="([^"]*/auth/${route}\\?[^"]*)"`).exec(text)?.[1]
  assert(href !== undefined, 'There is no mail in the inbox')
  return href.replaceAll('&#38;', '&')
}
