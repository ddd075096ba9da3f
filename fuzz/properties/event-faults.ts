import fc from 'fast-check'
import { rejecting, throwing } from '../world/fault-plan.ts'
import { property, type Property } from './property.ts'
import { flowNames, flows, flowSetups, goWrong } from './support/flows.ts'
import { refuses } from './support/sessions.ts'

export const eventFaultProperties: readonly Property[] = [
  property({
    proves: ['FI-07'],
    name: 'an event that throws is told to the logger, and to nobody else',
    story: 'The audit trail of an application is broken for weeks, and nothing says so.',
    advice: 'Catch what an event throws, and log it with the name of the event.',
    needs: ['faults', 'hooks', 'clock', 'store'],
    setups: flowSetups,
    runs: 30,
    reaches: { 'an event failed': 10 },
    input: fc.record({
      flow: fc.constantFrom(...flowNames.filter((name) => flows[name].kind !== 'prepares')),
      at: fc.nat({ max: 2 }),
      fault: fc.constantFrom(throwing, rejecting),
    }),
    async run(world, { flow: name, at, fault }) {
      const flow = await flows[name].open(world)
      const before = world.told.errors.length
      const { reply, call } = await goWrong(world, flow, 'event', at, fault)
      const what = `${name}, when ${call ?? 'no event'} ${fault.name}`
      world.hold('FI-07', !refuses(reply) && reply.failure === undefined, `${what}, fails`)
      if (call === undefined) return
      world.hold('FI-07', world.told.errors.length > before, `${what}, leaves nothing in the log`)
      world.reach('an event failed')
    },
  }),
]
