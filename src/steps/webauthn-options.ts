import { whenReady } from '../crypto/maybe-promise.ts'
import { formatUuid } from '../crypto/random.ts'
import { readAuthenticators } from '../webauthn/authenticator.ts'
import {
  demandsDiscoverable,
  makeAuthenticationOptions,
  makeRegistrationOptions,
} from '../webauthn/ceremony-options.ts'
import { sealChallenge as seal } from '../webauthn/challenge.ts'
import { readCeremony } from '../webauthn/credential.ts'
import { findRelyingParty } from '../webauthn/relying-party.ts'
import { findAsker } from '../webauthn/user-info.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'

/** Reads which ceremony is asked for; without a name, it is the one that suits whoever asks. */
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

/** Learns from the form who asks, when nobody is signed in. */
export const identifyAsker = step({
  needs: ['visit', 'webauthnProvider'],
  says: { 'asker.known': ['addressee'], 'asker.new': ['candidate'], 'asker.untold': [] },
  async run({ visit, webauthnProvider }, world) {
    const asker = await findAsker(webauthnProvider, visit, demandStore(world))
    if (!asker) return { type: 'asker.untold' }
    if ('known' in asker) return { type: 'asker.known', addressee: asker.known }
    const id = formatUuid(world.platform.randomBytes(16))
    return { type: 'asker.new', candidate: { id, ...asker.newcomer } }
  },
})

/**
 * Chooses the ceremony. Without a name, `getUserInfo` says who registers; where there is none, everybody is asked to sign
 * in, since a choice that depends on the address would tell whether it is known.
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
 * Lists the credentials of whoever asks. Those of the user whom `getUserInfo` named are told where the authenticator could
 * not find them otherwise.
 */
export const listCredentials = step({
  needs: ['webauthnProvider'],
  may: ['currentUser', 'addressee'],
  says: { 'credentials.listed': ['authenticators'] },
  async run({ webauthnProvider, currentUser, addressee }, world) {
    const named = demandsDiscoverable(webauthnProvider.config) ? undefined : addressee
    const user = currentUser ?? named
    if (!user) return { type: 'credentials.listed', authenticators: [] }
    const rows = await demandStore(world).listAuthenticatorsByUserId(user.id)
    const authenticators = readAuthenticators(rows, 'listAuthenticatorsByUserId')
    return { type: 'credentials.listed', authenticators }
  },
})

/** Writes the options of an authentication, by one of the credentials if there are any. */
export const buildAuthenticationOptions = step({
  needs: ['visit', 'webauthnProvider', 'authenticators'],
  may: ['currentUser', 'addressee'],
  says: { 'options.built': ['ceremony', 'challenge'] },
  async run({ visit, webauthnProvider, authenticators, currentUser, addressee }, world) {
    const party = await findRelyingParty(webauthnProvider, visit, demandStore(world))
    const { randomBytes } = world.platform
    const terms = { provider: webauthnProvider, party, randomBytes, credentials: authenticators }
    const { options, challenge: value } = await makeAuthenticationOptions(terms)
    return {
      type: 'options.built',
      ceremony: { action: 'authenticate', options },
      challenge: {
        value,
        ceremony: 'authenticate',
        provider: webauthnProvider.id,
        startedBy: currentUser?.id,
        user: (currentUser ?? addressee)?.id,
        offered: authenticators.map(({ credentialID }) => credentialID),
      },
    }
  },
})

/** Writes the options of a registration, to the user who is signed in, or to a new one. */
export const buildRegistrationOptions = step({
  needs: ['visit', 'webauthnProvider', 'authenticators'],
  may: ['currentUser', 'candidate'],
  says: { 'options.built': ['ceremony', 'challenge'] },
  async run({ visit, webauthnProvider, authenticators, currentUser, candidate }, world) {
    const party = await findRelyingParty(webauthnProvider, visit, demandStore(world))
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

/** Seals the challenge into its cookie, with all that it was minted for. */
export const sealChallenge = step({
  needs: ['visit', 'challenge'],
  says: { 'challenge.sealed': [] },
  run({ visit, challenge }, { keys, platform, out }) {
    return whenReady(seal(challenge, visit, keys, platform.now()), (cookies) => {
      out.setCookies(cookies)
      return { type: 'challenge.sealed' }
    })
  },
})
