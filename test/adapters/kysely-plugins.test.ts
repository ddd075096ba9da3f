import { DatabaseSync } from 'node:sqlite'
import { CamelCasePlugin, Kysely, type KyselyPlugin, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { adapterContract } from '../../fuzz/adapter/index.ts'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'

/** Renames the columns of results to snake_case, as some drivers do. */
const snakeCaseResults: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) =>
    Promise.resolve({
      ...result,
      rows: result.rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name.replaceAll(/[a-z][A-Z]/g, ([a = '', b = '']) => `${a}_${b.toLowerCase()}`),
            value,
          ]),
        ),
      ),
    }),
}

async function open(plugin: KyselyPlugin): Promise<Kysely<unknown>> {
  const database = nodeSqlite(new DatabaseSync(':memory:'))
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }), plugins: [plugin] })
  await migrate(db)
  return db
}

const plugins = {
  'Kysely with CamelCasePlugin': () => new CamelCasePlugin(),
  'Kysely with snake_case results': () => snakeCaseResults,
}

for (const [name, create] of Object.entries(plugins)) {
  const subject = {
    name,
    async open() {
      const db = await open(create())
      return { adapter: kyselyAdapter(db), close: () => db.destroy() }
    },
  }
  it.each(adapterContract(subject))(`$id ${name}: $name`, ({ run }) => run())

  it(`ADP-013 ${name} restores the names of columns, and keeps those that a site added`, async () => {
    const db = (await open(create())) as Kysely<Record<string, Record<string, unknown>>>
    await db.schema.alterTable('accounts').addColumn('home_address', 'text').execute()
    const adapter = kyselyAdapter(db)
    const user = await adapter.createUser({ id: 'u', email: 'ada@example.com', emailVerified: null })
    const account = {
      userId: user.id,
      type: 'oidc',
      provider: 'x',
      providerAccountId: 'ada',
      access_token: 'at',
      refresh_token: 'rt',
      expires_at: 1,
    } as const
    await adapter.linkAccount(account)
    expect(await adapter.getAccount('ada', 'x')).toEqual(account)
    await db.updateTable('accounts').set({ home_address: 'here' }).execute()
    expect(Object.values((await adapter.getAccount('ada', 'x')) ?? {})).toContain('here')
    await db.destroy()
  })
}
