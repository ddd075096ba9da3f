import { mutantsOf, type Mutant } from '../mutant.ts'

/**
 * Bugs in credentials, passkeys, callbacks, events, the store and the mapping of profiles, written without knowledge of
 * the properties.
 */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/credentials/flow.ts', [
    {
      id: 'hunt/password-in-refusal',
      in: 'authorize',
      find: 'provider,\n        })\n        return',
      replace: 'provider,\ncredentials,\n        })\n        return',
      breaks: ['IL-02'],
    },
    {
      id: 'hunt/empty-id-counts-as-missing',
      in: 'identify',
      find: 'if (given !== undefined && given !== null)',
      replace: 'if (given)',
      breaks: ['DEC-13c'],
    },
    {
      id: 'hunt/subject-without-separator',
      in: 'identify',
      find: 'JSON.stringify([provider, canonicaliseClaim(email) ?? email])',
      replace: 'provider + (canonicaliseClaim(email) ?? email)',
      breaks: ['SEA-004'],
    },
    {
      id: 'hunt/authorize-gets-read-request',
      in: 'authorize',
      find: 'rebuildRequest(visit)',
      replace: 'visit.request',
      breaks: ['WIR-047'],
    },
  ]),
  ...mutantsOf('src/flows/shared/rate-limit.ts', [
    {
      id: 'hunt/any-object-allows-the-attempt',
      in: 'judge',
      find: 'if (decision === true) return allowed',
      replace: 'if (decision) return allowed',
      breaks: ['OPT-003'],
    },
  ]),
  ...mutantsOf('src/flows/shared/issue-session.ts', [
    {
      id: 'hunt/token-of-unstored-user',
      in: 'issueToken',
      find: '} = arrival.user',
      replace: '} = facts.candidate',
      breaks: ['WIR-041', 'OI-17'],
    },
    {
      id: 'hunt/loser-of-race-signs-up',
      in: 'describeArrival',
      find: 'createdUser !== undefined && createdUser === member',
      replace: 'createdUser !== undefined',
      breaks: ['AL-07', 'EVT-009'],
    },
  ]),
  ...mutantsOf('src/flows/shared/endings.ts', [
    {
      id: 'hunt/loser-of-race-sees-newcomer-page',
      in: 'signedIn',
      find: 'createdUser !== undefined && createdUser === member',
      replace: 'createdUser !== undefined',
      breaks: ['WIR-042'],
    },
  ]),
  ...mutantsOf('src/flows/shared/ask-sign-in.ts', [
    {
      id: 'hunt/elsewhere-below-base-path',
      in: 'judgeSignIn',
      find: "function judgeSignIn(answer: unknown, { origin }: Visit): Report<typeof says> { if (typeof answer === 'string' && answer !== '') return { type: 'sent.elsewhere', elsewhere: new URL(answer, origin).href }",
      replace:
        "function judgeSignIn(answer: unknown, { request }: Visit): Report<typeof says> {\nif (typeof answer === 'string' && answer !== '') return { type: 'sent.elsewhere', elsewhere: new URL(answer, request.url).href }",
      breaks: ['DEC-02f'],
    },
    {
      id: 'hunt/typed-address-counts-as-verified',
      in: 'askSignIn',
      find: '{ email: typedAddress || null, email_verified: false }',
      replace: '{ email: typedAddress || null }',
      breaks: ['DEC-39a'],
    },
  ]),
  ...mutantsOf('src/flows/shared/link-account.ts', [
    {
      id: 'hunt/account-of-anyone-confirms',
      in: 'confirmAccount',
      find: 'isSameId((await readOwner(account, demandStore(world)))?.id, member.id)',
      replace: '(await readOwner(account, demandStore(world))) !== null',
      breaks: ['CC-01', 'AL-11'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/enrolment.ts', [
    {
      id: 'hunt/typed-address-is-the-users',
      in: 'identifyRegistrant',
      find: 'const candidate = { ...rest, id,',
      replace: 'const candidate = { ...newcomer, id,',
      breaks: ['DEC-39a', 'WA-10'],
    },
    {
      id: 'hunt/enrolment-announced-early',
      in: 'linkCredential',
      find: 'const link = async () =>',
      replace:
        "world.out.announce({ event: 'linkAccount', message: { user: member, account: linked, profile: member } })\nconst link = async () =>",
      breaks: ['AL-07', 'CB-05'],
    },
    {
      id: 'hunt/failed-enrolment-deletes-owner',
      in: 'withdrawEnrolment',
      find: "member.id === createdUser?.id && store.has('deleteUser')",
      replace: "store.has('deleteUser')",
      breaks: ['DEC-02i'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/options.ts', [
    {
      id: 'hunt/handle-of-an-unused-id',
      in: 'buildRegistrationOptions',
      find: '{ ...candidate, id: undefined }',
      replace: '{ ...candidate }',
      breaks: ['AL-11', 'WA-07'],
    },
    {
      id: 'hunt/passkeys-of-an-address-listed',
      in: 'listCredentials',
      find: 'demandsDiscoverable(webauthnProvider.config) ? undefined : addressee',
      replace: 'addressee',
      breaks: ['WA-08'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/sign-in.ts', [
    {
      id: 'hunt/asker-not-bound-to-challenge',
      in: 'findCredentialOwner',
      find: 'const { startedBy, user = owner.id } = challenge',
      replace: 'const { startedBy } = challenge\nconst user = startedBy ?? owner.id',
      breaks: ['WA-02', 'WA-07'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/signature-counter.ts', [
    {
      id: 'hunt/unstored-counter-accepted',
      in: 'advanceCounter',
      find: 'if (stored?.counter === counter)',
      replace: 'if (stored)',
      breaks: ['WA-05'],
    },
  ]),
  ...mutantsOf('src/webauthn/verify.ts', [
    {
      id: 'hunt/user-verification-overridden',
      in: 'verifyAuthentication',
      find: "...given, requireUserVerification: demandsVerification('authenticate', config),",
      replace: "requireUserVerification: demandsVerification('authenticate', config), ...given,",
      breaks: ['WA-04'],
    },
    {
      id: 'hunt/presence-left-to-options',
      in: 'verifyRegistration',
      find: 'requireUserPresence: true,',
      replace: 'requireUserPresence: given.requireUserPresence ?? true,',
      breaks: ['WA-04'],
    },
    {
      id: 'hunt/top-origin-without-flag',
      in: 'demandOwnFrame',
      find: 'if (!crossOrigin && topOrigin === undefined) return',
      replace: 'if (!crossOrigin) return',
      breaks: ['WA-03'],
    },
  ]),
  ...mutantsOf('src/webauthn/ceremony-options.ts', [
    {
      id: 'hunt/relying-party-of-request',
      in: 'findRelyingParty',
      find: 'relayingParty.origin ?? visit.origin',
      replace: 'relayingParty.origin ?? new URL(visit.request.url).origin',
      breaks: ['WA-03'],
    },
    {
      id: 'hunt/handle-as-text-ignored',
      in: 'readHandle',
      find: 'bytes?.length === textLength ? decodeBase64url(new TextDecoder().decode(bytes)) : bytes',
      replace: 'bytes',
      breaks: ['WA-07', 'DEC-30h'],
    },
  ]),
  ...mutantsOf('src/handler/fire-events.ts', [
    {
      id: 'hunt/events-at-once',
      in: 'fireInTurn',
      find: 'await fire(announcement, settings)\nfor (const notice of announcement.notices ?? [])',
      replace: 'void fire(announcement, settings)\nfor (const notice of announcement.notices ?? [])',
      breaks: ['CB-05'],
    },
  ]),
  ...mutantsOf('src/config/store.ts', [
    {
      id: 'hunt/address-turn-of-each-user',
      in: 'rules',
      find: "createUser: { key: ({ email }) => (email ? ['address', email] : undefined),",
      replace: "createUser: { key: ({ id, email }) => (email ? ['address', email, id] : undefined),",
      breaks: ['DEC-47a', 'CC-02'],
    },
    {
      id: 'hunt/credential-registered-twice-at-once',
      in: 'rules',
      find: "store.has('getAuthenticator') ? store.getAuthenticator(credentialID) : null",
      replace: 'null',
      breaks: ['WA-06', 'DEC-47a'],
    },
    {
      id: 'hunt/late-turn-still-works',
      in: 'takeTurn',
      find: 'workInTime(work, now() < until)',
      replace: 'work()',
      breaks: ['DEC-47c'],
    },
  ]),
  ...mutantsOf('src/oauth/read-profile.ts', [
    {
      id: 'hunt/invalid-claim-kept',
      in: 'readMapped',
      find: 'canonicaliseEmail(rawEmail) : undefined',
      replace: '(canonicaliseEmail(rawEmail) ?? rawEmail.trim()) : undefined',
      breaks: ['DEC-13d'],
    },
  ]),
  ...mutantsOf('src/config/default-callbacks.ts', [
    {
      id: 'hunt/id-claim-before-subject',
      in: 'defaultProfile',
      find: 'profile.sub ?? profile.id',
      replace: 'profile.id ?? profile.sub',
      breaks: ['OI-17'],
    },
  ]),
  ...mutantsOf('src/flows/credentials/flow.ts', [
    {
      id: 'hunt/id-needed-for-database-sessions-only',
      in: 'identify',
      find: 'if (world.store)',
      replace: "if (world.settings.session.strategy === 'database')",
      breaks: ['SEA-006'],
    },
    {
      id: 'hunt/event-names-stored-user',
      in: 'findHolder',
      find: "return { type: 'member.found', holder }",
      replace: "return { type: 'member.found', holder, ...{ member: holder } }",
      breaks: ['EVT-008'],
    },
  ]),
  ...mutantsOf('src/flows/passkey/enrolment.ts', [
    {
      // If the store cannot tell whether the session has ended, the passkey stays.
      id: 'hunt/unreadable-session-keeps-passkey',
      in: 'recheckSession',
      find: "world.logger.error(new CallbackRouteError(asError(error))) return { type: 'session.ended' }",
      replace: "world.logger.error(new CallbackRouteError(asError(error)))\nreturn { type: 'session.kept' }",
      breaks: ['FI-01', 'DEC-39c'],
    },
    {
      // A signed-in user keeps the account of a passkey that could not be stored.
      id: 'hunt/failed-passkey-leaves-account',
      in: 'withdrawEnrolment',
      find: "if (linked && store.has('unlinkAccount'))",
      replace: "if (linked && createdUser && store.has('unlinkAccount'))",
      breaks: ['FI-02'],
    },
  ]),
  ...mutantsOf('src/config/store.ts', [
    {
      // The methods of a class are on its prototype.
      id: 'hunt/class-adapter-lacks-methods',
      in: 'wrapStore',
      find: 'findOperation(adapter, name) !== undefined',
      replace: 'Object.hasOwn(adapter, name)',
      breaks: ['FI-04', 'CF-01'],
    },
  ]),
]
