import fc from 'fast-check'
import type { World } from '../../world/world.ts'
import { refuses } from '../support/sessions.ts'
import { property, type Property } from '../property.ts'
import {
  type ManagedForm,
  managedFormNames,
  managedForms,
  managedSetups,
  type ReadyForm,
  send,
} from '../support/managed-flows.ts'

/** Everything that these forms change. */
function describeRows({ rows, mailbox }: World): string {
  const { users, accounts, sessions, passwords, factors } = rows
  const tokens = sessions.map(({ sessionToken }) => sessionToken)
  return JSON.stringify([users, accounts, tokens, passwords, factors, mailbox.mails.length])
}

/** Sends a forged form, and checks that nothing changed. */
async function checkForged(
  world: World,
  id: 'TX-17' | 'TX-18',
  ready: ReadyForm,
  forge: () => Promise<unknown>,
  what: string,
): Promise<void> {
  const { browser, other } = ready
  const who = async () => [await browser.whoAmI(), await other?.whoAmI()].join()
  const signedIn = await who()
  const before = describeRows(world)
  await forge()
  world.check(id, describeRows(world) === before, `${what} changed the store or sent a mail`)
  world.check(id, (await who()) === signedIn, `${what} signed somebody in or out`)
}

/** Tokens that are not the browser's own. */
const tokens = {
  'no token': async () => ({}),
  'an empty token': async () => ({ csrfToken: '' }),
  'the token of another browser': async (world: World) => ({
    csrfToken: await world.browser('eve').csrfToken(),
  }),
} as const
type Token = keyof typeof tokens
const tokenNames = Object.keys(tokens) as Token[]

export const formCsrfProperties: readonly Property[] = [
  property({
    proves: ['TX-18'],
    name: 'changes no password, second factor or account without the browser’s own CSRF token',
    story: 'An attacker’s page replaces its visitors’ passwords, or turns off their second factor.',
    advice: 'Check the CSRF token first in every flow that a form starts.',
    needs: ['setup', 'store'],
    setups: managedSetups,
    runs: 60,
    reaches: Object.fromEntries([...managedFormNames, ...tokenNames].map((name) => [name, 1])),
    parts: [...managedFormNames.map((form) => ({ form })), ...tokenNames.map((token) => ({ token }))],
    input: fc.record({
      form: fc.constantFrom(...managedFormNames),
      token: fc.constantFrom(...tokenNames),
    }),
    async run(world, { form, token }) {
      const ready: ReadyForm = await managedForms[form](world)
      // Sets the token of this browser and the matching cookie.
      const csrfToken = await ready.browser.csrfToken()
      const forged = await tokens[token](world)
      const what = `${form} with ${token}`
      await checkForged(world, 'TX-18', ready, () => send(world, ready, forged, what), what)
      const reply = await send(world, ready, { csrfToken }, form)
      world.assume(!refuses(reply), 'the form is refused with the right token')
      reach(world, form, token)
    },
  }),

  property({
    proves: ['TX-17'],
    name: 'changes no password, second factor or account on a GET request',
    story: 'A link on another page deletes the account of anyone who follows it.',
    advice: 'Let GET render pages only. Require a POST with the CSRF token for every change.',
    needs: ['setup', 'store'],
    setups: managedSetups,
    runs: 40,
    reaches: Object.fromEntries(managedFormNames.map((name) => [name, 1])),
    parts: managedFormNames.map((form) => ({ form })),
    input: fc.record({
      form: fc.constantFrom(...managedFormNames),
      method: fc.constantFrom('GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'),
    }),
    async run(world, { form, method }) {
      const ready: ReadyForm = await managedForms[form](world)
      const csrfToken = await ready.browser.csrfToken()
      const query = new URLSearchParams({ ...ready.fields, csrfToken })
      const what = `${method} for ${form}`
      const forge = () =>
        ready.browser.send(`${world.basePath}/${ready.path}?${query}`, { method, says: what })
      await checkForged(world, 'TX-17', ready, forge, what)
      reach(world, form)
    },
  }),
]

function reach(world: World, ...situations: readonly (ManagedForm | Token)[]): void {
  for (const situation of situations) world.reach(situation)
}
