import fc from 'fast-check'
import type { Fault } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import { consentTo, subjectOf } from '../support/consent.ts'
import { checkUnchanged, takeSnapshot } from '../support/snapshot.ts'

const demand = { metadata: { require_pushed_authorization_requests: true } }

const pushFaults = [
  'push:500',
  'push:html',
  'push:null',
  'push:network-error',
] as const satisfies readonly Fault[]

export const pushedRequestProperties: readonly Property[] = [
  property({
    proves: ['TX-23'],
    name: 'pushes the authorization request to a provider that demands it',
    story: 'A bank’s provider accepts only pushed requests, and nobody can sign in there.',
    advice:
      'Send the parameters to the pushed authorization request endpoint, and redirect with request_uri.',
    setups: { demanding: { idp: { alpha: demand } } },
    runs: 20,
    input: fc.record({ fault: fc.constantFrom(undefined, undefined, ...pushFaults) }),
    async run(world, { fault }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const before = await takeSnapshot(world, browser)
      if (fault) world.idps.alpha.misbehave(fault)
      const { location } = await browser.start('alpha')
      const pushed = world.idps.alpha.requestsTo('push')
      world.check('TX-23', pushed.length === 1, `${pushed.length} authorization requests were pushed`)
      if (fault) {
        world.reach('rejected')
        const isHere = location?.origin === world.origin
        world.check(
          'TX-23',
          isHere,
          `after ${fault} the browser is redirected to ${location?.href ?? 'nowhere'}`,
        )
        return checkUnchanged(world, 'TX-23', browser, before, `the pushed request failed (${fault})`)
      }
      const names = [...(location?.searchParams.keys() ?? [])].toSorted()
      const isShort = names.join(' ') === 'client_id request_uri'
      world.check('TX-23', isShort, `the URL in the browser has ${names.join(', ') || 'no parameters'}`)
      const isBound = pushed[0]?.parameters.has('code_challenge') === true
      world.check('TX-23', isBound, 'the pushed request has no code_challenge')
      const url = location ?? new URL(world.origin)
      const arrival = await consentTo(world, 'alpha', url, subjectOf(ada, 'alpha'))
      world.prove(browser, ada, 'alpha')
      await browser.arrive(arrival)
      world.check('TX-23', (await browser.whoAmI()) === ada.name, 'a pushed request signs nobody in')
      world.reach('accepted')
    },
  }),
]
