import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the passkey ceremonies and their steps. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/features/passkeys/ceremony.ts', [
    {
      id: 'webauthn/credentials-of-a-typed-address-told',
      in: 'listCredentials',
      find: '? undefined',
      replace: '? addressee',
      breaks: ['WA-08'],
    },
    {
      id: 'webauthn/typed-address-looked-up',
      in: 'findAsker',
      find: "return readNewcomer(visit.query.get('email'))",
      replace:
        "{ const known = await store.getUserByEmail(visit.query.get('email') ?? ''); return known ? { known } : readNewcomer(visit.query.get('email')) }",
      breaks: ['WA-08'],
    },
  ]),
  ...mutantsOf('src/features/passkeys/enrolment.ts', [
    {
      id: 'webauthn/late-passkey-kept',
      in: 'abandonEnrolment',
      find: "if (store.has('deleteAuthenticator')) await store.deleteAuthenticator(authenticator.credentialID)",
      replace: '',
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/flows/shared/prove-passkey.ts', [
    {
      id: 'webauthn/counter-of-zero-passes',
      in: 'advanceCounter',
      find: 'counter > 0 || authenticator.counter > 0',
      replace: 'counter > 0',
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
  ...mutantsOf('src/webauthn/authenticator.ts', [
    {
      id: 'webauthn/garbled-rows-used',
      in: 'readAuthenticator',
      find: 'isCount(row.counter)',
      replace: 'row.counter !== undefined',
      breaks: ['FI-03'],
    },
    {
      id: 'webauthn/garbled-lists-used',
      in: 'readAuthenticators',
      find: "throw new AdapterError(`The adapter's ${operation} returned no list`)",
      replace: 'return []',
      breaks: ['FI-03'],
    },
    {
      id: 'webauthn/key-in-base64url',
      in: 'encodeBase64',
      find: ".replaceAll('-', '+').replaceAll('_', '/')",
      replace: '',
      breaks: ['REC-034', 'DEC-30a'],
    },
  ]),
  ...mutantsOf('src/webauthn/ceremony-options.ts', [
    {
      id: 'webauthn/challenge-of-zeros',
      in: 'makeRegistrationOptions',
      find: ': randomBytes',
      replace: ': new Uint8Array',
      breaks: ['WIR-048', 'DEC-30c'],
    },
    {
      id: 'webauthn/statement-verified-unasked',
      in: 'asksForAttestation',
      find: "!== 'none'",
      replace: '!== undefined',
      breaks: ['WA-13', 'DEC-30i', 'LM-11'],
    },
    {
      id: 'webauthn/statement-never-verified',
      in: 'asksForAttestation',
      find: "(registrationOptions?.attestationType ?? 'none') !== 'none'",
      replace: 'false',
      breaks: ['DEC-30i'],
    },
    {
      id: 'webauthn/user-handle-unread',
      in: 'admitsUser',
      find: '=== encodeHex(await makeUserHandle(userId',
      replace: '!== encodeHex(await makeUserHandle(""',
      breaks: ['WA-07'],
    },
  ]),
  ...mutantsOf('src/webauthn/challenge.ts', [
    {
      id: 'webauthn/challenge-of-any-provider',
      in: 'challengeCookie',
      find: "boundTo: ['ceremony', 'provider'],",
      replace: "boundTo: ['ceremony'],",
      breaks: ['WA-02', 'DEC-30c'],
    },
    {
      id: 'webauthn/challenge-without-a-clock',
      in: 'challengePlace',
      find: 'maxAge: 900',
      replace: 'maxAge: 86_400',
      breaks: ['WA-02'],
    },
    {
      id: 'webauthn/whole-ids-in-the-cookie',
      in: 'digestOffered',
      find: '(await sha256Base64url(credentialID)).slice(0, 22)',
      replace: 'credentialID',
      breaks: ['DEC-30j'],
    },
  ]),
  ...mutantsOf('src/webauthn/credential.ts', [
    {
      id: 'webauthn/json-of-any-depth',
      in: 'parseObject',
      find: '|| findExcessInText(text, { values: maxFields }) !== undefined',
      replace: '',
      breaks: ['LM-10'],
    },
    {
      id: 'webauthn/handle-demanded-in-base64url',
      in: 'parseCredential',
      find: "typeof userHandle !== 'string'",
      replace: "!(userHandle === '' || isEncoded(userHandle))",
      breaks: ['DEC-30h'],
    },
    {
      id: 'webauthn/cross-origin-unread',
      in: 'parseCredential',
      find: 'crossOrigin !==',
      replace: '',
      breaks: ['WA-03'],
    },
    {
      id: 'webauthn/json-that-throws',
      in: 'parseObject',
      find: '{ return undefined',
      replace: '(error) {\nthrow error',
      breaks: ['WA-12'],
    },
  ]),
  ...mutantsOf('src/webauthn/verify.ts', [
    {
      id: 'webauthn/origin-of-any-port',
      in: 'expected',
      find: 'party.origin',
      replace: "[party.origin, `${party.origin}:8443`, String(party.origin).replace('https', 'http')].flat()",
      breaks: ['WA-03'],
    },
    {
      id: 'webauthn/presence-waived-at-registration',
      in: 'verifyRegistrationResponse',
      find: 'requireUserPresence: true,',
      replace: '',
      breaks: ['WA-04'],
    },
    {
      id: 'webauthn/backup-state-unread',
      in: 'verifyAuthenticationResponse',
      find: 'authenticationInfo?.credentialBackedUp ??',
      replace: '',
      breaks: ['WA-14'],
    },
    {
      id: 'webauthn/backup-state-dropped',
      in: 'verifyRegistrationResponse',
      find: ', credentialDeviceType,',
      replace: ': true,\ncredentialDeviceType,',
      breaks: ['REC-036'],
    },
    {
      id: 'webauthn/account-by-another-id',
      in: 'verifyRegistrationResponse',
      find: ': credentialID',
      replace: ': credential.id',
      breaks: ['REC-037'],
    },
  ]),
  ...mutantsOf('src/token/sealed.ts', [
    {
      id: 'webauthn/challenge-kept',
      in: 'sealedCookie',
      find: 'clearChunked(visit.cookies, format.cookie(visit))',
      replace:
        "format.cookie(visit).name.endsWith('.challenge') ? [] : clearChunked(visit.cookies, format.cookie(visit))",
      breaks: ['WA-01', 'DEC-12a'],
    },
  ]),
]
