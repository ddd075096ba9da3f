/** Somebody who can sign in at the demo's provider. */
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

/** The people a provider knows: the demo users, and whoever gave a name. */
export interface People {
  readonly find: (id: string) => DemoUser | undefined
  /** The same name is the same person; undefined without one. */
  readonly welcome: (name: string) => DemoUser | undefined
}

export function createPeople(): People {
  const people = new Map(demoUsers.map((user) => [user.id, user]))
  const guests = new Map<string, DemoUser>()
  return {
    find: (id) => people.get(id),
    welcome(given) {
      const name = given.trim().replace(/\s+/g, ' ').slice(0, 60)
      const id = `guest-${guests.size + 1}`
      const guest = guests.get(name.toLowerCase()) ?? { id, name, email: `${id}@example.com` }
      if (name === '') return undefined
      guests.set(name.toLowerCase(), guest)
      people.set(guest.id, guest)
      return guest
    },
  }
}
