import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface Row {
  readonly payload: AdapterPayload
  readonly until: number
}

/** Stores the provider's sessions, codes and tokens in memory. */
export function createProviderStore(): AdapterFactory {
  const rows = new Map<string, Row>()

  const readAll = () => {
    for (const [key, { until }] of rows) if (until <= Date.now()) rows.delete(key)
    return [...rows]
  }

  return (model): Adapter => {
    const find = (matches: (payload: AdapterPayload) => boolean) =>
      readAll().find(([key, { payload }]) => key.startsWith(`${model}:`) && matches(payload))?.[1].payload
    return {
      async upsert(id, payload, expiresIn) {
        const until = expiresIn ? Date.now() + expiresIn * 1000 : Infinity
        rows.set(`${model}:${id}`, { payload, until })
      },
      find: async (id) => new Map(readAll()).get(`${model}:${id}`)?.payload,
      findByUid: async (uid) => find((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => find((payload) => payload.userCode === userCode),
      async consume(id) {
        const row = rows.get(`${model}:${id}`)
        if (row) row.payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void rows.delete(`${model}:${id}`),
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of rows) if (payload.grantId === grantId) rows.delete(key)
      },
    }
  }
}
