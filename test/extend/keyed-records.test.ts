import { defineFeature, keyedRecord } from 'authmachine/extend'
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/index.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { Adapter, KeyedRow } from '../../src/types/adapter.ts'
import { openApp, secret } from '../support/app.ts'
import { openSqlite } from '../support/device.ts'

type Note = { readonly text: string }
const notes = keyedRecord<Note>('note', { maxAge: 60 })
const others = keyedRecord<Note>('note-other', { maxAge: 60 })
const foreign = keyedRecord<Note>('terms', { maxAge: 60 })

const make = () =>
  defineFeature({
    name: 'note',
    title: 'Note',
    options: undefined,
    needs: ['getKeyedRecord', 'setKeyedRecord', 'deleteKeyedRecord'],
    methods: {
      read: async (tools, key: string) => (await notes.read(key, tools))?.value.text,
      readOther: async (tools, key: string) => (await others.read(key, tools))?.value.text,
      readForeign: (tools, key: string) => foreign.read(key, tools),
      add: (tools, key: string, text: string) => notes.write(key, { text }, undefined, tools),
      append: (tools, key: string, more: string) =>
        notes.update(key, (note) => ({ text: `${note?.text ?? ''}${more}` }), tools),
      async replace(tools, key: string, text: string) {
        const stored = await notes.read(key, tools)
        return stored !== undefined && notes.write(key, { text }, stored, tools)
      },
      async removeTwice(tools, key: string) {
        const stored = await notes.read(key, tools)
        if (!stored) return []
        return Promise.all([1, 2].map(() => notes.remove(key, stored, tools)))
      },
    },
  })

/** A site, and the rows that reach its store. */
function open(store: Adapter = memoryAdapter(), secrets: string | string[] = secret) {
  const feature = make()
  const rows: KeyedRow[] = []
  const asked: string[] = []
  const wrap = (): Adapter => ({
    ...store,
    async setKeyedRecord(row, held) {
      rows.push({ ...row })
      return (await store.setKeyedRecord?.(row, held)) ?? false
    },
    async getKeyedRecord(key) {
      asked.push(key)
      return (await store.getKeyedRecord?.(key)) ?? null
    },
  })
  const app = openApp({ strategy: 'database', wrap, config: { secret: secrets, features: [feature] } })
  return { app, rows, asked, store, notes: createAuth(app.config).feature(feature) }
}

describe('a keyed record', () => {
  it.each(['memory', 'SQLite'] as const)('FT-17 is found by its key until it expires: %s', async (name) => {
    const { app, notes: site } = open(name === 'memory' ? memoryAdapter() : await openSqlite())
    expect(await site.read('k')).toBeUndefined()
    expect(await site.add('k', 'one')).toBe(true)
    expect([await site.add('k', 'two'), await site.read('k'), await site.read('K')]).toEqual([
      false,
      'one',
      undefined,
    ])
    app.clock.advance(59)
    expect(await site.replace('k', 'three')).toBe(true)
    expect(await site.append('k', '!')).toEqual({ text: 'three!' })
    // A change does not extend it.
    app.clock.advance(2)
    expect([await site.read('k'), await site.replace('k', 'four')]).toEqual([undefined, false])
    // An expired value blocks no new one.
    expect([await site.add('k', 'new'), await site.read('k')]).toEqual([true, 'new'])
    expect(await site.removeTwice('k')).toEqual(expect.arrayContaining([true, false]))
    expect(await site.read('k')).toBeUndefined()
  })

  it('FT-17 stays when a provider that mails links is added, and blocks a first value after a new secret', async () => {
    const store = memoryAdapter()
    const { notes: site } = open(store)
    expect(await site.add('k', 'one')).toBe(true)
    const mail = (id: string) => ({
      id,
      type: 'email' as const,
      name: id,
      from: 'site@example.com',
      sendVerificationRequest: () => undefined,
    })
    const feature = make()
    const config = { secret: ['a newer secret, long enough for this', secret], features: [feature] }
    const app = openApp({
      strategy: 'database',
      wrap: () => store,
      providers: [mail('one'), mail('two')] as never,
      config,
    })
    const grown = createAuth(app.config).feature(feature)
    expect([await grown.read('k'), await grown.add('k', 'two'), await grown.read('k')]).toEqual([
      'one',
      false,
      'one',
    ])
  })

  it('FT-17 loses no concurrent change, and stores one first value', async () => {
    const { notes: site } = open()
    const added = await Promise.all(['a', 'b', 'c'].map((text) => site.add('one', text)))
    expect(added.filter(Boolean)).toHaveLength(1)
    await Promise.all(['a', 'b', 'c'].map((text) => site.append('two', text)))
    expect((await site.read('two'))?.split('').toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('FT-17 shows the store neither key nor value, and no hash that needs no secret', async () => {
    const { app, rows, asked, notes: site } = open()
    await site.add('BCDF-GHJK', 'a text')
    await site.read('BCDF-GHJK')
    const [row] = rows
    expect(row?.expires).toEqual(new Date(app.clock.now() + 60_000))
    expect(row?.key).toMatch(/^note:[0-9a-f]{64}$/)
    expect(new Set([...asked, ...rows.map(({ key }) => key)]).size).toBe(1)
    expect(JSON.stringify([rows, asked])).not.toMatch(/BCDF|a text/)
    const other = open(memoryAdapter(), 'another secret of the tests, long enough')
    await other.notes.add('BCDF-GHJK', 'a text')
    expect(other.rows[0]?.key).not.toBe(row?.key)
  })

  it('FT-17 is sealed for its name and its key', async () => {
    const { rows, store, notes: site } = open()
    await site.add('one', 'a text')
    await site.add('two', 'another text')
    const [one, two] = rows
    await store.deleteKeyedRecord?.(two?.key ?? '')
    await store.setKeyedRecord?.({ key: two?.key ?? '', value: one?.value ?? '', expires: new Date(8e15) })
    expect([await site.read('one'), await site.read('two')]).toEqual(['a text', undefined])
    expect(await site.readOther('one')).toBeUndefined()
    await expect(site.readForeign('one')).rejects.toThrow('cannot use "terms"')
  })

  it('FT-17 is found with a new secret beside the old one', async () => {
    const { store, notes: site } = open()
    await site.add('k', 'old')
    const renewed = 'a newer secret of the tests, long enough'
    const rotated = open(store, [renewed, secret])
    expect(await rotated.notes.append('k', 'er')).toEqual({ text: 'older' })
    expect([await rotated.notes.read('k'), await site.read('k')]).toEqual(['older', undefined])
    expect(await open(store, renewed).notes.read('k')).toBeUndefined()
    expect(await rotated.notes.removeTwice('k')).toContain(true)
  })
})
