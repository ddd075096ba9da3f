import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { update } from './sessions.ts'

interface Loaded {
  readonly token: object & { readonly ballast?: unknown }
  readonly trigger?: string
  readonly session: object & { readonly ballast?: unknown }
}

/** An application whose token takes whatever an update brings, and whose session shows it. */
export const loading = {
  callbacks: {
    jwt: ({ token, trigger, session }: Loaded) =>
      trigger === 'update' ? { ...token, ballast: session.ballast } : token,
    session: ({ session, token }: Loaded) => ({ ...session, ballast: token.ballast }),
  },
}

/** That application, over tokens. */
export const loaded = { strategy: 'jwt', config: loading } as const

/** That application, with a session cookie of this name. */
export const named = (name: string, options: object) => ({
  ...loaded,
  config: { ...loading, cookies: { sessionToken: { name, options } } },
})

/** Options of a session cookie without a prefix. */
export const plain = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' }

/** Text of a length, at most, that is recognised whole, and nowhere else the same; no character is cut in two. */
export function ballastOf(length: number): string {
  const parts: string[] = []
  for (let n = 0, left = length; left > 0; n++) {
    const part = n % 3 === 1 ? '😀' : `${n}é`
    parts.push(part.length > left ? 'x'.repeat(left) : part)
    left -= part.length
  }
  return parts.join('')
}

/** How much makes a token of so many pieces, about. */
export const sizes = fc.oneof(
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 20_000 }),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: -120, max: 120 }))
    .map(([pieces, off]) => Math.max(0, pieces * 2700 - 250 + off)),
)

/** Updates a session with so much ballast. */
export async function load(world: World, browser: Browser, length: number) {
  const ballast = ballastOf(length)
  const reply = await update(world, browser, { ballast })
  return { reply, ballast }
}
