import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { HandledRequest, World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'

/** Two users, and a visitor who never signs in. */
const visitors = ['ada', 'bob', 'eve'] as const
type Visitor = (typeof visitors)[number]

const acts = [
  'read the session',
  'read the CSRF token',
  'list the providers',
  'open the sign-in page',
  'open the sign-out page',
  'open an error page',
  'open the page after a mail',
  'open a missing page',
  'start a sign-in',
  'return with a wrong code',
  'post without a CSRF token',
  'sign out',
  'sign in',
] as const
type Act = (typeof acts)[number]

/** Methods that need no other sign-in and no script. */
const methods = ['alpha', 'plain', 'form', 'mail'] as const
type Method = (typeof methods)[number]

/** Values of cookies that are shorter than this, such as a language, may be equal for everyone. */
const shortest = 20

export const visitorProperties: readonly Property[] = [
  property({
    proves: ['CC-12'],
    name: 'sends nothing of one visitor to another',
    story: 'A visitor who is not signed in is sent the session cookie of the previous one.',
    advice:
      'Create each Headers object and each body for its response, and pass no shared object to a constructor.',
    setups: {
      database: {},
      jwt: { strategy: 'jwt' },
      'database behind a server that keeps objects': { keepsObjects: true },
      'jwt behind a server that keeps objects': { strategy: 'jwt', keepsObjects: true },
    },
    runs: 20,
    reaches: { 'two users and a stranger': 5 },
    input: fc.record({
      method: fc.constantFrom(...methods),
      steps: fc.array(fc.tuple(fc.constantFrom(...visitors), fc.constantFrom(...acts)), {
        minLength: 6,
        maxLength: 16,
      }),
    }),
    async run(world, { method: wanted, steps }) {
      const method = [wanted, ...methods].find((name) => world.idOf(name) !== undefined)
      world.assume(method !== undefined, 'the application has no provider for this property')
      if (method === undefined) return
      const browsers = { ada: world.browser('ada'), bob: world.browser('bob'), eve: world.browser('eve') }
      const marks = openMarks(world, method)
      const act = async (visitor: Visitor, name: Act) => {
        const before = world.replies.length
        try {
          await perform(world, browsers[visitor], visitor, name, method)
        } finally {
          // A leak may stop a sign-in, so the responses are judged anyway.
          for (const each of world.replies.slice(before)) marks.judge(visitor, each)
        }
      }
      await act('eve', 'read the session')
      for (const visitor of ['ada', 'bob'] as const)
        for (const name of ['sign in', 'read the session'] as const) await act(visitor, name)
      for (const [visitor, name] of steps) await act(visitor, name)
      for (const name of acts) if (name !== 'sign in') await act('eve', name)
      world.reach('two users and a stranger')
    },
  }),
]

/** Values that only responses to their owner may contain. */
function openMarks(world: World, method: Method) {
  const owners = new Map<string, Visitor>()
  for (const visitor of visitors) {
    owners.set(pathOf(visitor), visitor)
    if (visitor !== 'eve') owners.set(world.people[visitor].address[method], visitor)
  }
  return {
    judge(visitor: Visitor, { request, reply }: HandledRequest) {
      const lines = [...reply.headers].map(([name, value]) => `${name}: ${decode(value)}\n${name}: ${value}`)
      const shown = [...lines, reply.text, decode(reply.text)].join('\n')
      const where = `${request.method} ${new URL(request.url).pathname}`
      for (const [mark, owner] of owners) {
        const isLeaked = owner !== visitor && shown.includes(mark)
        world.check(
          'CC-12',
          !isLeaked,
          `the response to ${visitor} at ${where} contains “${mark.slice(0, 40)}” of ${owner}`,
          { observed: 'another user' },
        )
      }
      for (const { value } of reply.cookies)
        if (value.length >= shortest && !isUrl(decode(value)) && !owners.has(value))
          owners.set(value, visitor)
    },
  }
}

/** A path that only this visitor asks for. */
function pathOf(visitor: Visitor): string {
  return `/only-for-${visitor}-to-see`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Targets are the same for everyone who asks for no target. */
function isUrl(text: string): boolean {
  return text.startsWith('/') || URL.canParse(text)
}

async function perform(
  world: World,
  browser: Browser,
  visitor: Visitor,
  act: Act,
  method: Method,
): Promise<unknown> {
  const at = (path: string) => `${world.basePath}/${path}`
  const target = new URLSearchParams({ callbackUrl: pathOf(visitor) })
  const id = world.idOf(method) ?? ''
  switch (act) {
    case 'read the session':
      return browser.readSession()
    case 'read the CSRF token':
      return browser.send(at('csrf'))
    case 'list the providers':
      return browser.send(at('providers'))
    case 'open the sign-in page':
      return browser.send(at(`signin?${target}`))
    case 'open the sign-out page':
      return browser.send(at(`signout?${target}`))
    case 'open an error page':
      return browser.send(at('error?error=AccessDenied'))
    case 'open the page after a mail':
      return browser.send(at('verify-request'))
    case 'open a missing page':
      return browser.send(at('nowhere'))
    case 'start a sign-in': {
      const form = { csrfToken: await browser.csrfToken(), callbackUrl: pathOf(visitor) }
      return browser.send(at(`signin/${id}`), { form })
    }
    case 'return with a wrong code':
      return browser.send(at(`callback/${id}?code=of-${visitor}&state=of-${visitor}`))
    case 'post without a CSRF token':
      return browser.send(at(`signin/${id}`), { form: { callbackUrl: pathOf(visitor) } })
    case 'sign out':
      return browser.signOut()
    case 'sign in':
      return visitor === 'eve' ? browser.readSession() : browser.signIn(method, world.people[visitor])
  }
}
