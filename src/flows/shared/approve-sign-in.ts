/** Approvals: the user of a session lets another browser or a program sign in (FT-18). */
import { encodeBase64url } from '../../crypto/bytes.ts'
import { sha256Base64url } from '../../crypto/hash.ts'
import { InvalidConfig, MissingAdapterMethods } from '../../errors/classes.ts'
import { authenticationOf, check } from '../../policy/check-change.ts'
import { isOutdated, readStamp } from '../../policy/stamp.ts'
import { ruleOf } from '../../policy/table.ts'
import { approvalMaxAge, type Approval, approvalText, type Approved } from '../../session/approval.ts'
import { isSameId, readUser } from '../../session/stored.ts'
import type { Visit } from '../../http/visit.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'
import { nameSite } from './hold-sign-in.ts'

/** The identifier of the rows of approvals. */
const identifier = 'authmachine approval'

/** Without these, an approval would work more than once, or outlive a change to the account. */
const operations = [
  'getUser',
  'getRecord',
  'setRecord',
  'createVerificationToken',
  'useVerificationToken',
] as const

/** Reads the stamp before the session is looked up, so that an approval is never bound to a change that ended its session. */
export const noteStamp = step({
  needs: ['currentUser'],
  says: { 'stamp.noted': ['stamp'] },
  async run({ currentUser }, world) {
    const store = requireStore(world)
    const missing = operations.filter((operation) => !store.has(operation))
    if (missing.length > 0)
      throw new MissingAdapterMethods(`Approving a sign-in needs an adapter with ${missing.join(', ')}`)
    return { type: 'stamp.noted', stamp: await readStamp(currentUser, world) }
  },
})

/** Seals the approval of the signed-in user. The session needs the second factor, like any change of its user. */
export const approveSignIn = step({
  needs: ['visit', 'currentUser', 'stamp'],
  may: ['token', 'session', 'passed'],
  says: { 'sign-in.approved': ['approval'], 'step-up.demanded': [] },
  async run(facts, world) {
    const { visit, currentUser, stamp } = facts
    const { platform, settings, feature } = world
    const name = feature?.name ?? ''
    if (visit.method !== 'POST')
      throw new InvalidConfig(
        `The feature "${name}" approves a sign-in after a GET, which any link can cause. Show a form that posts`,
      )
    if (!stamp || !isSameId(stamp.userId, currentUser.id))
      throw new TypeError('Another user has signed in during the approval')
    const { type } = await check(ruleOf('sign-in').demands, facts, world)
    if (type !== 'session.sufficient') return { type: 'step-up.demanded' }
    const id = encodeBase64url(platform.randomBytes(16))
    const expires = new Date(platform.now() + approvalMaxAge * 1000)
    const token = await sha256Base64url(id)
    await requireStore(world).createVerificationToken({ identifier, token, expires })
    const approval: Approval = {
      id,
      feature: name,
      site: nameSite(visit, settings),
      stamp: { ...stamp, userId: currentUser.id },
      authTime: authenticationOf(facts).auth_time ?? null,
    }
    return { type: 'sign-in.approved', approval: await approvalText.seal(approval, world) }
  },
})

/**
 * Opens an approval, and uses it up.
 *
 * @param isHeld whether a gate has held the sign-in, which has used it up already
 * @returns undefined if it is of another feature or site, was used, has expired, or is older than a change to the account
 */
export async function openApproval(
  text: string,
  isHeld: boolean,
  visit: Visit,
  world: World,
): Promise<Approved | undefined> {
  const store = requireStore(world)
  const bound = { feature: world.feature?.name ?? '', site: nameSite(visit, world.settings) }
  const { content } = await approvalText.open(text, bound, world)
  if (!content) return undefined
  const { id, stamp, authTime } = content
  const user = readUser(await store.getUser(stamp.userId), 'getUser')
  if (!user || (await isOutdated(stamp, user.id, world))) return undefined
  // Last: if the store fails before, the approval can be used again.
  const token = await sha256Base64url(id)
  if (!isHeld && !(await store.useVerificationToken({ identifier, token }))) return undefined
  return { user, stamp, authTime }
}
