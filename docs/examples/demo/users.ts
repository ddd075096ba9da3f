import { createHash } from 'node:crypto'

/** A user of the demo's provider. */
export interface DemoUser {
  readonly id: string
  readonly name: string
  readonly email: string
}

export const demoUsers: readonly DemoUser[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' },
  { id: 'alan', name: 'Alan Turing', email: 'alan@example.com' },
]

/** The users of a provider: the demo users, and those who entered a name. */
export interface People {
  readonly find: (id: string) => DemoUser | undefined
  /** Returns the user with this name, and creates one if necessary; undefined without a name. */
  readonly findOrCreate: (name: string) => DemoUser | undefined
}

export function createPeople(): People {
  const people = new Map(demoUsers.map((user) => [user.id, user]))
  return {
    find: (id) => people.get(id),
    findOrCreate(given) {
      const name = given.trim().replace(/\s+/g, ' ').slice(0, 60)
      if (name === '') return undefined
      // The id depends on the name only, because the site's store may outlive this process.
      const digest = createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 16)
      const id = `guest-${digest}`
      const guest = people.get(id) ?? { id, name, email: `${id}@example.com` }
      people.set(id, guest)
      return guest
    },
  }
}
