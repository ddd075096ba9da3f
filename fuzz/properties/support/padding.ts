import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { update } from './sessions.ts'

interface Loaded {
  readonly token: object & { readonly padding?: unknown }
  readonly trigger?: string
  readonly session: object & { readonly padding?: unknown }
}

/** An application whose token takes all update data, and whose session shows it. */
export const loading = {
  callbacks: {
    jwt: ({ token, trigger, session }: Loaded) =>
      trigger === 'update' ? { ...token, padding: session.padding } : token,
    session: ({ session, token }: Loaded) => ({ ...session, padding: token.padding }),
  },
}

/** The same application with JWT sessions. */
export const loaded = { strategy: 'jwt', config: loading } as const

/** The same application with this session cookie name. */
export const named = (name: string, options: object) => ({
  ...loaded,
  config: { ...loading, cookies: { sessionToken: { name, options } } },
})

/** Options of a session cookie without a prefix. */
export const plain = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' }

/** Generates text of at most this length, with recognisable order and without halved characters. */
export function paddingOf(length: number): string {
  const parts: string[] = []
  for (let n = 0, left = length; left > 0; n++) {
    const part = n % 3 === 1 ? '😀' : `${n}é`
    parts.push(part.length > left ? 'x'.repeat(left) : part)
    left -= part.length
  }
  return parts.join('')
}

/** Padding lengths, many of them close to a chunk boundary. Servers refuse longer sessions than these. */
export const sizes = fc.oneof(
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 6000 }),
  fc
    .tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: -120, max: 120 }))
    .map(([pieces, off]) => Math.max(0, pieces * 2700 - 250 + off)),
)

/** Updates a session with this much padding. */
export async function load(world: World, browser: Browser, length: number) {
  const padding = paddingOf(length)
  const reply = await update(world, browser, { padding })
  return { reply, padding }
}
