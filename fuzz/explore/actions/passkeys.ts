import { Unreached } from '../../world/breach.ts'
import { requestFactorOptions, sendFactorPasskey } from '../../properties/support/second-factor.ts'
import { answerTo, type Device, postAnswer, requireOptions } from '../../world/passkeys.ts'
import { type Held, openAuthenticator } from '../../world/webauthn/authenticator.ts'
import { type Action, browserOf, factsOf, isFree, isIn, nameSeat, type Seat } from '../action.ts'
import { namePasskey } from '../names.ts'
import type { Scene } from '../scene.ts'
import type { Claim, Name } from '../truth.ts'

/**
 * The private keys of all passkeys, by their ids. They are not part of a state, because keys stay the same when a
 * search restores a state.
 */
const keys = new Map<string, Held>()

/** Registers a new user with the person's address. */
export function registerUser(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} registers with a passkey`,
    in: seat.browser,
    needs: 'passkey',
    allows: (scene) => isFree(scene, seat) && !isIn(scene, seat) && count(scene, seat.person) === 0,
    run: (scene) =>
      act(scene, seat, 'register', {
        action: 'register',
        email: scene.world.people[seat.person].address.passkey,
      }),
  }
}

/** Adds a passkey to the user of the session. */
export function addPasskey(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} adds a passkey`,
    in: seat.browser,
    needs: 'passkey',
    allows: (scene) => isIn(scene, seat) && count(scene, seat.person) < 2,
    run: async (scene) => ({
      ...(await act(scene, seat, 'register', { action: 'register' })),
      proof: undefined,
    }),
  }
}

export function signInByPasskey(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} signs in with a passkey`,
    in: seat.browser,
    needs: 'passkey',
    allows: (scene) => isFree(scene, seat) && count(scene, seat.person) > 0,
    run: (scene) => act(scene, seat, 'authenticate', { action: 'authenticate' }),
  }
}

/** Uses a passkey as the second factor, which must be refused after a passkey as the first. */
export function enterPasskey(seat: Seat): Action {
  const firstOf = (scene: Scene) => {
    const { waits, session } = factsOf(scene, seat.browser)
    return waits ?? session
  }
  return {
    says: `${nameSeat(seat)} uses a passkey as the second factor`,
    in: seat.browser,
    needs: 'passkey',
    allows: (scene) => firstOf(scene) !== undefined && count(scene, seat.person) > 0,
    async run(scene) {
      const { world } = scene
      const way = firstOf(scene)?.way
      const browser = browserOf(scene, seat.browser)
      const options = await requestFactorOptions(world, browser)
      if (!options) return {}
      const answer = answerTo(deviceOf(scene, seat.person), 'authenticate', options)
      await sendFactorPasskey(world, browser, answer)
      const refusal = { id: 'SF-18', what: 'a passkey after a passkey' } as const
      const code = way === 'passkey' ? { isRight: false, refusal } : { isRight: true }
      return { code, used: scene.names && namePasskey(scene.names, answer.id) }
    },
  }
}

const count = ({ truth }: Scene, person: Name) => truth.passkeys[person]?.length ?? 0

/** Performs a ceremony with the passkeys that the person has in this state. */
async function act(
  scene: Scene,
  { person, browser }: Seat,
  action: 'register' | 'authenticate',
  fields: Readonly<Record<string, string>>,
): Promise<Claim> {
  const { world, truth } = scene
  const device = deviceOf(scene, person)
  const { authenticator } = device
  let used: string | undefined
  try {
    const at = browserOf(scene, browser)
    const answer = answerTo(device, action, await requireOptions(world, at, action, fields))
    used = scene.names && namePasskey(scene.names, answer.id)
    await postAnswer(world, at, action, answer)
  } catch (error) {
    if (error instanceof Unreached) return {}
    throw error
  }
  for (const each of authenticator.held) keys.set(each.id, each)
  truth.passkeys[person] = authenticator.held.map(({ id }) => id)
  return { used, proof: { by: person, way: 'passkey' } }
}

function deviceOf({ world, truth }: Scene, person: Name): Device {
  const held = (truth.passkeys[person] ?? []).flatMap((id) => keys.get(id) ?? [])
  const authenticator = openAuthenticator(world.origin, { counts: false, held })
  return { owner: world.people[person], authenticator }
}
