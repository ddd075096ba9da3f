import { eachOf } from '../../arbitraries/every-of.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { fabricate } from '../support/cookie-forgeries.ts'
import { readUser } from '../support/described.ts'

export const forgedHeaderProperties: readonly Property[] = [
  property({
    proves: ['SE-26'],
    name: 'signs nobody in with an Authorization header that it did not issue',
    story:
      'An attacker writes a token with the address of a victim, and an API reads it without a signature.',
    advice:
      'Verify the signature, the issuer and the audience of a token before you read it, or accept none.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada } = world.people
      const address = ada.address[provider]
      const browser = world.browser('eve')
      world.prove(browser, ada, provider)
      for (const { how, value } of tokensFor(address, ada.name, `${ada.name}-at-${provider}`)) {
        const says = `sends an Authorization header ${how}`
        const headers = { authorization: value }
        const shown = await readUser(world, browser, { headers, says })
        world.check('SE-26', shown !== address, `an Authorization header ${how} signs in ${ada.name}`, {
          observed: 'another user',
        })
      }
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]

/** Returns the values of headers that name a user, and that anyone can write. */
function tokensFor(address: string, name: string, sub: string) {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = encode({ sub, email: address, email_verified: true, name, exp: 4_000_000_000 })
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: 'x' })}.${claims}.${'A'.repeat(342)}`
  const basic = (user: string) => `Basic ${Buffer.from(`${user}:x`).toString('base64')}`
  return [
    { how: 'with a token that has a false signature', value: `Bearer ${signed}` },
    ...fabricate(address, name, sub)
      // One well-known secret is enough: an API that believes it has not chosen its own.
      .filter(({ how }) => !how.includes('signed with') || how.includes('“secret”'))
      .map(({ how, value }) => ({ how, value: `Bearer ${value}` })),
    { how: 'with an address and any password', value: basic(address) },
    { how: 'with a subject and any password', value: basic(sub) },
  ]
}
