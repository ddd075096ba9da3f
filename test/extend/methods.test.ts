import { defineFeature, type FeatureDefinition, featureCookie, userRecord } from 'authmachine/extend'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { apiKeys } from '../../docs/examples/features/keys.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { openApp, origin } from '../support/app.ts'

const keys = apiKeys({ limit: 5 })
const note = featureCookie<string>('note', { maxAge: 60 })
const record = userRecord<string>('note')

/** A feature whose methods misbehave. */
const notes = defineFeature({
  name: 'note',
  title: 'Notes',
  methods: {
    add: (_tools, ...numbers: number[]) => numbers.reduce((sum, each) => sum + each),
    fail() {
      throw new RangeError('too many notes')
    },
    wait: () => new Promise<never>(() => {}),
    readCookie: (tools) => note.read(tools as never),
    change: (tools, userId: string, next: (value?: string) => string | undefined) =>
      record.update(userId, next, tools),
  },
})

async function openSite(config: Partial<AuthConfig> = {}, wrap?: (adapter: Adapter) => Adapter) {
  const app = openApp({
    strategy: 'database',
    config: { features: [keys, notes], ...config },
    ...(wrap && { wrap }),
  })
  const auth = createAuth(app.config)
  const { id } = await app.store.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
  await app.store.createUser({ id: 'eve', email: 'eve@example.com', emailVerified: null })
  const find = async (authorization: string) =>
    auth.feature(keys).find(new Request(`${origin}/api`, { headers: { authorization } }))
  return { app, auth, id, find }
}

describe('the methods of a feature', () => {
  it('FT-14 get the arguments of the application, and resolve to what they return', async () => {
    const { auth } = await openSite()
    const { add } = auth.feature(notes)
    expectTypeOf(add).toEqualTypeOf<(...numbers: number[]) => Promise<number>>()
    // @ts-expect-error the feature has no such method
    expect(auth.feature(notes).remove).toBeUndefined()
    expect(await add(1, 2, 3)).toBe(6)
  })

  it('FT-14 reject with their own error, and after 30 seconds', async () => {
    const { app, auth } = await openSite()
    await expect(auth.feature(notes).fail()).rejects.toThrow(new RangeError('too many notes'))
    const waiting = auth.feature(notes).wait()
    setImmediate(() => app.clock.advance(30))
    await expect(waiting).rejects.toThrow(
      'The method "wait" of the feature "note" took longer than 30000 milliseconds',
    )
  })

  it('FT-14 have no cookies', async () => {
    const { auth } = await openSite()
    await expect(auth.feature(notes).readCookie()).rejects.toThrow(
      new TypeError('A method has no request, so it cannot use cookies'),
    )
  })

  it('FT-14 reject for a feature of another configuration, and for a faulty configuration', async () => {
    const { auth } = await openSite()
    await expect(auth.feature(apiKeys()).list('ada')).rejects.toThrow(
      new TypeError('The feature "keys" is not in `features` of this configuration'),
    )
    const faulty = await openSite({ secret: '' })
    await expect(faulty.auth.feature(keys).list('ada')).rejects.toMatchObject({ type: 'MissingSecret' })
  })

  it.each([
    [{ methods: { add: 'later' } }, '`methods.add` must be a function, got a value of type string'],
    [{ ends: { session: null } }, '`ends.session` must be a function, got null'],
    [{ ends: { sessions() {} } }, '`ends` has the classes `session` and `credential`, got `sessions`'],
  ])('FT-05 must be functions: %j', async (more, fault) => {
    const definition = { name: 'other', title: 'Other', ...more } as unknown as FeatureDefinition
    const { auth } = await openSite({ features: [defineFeature(definition)] })
    await expect(auth.getSession(new Request(origin))).rejects.toThrow(fault)
  })
})

describe('update of a record', () => {
  it('FT-06 loses no change of a concurrent request', async () => {
    const { auth, id } = await openSite()
    const { change } = auth.feature(notes)
    const add = (letter: string) => change(id, (value = '') => [...value, letter].toSorted().join(''))
    await Promise.all([...'cabed'].map(add))
    expect(await change(id, (value) => value)).toBe('abcde')
    expect(await change(id, () => undefined)).toBeUndefined()
    expect(await change(id, () => undefined)).toBeUndefined()
  })

  it('FT-06 rejects if other requests are faster ten times', async () => {
    const { app, auth, id } = await openSite({}, (store) => ({ ...store, setRecord: async () => false }))
    await expect(auth.feature(notes).change(id, () => 'a')).rejects.toThrow(
      'The record "feature-note" of a user changed 10 times while it was being changed',
    )
    expect(await app.store.getRecord(id, 'feature-note')).toBeNull()
  })
})

describe('API keys', () => {
  it('FT-14 act as their user until they are revoked or expire', async () => {
    const { app, auth, id, find } = await openSite()
    const { issue, list, revoke } = auth.feature(keys)
    const build = await issue(id, { name: 'build server' })
    const short = await issue(id, { name: 'for an hour', maxAge: 3600 })
    expect(await find(`Bearer ${build.key}`)).toMatchObject({ user: { id }, key: { name: 'build server' } })
    expect(await find(`bearer ${short.key}`)).toMatchObject({ key: { id: short.id } })
    expect((await list(id)).map(({ name }) => name)).toEqual(['build server', 'for an hour'])
    app.clock.advance(3600)
    expect(await find(`Bearer ${short.key}`)).toBeUndefined()
    expect((await list(id)).map(({ name }) => name)).toEqual(['build server'])
    await revoke('eve', build.id)
    expect(await find(`Bearer ${build.key}`)).toBeDefined()
    await revoke(id, build.id)
    expect(await find(`Bearer ${build.key}`)).toBeUndefined()
  })

  it('FT-14 are refused if any part differs', async () => {
    const { auth, id, find } = await openSite()
    const { key } = await auth.feature(keys).issue(id, { name: 'one' })
    const other = await auth.feature(keys).issue('eve', { name: 'two' })
    const [user, keyId, secret] = key.split('.')
    const [, otherId, otherSecret] = other.key.split('.')
    for (const wrong of [
      '',
      key,
      `Basic ${key}`,
      'Bearer key_ada',
      `Bearer ${user}.${keyId}.${otherSecret}`,
      `Bearer ${user}.${otherId}.${secret}`,
      `Bearer ${user}.${otherId}.${otherSecret}`,
      `Bearer key_eve.${keyId}.${secret}`,
      `Bearer key_nobody.${keyId}.${secret}`,
      `Bearer ${key}x`,
    ])
      expect(await find(wrong), wrong).toBeUndefined()
  })

  it('FT-06 are not readable in the store, limited, and deleted with the user', async () => {
    const { app, auth, id, find } = await openSite()
    const { issue } = auth.feature(keys)
    const issued = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (name) => issue(id, { name })))
    await expect(issue(id, { name: 'f' })).rejects.toThrow('A user may have 5 keys. Revoke one of them first')
    const stored = String(await app.store.getRecord(id, 'feature-keys'))
    for (const { key } of issued) expect(stored).not.toContain(key.split('.')[2])
    await auth.deleteUser(id)
    expect(await find(`Bearer ${issued[0]?.key}`)).toBeUndefined()
  })
})
