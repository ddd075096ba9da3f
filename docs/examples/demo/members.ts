import { randomUUID } from 'node:crypto'
import { hashPassword } from '../../../src/password.ts'
import type { Adapter } from '../../../src/types/adapter.ts'

/** A user who already has a password. The home page shows the passwords. */
interface Member {
  readonly name: string
  readonly email: string
  readonly password: string
}

export const members: readonly Member[] = [
  { name: 'Mary Shelley', email: 'mary@example.com', password: 'the modern prometheus' },
  { name: 'Jules Verne', email: 'jules@example.com', password: 'twenty thousand leagues' },
]

/** Creates the members that are not in the store yet, and their passwords. */
export async function enrolMembers(store: Required<Adapter>): Promise<void> {
  for (const { name, email, password } of members) {
    const known = await store.getUserByEmail(email)
    const user =
      known ?? (await store.createUser({ id: randomUUID(), name, email, emailVerified: new Date() }))
    const held = await store.getPassword(user.id)
    if (held === null) await store.setPassword(user.id, await hashPassword(password))
  }
}
