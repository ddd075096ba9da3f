import { sha256Hex } from '../../crypto/hash.ts'
import type { StoreKey } from '../../config/settings.ts'
import { Verification } from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import { isBound, readStamp } from '../../policy/stamp.ts'
import { expiryOf, timeOf } from '../../session/stored.ts'
import { sealedText } from '../../token/sealed.ts'
import type { AdapterUser, VerificationToken } from '../../types/adapter.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'
import { storeRow, takeRow } from '../../flows/shared/mailed-proof.ts'
import { chosenOptions } from './chosen-options.ts'

/** The content of a link. */
interface Link {
  /** The new address. */
  readonly address: string
  /** The token of the row that makes the link work once. */
  readonly row: string
  /** Id of the user. */
  readonly sub: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** The stamp of the account. Absent without one, as in links of earlier versions. */
  readonly stamp: string | undefined
}

/** The token of a link. It opens only for its user, and a change to the account ends it. */
export const linkText = sealedText<Link, 'sub' | 'row'>({
  purpose: 'authmachine.email-change',
  until: ({ until }) => until,
  boundTo: ['sub', 'row'],
  read: ({ address, row, sub, until, stamp }) =>
    typeof address === 'string' && typeof until === 'number'
      ? {
          address,
          row: String(row),
          sub: String(sub),
          until,
          stamp: typeof stamp === 'string' ? stamp : undefined,
        }
      : undefined,
})

/**
 * Returns the row that makes a link work once. Each user has one row, with a new key after each address change. Only the
 * sealed link gives access, so the row needs no secret.
 */
async function rowOf({ id, email, emailVerified }: AdapterUser): Promise<Omit<VerificationToken, 'expires'>> {
  const state = JSON.stringify([String(id), email ?? '', timeOf(emailVerified) ?? 0])
  return { identifier: `email-change:${id}`, token: await sha256Hex(`email-change ${state}`) }
}

/** Names the turn of requests that replace or use the row. */
function turnOf(identifier: string): StoreKey {
  return ['feature', identifier]
}

/** Removes the row if it belongs to this link. The row of a newer link has another expiry, and stays. */
async function takeOwnRow({ identifier, token, expires }: VerificationToken, world: World): Promise<boolean> {
  return requireStore(world).turn(turnOf(identifier), async () => {
    const taken = await takeRow(identifier, [token], world)
    if (!taken || taken.expires.getTime() === expires.getTime()) return taken !== undefined
    await storeRow(taken, world)
    return false
  })
}

/** Replaces the row of the user, which invalidates older links, and seals the new link. */
export const storeToken = step({
  needs: ['currentUser', 'identifier'],
  says: { 'token.stored': ['linkToken', 'storedToken'] },
  async run({ currentUser, identifier: address }, world) {
    const { platform } = world
    const row = await rowOf(currentUser)
    const now = platform.now()
    const { maxAge } = chosenOptions(world)
    const storedToken = await requireStore(world).turn(turnOf(row.identifier), async () => {
      const earlier = await requireStore(world).useVerificationToken({ ...row })
      const after = earlier ? Math.floor(expiryOf(earlier) / 1000) + 1 : 0
      // In whole seconds, which every store can store. Each link has another expiry, because the expiry distinguishes
      // links.
      const expires = new Date(Math.max(Math.floor(now / 1000) + Math.ceil(maxAge), after) * 1000)
      return storeRow({ ...row, expires }, world)
    })
    const stamp = await readStamp(currentUser, world)
    const link = {
      address,
      row: row.token,
      sub: String(currentUser.id),
      until: storedToken.expires.getTime(),
      stamp: stamp?.value ?? undefined,
    }
    return { type: 'token.stored', linkToken: await linkText.seal(link, world), storedToken }
  },
})

/** Removes the row of a link that was not sent. If that fails too, the row expires. */
export const withdrawToken = step({
  needs: ['storedToken'],
  says: { 'token.withdrawn': [] },
  async run({ storedToken }, world) {
    await takeOwnRow(storedToken, world)
    return { type: 'token.withdrawn' }
  },
})

/** Opens the link. It must belong to this user, whose account must not have changed since the request. */
export const openLink = step({
  needs: ['visit', 'currentUser'],
  says: {
    'link.followed': ['identifier', 'linkToken', 'storedToken'],
    'link.confirmed': ['identifier', 'linkToken', 'storedToken'],
    'link.invalid': ['addressObjection', 'failure'],
  },
  async run({ visit, currentUser }, world) {
    const linkToken = readToken(visit)
    const row = await rowOf(currentUser)
    const bound = { sub: String(currentUser.id), row: row.token }
    const { content: link } = linkToken === undefined ? {} : await linkText.open(linkToken, bound, world)
    const current = await readStamp(currentUser, world)
    const isCurrent =
      linkToken !== undefined && (await isBound(linkToken, link?.stamp ?? null, current?.value ?? null))
    if (linkToken === undefined || !link || !isCurrent)
      return {
        type: 'link.invalid',
        addressObjection: 'link',
        failure: new Verification(
          'The link is forged or expired, belongs to another user, or is older than a change to the account',
        ),
      }
    const type = visit.method === 'POST' ? 'link.confirmed' : 'link.followed'
    const storedToken = { ...row, expires: new Date(link.until) }
    return { type, identifier: link.address, linkToken, storedToken }
  },
})

/** Reads the token of a link or of its form, which must have it exactly once. */
export function readToken({ method, query, body, duplicates }: Visit): string | undefined {
  const isForm = method === 'POST'
  const token = isForm ? body.token : query.get('token')
  const isTwice = isForm ? duplicates.length > 0 : query.getAll('token').length > 1
  return typeof token === 'string' && token !== '' && !isTwice ? token : undefined
}

/** Removes the row from the store, so that the link works only once. */
export const consumeToken = step({
  needs: ['storedToken'],
  says: { 'token.consumed': ['consumedToken'], 'token.unknown': ['addressObjection', 'failure'] },
  async run({ storedToken }, world) {
    if (await takeOwnRow(storedToken, world)) return { type: 'token.consumed', consumedToken: storedToken }
    return {
      type: 'token.unknown',
      addressObjection: 'link',
      failure: new Verification('The link was already used, or a newer link has replaced it'),
    }
  },
})
