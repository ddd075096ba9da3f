import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sessionDataProperties } from '../../fuzz/properties/sessions/data.ts'
import { sessionIdsProperties } from '../../fuzz/properties/sessions/ids.ts'
import { Breach } from '../../fuzz/world/breach.ts'
import { people } from '../../fuzz/world/people.ts'
import type { World } from '../../fuzz/world/world.ts'

const property = sessionIdsProperties.find(({ proves }) => proves.includes('SE-16'))
const [shown] = sessionDataProperties

const check: World['check'] = (id, condition, says) => {
  if (!condition) throw new Breach(id, says)
}

/** Judges an application that appends a text to the random session id of a user. */
async function judge(append: (name: string) => string): Promise<void> {
  const key = 'authjs.session-token'
  const browser = (name: string) => {
    const value = `${randomBytes(16).toString('hex')}${append(name)}`
    return {
      visit: async () => undefined,
      arrive: async () => ({ cookies: [{ key, value }] }),
      cookies: () => ({ [key]: value }),
    }
  }
  const world = { people, browser, check, assume: () => {}, features: new Set() }
  await property?.run(world as never, { method: 'alpha', other: 'beta' } as never)
}

describe('the oracle, of what a session cookie tells', () => {
  it('accepts how and when the user signed in', async () => {
    for (let n = 0; n < 200; n++) await judge(() => '.amr-fed.tz5x1c0')
  })

  it('finds the number of the user, even if most digits are those of another user', async () => {
    await expect(judge((name) => `.member-0000004${name.length + name.charCodeAt(0)}`)).rejects.toThrow(
      'the sessions of one user share',
    )
  })
})

describe('the oracle, of what a session shows', () => {
  const judgeShown = async (more: object) => {
    const { ada } = people
    const json = {
      user: { name: ada.name, email: ada.address.alpha },
      expires: '2030-01-01T00:00:00Z',
      ...more,
    }
    const browser = () => ({ signIn: async () => {}, readSession: async () => ({ status: 200, json }) })
    const world = { people, browser, check, assume: () => {} }
    await shown?.run(world as never, { method: 'alpha', reads: [] } as never)
  }

  it('accepts how and when the user signed in', async () => {
    await judgeShown({})
    await judgeShown({ amr: ['fed', 'otp', 'mfa'], auth_time: 1_893_456_000 })
  })

  it.each([{ amr: ['fed', 'ya29.token'] }, { amr: 'fed' }, { auth_time: 'token' }, { acr: '1' }])(
    'finds anything else in or beside it: %o',
    async (more) => {
      await expect(judgeShown(more)).rejects.toThrow(`the session also shows ${Object.keys(more)[0]}`)
    },
  )
})
