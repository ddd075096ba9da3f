import { eachOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'
import { bitsOf } from '../support/entropy.ts'
import { guess } from '../support/guesses.ts'

/** Visitors whose tokens are compared, to estimate their random bits. */
const samples = 16
const unguessable = 40

export const guessableTokenProperties: readonly Property[] = [
  property({
    proves: ['TX-18'],
    name: 'gives every visitor a CSRF token that nobody can guess',
    story:
      'An attacker computes the token of a victim from the time or from their address, and posts a form.',
    advice: 'Make the token of random bytes that the session keeps.',
    severity: 'denial of service',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada } = world.people
      if (!describedBy(world).csrf) throw new Absent('no form has a CSRF token')
      const values: string[] = []
      for (let count = 0; count < samples; count++)
        values.push(await readToken(world, world.browser('eve'), provider))
      const bits = Math.round(bitsOf(values))
      const says = `a CSRF token has about ${bits} random bits`
      world.check('TX-18', bits >= unguessable, says, { observed: 'a sign-out' })
      const browser = world.browser('ada')
      const from = Date.now()
      await browser.signIn(provider, ada)
      const token = await readToken(world, browser, provider)
      const words = [ada.address[provider], ada.name, `${ada.name}-at-${provider}`]
      const source = guess(token, { from, until: Date.now(), words })
      const made = `a CSRF token is made of ${source}`
      world.check('TX-18', source === undefined, made, { observed: 'a sign-out' })
    },
  }),
]

/** Returns the CSRF token that a form of this browser needs. */
async function readToken(world: World, browser: Browser, provider: RemoteName): Promise<string> {
  const { csrf, withProof } = describedBy(world)
  const { sending } = await withProof(browser, 'signOut', provider)
  if (sending.method !== 'POST') throw new Absent('the sign-out is not a form')
  const { headers, form, json } = sending
  const found =
    headers?.[csrf?.header ?? ''] ??
    Object.fromEntries(new URLSearchParams({ ...form }))[csrf?.field ?? ''] ??
    Reflect.get(Object(json), csrf?.field ?? '')
  if (typeof found !== 'string') throw new Absent('the form has no CSRF token')
  return found
}
