import fc from 'fast-check'
import { hanging, muting } from '../../world/fault-plan.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { throughCallback } from '../support/callbacks.ts'
import { faultOf } from '../support/faults.ts'
import { type Flow, type FlowName, flows, runWithFault } from '../support/flows.ts'
import { type PasskeyFlowName, passkeyFlows } from '../support/passkey-flows.ts'
import { passkeySetup } from '../support/passkeys.ts'
import { pages } from '../support/routes.ts'

/** Keeps every redirect target, so that each request with a target calls the application. */
const callbacks = { redirect: ({ url }: { readonly url: string }) => url }

const builtIn = passkeySetup(
  {},
  { ...throughCallback, callbacks: { ...throughCallback.callbacks, ...callbacks } },
)
const custom = passkeySetup(
  {},
  { adapter: true, callbacks, pages: { signIn: '/in', signOut: '/out', error: '/oops' } },
)

const anyRequest = fc.constantFrom<FlowName | PasskeyFlowName>(
  ...(Object.keys(flows) as FlowName[]),
  ...(Object.keys(passkeyFlows) as PasskeyFlowName[]),
)

/** Requests a page with a redirect target, as a link of the application does. */
function openPage(world: World, page: string): Flow {
  const browser = world.browser('ada')
  const path = `${world.basePath}/${page}?callbackUrl=%2Fthere`
  return { browser, go: () => browser.send(path) }
}

export const deadlineProperties: readonly Property[] = [
  property({
    proves: ['DEC-34'],
    name: 'ends every request within a minute, although the application, its store or its mailer hangs',
    story: 'A database or a service hangs, and requests pile up until the server runs out of connections.',
    advice: 'Give every call of the application’s code a deadline, also those of pages.',
    needs: ['passkey', 'faults', 'clock', 'store'],
    setups: { 'built-in pages': builtIn, 'custom pages': { ...custom, strategy: 'jwt' } },
    runs: 60,
    reaches: { 'a page hung': 20, 'a flow hung': 20 },
    input: fc.record({
      request: anyRequest,
      plane: fc.constantFrom('store', 'store', 'callback', 'event', 'mail'),
      at: fc.oneof(fc.constant(0), fc.nat({ max: 6 })),
      fault: faultOf(hanging, muting),
    }),
    async run(world, { request, plane, at, fault }) {
      const check = async (name: string, flow: Flow, [of, call]: readonly [string, number]) => {
        const { reply, call: hung, isStuck } = await runWithFault(world, flow, of, call, fault)
        const what = `${name}, when ${hung ?? 'no call'} ${fault.name}`
        world.check('DEC-34', !isStuck, `${what}, does not end within a minute`)
        world.check('DEC-34', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
        return hung !== undefined
      }
      for (const page of pages)
        if (await check(`the page ${page}`, openPage(world, page), ['callback', 0]))
          world.reach('a page hung')
      const flow = await { ...flows, ...passkeyFlows }[request].open(world)
      if (await check(request, flow, [plane, at])) world.reach('a flow hung')
    },
  }),
]
