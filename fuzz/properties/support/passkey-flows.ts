import type { Browser } from '../../world/browser.ts'
import { answerTo, askOptions, demandOptions, enrol, openDevice, postAnswer } from '../../world/passkeys.ts'
import type { World } from '../../world/world.ts'
import type { Flow, Kind } from './flows.ts'

/** Requests of every flow with a passkey, by name; `adds` stores something, and lets nobody in who is not. */
export const passkeyFlows = {
  'asking to sign in': {
    kind: 'prepares',
    open: async (world) => ask(world, world.browser('ada'), { action: 'authenticate', ...addressOf(world) }),
  },
  'asking to sign in, while being signed in': {
    kind: 'prepares',
    open: async (world) => ask(world, await registered(world), { action: 'authenticate' }),
  },
  'asking to register': {
    kind: 'prepares',
    open: async (world) => ask(world, world.browser('ada'), { action: 'register', ...addressOf(world) }),
  },
  'asking to add a passkey': {
    kind: 'prepares',
    open: async (world) => ask(world, await registered(world), { action: 'register' }),
  },
  'signing in by passkey': {
    kind: 'admits',
    async open(world) {
      const device = openDevice(world, world.people.ada)
      await enrol(world, world.browser('ada'), device)
      return answer(world, world.browser('ada'), 'authenticate', device)
    },
  },
  'registering a passkey': {
    kind: 'admits',
    open: (world) => answer(world, world.browser('ada'), 'register'),
  },
  'adding a passkey': {
    kind: 'adds',
    async open(world) {
      const browser = world.browser('ada')
      await browser.signIn('mail', world.people.ada)
      return answer(world, browser, 'register')
    },
  },
  'adding another passkey': {
    kind: 'adds',
    open: async (world) => answer(world, await registered(world), 'register'),
  },
} as const satisfies Record<string, { kind: Kind | 'adds'; open: (world: World) => Promise<Flow> }>

export type PasskeyFlowName = keyof typeof passkeyFlows
export const passkeyFlowNames = Object.keys(passkeyFlows) as PasskeyFlowName[]

function addressOf({ people }: World) {
  return { email: people.ada.address.passkey }
}

/** Ada's browser, in which she registered a passkey, and is signed in. */
async function registered(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await enrol(world, browser, openDevice(world, world.people.ada))
  return browser
}

function ask(world: World, browser: Browser, fields: Readonly<Record<string, string>>): Flow {
  return { browser, go: async () => (await askOptions(world, browser, fields)).reply }
}

async function answer(
  world: World,
  browser: Browser,
  action: 'authenticate' | 'register',
  device = openDevice(world, world.people.ada),
): Promise<Flow> {
  const isNew = action === 'register' && (await browser.whoAmI()) === undefined
  const options = await demandOptions(world, browser, action, { action, ...(isNew && addressOf(world)) })
  const made = answerTo(device, action, options)
  world.prove(browser, world.people.ada, 'passkey')
  return { browser, go: () => postAnswer(world, browser, action, made) }
}
