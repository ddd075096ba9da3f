import fc from 'fast-check'
import { losing, rejecting, throwing } from '../../world/fault-plan.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { faultOf } from '../support/faults.ts'
import { runWithFault } from '../support/flows.ts'
import {
  firstPassword,
  type ManagedForm,
  managedFormNames,
  managedSetups,
  member,
  openManaged,
  type ReadyForm,
  secondPassword,
} from '../support/managed-flows.ts'
import { choose, opens, receiveReset } from '../support/passwords.ts'
import { enterCode, period } from '../support/second-factor.ts'
import { issuedBy, refuses, sessionTokenOf } from '../support/sessions.ts'

const input = fc.record({
  form: fc.constantFrom(...managedFormNames),
  at: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 10 })),
  fault: faultOf(throwing, rejecting, losing),
})

/** Each form makes a first call of the store. */
const parts = managedFormNames.map((form) => ({ form, at: 0 }))

const all = { needs: ['setup', 'faults', 'clock', 'store'], setups: managedSetups } as const

/** Returns whether the user of the form can still sign in. */
async function canSignIn(world: World, form: ManagedForm, { app }: ReadyForm): Promise<boolean> {
  if (form.endsWith('password')) {
    if (await opens(world, member, firstPassword)) return true
    if (await opens(world, member, secondPassword)) return true
    const browser = world.browser('ada')
    await choose(world, browser, await receiveReset(world, browser, member), secondPassword)
    return (await browser.whoAmI()) === member
  }
  const browser = world.browser('ada')
  await browser.arrive(
    await browser.visit(form === 'unlinking an account' ? 'beta' : 'alpha', world.people.ada),
  )
  const isAsked = (await browser.whoAmI()) === undefined
  if (form === 'entering a code') world.check('SF-01', isAsked, 'the user lost the second factor')
  if (app && isAsked) {
    world.clock.advance(period)
    await enterCode(world, browser, app.code())
  }
  return (await browser.whoAmI()) !== undefined
}

export const managedFaultProperties: readonly Property[] = [
  property({
    ...all,
    proves: ['FI-01', 'FI-12'],
    name: 'reports every store failure while a password, second factor or account changes, and signs nobody in',
    story: 'The database fails in the middle of a reset, and the page says that the password is set.',
    advice: 'End the flow with the error page on every store failure, and set cookies last.',
    runs: 80,
    reaches: { hit: 20 },
    parts,
    input,
    async run(world, { form, at, fault }) {
      const flow = await openManaged(world, form)
      const held = sessionTokenOf(flow.browser)
      const { reply, call, unhandled } = await runWithFault(world, flow, 'store', at, fault)
      const what = `${form}, although ${call ?? 'no call'} ${fault.name}`
      world.check('FI-12', unhandled.length === 0, `${what}: unhandled rejection`)
      world.check('FI-12', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
      if (call === undefined) {
        world.check('FI-01', !refuses(reply), `${form} fails without a fault`)
        return
      }
      world.reach('hit')
      world.check('FI-01', refuses(reply), `${what}, reports success`)
      world.check('FI-01', issuedBy(reply).length === 0, `${what}, sets a session cookie`)
      const now = sessionTokenOf(flow.browser)
      world.check('FI-01', now === held || now === '', `${what}, changes the session of the browser`)
    },
  }),

  property({
    ...all,
    proves: ['FI-02', 'SF-01'],
    name: 'keeps a way to sign in, and the second factor, if the store fails while the user changes something',
    story: 'The database fails once while a user enrols an app, and locks the user out for good.',
    advice: 'Write the new value first, and remove the old one last.',
    runs: 60,
    reaches: { hit: 15 },
    parts,
    input,
    async run(world, { form, at, fault }) {
      const flow = await openManaged(world, form)
      const { call } = await runWithFault(world, flow, 'store', at, fault)
      if (call === undefined) return
      world.reach('hit')
      world.advance(60)
      const isIn = await canSignIn(world, form, flow)
      world.check('FI-02', isIn, `after ${call} ${fault.name} while ${form}, its user cannot sign in`)
    },
  }),
]
