import type { Arrival } from '../../world/browser.ts'
import { Unreached } from '../../world/breach.ts'
import type { RemoteName } from '../../world/people.ts'
import { claimsFor, postLogout } from '../../properties/support/provider-logouts.ts'
import { type Action, browserOf, capitalise, factsOf, isFree, isIn, nameSeat, type Seat } from '../action.ts'
import type { Scene } from '../scene.ts'
import type { ArrivalTruth, Claim, Name, Proof } from '../truth.ts'

/** Signs in at a provider, at once. */
export function signInAt(seat: Seat, provider: RemoteName): Action {
  return {
    says: `${nameSeat(seat)} signs in at ${provider}`,
    in: seat.browser,
    allows: (scene) => isFree(scene, seat),
    async run(scene) {
      const arrival = await begin(scene, seat, provider)
      return arrival ? finish(scene, seat.browser, arrival) : {}
    },
  }
}

/** Starts a sign-in, and consents; the response is opened later. */
export function startAt(seat: Seat, provider: RemoteName, as?: 'link'): Action {
  return {
    says: `${nameSeat(seat)} consents at ${provider}${as ? ' to link the account' : ''}`,
    in: seat.browser,
    allows: (scene) =>
      (as ? isIn(scene, seat) : isFree(scene, seat)) && !factsOf(scene, seat.browser).arrival,
    async run(scene) {
      const arrival = await begin(scene, seat, provider, as)
      factsOf(scene, seat.browser).arrival = arrival
      return {}
    },
  }
}

/** Links an account, at once. */
export function linkAt(seat: Seat, provider: RemoteName): Action {
  return {
    says: `${nameSeat(seat)} links the account at ${provider}`,
    in: seat.browser,
    allows: (scene) => isIn(scene, seat),
    async run(scene) {
      const arrival = await begin(scene, seat, provider, 'link')
      return arrival ? finish(scene, seat.browser, arrival) : {}
    },
  }
}

/** Opens a response in the browser to which it was sent. */
export function finishAt(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} returns from the provider`,
    in: seat.browser,
    allows: (scene) => factsOf(scene, seat.browser).arrival?.of === seat.person,
    async run(scene) {
      const facts = factsOf(scene, seat.browser)
      const { arrival } = facts
      delete facts.arrival
      return arrival ? finish(scene, seat.browser, arrival) : {}
    },
  }
}

/** The provider ends all sessions that it opened for a person. */
export function logOutAt(person: Name, provider: 'alpha'): Action {
  return {
    says: `${provider} logs ${capitalise(person)} out everywhere`,
    needs: 'back-channel-logout',
    allows: ({ truth }) => Object.values(truth.users).some(({ owner }) => owner === person),
    async run({ world }) {
      const claims = { ...claimsFor(world, world.people[person], {}, provider), aud: `client-at-${provider}` }
      await postLogout(world, await world.idps[provider].sign(claims))
      return { byApplication: true, loggedOut: { person, provider } }
    },
  }
}

/** From now on, the provider issues access tokens that expire after a minute, and can be refreshed. */
export const issueRefreshTokens: Action = {
  says: 'alpha issues refresh tokens',
  allows: () => true,
  async run({ world }) {
    world.idps.alpha.addToTokens({ refresh_token: 'the refresh token', expires_in: 60 })
    return {}
  },
}

/** The application uses the access token of a person, and refreshes it if it has expired. */
export function useAccessToken(person: Name): Action {
  const providerAccountId = `${person}-at-alpha`
  return {
    says: `the application uses the access token of ${capitalise(person)} at alpha`,
    needs: 'refresh',
    allows: ({ truth }) => Object.values(truth.users).some(({ owner }) => owner === person),
    async run({ world }) {
      const account = { provider: world.idOf('alpha') ?? '', providerAccountId }
      const token = await world.operations?.getAccessToken?.(account)
      return { byApplication: true, tokenOf: token === undefined ? undefined : `alpha ${providerAccountId}` }
    },
  }
}

/** Opens a response that was sent to another browser. Nobody proves anything with that. */
export function finishElsewhere(browser: string, from: string): Action {
  return {
    says: `the response of ${from} is opened at ${browser}`,
    in: browser,
    allows: (scene) => factsOf(scene, from).arrival !== undefined,
    async run(scene) {
      const { arrival } = factsOf(scene, from)
      if (arrival) await finish(scene, browser, arrival)
      return {}
    },
  }
}

/** Starts a sign-in. Returns undefined if it does not reach the provider. */
async function begin(
  scene: Scene,
  { person, browser }: Seat,
  provider: RemoteName,
  as?: 'link',
): Promise<ArrivalTruth | undefined> {
  const links = as && factsOf(scene, browser).session?.user
  try {
    const { parameters, mode } = await browserOf(scene, browser).visit(
      provider,
      scene.world.people[person],
      as && { link: 'true' },
    )
    return { of: person, provider, parameters: parameters.toString(), mode, ...(links && { links }) }
  } catch (error) {
    if (error instanceof Unreached) return undefined
    throw error
  }
}

async function finish(scene: Scene, browser: string, arrival: ArrivalTruth): Promise<Claim> {
  const { provider, mode, parameters, of } = arrival
  const response: Arrival = { provider, mode, parameters: new URLSearchParams(parameters) }
  await browserOf(scene, browser).arrive(response)
  const proof: Proof = { by: of, way: 'provider', account: { provider, id: `${of}-at-${provider}` } }
  return { proof }
}
