import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { openApp, origin, type AppOptions } from '../support/app.ts'

const { getUser: _, ...reduced } = openApp().store

const faults: readonly (readonly [string, AppOptions, object])[] = [
  ['no adapter', {}, { type: 'MissingAdapter', message: '`accountPage` needs an adapter. Set `adapter`' }],
  [
    'JWT sessions and an adapter that cannot read users',
    { strategy: 'jwt-stored', wrap: () => reduced, providers: [] },
    { type: 'MissingAdapterMethods', message: '`accountPage` needs an adapter with `getUser`' },
  ],
]

describe('accountPage', () => {
  const read = (options: AppOptions, accountPage: boolean) =>
    createAuth(openApp({ ...options, config: { accountPage } }).config).getSession(new Request(origin))

  it.each(faults)('ACP-04 is a configuration fault with %s', async (_name, options, fault) => {
    await expect(read(options, true)).rejects.toMatchObject(fault)
    await expect(read(options, false)).resolves.toBeNull()
  })

  it('ACP-04 is accepted with an adapter, and must be true or false', async () => {
    await expect(read({ strategy: 'database' }, true)).resolves.toBeNull()
    await expect(read({ strategy: 'jwt-stored' }, true)).resolves.toBeNull()
    await expect(read({}, 'yes' as never)).rejects.toThrow('`accountPage` must be true or false')
  })
})
