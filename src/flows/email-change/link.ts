import { sha256Hex } from '../../crypto/hash.ts'
import type { Store } from '../../config/settings.ts'
import { Verification } from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import { isBound, readStamp } from '../../policy/stamp.ts'
import { expiryOf, timeOf } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import { step } from '../engine/step.ts'
import { demandStore } from '../engine/world.ts'

/** The purpose of the key that seals links. */
const salt = 'authmachine.email-change'
/** Lifetime of a link in seconds. */
const defaultMaxAge = 3600

/** Returns the row that makes a link work once. Each user has one row, with a new key after each address change. */
interface LinkRow {
  readonly identifier: string
  readonly token: string
}

/** Only the sealed link gives access, so the row needs no secret. */
async function rowOf({ id, email, emailVerified }: AdapterUser): Promise<LinkRow> {
  const state = JSON.stringify([String(id), email ?? '', timeOf(emailVerified) ?? 0])
  return { identifier: `email-change:${id}`, token: await sha256Hex(`email-change ${state}`) }
}

/** Blocks other requests of this process that replace or use the row. */
async function holdRow<T>({ identifier }: LinkRow, store: Store, work: () => Promise<T>): Promise<T> {
  const key = ['email-change', identifier] as const
  // Queued first: after `hold`, it would wait for its own release.
  const turn = store.inTurn(key, () => undefined)
  const release = store.hold(key)
  try {
    await turn
    return await work()
  } finally {
    release()
  }
}

/** Removes the row if it belongs to this link. The row of a newer link has another expiry, and stays. */
async function takeRow(row: LinkRow, expires: Date, store: Store): Promise<boolean> {
  return holdRow(row, store, async () => {
    const taken = await store.useVerificationToken({ ...row })
    if (!taken || taken.identifier !== row.identifier || taken.token !== row.token) return false
    const held = new Date(expiryOf(taken))
    if (held.getTime() === expires.getTime()) return true
    await store.createVerificationToken({ ...row, expires: held })
    return false
  })
}

/** Replaces the row of the user, which invalidates older links, and seals the new link. */
export const storeToken = step({
  needs: ['currentUser', 'identifier'],
  says: { 'token.stored': ['linkToken', 'expires'] },
  async run({ currentUser, identifier: address }, world) {
    const { settings, keys, platform } = world
    const store = demandStore(world)
    const row = await rowOf(currentUser)
    const now = platform.now()
    const maxAge = settings.emailChange?.maxAge ?? defaultMaxAge
    const expires = await holdRow(row, store, async () => {
      const earlier = await store.useVerificationToken({ ...row })
      const after = earlier ? Math.floor(expiryOf(earlier) / 1000) + 1 : 0
      // In whole seconds, which every store keeps, and never the same twice, because it tells links apart.
      const chosen = new Date(Math.max(Math.floor(now / 1000) + Math.ceil(maxAge), after) * 1000)
      await store.createVerificationToken({ ...row, expires: chosen })
      return chosen
    })
    const stamp = (await readStamp(currentUser, world))?.value ?? undefined
    const claims = { address, row: row.token, sub: String(currentUser.id), until: expires.getTime(), stamp }
    const lasts = Math.floor(expires.getTime() / 1000) - Math.floor(now / 1000)
    return {
      type: 'token.stored',
      linkToken: await keys.seal(claims, { salt, maxAge: lasts, now }),
      expires,
    }
  },
})

/** Removes the row of a link that was not sent. If that fails too, the row expires. */
export const withdrawToken = step({
  needs: ['currentUser', 'expires'],
  says: { 'token.withdrawn': [] },
  async run({ currentUser, expires }, world) {
    await takeRow(await rowOf(currentUser), expires, demandStore(world))
    return { type: 'token.withdrawn' }
  },
})

/** Opens the link. It must belong to this user, whose account must not have changed since the request. */
export const openLink = step({
  needs: ['visit', 'currentUser'],
  says: {
    'link.followed': ['identifier', 'linkToken', 'expires'],
    'link.confirmed': ['identifier', 'linkToken', 'expires'],
    'link.invalid': ['addressObjection', 'failure'],
  },
  async run({ visit, currentUser }, world) {
    const { keys, platform } = world
    const linkToken = readToken(visit)
    const opened =
      linkToken === undefined ? undefined : await keys.open(linkToken, { salt, now: platform.now() })
    const { address, row, sub, until, stamp } = opened && 'claims' in opened ? opened.claims : {}
    const current = await readStamp(currentUser, world)
    const isOwn = sub === String(currentUser.id) && row === (await rowOf(currentUser)).token
    if (
      !isOwn ||
      linkToken === undefined ||
      typeof address !== 'string' ||
      typeof until !== 'number' ||
      !(await isBound(linkToken, typeof stamp === 'string' ? stamp : null, current?.value ?? null))
    )
      return {
        type: 'link.invalid',
        addressObjection: 'link',
        failure: new Verification(
          'The link is forged or expired, belongs to another user, or is older than a change to the account',
        ),
      }
    const type = visit.method === 'POST' ? 'link.confirmed' : 'link.followed'
    return { type, identifier: address, linkToken, expires: new Date(until) }
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
  needs: ['currentUser', 'expires'],
  says: { 'token.consumed': ['consumedToken'], 'token.unknown': ['addressObjection', 'failure'] },
  async run({ currentUser, expires }, world) {
    const row = await rowOf(currentUser)
    if (await takeRow(row, expires, demandStore(world)))
      return { type: 'token.consumed', consumedToken: { ...row, expires } }
    return {
      type: 'token.unknown',
      addressObjection: 'link',
      failure: new Verification('The link was already used, or a newer link has replaced it'),
    }
  },
})
