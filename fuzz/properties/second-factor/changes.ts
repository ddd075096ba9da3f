import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { formsFor, sendForm } from '../support/account.ts'
import { outdatedBy } from '../support/faults.ts'
import { managedSetups } from '../support/managed-flows.ts'
import { enrol, enterCode, readRecoveryCodes, readSetup, wrongCodes } from '../support/second-factor.ts'

/** Signs Ada in at a provider, before the second factor. */
async function openAda(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  return browser
}

const isIn = async (browser: Browser) => (await browser.whoAmI()) !== undefined

/** Sends a form of the account page, as often as wanted. */
async function ask(world: World, browser: Browser, change: string, times = 1): Promise<Reply | undefined> {
  const [form] = await formsFor(world, browser, change)
  world.check('ACP-14', form !== undefined, `the page has no form for ${change}`)
  if (!form) return undefined
  let reply: Reply | undefined
  for (let n = 0; n < times; n++) reply = await sendForm(world, browser, form)
  return reply
}

/** The changes of the second factor that the application was told since then. */
function toldSince({ recorded }: World, from: number): string {
  const events = recorded.events.slice(from).filter(({ event }) => event === 'updateSecondFactor')
  return events.map(({ message }) => String(message.change)).join() || 'nothing'
}

/** Each change of a second factor, and its name in the event. */
const changes = {
  'remove-factor': 'removed',
  'renew-recovery-codes': 'codes-renewed',
  'a new enrolment': 'enrolled',
} as const
type Change = keyof typeof changes
const changeNames = Object.keys(changes) as Change[]
const anyChange = fc.constantFrom(...changeNames)

/** Opens the page of a change, and returns a function that sends its form. */
async function prepare(world: World, browser: Browser, change: Change): Promise<() => Promise<Reply>> {
  if (change === 'a new enrolment') {
    const { fields, code } = await readSetup(world, browser)
    const path = `${world.basePath}/factor-enrolment`
    const says = 'enters the first code of another app'
    return () => browser.send(path, { form: { ...fields, code: code() }, says })
  }
  const [form] = await formsFor(world, browser, change)
  if (!form) throw new Error(`the page has no form for ${change}`)
  return () => sendForm(world, browser, form)
}

export const factorChangeProperties: readonly Property[] = [
  property({
    proves: ['ACP-14', 'EVT-012'],
    name: 'replaces all recovery codes, or turns the second factor off, and reports each change once',
    story: 'A thief signs in with a recovery code that the user replaced, and no mail says what changed.',
    advice: 'Store the hashes of the new codes only, and call the event after each change that took effect.',
    needs: ['setup', 'store', 'hooks'],
    setups: managedSetups,
    runs: 20,
    input: fc.record({ index: fc.nat({ max: 9 }), times: fc.integer({ min: 1, max: 3 }) }),
    async run(world, { index, times }) {
      const owner = await openAda(world)
      const app = await enrol(world, owner)
      const [thief, phone] = [await openAda(world), await openAda(world)]
      const from = world.recorded.events.length
      const page = await ask(world, owner, 'renew-recovery-codes')
      const recovery = readRecoveryCodes(page?.text ?? '')
      world.check('ACP-14', recovery.length === 10, `the page shows ${recovery.length} recovery codes`)
      await enterCode(world, thief, app.recovery[index] ?? '')
      world.check('ACP-14', !(await isIn(thief)), 'a recovery code that was replaced signs in')
      await enterCode(world, phone, recovery[index] ?? '')
      world.check('ACP-14', await isIn(phone), 'a new recovery code signs nobody in')
      await ask(world, owner, 'remove-factor', times)
      const told = toldSince(world, from)
      world.check('EVT-012', told === 'codes-renewed,code-used,removed', `the application was told ${told}`)
      // Tokens of the same millisecond end with the other sessions.
      world.clock.advance(1)
      world.check('ACP-14', await isIn(await openAda(world)), 'the second factor is still asked for')
    },
  }),

  property({
    proves: ['ACP-14', 'EVT-012'],
    name: 'keeps a second factor that another request changes at the same time, and reports only that change',
    story: 'A user enrols a new app, and a form sent just before on another device removes it.',
    advice: 'Replace or remove only what the session was checked with, and call the event afterwards.',
    needs: ['setup', 'store', 'hooks', 'faults'],
    setups: managedSetups,
    runs: 30,
    reaches: Object.fromEntries(Object.keys(changes).map((change) => [change, 3])),
    parts: changeNames.map((change) => ({ change })),
    input: fc.record({ change: anyChange, other: anyChange }),
    async run(world, { change, other }) {
      const owner = await openAda(world)
      const app = await enrol(world, owner)
      const phone = await openAda(world)
      await enterCode(world, phone, app.code())
      const from = world.recorded.events.length
      const send = await prepare(world, owner, change)
      const sendOther = await prepare(world, phone, other)
      let stored = ''
      const overtake = async () => {
        await sendOther()
        stored = JSON.stringify(world.rows.factors)
      }
      world.plan.arm('store.getFactor', 0, outdatedBy(overtake))
      await send()
      world.plan.arm('none')
      world.reach(change)
      const told = toldSince(world, from)
      const says = `${change} is overtaken by ${other}, and the application was told ${told}`
      world.check('EVT-012', told === changes[other], says)
      const isKept = JSON.stringify(world.rows.factors) === stored
      world.check('ACP-14', isKept, `${change} undoes ${other}`)
    },
  }),

  property({
    proves: ['SF-11', 'FI-09'],
    name: 'counts wrong codes that are entered while another sign-in of the user fails on the server',
    story: 'An attacker guesses codes without a limit whenever the database fails for the user.',
    advice: 'Restore a used code by comparing and replacing, so that it does not undo other changes.',
    needs: ['setup', 'store', 'faults'],
    setups: managedSetups,
    runs: 20,
    input: fc.record({ seed: fc.integer({ min: 1, max: 900_000 }), isRecovery: fc.boolean() }),
    async run(world, { seed, isRecovery }) {
      const app = await enrol(world, await openAda(world))
      const [browser, thief, phone] = [await openAda(world), await openAda(world), await openAda(world)]
      // After the factor is written, the user is read.
      world.plan.arm('store', 2, {
        name: 'throws after five wrong codes',
        async apply() {
          for (const guess of wrongCodes(app, seed, 5)) await enterCode(world, thief, guess)
          throw new Error('unavailable')
        },
      })
      await enterCode(world, browser, isRecovery ? (app.recovery[0] ?? '') : app.code())
      const calls = world.plan.calls.slice(0, 2)
      world.plan.arm('none')
      world.assume(calls.includes('store.setFactor') && !(await isIn(browser)), 'nothing failed in time')
      // Avoids the code that may have been used.
      await enterCode(world, phone, app.code(1))
      world.check('SF-11', !(await isIn(phone)), 'a fault makes the application forget five wrong codes')
      await enterCode(world, phone, app.recovery[1] ?? '')
      world.check('FI-09', await isIn(phone), 'another recovery code is lost after a fault')
    },
  }),
]
