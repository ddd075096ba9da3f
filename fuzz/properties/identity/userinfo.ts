import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { Absent } from '../../world/breach.ts'
import type { Fault } from '../../world/idp/faults.ts'
import { usersOf } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { checkFaultRefused, signInUnder } from '../support/faulty.ts'
import { requireReading } from '../support/reading.ts'
import { victim } from '../support/apple.ts'
import { consentTo, startAt } from '../support/consent.ts'
import { checkUnchanged, readAfter, takeSnapshot } from '../support/snapshot.ts'

interface RequestContext {
  readonly tokens: { readonly id_token: string }
}

/** An address that only the application's own request calls. */
const returnedAddress = 'returned@alpha.example'

/** An application that requests userinfo itself, and gets the subject in the claim `subject`. */
const requestsItself: Setup = {
  provider: {
    alpha: {
      idToken: false,
      userinfo: {
        request({ tokens }: RequestContext) {
          const { sub, subject, name, email } = decodeJwt(tokens.id_token)
          if (subject === undefined) return { name, email, sub }
          return { name, email: returnedAddress, ...(subject !== 'nobody' && { sub: subject }) }
        },
      },
    },
  },
  idp: {
    alpha: {
      users: [
        ...['somebody-else', 'nobody', 'ADA', ''].map((subject) => ({
          sub: `ada-${subject}`,
          claims: { subject, email: `ada-${subject}@alpha.example` },
        })),
        ...usersOf('alpha'),
      ],
    },
  },
}

/** The id_token says that an address is verified, and the userinfo contains a different address. */
const otherAddress: Setup = {
  provider: {
    alpha: {
      idToken: false,
      userinfo: {
        request({ tokens }: RequestContext) {
          const { sub, name } = decodeJwt(tokens.id_token)
          return sub?.startsWith('eve') === true ? { sub, name, email: victim } : { sub }
        },
      },
    },
  },
  idp: {
    alpha: {
      users: ['true', true].map((verdict) => ({
        sub: `eve with ${typeof verdict}`,
        claims: { name: 'eve', email: 'eve@alpha.example', email_verified: verdict },
      })),
    },
  },
}

const loopback = 'http://localhost:4997'
/** Userinfo is the only source of the user, and arrives signed over an insecure connection. */
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

/** Signed userinfo was agreed on, but the provider returns JSON. */
const unsigned: Setup = {
  provider: { alpha: { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } } },
}

export const userinfoProperties: readonly Property[] = [
  property({
    proves: ['OI-12'],
    name: 'rejects userinfo of another user',
    story: 'Another user’s access token is combined with a valid id_token.',
    advice: 'Compare `sub` of userinfo with `sub` of the id_token.',
    setups: { userinfo: { provider: { alpha: { idToken: false } } } },
    runs: 30,
    ...eachOf([
      'userinfo-sub-wrong',
      'userinfo-sub-missing',
      'userinfo-sub-in-capitals',
      'userinfo-sub-empty',
    ]),
    run: (world, fault) => checkFaultRefused(world, 'OI-12', 'alpha', fault),
  }),

  property({
    proves: ['OI-12'],
    name: 'signs nobody in as the user of another userinfo response',
    story: 'Another user’s access token is combined with a valid id_token.',
    advice: 'Compare `sub` of userinfo with `sub` of the id_token, and use nothing else of it before that.',
    portable: true,
    setups: { usual: {}, userinfo: { provider: { alpha: { idToken: false } } } },
    runs: 8,
    ...eachOf(['alpha', 'beta']),
    async run(world, provider) {
      await requireReading(world, provider, 'id-token-garbage')
      const idp = world.idps[provider]
      const before = idp.requestsTo('userinfo').length
      await world.browser('ada').signIn(provider, world.people.ada)
      if (idp.requestsTo('userinfo').length === before)
        throw new Absent(`a sign-in at ${provider} requests no userinfo`)
      // A client may also ignore the response, and sign in the user of the id_token.
      const sign = () => signInUnder(world, provider, 'userinfo-of-bob')
      await readAfter(`${provider} returned the userinfo of bob with the id_token of ada`, sign)
      world.check('OI-12', true, '')
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['OI-12'],
    name: 'rejects userinfo of another user from a custom request too',
    story: 'An application requests userinfo with its own code, and gets another user’s.',
    advice: 'Compare `sub` of userinfo with `sub` of the id_token, for custom requests too.',
    setups: { 'own request': requestsItself },
    runs: 12,
    ...eachOf(['somebody-else', 'nobody', 'ADA', '']),
    async run(world, subject) {
      const browser = world.browser('ada')
      const before = await takeSnapshot(world, browser)
      const url = await startAt(world, browser, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', url, `ada-${subject}`))
      const who = member((await browser.readSession()).json, 'user', 'email')
      world.assume(who === undefined || who === returnedAddress, 'the application’s own request was not sent')
      await checkUnchanged(world, 'OI-12', browser, before, `userinfo is about "${subject}"`)
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['AL-09'],
    name: 'takes email_verified only with the address that it is about',
    story: 'An id_token vouches for an attacker’s own address, and the userinfo replaces it with a victim’s.',
    advice: 'Ignore email_verified of the id_token if the userinfo has another address.',
    needs: ['hooks'],
    setups: { 'another address': otherAddress },
    runs: 4,
    ...eachOf(['string', 'boolean']),
    async run(world, type) {
      const browser = world.browser('eve')
      const url = await startAt(world, browser, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', url, `eve with ${type}`))
      const profile = world.recorded.callbacks.findLast(({ name }) => name === 'signIn')?.params.profile
      world.assume(member(profile, 'email') === victim, 'the userinfo does not replace the address')
      const verified = member(profile, 'email_verified')
      world.check(
        'AL-09',
        verified !== true && verified !== 'true',
        'the signIn callback receives email_verified for another address',
      )
    },
  }),

  property({
    proves: ['OI-07'],
    name: 'rejects signed userinfo with a bad signature that was received without TLS',
    story: 'An attacker between application and provider forges anyone’s userinfo.',
    advice: 'Verify the signature of userinfo like that of an id_token.',
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
    run: (world, fault) => checkFaultRefused(world, 'OI-07', 'plain', fault),
  }),

  property({
    proves: ['OI-13'],
    name: 'rejects userinfo of an unexpected media type',
    story: 'An attacker between application and provider returns userinfo without the agreed signature.',
    advice: 'Accept only a JWT if the client is registered for signed userinfo.',
    setups: { 'not signed': unsigned },
    runs: 6,
    ...eachOf(['ada', 'bob']),
    async run(world, name) {
      world.idps.alpha.choose(`${name}-at-alpha`)
      world.check(
        'OI-13',
        !(await signInUnder(world, 'alpha')),
        'userinfo without the signature opens a session',
      )
      await world.browser('ada').signIn('beta', world.people.ada)
    },
  }),
]
