import type { World } from '../../world/world.ts'
import type { FlowName } from './flows.ts'

/** Rows that go together, and an address once. */
export function unsound({ rows: { users, accounts, sessions } }: World): string | undefined {
  const ids = new Set(users.map(({ id }) => id))
  if ([...accounts, ...sessions].some(({ userId }) => !ids.has(userId)))
    return 'a row is left without its user'
  if (new Set(users.map(({ email }) => email)).size < users.length) return 'two users have one address'
  const keys = accounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`)
  return new Set(keys).size < keys.length ? 'one account is there twice' : undefined
}

/** Signs in once more, in the way of the flow. */
export async function signInAgain(world: World, flow: FlowName): Promise<boolean> {
  const browser = world.browser('ada')
  const { ada } = world.people
  // An application may remember for a while that a provider failed.
  world.pass(60)
  if (flow.includes('link')) await browser.followLink(await browser.askLink(ada.address.mail))
  else await browser.arrive(await browser.visit('alpha', ada))
  return (await browser.whoAmI()) === ada.name
}
