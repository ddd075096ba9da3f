import type { Call, Situation, Stage } from '../situation.ts'
import { ada, store, throwError } from './support.ts'

const text = 'e30'
const response = {
  clientDataJSON: text,
  // {"authData": h''}: malformed input is rejected before it reaches SimpleWebAuthn.
  attestationObject: 'oWhhdXRoRGF0YUA',
  authenticatorData: text,
  signature: text,
  transports: ['internal'],
}
const credential = { id: 'AQID', rawId: 'AQID', type: 'public-key', response, clientExtensionResults: {} }

/** Results of both SimpleWebAuthn versions that the two libraries support. */
const verified = {
  verified: true,
  registrationInfo: {
    counter: 0,
    credentialID: new Uint8Array([1, 2, 3]),
    credentialPublicKey: new Uint8Array([4]),
    credential: { id: 'AQID', publicKey: new Uint8Array([4]), counter: 0 },
    credentialBackedUp: false,
    credentialDeviceType: 'singleDevice',
  },
}

/** The argument that the published library passes to `getUserInfo`. */
interface Internal {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, string>>
}

function emailOf(asked: Request | Internal): string | null | undefined {
  if (asked instanceof Request) return new URL(asked.url).searchParams.get('email')
  return asked.query?.email ?? asked.body?.email
}

function withPasskey(title: string, simple: object, play: (stage: Stage) => Call | Promise<Call>): Situation {
  return {
    group: 'Passkeys',
    title,
    play(stage) {
      const options = async () => ({ challenge: 'Y2hhbGxlbmdl', rp: { id: 'app.test' } })
      const provider = {
        id: 'passkey',
        name: 'Passkey',
        type: 'webauthn',
        enableConditionalUI: false,
        simpleWebAuthnBrowserVersion: false,
        registrationOptions: {},
        authenticationOptions: {},
        verifyRegistrationOptions: {},
        verifyAuthenticationOptions: {},
        formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
        getRelayingParty: () => ({ id: 'app.test', name: 'App', origin: 'https://app.test' }),
        getUserInfo: async (_: unknown, asked: Request | Internal) => {
          const email = emailOf(asked)
          return email ? { user: { id: email, email, name: email }, exists: false } : null
        },
        simpleWebAuthn: {
          generateAuthenticationOptions: options,
          generateRegistrationOptions: options,
          verifyAuthenticationResponse: async () => verified,
          verifyRegistrationResponse: async () => verified,
          ...simple,
        },
      }
      Object.assign(stage.config, {
        adapter: store(),
        session: { strategy: 'jwt' },
        experimental: { enableWebAuthn: true },
        providers: [provider],
      })
      return play(stage)
    },
  }
}

const path = '/auth/callback/passkey'
const data = JSON.stringify(credential)

async function startRegistration(stage: Stage): Promise<Call> {
  await stage.visit({ path: '/auth/webauthn-options/passkey?action=register&email=ada%40example.com' })
  return { path, form: { action: 'register', data, email: 'ada@example.com' } }
}

export const passkeySituations: readonly Situation[] = [
  withPasskey('no action', {}, () => ({ path, form: {} })),
  withPasskey('no challenge', {}, () => ({ path, form: { action: 'register', data } })),
  withPasskey('unknown passkey', {}, async (stage) => {
    await stage.visit({ path: '/auth/webauthn-options/passkey?action=authenticate' })
    return { path, form: { action: 'authenticate', data } }
  }),
  withPasskey('registration does not verify', { verifyRegistrationResponse: throwError }, startRegistration),
  withPasskey('the address belongs to another user in the meantime', {}, async (stage) => {
    const call = await startRegistration(stage)
    const { createUser } = stage.config.adapter as ReturnType<typeof store>
    await createUser?.({ ...ada, emailVerified: null })
    return call
  }),
  withPasskey('options: unknown action', {}, () => ({ path: '/auth/webauthn-options/passkey?action=nope' })),
]
