import { copyOfOptions } from '../../copies/copy-handed-out.ts'
import type { EmailSettings, Settings } from '../../config/settings.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import { randomHex } from '../../crypto/random.ts'
import { asError } from '../../errors/as-error.ts'
import { EmailSignInError, Verification } from '../../errors/classes.ts'
import type { Stamp } from '../../session/stamp.ts'
import { expiryOf } from '../../session/stored.ts'
import type { VerificationToken } from '../../types/adapter.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'

/** Creates the token of a link: by the provider's own function, or 32 random bytes in hex. */
export async function mintLinkToken({ config }: EmailSettings, { platform }: Settings): Promise<string> {
  const token = (await copyOfOptions(config).generateVerificationToken?.()) ?? randomHex(platform.randomBytes)
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError('`generateVerificationToken` must return a non-empty string')
}

/**
 * The hashes of a token, one for each secret, the newest first. With several e-mail providers, the hash includes the
 * provider, so that none accepts another's links (decision 5). The stamp of the account binds the token to the account as
 * it is now. Without a stamp, the hashes are the same as in Auth.js and in earlier versions.
 */
export function hashesOf(
  token: string,
  provider: Pick<EmailSettings, 'id'> & { readonly config: Pick<EmailSettings['config'], 'secret'> },
  settings: Settings,
  stamp?: Stamp,
): Promise<readonly string[]> {
  const own = provider.config.secret
  const secrets = own ? [own] : settings.secrets
  const scope = hasSeveral(settings) ? `:${provider.id}` : ''
  const value = stamp?.value ?? null
  return Promise.all(
    secrets.map(async (secret) => {
      const hash = await sha256Hex(`${token}${secret}${scope}`)
      return value === null ? hash : sha256Hex(`stamped ${hash} ${value}`)
    }),
  )
}

/** The hashes of a text of a feature, one for each secret, the newest first. The text names the feature. */
export function hashesOfFeature(text: string, { secrets }: Settings): Promise<readonly string[]> {
  return Promise.all(secrets.map(async (secret) => sha256Hex(`${text}${secret}`)))
}

/** Returns whether there are several e-mail providers. */
function hasSeveral({ providers }: Settings): boolean {
  return [...providers.values()].filter(({ kind }) => kind === 'email').length > 1
}

/** Returns the hash with the newest secret, under which new tokens are stored. */
export function newestHash([newest]: readonly string[]): string {
  if (newest === undefined) throw new TypeError('There is no secret to hash a token with')
  return newest
}

/** Stores the row that makes a link or a code work once, before anything is mailed. */
export async function storeRow(row: VerificationToken, world: World): Promise<VerificationToken> {
  await requireStore(world).createVerificationToken({ ...row })
  return row
}

/** Sends a mail, by a function of the configuration. */
export async function reportMail(send: () => unknown) {
  try {
    await send()
    return { type: 'mail.sent' } as const
  } catch (error) {
    const failure = new EmailSignInError('The mail could not be sent', asError(error))
    return { type: 'mail.unsent', failure } as const
  }
}

/** The events of a step that sends a mail with `reportMail`. */
export const mailing = { 'mail.sent': [], 'mail.unsent': ['failure'] } as const

/** Removes the row of a mail that was not sent. If that fails too, the row expires. */
export const withdrawToken = step({
  needs: ['storedToken'],
  says: { 'token.withdrawn': [] },
  async run({ storedToken: { identifier, token } }, world) {
    await requireStore(world).useVerificationToken({ identifier, token })
    return { type: 'token.withdrawn' }
  },
})

/** Removes the first row with one of these tokens from the store, which only one request can do. */
export async function takeRow(
  identifier: string,
  tokens: readonly string[],
  world: World,
): Promise<VerificationToken | undefined> {
  for (const token of tokens) {
    const taken = await requireStore(world).useVerificationToken({ identifier, token })
    if (taken?.identifier === identifier && taken.token === token)
      return { identifier, token, expires: new Date(expiryOf(taken)) }
  }
  return undefined
}

export function refuseUnknown() {
  const reason =
    'The link or code is unknown, already used or replaced, or older than a change to the account'
  return { type: 'token.unknown', failure: new Verification(reason) } as const
}

/** Uses up a link, so that it works only once. Accepts the hashes of all listed secrets. */
export async function consumeHashed(identifier: string, hashes: readonly string[], world: World) {
  const consumedToken = await takeRow(identifier, hashes, world)
  if (!consumedToken) return refuseUnknown()
  return consumedToken.expires.getTime() > world.platform.now()
    ? ({ type: 'token.consumed', consumedToken } as const)
    : ({ type: 'token.expired', failure: new Verification('The link has expired') } as const)
}

/** The events of a step that uses up a link with `consumeHashed`. */
export const consumption = {
  'token.consumed': ['consumedToken'],
  'token.unknown': ['failure'],
  'token.expired': ['failure'],
} as const

/**
 * Stores the row of a link again. If the value that the link is bound to has changed since, the link does not work, and the
 * row expires.
 */
export const restoreToken = step({
  needs: ['consumedToken'],
  says: { 'token.restored': [] },
  async run({ consumedToken }, world) {
    await storeRow(consumedToken, world)
    return { type: 'token.restored' }
  },
})
