import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { describeFault } from '../../world/idp/describe-fault.ts'
import type { Fault } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { checkFaultRefused, signInUnder } from '../support/faulty.ts'

/**
 * Responses without a code, and failures of the token endpoint: nobody knows who signs in. The response `null` is none of
 * them, because some applications stop there, and then answer no other property.
 */
const failures = [
  'code-missing',
  'code-empty',
  'token:network-error',
  'token:html',
  'token:empty',
  'token:204',
  'token:400',
  'token:500',
  'token:500-json',
  'token:truncated',
  'token:array',
] as const satisfies readonly Fault[]

/** Failures of the userinfo endpoint. Without an id_token, its response alone says who signs in. */
const unknowns = [
  'userinfo:network-error',
  'userinfo:html',
  'userinfo:empty',
  'userinfo:204',
  'userinfo:400',
  'userinfo:500',
  'userinfo:500-json',
  'userinfo:truncated',
  'userinfo:array',
] as const satisfies readonly Fault[]

/** A response that would be right with another status: nobody gains anything by it. */
const isWhole = (fault: Fault) => fault.endsWith(':500-json')
const lax = { observed: 'a lax check' } as const

export const describedFailureProperties: readonly Property[] = [
  property({
    proves: ['OI-13'],
    name: 'signs nobody in if the response has no code, or the token endpoint fails',
    story: 'An error of the provider, which an attacker can cause, counts as a sign-in.',
    advice: 'Stop at the first response that is not what you asked for, and open a session at the very end.',
    severity: 'takeover',
    needs: ['description'],
    runs: 12,
    ...everyOf({ provider: remotes, fault: failures }),
    run: (world, { provider, fault }) =>
      checkFaultRefused(world, 'OI-13', provider, fault, isWhole(fault) ? lax : {}),
  }),

  property({
    proves: ['OI-13'],
    name: 'signs nobody in if nothing says who it is, because the userinfo endpoint fails',
    story: 'An error of the provider, which an attacker can cause, counts as a sign-in.',
    advice: 'Check the status and the type of the userinfo before you use anything of it.',
    severity: 'takeover',
    needs: ['description'],
    setups: { database: { providers: ['plain'] } },
    runs: 10,
    ...eachOf(unknowns),
    async run(world, fault) {
      const opened = await signInUnder(world, 'plain', fault)
      const says = `a sign-in at plain succeeds, although ${describeFault(fault)}`
      world.check('OI-13', !opened, says, isWhole(fault) ? lax : { observed: 'a session' })
      await world.browser('ada').signIn('plain', world.people.ada)
      world.reach(fault)
    },
  }),
]
