import { randomUUID } from 'node:crypto'
import Credentials from '../../../src/providers/credentials.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { CredentialsConfig } from '../../../src/types/provider.ts'

/** Somebody who signs in at the site itself. The password is for everybody to see, on the sign-in page too. */
interface Member {
  readonly login: string
  readonly password: string
  readonly name: string
  readonly email: string
}

export const members: readonly Member[] = [
  { login: 'mary', password: 'frankenstein', name: 'Mary Shelley', email: 'mary@example.com' },
  { login: 'jules', password: 'nautilus', name: 'Jules Verne', email: 'jules@example.com' },
]

/** Makes users of the members that the store does not know yet: a session in a store needs its user there. */
export async function enrolMembers(store: Required<Adapter>): Promise<void> {
  for (const { name, email } of members) {
    const known = await store.getUserByEmail(email)
    if (!known) await store.createUser({ id: randomUUID(), name, email, emailVerified: null })
  }
}

/** Sign-in with one of these passwords. A real site keeps hashes of them, and limits how often somebody may try. */
export function createPasswordProvider(store: Required<Adapter>): CredentialsConfig {
  return Credentials({
    name: 'a password',
    credentials: {
      login: { label: `Name: ${list(({ login }) => login)}`, required: true, autocomplete: 'off' },
      password: {
        label: `Password: ${list(({ password }) => password)}`,
        type: 'password',
        required: true,
        autocomplete: 'off',
      },
    },
    async authorize({ login, password }) {
      const member = members.find((each) => each.login === login && each.password === password)
      return member ? store.getUserByEmail(member.email) : null
    },
  })
}

function list(tell: (member: Member) => string): string {
  return members.map(tell).join(' or ')
}
