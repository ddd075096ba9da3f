import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { openApp } from '../support/app.ts'

describe('getAccessToken', () => {
  it('CF-01 rejects with the fault of an invalid configuration', async () => {
    const app = openApp({ strategy: 'database', config: { session: { maxAge: -1 } } })
    const { getAccessToken } = createAuth(app.config)
    const asked = getAccessToken({ provider: 'idp', providerAccountId: 'ada' })
    await expect(asked).rejects.toMatchObject({ type: 'InvalidConfig' })
    expect(app.idp.log).toHaveLength(0)
  })
})
