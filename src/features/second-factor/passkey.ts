import type { Settings, WebAuthnSettings } from '../../config/settings.ts'
import { InvalidCheck } from '../../errors/classes.ts'
import { provideFormToken } from '../../flows/shared/check-csrf.ts'
import { nameBrowser } from '../../http/csrf.ts'
import { factorChallengeCookie } from './challenge-cookie.ts'
import { clearFailures } from './factor-record.ts'
import { passkeyMethod } from '../../session/authentication.ts'
import { readAuthenticators } from '../../webauthn/authenticator.ts'
import { type Given, step } from '../../flows/engine/step.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'
import { authenticationOf } from '../../policy/check-change.ts'

/** The user who is asked for the second factor, with the first one. */
type Asked = Given<never, 'heldSignIn' | 'currentUser' | 'token' | 'session'>

/** The user who is asked, and the request. */
type Attempt = Given<'visit', 'heldSignIn' | 'currentUser'>

/**
 * Returns the provider whose passkeys may be the second factor. Returns none after a passkey: the same kind of factor
 * twice is one factor (NIST SP 800-63B-4 2.2). An unknown first factor may have been a passkey.
 */
function choosePasskeyProvider(
  { heldSignIn, token, session }: Asked,
  { providers }: Settings,
): WebAuthnSettings | undefined {
  const { amr = [] } = heldSignIn ? heldSignIn.first : authenticationOf({ token, session })
  const [first = passkeyMethod] = amr
  if (first === passkeyMethod) return undefined
  return [...providers.values()].find((provider) => provider.kind === 'webauthn')
}

/** Returns the provider and the passkeys with which the user can answer, or undefined if there are none. */
export async function listPasskeys(asked: Asked, world: World) {
  const webauthnProvider = choosePasskeyProvider(asked, world.settings)
  if (!webauthnProvider) return undefined
  const userId = idOf(asked)
  const rows = await requireStore(world).listAuthenticatorsByUserId(userId)
  const authenticators = readAuthenticators(rows, 'listAuthenticatorsByUserId')
  return authenticators.length > 0 ? { webauthnProvider, authenticators } : undefined
}

function idOf({ heldSignIn, currentUser }: Asked): string {
  return heldSignIn?.passed.userId ?? currentUser?.id ?? ''
}

/** Lists the passkeys of the user that the page's script may ask for. */
export const findPasskeys = step({
  may: ['heldSignIn', 'currentUser', 'token', 'session'],
  says: { 'passkeys.found': ['webauthnProvider', 'authenticators'], 'passkeys.absent': [] },
  async run(asked, world) {
    const found = await listPasskeys(asked, world)
    return found ? { type: 'passkeys.found', ...found } : { type: 'passkeys.absent' }
  },
})

/** Names the purpose of a challenge: the sign-in that waits, or the session of this browser. */
async function nameAttempt({ visit, heldSignIn }: Attempt, world: World): Promise<string> {
  if (heldSignIn) return heldSignIn.id
  const token = await provideFormToken(visit, world)
  return token === undefined ? 'session' : nameBrowser('factor', token)
}

/** Binds the challenge to the user and to its purpose, and seals it into a cookie. */
export const sealFactorChallenge = step({
  needs: ['visit', 'challenge'],
  may: ['heldSignIn', 'currentUser'],
  says: { 'challenge.sealed': [] },
  async run({ challenge, ...attempt }, world) {
    const bound = { user: idOf(attempt), attempt: await nameAttempt(attempt, world) }
    const content = { ...challenge, ...bound, createdAt: world.platform.now() }
    world.out.setCookies(await factorChallengeCookie.write(content, attempt.visit, world))
    return { type: 'challenge.sealed' }
  },
})

/**
 * Opens the challenge, and removes its cookie. As with codes, a challenge must be later than that of the last accepted
 * passkey. Each challenge therefore works once, even if someone kept a copy of the cookie.
 */
export const openFactorChallenge = step({
  needs: ['visit', 'factor'],
  may: ['heldSignIn', 'currentUser', 'token', 'session'],
  says: {
    'challenge.opened': ['challenge', 'webauthnProvider', 'nextFactor', 'factorMethod'],
    'challenge.invalid': ['failure'],
  },
  async run({ factor: { record }, ...asked }, world) {
    const { visit } = asked
    world.out.setCookies(factorChallengeCookie.remove(visit))
    const webauthnProvider = choosePasskeyProvider(asked, world.settings)
    const bound = {
      ceremony: 'authenticate',
      provider: webauthnProvider?.id ?? '',
      user: idOf(asked),
      attempt: await nameAttempt(asked, world),
    } as const
    const challenge = await factorChallengeCookie.open(visit, bound, world)
    if (!webauthnProvider || !challenge || challenge.createdAt <= (record.challengedAt ?? 0))
      return {
        type: 'challenge.invalid',
        failure: new InvalidCheck('The challenge of the second factor is missing, or was already used'),
      }
    const nextFactor = clearFailures({ ...record, challengedAt: challenge.createdAt })
    return {
      type: 'challenge.opened',
      challenge,
      webauthnProvider,
      nextFactor,
      factorMethod: passkeyMethod,
    }
  },
})
