import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readText } from '../../src/provider-base/preset.ts'
import Discord from '../../src/providers/discord.ts'
import type { Profile, User } from '../../src/types/records.ts'
import { spread } from '../support/spread.ts'
import { type Sample, samples } from './samples.ts'

const issuer = 'https://issuer.example'

describe.each(samples)('the preset $id', (sample) => {
  it('PRV-002 PRV-003 has the id of its URLs and the label of its button', () => {
    expect(sample.make()).toMatchObject({ id: sample.id, name: sample.name })
  })

  it('PRV-025 keeps the user’s options separate', () => {
    const options = { clientId: 'client', clientSecret: 'secret', issuer }
    const made = sample.make(options)
    expect(made.options).toBe(options)
    expect(made.clientId).toBeUndefined()
  })

  it('PRV-017 REC-003 derives the user from a documented response', async () => {
    expect(await mapUser(sample, sample.claims)).toEqual(sample.user)
  })

  it('DEC-13a OI-18 derives no id from a missing claim', async () => {
    for (const useless of [undefined, null, '', Number.NaN, Infinity, 2 ** 53, 1.5, {}, [], true]) {
      const user = await mapUser(sample, { ...sample.claims, [sample.key]: useless })
      expect([sample.id, useless, user.id]).toEqual([sample.id, useless, undefined])
    }
  })

  it('OI-16 has https endpoints only', () => {
    const urls = [...listUrls(sample.make())]
    for (const url of urls) expect(new URL(url).protocol).toBe('https:')
  })

  it('PRV-023 has its own colour', () => {
    expect(sample.make().style?.brandColor).toMatch(/^#[\da-f]{3,6}$/i)
  })
})

describe('all presets', () => {
  it('PRV-002 have unique ids', () => {
    const ids = samples.map((sample) => sample.make().id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('PRV-017 derive text, null or nothing from any claims, and never throw', async () => {
    const cases = spread('profile() of arbitrary claims')
    const keys = ['id', 'sub', 'name', 'nickname', 'login', 'email', 'picture', 'avatar_url', 'user']
    const part = fc.record({ firstName: fc.jsonValue(), lastName: fc.jsonValue() })
    const claims = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(fc.string(), fc.integer(), fc.jsonValue(), fc.record({ name: part })),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), claims, async (sample, profile) => {
        const user = await mapUser(sample, profile)
        expect(Object.keys(user).toSorted()).toEqual(['email', 'id', 'image', 'name'])
        expect(user.id === undefined || (typeof user.id === 'string' && user.id !== '')).toBe(true)
        for (const text of [user.name, user.email, user.image]) {
          expect(text === null || typeof text === 'string').toBe(true)
        }
        cases.count(user.id === undefined ? 'without an id' : 'with an id')
        cases.count(sample.id)
      }),
      { numRuns: 600 },
    )
    cases.report()
    cases.atLeast('with an id', 50)
    cases.atLeast('without an id', 50)
  })

  it('LM-11 compute with no id that is longer than a snowflake', () => {
    const pictureOf = (id: string) =>
      Discord().profile?.({ id, username: 'ann', discriminator: '0', avatar: null }, {})
    expect(pictureOf('80351110224678912')).toMatchObject({ image: expect.stringMatching(/\/5\.png$/) })
    expect(pictureOf('9'.repeat(21))).toMatchObject({ image: expect.stringMatching(/\/0\.png$/) })
  })

  it('DEC-13b convert a number to a string exactly, or not at all', () => {
    fc.assert(
      fc.property(fc.double(), (number) => {
        const text = readText(number)
        expect(text === undefined || Number(text) === number).toBe(true)
      }),
    )
    expect(readText(583231)).toBe('583231')
    expect(readText(2 ** 53)).toBeUndefined()
  })
})

/** Presets read different claims. Here they receive any claims that a test makes up. */
async function mapUser(sample: Sample, claims: Record<string, unknown>): Promise<User> {
  const profile = sample.make().profile as ((profile: Profile, tokens: object) => User) | undefined
  if (profile === undefined) throw new Error(`${sample.id} has no profile callback`)
  return profile(claims, {})
}

/** Every absolute URL of a configuration, except in the user's options. */
function* listUrls(value: unknown): Generator<string> {
  if (typeof value === 'string' && /^\w+:\/\//.test(value)) yield value
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) if (key !== 'options') yield* listUrls(inner)
}
