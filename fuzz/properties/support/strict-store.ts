import { createStore } from '../../world/store.ts'

/** A store whose database throws on a session token that does not fit in its column. */
export function createStrictStore() {
  const { rows, operations } = createStore()
  const demandFit = (token: string) => {
    if (!/^[!-~]{1,255}$/.test(token)) throw new Error('invalid value for this column')
  }
  const adapter = {
    ...operations,
    async getSessionAndUser(token: string) {
      demandFit(token)
      return operations.getSessionAndUser(token)
    },
    async deleteSession(token: string) {
      demandFit(token)
      return operations.deleteSession(token)
    },
  }
  return { adapter, clear: () => void Object.assign(rows, createStore().rows) }
}
