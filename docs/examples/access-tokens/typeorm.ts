import { TypeORMAdapter, entities } from '@auth/typeorm-adapter'
import { DataSource, type DataSourceOptions } from 'typeorm'
import type { Adapter, AdapterAccount } from '../../../src/adapters.ts'

export async function createAdapter(options: DataSourceOptions): Promise<Adapter> {
  const source = new DataSource({ ...options, entities: Object.values(entities) })
  await source.initialize()
  const accounts = source.getRepository(entities.AccountEntity)

  const getAccount = async (providerAccountId: string, provider: string): Promise<AdapterAccount | null> => {
    const account = await accounts.findOneBy({ provider, providerAccountId })
    if (!account) return null
    // The driver returns 64-bit integers as strings.
    const expires_at = account.expires_at ? Number(account.expires_at) : undefined
    return { ...account, expires_at } as object as AdapterAccount
  }
  return {
    ...(TypeORMAdapter(options) as Adapter),
    getAccount,
    async updateAccount({ provider, providerAccountId, ...tokens }, held) {
      const { access_token, refresh_token, expires_at, id_token, scope, token_type } = tokens
      // A single statement: if several replace the same refresh token, one succeeds. Undefined fields are not changed.
      const { affected } = await accounts.update(
        { provider, providerAccountId, ...held },
        { provider, access_token, refresh_token, expires_at, id_token, scope, token_type },
      )
      return affected ? getAccount(providerAccountId, provider) : null
    },
  }
}
