import { randomUUID } from 'node:crypto'

/** An in-memory adapter for users, accounts and mailed links: the minimum for an application with JWT sessions. */
export function createAdapter() {
  const users = new Map()
  const accounts = new Map()
  const links = new Map()
  const keyOf = ({ provider, providerAccountId }) => JSON.stringify([provider, providerAccountId])
  const linkOf = ({ identifier, token }) => JSON.stringify([identifier, token])
  const copy = (record) => (record ? { ...record } : null)

  return {
    async createUser(user) {
      const created = { ...user, id: randomUUID() }
      users.set(created.id, created)
      return copy(created)
    },
    getUser: async (id) => copy(users.get(id)),
    getUserByEmail: async (email) => copy([...users.values()].find((user) => user.email === email)),
    getUserByAccount: async (account) => copy(users.get(accounts.get(keyOf(account))?.userId)),
    async updateUser(user) {
      users.set(user.id, { ...users.get(user.id), ...user })
      return copy(users.get(user.id))
    },
    async linkAccount(account) {
      accounts.set(keyOf(account), { ...account })
    },
    async createVerificationToken(link) {
      links.set(linkOf(link), { ...link })
      return copy(link)
    },
    async useVerificationToken(link) {
      const found = copy(links.get(linkOf(link)))
      links.delete(linkOf(link))
      return found
    },
  }
}
