import type { Store, WebAuthnSettings } from '../../config/settings.ts'
import { canonicaliseAddress } from '../../text/email-address.ts'
import { rebuildRequest } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import { requireCurrentUser } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { User } from '../../types/records.ts'
import { readAuthenticators } from '../../webauthn/authenticator.ts'
import {
  contextFor,
  demandsDiscoverable,
  findRelyingParty,
  makeRegistrationOptions,
} from '../../webauthn/ceremony-options.ts'
import { challengeCookie } from '../../webauthn/challenge.ts'
import { readCeremony } from '../../webauthn/credential.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore } from '../../flows/engine/world.ts'

/** The user who starts a ceremony without being signed in: a known user, a new user, or an unknown one. */
export type Asker = { readonly known: AdapterUser } | { readonly newcomer: User } | undefined

/**
 * Calls the provider's `getUserInfo`. Without it, the field `email` is only the name of a new user: anyone can type an
 * address, and looking it up would reveal whether it is known (WA-08).
 */
async function findAsker(provider: WebAuthnSettings, visit: Visit, store: Store): Promise<Asker> {
  const { getUserInfo } = provider.config
  if (!getUserInfo) return readNewcomer(visit.query.get('email'))
  const info = await getUserInfo(contextFor(provider, visit, store), rebuildRequest(visit))
  if (!info) return undefined
  if (info.exists) return { known: requireCurrentUser(info.user, 'getUserInfo') }
  if (!info.user.email) return { newcomer: info.user }
  const email = canonicaliseAddress(info.user.email)
  return email === undefined ? undefined : { newcomer: { ...info.user, email } }
}

/** An invalid address counts as missing. */
function readNewcomer(field: string | null): Asker {
  const email = canonicaliseAddress(field)
  return email === undefined ? undefined : { newcomer: { email } }
}

/** Reads the requested ceremony. Without one, it depends on the user. */
export const readAction = step({
  needs: ['visit'],
  says: { 'action.read': ['wish'], 'action.invalid': ['complaint'] },
  run({ visit }) {
    const [action, ...more] = visit.query.getAll('action')
    if (action === undefined) return { type: 'action.read', wish: 'whatever-suits' }
    const wish = more.length === 0 ? readCeremony(action) : undefined
    return wish ? { type: 'action.read', wish } : { type: 'action.invalid', complaint: 'Invalid action' }
  },
})

/** Determines the user from the form if nobody is signed in. */
export const identifyAsker = step({
  needs: ['visit', 'webauthnProvider'],
  says: { 'asker.known': ['addressee'], 'asker.new': ['candidate'], 'asker.untold': [] },
  async run({ visit, webauthnProvider }, world) {
    const asker = await findAsker(webauthnProvider, visit, requireStore(world))
    if (!asker) return { type: 'asker.untold' }
    if ('known' in asker) return { type: 'asker.known', addressee: asker.known }
    return { type: 'asker.new', candidate: asker.newcomer }
  },
})

/**
 * Chooses the ceremony. If the request names none, `getUserInfo` decides who registers. Without `getUserInfo`,
 * everybody signs in: a choice that depends on the address would reveal whether it is known.
 */
export const chooseCeremony = step({
  needs: ['wish', 'webauthnProvider'],
  may: ['currentUser', 'addressee', 'candidate'],
  says: { 'authentication.chosen': [], 'registration.chosen': [], 'ceremony.impossible': ['complaint'] },
  run({ wish, webauthnProvider, currentUser, addressee, candidate }) {
    const mayRegister = currentUser !== undefined || candidate !== undefined
    if (wish === 'authenticate') return { type: 'authentication.chosen' }
    if (wish === 'register' && mayRegister) return { type: 'registration.chosen' }
    if (wish === 'whatever-suits' && !currentUser) {
      const isNew = webauthnProvider.config.getUserInfo && candidate && !addressee
      return { type: isNew ? 'registration.chosen' : 'authentication.chosen' }
    }
    return { type: 'ceremony.impossible', complaint: 'Invalid request' }
  },
})

/**
 * Lists the credentials of the user. Those of a user from `getUserInfo` are listed only if the authenticator could not
 * find them otherwise.
 */
export const listCredentials = step({
  needs: ['webauthnProvider'],
  may: ['currentUser', 'addressee'],
  says: { 'credentials.listed': ['authenticators'] },
  async run({ webauthnProvider, currentUser, addressee }, world) {
    const named = demandsDiscoverable(webauthnProvider.config) ? undefined : addressee
    const user = currentUser ?? named
    if (!user) return { type: 'credentials.listed', authenticators: [] }
    const rows = await requireStore(world).listAuthenticatorsByUserId(user.id)
    const authenticators = readAuthenticators(rows, 'listAuthenticatorsByUserId')
    return { type: 'credentials.listed', authenticators }
  },
})

/** Builds the options of a registration for the signed-in user, or for a new one. */
export const buildRegistrationOptions = step({
  needs: ['visit', 'webauthnProvider', 'authenticators'],
  may: ['currentUser', 'candidate'],
  says: { 'options.built': ['ceremony', 'challenge'] },
  async run({ visit, webauthnProvider, authenticators, currentUser, candidate }, world) {
    const party = await findRelyingParty(webauthnProvider, visit, requireStore(world))
    const { randomBytes } = world.platform
    const registrant = currentUser ?? { ...candidate, id: undefined }
    const terms = { provider: webauthnProvider, party, randomBytes, credentials: authenticators }
    const { options, challenge: value } = await makeRegistrationOptions(registrant, terms)
    return {
      type: 'options.built',
      ceremony: { action: 'register', options },
      challenge: {
        value,
        ceremony: 'register',
        provider: webauthnProvider.id,
        startedBy: currentUser?.id,
        newcomer: currentUser ? undefined : candidate,
        offered: [],
      },
    }
  },
})

/** Seals the challenge and its context into a cookie. */
export const sealChallenge = step({
  needs: ['visit', 'challenge'],
  says: { 'challenge.sealed': [] },
  async run({ visit, challenge }, world) {
    world.out.setCookies(await challengeCookie.write(challenge, visit, world))
    return { type: 'challenge.sealed' }
  },
})
