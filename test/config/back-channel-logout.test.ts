import { describe, expect, it } from 'vitest'
import { memoryRevocations } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { openApp, origin, type AppOptions } from '../support/app.ts'

const provider = { backChannelLogout: true }
const { listSessionsByUserId: _, ...reduced } = openApp().store

const faults: readonly (readonly [string, AppOptions, string, string])[] = [
  [
    'JWT sessions without a list',
    { provider },
    'InvalidConfig',
    'needs `jwt.revocations`, which ends JWT sessions',
  ],
  [
    'a provider without an id_token',
    { provider: { ...provider, type: 'oauth' } },
    'InvalidConfig',
    'needs an OpenID Connect provider with an `issuer`',
  ],
  [
    'an adapter that cannot list sessions',
    { provider, strategy: 'database', wrap: () => reduced },
    'MissingAdapterMethods',
    'needs an adapter with `listSessionsByUserId`',
  ],
]

describe('backChannelLogout', () => {
  it('BCL-06 is a configuration fault with two providers that a logout token cannot tell apart', async () => {
    const client = {
      type: 'oidc',
      name: 'Idp',
      issuer: 'https://idp.test',
      clientId: 'client',
      ...provider,
    } as const
    const wellKnown = 'https://idp.test/.well-known/openid-configuration'
    for (const second of [{}, { issuer: undefined, wellKnown }]) {
      const providers = [
        { ...client, id: 'one' },
        { ...client, id: 'two', ...second },
      ]
      const auth = createAuth(openApp({ providers, strategy: 'database' }).config)
      await expect(auth.getSession(new Request(origin))).rejects.toThrow(
        '`backChannelLogout` of provider "two" needs another client id than that of provider "one"',
      )
    }
  })

  it('BCL-06 accepts two providers that differ only in their discovery documents', async () => {
    const providers = ['one', 'two'].map((id) => ({
      id,
      name: 'Idp',
      type: 'oidc' as const,
      clientId: 'client',
      clientSecret: 'client-secret',
      wellKnown: `https://${id}.test/.well-known/openid-configuration`,
      ...provider,
    }))
    const auth = createAuth(openApp({ providers, strategy: 'database' }).config)
    expect(await auth.getSession(new Request(origin))).toBeNull()
  })

  it('BCL-06 is a configuration fault if it is not true or false', async () => {
    const options = { provider: { backChannelLogout: 'true' as never }, strategy: 'database' } as const
    await expect(createAuth(openApp(options).config).getSession(new Request(origin))).rejects.toThrow(
      '`backChannelLogout` of provider "idp" must be a boolean',
    )
  })

  it.each(faults)('BCL-06 is a configuration fault with %s', async (_name, options, type, message) => {
    const auth = createAuth(openApp(options).config)
    const asked = auth.getSession(new Request(origin))
    await expect(asked).rejects.toMatchObject({ type })
    await expect(asked).rejects.toThrow(`\`backChannelLogout\` of provider "idp" ${message}`)
  })

  it('BCL-06 is accepted where sessions can be ended', async () => {
    const config = { jwt: { revocations: memoryRevocations() } }
    for (const options of [
      { provider, config },
      { provider, strategy: 'database' },
    ] as const)
      expect(await createAuth(openApp(options).config).getSession(new Request(origin))).toBeNull()
  })
})
