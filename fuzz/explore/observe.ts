import type { Browser } from '../world/browser.ts'
import { member } from '../world/reply.ts'
import type { AccountRow, CredentialRow, Rows } from '../world/store.ts'
import type { World } from '../world/world.ts'
import type { Scene } from './scene.ts'

/** The observable part of a state: who is signed in in which browser, and how each user can sign in. */
export interface Seen {
  /** The id of the user, by browser. */
  readonly who: Readonly<Record<string, string | undefined>>
  readonly users: Readonly<Record<string, Credentials>>
  /** The authentication that each session records, if it does. */
  readonly says: Readonly<Record<string, Authentication | undefined>>
}

export interface Authentication {
  readonly hasFactor: boolean
  /** In seconds since 1970. */
  readonly at: number | undefined
}

/** The ways in which a user can sign in. */
export interface Credentials {
  readonly address: string | null
  readonly isProven: boolean
  readonly password: string | undefined
  readonly hasFactor: boolean
  /** As `provider id`. */
  readonly accounts: readonly string[]
  readonly passkeys: readonly string[]
  /** Passkeys without an account, which no page lists. */
  readonly strayPasskeys: readonly string[]
}

/** Reads the rows, and the session of every browser. The browsers do not get the cookies of these responses. */
export async function observe({ world, browsers }: Scene): Promise<Seen> {
  const users = readCredentials(world.rows)
  const who: Record<string, string | undefined> = {}
  const says: Record<string, Authentication | undefined> = {}
  for (const [name, browser] of browsers) {
    const session = await readSession(world, browser)
    const id = member(session, 'userId')
    who[name] = typeof id === 'string' ? id : undefined
    const [amr, at] = [member(session, 'amr'), member(session, 'auth_time')]
    if (Array.isArray(amr))
      says[name] = { hasFactor: amr.includes('mfa'), at: typeof at === 'number' ? at : undefined }
  }
  return { who, users, says }
}

async function readSession({ url, handle, playback }: World, browser: Browser): Promise<unknown> {
  const cookie = Object.entries(browser.cookies()).map(([name, value]) => `${name}=${value}`)
  if (cookie.length === 0) return undefined
  const request = new Request(url('session'), { headers: { cookie: cookie.join('; ') } })
  const read = () => handle(request)
  const response = await (playback ? playback.aside(read) : read())
  return response.json()
}

const isAccountOf =
  ({ userId, providerAccountId }: CredentialRow) =>
  (row: AccountRow) =>
    row.type === 'webauthn' && row.userId === userId && row.providerAccountId === providerAccountId

function readCredentials(rows: Rows): Record<string, Credentials> {
  return Object.fromEntries(
    rows.users.map(({ id, email, emailVerified }) => {
      const isOwn = ({ userId }: { readonly userId: string }) => userId === id
      return [
        id,
        {
          address: email,
          isProven: Boolean(emailVerified),
          password: rows.passwords.find(isOwn)?.hash,
          hasFactor: rows.factors.some(isOwn),
          accounts: rows.accounts
            .filter((row) => isOwn(row) && row.type !== 'webauthn')
            .map((row) => `${row.provider} ${row.providerAccountId}`),
          passkeys: rows.credentials.filter(isOwn).map(({ credentialID }) => credentialID),
          strayPasskeys: rows.credentials
            .filter((row) => isOwn(row) && !rows.accounts.some(isAccountOf(row)))
            .map(({ credentialID }) => credentialID),
        },
      ]
    }),
  )
}
