import type { Browser } from '../../world/browser.ts'
import {
  answerTo,
  requestOptions,
  requireOptions,
  enrol,
  openDevice,
  postAnswer,
} from '../../world/passkeys.ts'
import type { World } from '../../world/world.ts'
import type { Flow, Kind } from './flows.ts'

/** Requests of every passkey flow, by name; `adds` stores something for a signed-in user. */
export const passkeyFlows = {
  'requesting options to sign in': {
    kind: 'starts',
    open: async (world) =>
      request(world, world.browser('ada'), { action: 'authenticate', ...addressOf(world) }),
  },
  'requesting options to sign in over a session': {
    kind: 'starts',
    open: async (world) => request(world, await registered(world), { action: 'authenticate' }),
  },
  'requesting options to register': {
    kind: 'starts',
    open: async (world) => request(world, world.browser('ada'), { action: 'register', ...addressOf(world) }),
  },
  'requesting options to add a passkey': {
    kind: 'starts',
    open: async (world) => request(world, await registered(world), { action: 'register' }),
  },
  'signing in by passkey': {
    kind: 'signs in',
    async open(world) {
      const device = openDevice(world, world.people.ada)
      await enrol(world, world.browser('ada'), device)
      return respond(world, world.browser('ada'), 'authenticate', device)
    },
  },
  'registering a passkey': {
    kind: 'signs in',
    open: (world) => respond(world, world.browser('ada'), 'register'),
  },
  'adding a passkey': {
    kind: 'adds',
    async open(world) {
      const browser = world.browser('ada')
      await browser.signIn('mail', world.people.ada)
      return respond(world, browser, 'register')
    },
  },
  'adding another passkey': {
    kind: 'adds',
    open: async (world) => respond(world, await registered(world), 'register'),
  },
} as const satisfies Record<string, { kind: Kind | 'adds'; open: (world: World) => Promise<Flow> }>

export type PasskeyFlowName = keyof typeof passkeyFlows
export const passkeyFlowNames = Object.keys(passkeyFlows) as PasskeyFlowName[]

function addressOf({ people }: World) {
  return { email: people.ada.address.passkey }
}

/** Ada's browser, with a registered passkey and a session. */
async function registered(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await enrol(world, browser, openDevice(world, world.people.ada))
  return browser
}

function request(world: World, browser: Browser, fields: Readonly<Record<string, string>>): Flow {
  return { browser, go: async () => (await requestOptions(world, browser, fields)).reply }
}

async function respond(
  world: World,
  browser: Browser,
  action: 'authenticate' | 'register',
  device = openDevice(world, world.people.ada),
): Promise<Flow> {
  const isNew = action === 'register' && (await browser.whoAmI()) === undefined
  const options = await requireOptions(world, browser, action, { action, ...(isNew && addressOf(world)) })
  const response = answerTo(device, action, options)
  world.prove(browser, world.people.ada, 'passkey')
  return { browser, go: () => postAnswer(world, browser, action, response) }
}
