import fc from 'fast-check'
import { decodeJwt } from 'jose'
import type { Setup } from '../targets/setup.ts'
import type { Fault } from '../world/idp/faults.ts'
import { usersOf } from '../world/people.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { holdFaultRefused, signInUnder } from './support/faulty.ts'
import { consentTo, startAt } from './support/consent.ts'
import { holdUnchanged, takeStock } from './support/stock.ts'

interface Asked {
  readonly tokens: { readonly id_token: string }
}

/** An address that nothing but the application's own request answers. */
const toldAddress = 'told@alpha.example'

/** An application that asks for userinfo by code of its own, and is told of the subject that `told` names. */
const asksItself: Setup = {
  provider: {
    alpha: {
      idToken: false,
      userinfo: {
        request({ tokens }: Asked) {
          const { sub, told, name, email } = decodeJwt(tokens.id_token)
          if (told === undefined) return { name, email, sub }
          return { name, email: toldAddress, ...(told !== 'nobody' && { sub: told }) }
        },
      },
    },
  },
  idp: {
    alpha: {
      users: [
        ...['somebody-else', 'nobody', 'ADA', ''].map((told) => ({
          sub: `ada-${told}`,
          claims: { told, email: `ada-${told}@alpha.example` },
        })),
        ...usersOf('alpha'),
      ],
    },
  },
}

const loopback = 'http://localhost:4997'
/** Userinfo is all there is of the user, comes signed, and over a way that anybody may read and write. */
const overLoopback: Setup = {
  provider: {
    plain: {
      issuer: loopback,
      authorization: { url: `${loopback}/authorize`, params: { scope: 'profile' } },
      token: `${loopback}/token`,
      userinfo: `${loopback}/userinfo`,
      client: { userinfo_signed_response_alg: 'RS256' },
    },
  },
  idp: {
    plain: {
      issuer: loopback,
      clients: [{ id: 'client-at-plain', secret: 'secret-at-plain-0123456789', signsUserinfo: true }],
    },
  },
}

/** Signed userinfo was agreed on, and the provider answers it as JSON. */
const unsigned: Setup = {
  provider: { alpha: { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } } },
}

export const userinfoProperties: readonly Property[] = [
  property({
    proves: ['OI-12'],
    name: 'userinfo of somebody else opens nothing',
    story: 'An access token of another user is put beside an honest id_token.',
    advice: 'Compare `sub` of userinfo with the one of the id_token.',
    setups: { userinfo: { provider: { alpha: { idToken: false } } } },
    runs: 30,
    input: fc.constantFrom(
      'userinfo-sub-wrong',
      'userinfo-sub-missing',
      'userinfo-sub-in-capitals',
      'userinfo-sub-empty',
    ),
    run: (world, fault) => holdFaultRefused(world, 'OI-12', 'alpha', fault),
  }),

  property({
    proves: ['OI-12'],
    name: 'userinfo that an application asks for by its own code is about the same user too',
    story: 'An application reads userinfo with code of its own, and gets the one of somebody else.',
    advice: 'Compare `sub` of userinfo with the one of the id_token, whoever made the request.',
    setups: { 'own request': asksItself },
    runs: 12,
    input: fc.constantFrom('somebody-else', 'nobody', 'ADA', ''),
    async run(world, told) {
      const browser = world.browser('ada')
      const before = await takeStock(world, browser)
      const url = await startAt(world, browser, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', url, `ada-${told}`))
      const who = member((await browser.readSession()).json, 'user', 'email')
      world.demand(who === undefined || who === toldAddress, "the application's own request was not made")
      await holdUnchanged(world, 'OI-12', browser, before, `userinfo is about "${told}"`)
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['OI-07'],
    name: 'userinfo that comes signed opens nothing with a bad signature where no TLS vouches for it',
    story: 'Who sits between application and provider writes the userinfo of anybody.',
    advice: 'Verify the signature of userinfo as the one of an id_token.',
    setups: { signed: overLoopback },
    runs: 16,
    input: fc.constantFrom<Fault[]>(
      'signature-flipped',
      'signature-missing',
      'signature-foreign',
      'kid-unknown',
      'alg-none',
      'alg-swapped',
    ),
    run: (world, fault) => holdFaultRefused(world, 'OI-07', 'plain', fault),
  }),

  property({
    proves: ['OI-13'],
    name: 'userinfo of another type than the one that was agreed on makes nobody of anybody',
    story: 'Who sits between application and provider answers without the signature that was agreed on.',
    advice: 'Take nothing but a JWT where the client is registered for signed userinfo.',
    setups: { 'not signed': unsigned },
    runs: 6,
    input: fc.constantFrom('ada', 'bob'),
    async run(world, name) {
      world.idps.alpha.choose(`${name}-at-alpha`)
      world.hold(
        'OI-13',
        !(await signInUnder(world, 'alpha')),
        'userinfo without the signature opens a session',
      )
      await world.browser('ada').signIn('beta', world.people.ada)
    },
  }),
]
