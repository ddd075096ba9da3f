import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the passkey steps. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/passkey/options.ts', [
    {
      id: 'webauthn/list-store-failure-swallowed',
      in: 'listCredentials',
      find: 'demandStore(world).listAuthenticatorsByUserId(user.id)',
      replace:
        'Promise.resolve().then(() => demandStore(world).listAuthenticatorsByUserId(user.id)).catch(() => [])',
      breaks: ['ERR-013', 'FI-01'],
    },
    {
      id: 'webauthn/credentials-of-a-typed-address-told',
      in: 'listCredentials',
      find: '? undefined',
      replace: '? addressee',
      breaks: ['WA-08'],
    },
    {
      id: 'webauthn/form-registers-who-is-signed-in',
      in: 'chooseCeremony',
      find: '&& !currentUser',
      replace: '',
      breaks: ['WIR-048'],
    },
    {
      id: 'webauthn/typed-address-chooses-the-ceremony',
      in: 'chooseCeremony',
      find: 'webauthnProvider.config.getUserInfo && candidate',
      replace: 'webauthnProvider.config && candidate',
      breaks: ['WIR-048'],
    },
    {
      id: 'webauthn/first-action-counts',
      in: 'readAction',
      find: '.length ===',
      replace: '.length >=',
      breaks: ['WIR-048'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/sign-in.ts', [
    {
      id: 'webauthn/passkey-not-looked-up-again',
      in: 'recheckPasskey',
      find: 'if (createdUser)',
      replace: 'if (createdUser || credentialID)',
      breaks: ['AL-04', 'DEC-39c'],
    },
    {
      id: 'webauthn/late-session-kept',
      in: 'withdrawSession',
      find: 'await demandStore(world).deleteSession(session.sessionToken)',
      replace: '',
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/enrolment.ts', [
    {
      id: 'webauthn/late-passkey-kept',
      in: 'abandonEnrolment',
      find: "if (store.has('deleteAuthenticator')) await store.deleteAuthenticator(authenticator.credentialID)",
      replace: '',
      breaks: ['AL-04', 'DEC-39c'],
    },
    {
      id: 'webauthn/session-not-looked-up-again',
      in: 'recheckSession',
      find: 'if (createdUser ||',
      replace: 'if (Boolean(world) ||',
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/signature-counter.ts', [
    {
      id: 'webauthn/counter-may-stand-still',
      in: 'advanceCounter',
      find: 'counter <= held.counter',
      replace: 'counter < held.counter',
      breaks: ['WA-05', 'WA-01'],
    },
    {
      id: 'webauthn/counter-of-zero-passes',
      in: 'advanceCounter',
      find: 'counter > 0 || authenticator.counter > 0',
      replace: 'counter > 0',
      breaks: ['WA-05'],
    },
    {
      id: 'webauthn/counter-store-unchecked',
      in: 'advanceCounter',
      find: '?.counter === counter',
      replace: ' !== undefined',
      breaks: ['WA-05'],
    },
    {
      id: 'webauthn/counter-store-failure-swallowed',
      in: 'advanceCounter',
      find: 'store.updateAuthenticatorCounter(credentialID, counter, condition, state)',
      replace:
        'Promise.resolve().then(() => store.updateAuthenticatorCounter(credentialID, counter, condition, state)).catch(() => ({ ...authenticator, counter }))',
      breaks: ['WA-05', 'FI-01', 'ERR-013'],
    },
    {
      id: 'webauthn/counter-as-it-was-before',
      in: 'advanceCounter',
      find: 'isCounting ? await readCurrent() : authenticator',
      replace: 'authenticator',
      breaks: ['DEC-47a', 'WA-05'],
    },
    {
      id: 'webauthn/counter-set-whatever-is-stored',
      in: 'advanceCounter',
      find: '{ counter: held.counter }',
      replace: 'undefined as { readonly counter: number } | undefined',
      breaks: ['WA-05'],
    },
    {
      id: 'webauthn/counter-race-is-a-fault',
      in: 'advanceCounter',
      find: 'if (isCounting && counter <= (await readCurrent()).counter) return stale()',
      replace: '',
      breaks: ['WA-05'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/sign-in.ts', [
    {
      id: 'webauthn/offered-or-not',
      in: 'findAuthenticator',
      find: 'challenge.offered.length > 0 && !challenge.offered.includes(await digestOffered(id))',
      replace: 'id === ""',
      breaks: ['WA-07', 'DEC-30d'],
    },
    {
      id: 'webauthn/owner-of-the-account-alone',
      in: 'findCredentialOwner',
      find: '!isSameId(owner.id, userId) ||',
      replace: '',
      breaks: ['WA-07'],
    },
    {
      id: 'webauthn/owner-of-any-challenge',
      in: 'findCredentialOwner',
      find: ', user = owner.id } = challenge',
      replace: ' } = challenge\nconst user = owner.id',
      breaks: ['WA-02', 'WA-07', 'DEC-30c', 'WIR-044', 'AL-05'],
    },
    {
      id: 'webauthn/row-of-any-credential',
      in: 'findAuthenticator',
      find: "?.credentialID === id) return { type: 'authenticator.found', authenticator",
      replace:
        ") return { type: 'authenticator.found', authenticator: { ...authenticator, credentialID: id }",
      breaks: ['WA-07', 'FI-03'],
    },
  ]),
]
