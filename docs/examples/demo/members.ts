import { randomUUID } from 'node:crypto'
import Credentials from '../../../src/providers/credentials.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { CredentialsConfig } from '../../../src/types/provider.ts'

/** A user with a password of the site. The sign-in page shows the passwords. */
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

/** Creates the members that are not in the store yet, because a database session needs a stored user. */
export async function enrolMembers(store: Required<Adapter>): Promise<void> {
  for (const { name, email } of members) {
    const known = await store.getUserByEmail(email)
    if (!known) await store.createUser({ id: randomUUID(), name, email, emailVerified: null })
  }
}

/** Creates a password provider for the members. A real site stores hashes, and limits the attempts. */
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

function list(describe: (member: Member) => string): string {
  return members.map(describe).join(' or ')
}
