import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the policy for changes to an account: each removes the fix of a finding, or the effect of a row. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/policy/table.ts', [
    {
      id: 'policy/address-added-by-a-stale-session',
      in: 'policy',
      find: "demands: { ...freshWhereRecorded, also: 'proof of the address' }",
      replace: "demands: { session: 'any', factor: true, also: 'proof of the address' }",
      breaks: ['POL-02'],
    },
    {
      id: 'policy/password-changed-without-the-factor',
      in: 'policy',
      find: "demands: { session: 'any', factor: true, also: 'current password' }",
      replace: "demands: { session: 'any', also: 'current password' }",
      breaks: ['POL-02', 'PW-10'],
    },
    {
      id: 'policy/unlinking-ends-nothing',
      in: 'policy',
      find: "demands: { ...fresh, also: 'another way to sign in remains' }, ends: everythingElse",
      replace: "demands: { ...fresh, also: 'another way to sign in remains' }, ends: []",
      breaks: ['POL-03'],
    },
    {
      id: 'policy/reset-ends-sessions-only',
      in: 'policy',
      find: "demands: { factor: true, also: 'link to the proven address' }, ends: everything",
      replace: "demands: { factor: true, also: 'link to the proven address' }, ends: ['all sessions']",
      breaks: ['POL-03', 'STM-02', 'STM-03'],
    },
    {
      id: 'policy/sessions-outlive-the-removed-factor',
      in: 'policy',
      find: "demands: { also: 'your application' }, ends: everything, authTime: 'no session'",
      replace: "demands: { also: 'your application' }, ends: [], authTime: 'no session'",
      breaks: ['POL-08'],
    },
    {
      id: 'policy/devices-outlive-the-application',
      in: 'policy',
      find: "ends: everything, authTime: 'kept', tells: { event: 'signOut' }",
      replace: "ends: ['all sessions'], authTime: 'kept', tells: { event: 'signOut' }",
      breaks: ['POL-03', 'SF-09', 'STM-02', 'STM-03'],
    },
  ]),
  ...mutantsOf('src/policy/check-change.ts', [
    {
      id: 'email-changes/any-session-suffices',
      in: 'demandsFreshness',
      find: "session === 'fresh' || (session === 'fresh where recorded' && auth_time !== undefined)",
      replace: "String(session) === 'never' && auth_time !== undefined",
      breaks: ['POL-02', 'SF-13', 'SF-20', 'ACP-13', 'EC-02'],
    },
    {
      id: 'policy/links-from-any-session',
      in: 'demandsFreshness',
      find: "(session === 'fresh where recorded' && auth_time !== undefined)",
      replace: "(session === 'fresh where recorded' && auth_time === -1)",
      breaks: ['POL-02', 'SF-20'],
    },
    {
      id: 'policy/unrecorded-sessions-are-stale',
      in: 'demandsFreshness',
      find: ' && auth_time !== undefined',
      replace: ' && auth_time !== -1',
      breaks: ['POL-02'],
    },
    {
      id: 'factor/passkey-added-without-the-factor',
      in: 'check',
      find: 'factor: demands.factor === true && storedFactor !== undefined',
      replace: 'factor: false',
      breaks: ['POL-02', 'SF-13', 'SF-20', 'ACP-13', 'EC-05', 'PW-10'],
    },
  ]),
  ...mutantsOf('src/flows/shared/check-factor.ts', [
    {
      id: 'policy/adding-renews-the-authentication',
      in: 'keepAuthentication',
      find: 'const authentication = isNamed ? held : undefined',
      replace:
        "const authentication = isNamed ? { ...held, auth_time: describeFirstFactor('oauth', Date.now()).auth_time } : undefined",
      breaks: ['POL-04'],
    },
  ]),
  ...mutantsOf('src/session/authentication.ts', [
    {
      id: 'policy/enrolment-forgets-the-authentication',
      in: 'addFactor',
      find: 'now === undefined ? auth_time : Math.floor(now / 1000)',
      replace: 'now === undefined ? auth_time && 0 : Math.floor(now / 1000)',
      breaks: ['POL-04'],
    },
  ]),
  ...mutantsOf('src/policy/kept.ts', [
    {
      id: 'policy/tokens-outlive-changes',
      find: 'ends: endTokens',
      replace: 'ends: endRows',
      breaks: ['POL-03', 'PW-09'],
    },
  ]),
  ...mutantsOf('src/policy/end-kept.ts', [
    {
      id: 'policy/trust-and-pending-outlive-changes',
      in: 'endKept',
      find: 'isRenewed ? await renewStamp(change, userId, world, held, spared?.linkToken) : held',
      replace: '(void renewStamp, held)',
      breaks: ['POL-03', 'SF-09'],
    },
    {
      id: 'passwords/sessions-survive-a-change',
      in: 'endKept',
      find: "if (endsSessions) await endClass('session', userId, scope, world)",
      replace: 'void endsSessions',
      breaks: ['POL-03', 'PW-09', 'PW-10', 'EC-07'],
    },
    {
      id: 'linking/sessions-removed-once-after-passkeys',
      in: 'endKept',
      find: "if (endsSessions) await endClass('session', userId, scope, world)",
      replace:
        "if (endsSessions && !ends.includes('unproven credentials')) await endClass('session', userId, scope, world)",
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/policy/end-sessions.ts', [
    {
      id: 'passwords/change-ends-this-session',
      in: 'endRows',
      find: 'sessionToken !== heldCookie',
      replace: 'sessionToken !== `${heldCookie} `',
      breaks: ['PW-10', 'POL-03'],
    },
    {
      id: 'passwords/sessions-survive-a-reset',
      in: 'removeEach',
      find: 'await requireStore(world).deleteSession(session.sessionToken)',
      replace: 'void [requireStore, world]',
      breaks: ['PW-09', 'PW-10', 'POL-03'],
    },
    {
      id: 'passwords/end-after-the-absolute-end-told',
      in: 'removeEach',
      find: 'isLive(session, settings)',
      replace: '(void isLive, session.expires.getTime() > world.platform.now())',
      breaks: ['PW-09'],
    },
    {
      id: 'passwords/one-failure-spares-the-rest',
      in: 'removeEach',
      find: 'const removals = ended.map(async (session) => {',
      replace: 'const removals = ended.slice(0, 1).map(async (session) => {',
      breaks: ['PW-09', 'PW-10'],
    },
    {
      id: 'manage/expired-rows-left',
      in: 'endRows',
      find: 'sessionToken !== heldCookie',
      replace: 'sessionToken !== heldCookie && ended.every((session) => isLive(session, world.settings))',
      breaks: ['OPT-042'],
    },
    {
      id: 'linking/sessions-outlive-the-first-proof',
      in: 'endRows',
      find: 'await store.deleteSessionsByUserId(userId)',
      replace: '{ /* They remain valid. */ }',
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/policy/end-unproven.ts', [
    {
      id: 'passwords/prepared-password-kept',
      in: 'endPassword',
      find: 'if (hasPasswords(world.settings)) await requireStore(world).deletePassword(userId)',
      replace: 'void [hasPasswords, userId, world, requireStore]',
      breaks: ['PW-13'],
    },
    {
      id: 'linking/passkeys-outlive-the-first-proof',
      in: 'endPasskeys',
      find: 'await store.deleteAuthenticator(credentialID)',
      replace: 'String(credentialID)',
      breaks: ['DEC-39c'],
    },
    {
      id: 'policy/first-proof-removes-the-factor',
      in: 'endPassword',
      find: 'if (hasPasswords(world.settings))',
      replace:
        'if (world.settings.optional.secondFactor) await requireStore(world).deleteFactor(userId)\nif (hasPasswords(world.settings))',
      breaks: ['POL-01'],
    },
  ]),
  ...mutantsOf('machines/address-admission.ts', [
    {
      id: 'policy/first-proof-before-the-factor',
      in: 'addressAdmission',
      find: "'user.known': 'checkingFactor',\n'user.new': 'passingGatesOfNewcomer',\n'address.contested': 'passingGatesOfClaimant',\n'starter.remembered'",
      replace:
        "'user.known': 'revokingAccess',\n'user.new': 'passingGatesOfNewcomer',\n'address.contested': 'passingGatesOfClaimant',\n'starter.remembered'",
      breaks: ['POL-01', 'SF-01'],
    },
    {
      id: 'policy/address-added-by-any-session',
      in: 'addressAdmission',
      find: "'address.gained': 'checkingSession'",
      replace: "'address.gained': 'transferringAddress'",
      breaks: ['POL-02'],
    },
    {
      id: 'policy/added-address-ends-nothing-first',
      in: 'addressAdmission',
      find: "'address.released': 'endingSessions'",
      replace: "'address.released': 'addingAddress'",
      breaks: ['POL-03', 'STM-02'],
    },
  ]),
  ...mutantsOf('machines/admission.ts', [
    {
      id: 'policy/linked-by-address-before-the-factor',
      in: 'admission',
      find: "'link.allowed': 'checkingFactorOfAddressee'",
      replace: "'link.allowed': 'linkingAccount'",
      breaks: ['POL-01'],
    },
    {
      id: 'policy/linked-by-any-session',
      in: 'admission',
      find: "'link.requested': 'checkingSession'",
      replace: "'link.requested': 'keepingAuthentication'",
      breaks: ['POL-02'],
    },
  ]),
  ...mutantsOf('machines/passwords.ts', [
    {
      id: 'policy/password-set-before-the-factor',
      in: 'passwordAdmission',
      find: "'user.known': 'checkingFactor'",
      replace: "'user.known': 'revokingAccess'",
      breaks: ['POL-01', 'SF-01'],
    },
    {
      id: 'policy/service-asked-for-any-link',
      in: 'passwordResetChart',
      find: "checkingRateLimit: checkingRateLimit('readingHash')",
      replace: "checkingRateLimit: checkingRateLimit('checkingPassword')",
      breaks: ['POL-05'],
    },
    {
      id: 'policy/changed-password-ends-nothing-first',
      in: 'passwordChangeChart',
      find: "'password.accepted': 'endingSessions'",
      replace: "'password.accepted': 'replacingPassword'",
      breaks: ['POL-03', 'PW-10', 'STM-02'],
    },
    {
      id: 'policy/reset-ends-nothing-first',
      in: 'passwordAdmission',
      find: "'address.proven': 'endingSessions'",
      replace: "'address.proven': 'storingPassword'",
      breaks: ['POL-03', 'STM-02'],
    },
  ]),
  ...mutantsOf('src/flows/email/verification.ts', [
    {
      id: 'email/restored-link-forgets-its-browser',
      in: 'giveBack',
      find: 'await keepLink(link, visit, world, confirm)',
      replace: '[]',
      breaks: ['FI-09'],
    },
    {
      id: 'policy/deferred-token-is-used-up',
      in: 'deferToken',
      find: 'await giveBack(used, world, { confirm: true })',
      replace: 'void giveBack',
      breaks: ['POL-02'],
    },
  ]),
  ...mutantsOf('src/handler/fire-events.ts', [
    {
      id: 'policy/notices-not-sent',
      in: 'fireInTurn',
      find: 'for (const notice of announcement.notices ?? []) await send(notice, settings)',
      replace: 'void send',
      breaks: ['POL-07'],
    },
    {
      id: 'policy/failed-notice-fails-the-change',
      in: 'send',
      find: "logger.error(new EmailSignInError('A notice could not be sent', asError(error)))",
      replace: 'void logger\nthrow asError(error)',
      breaks: ['POL-07'],
    },
  ]),
  ...mutantsOf('src/policy/tell.ts', [
    {
      id: 'policy/notice-to-one-address-only',
      in: 'tell',
      find: "tells.mail === 'both addresses' ? newAddress : undefined",
      replace: 'newAddress === "" ? newAddress : undefined',
      breaks: ['POL-07'],
    },
    {
      id: 'policy/notice-of-an-address-to-the-new-one-only',
      in: 'tell',
      find: 'withoutPlaceholder(user).email',
      replace: '(newAddress ?? withoutPlaceholder(user).email)',
      breaks: ['POL-07'],
    },
  ]),
  ...mutantsOf('src/handler/manage-sessions.ts', [
    {
      id: 'manage/own-session-revoked',
      in: 'revokeSessions',
      find: 'spared ?? {}',
      replace: 'void spared ?? {}',
      breaks: ['OPT-042'],
    },
  ]),
  ...mutantsOf('src/flows/shared/refresh-session.ts', [
    {
      id: 'email-changes/session-shows-the-earlier-address',
      in: 'refreshSession',
      find: '{ ...token, email: member.email }',
      replace: '{ ...token }',
      breaks: ['EC-07'],
    },
  ]),
  ...mutantsOf('src/adapters/memory.ts', [
    {
      id: 'policy/first-enrolment-replaces-another',
      in: 'memoryAdapter',
      find: 'if (factors.get(userId) !== held?.factor) return false',
      replace: 'if (held && factors.get(userId) !== held.factor) return false',
      breaks: ['SF-12', 'SF-04'],
    },
  ]),
  ...mutantsOf('src/flows/engine/run.ts', [
    {
      id: 'sign-in/identity-held-after-a-failure',
      in: 'run',
      find: 'next.final || !flow.steps[next.step]?.inTurn',
      replace: "node.name.endsWith('linkingAccount')",
      breaks: ['DEC-47c'],
    },
  ]),
  ...mutantsOf('machines/second-factor.ts', [
    {
      id: 'policy/enrolment-ends-nothing-first',
      in: 'factorEnrolmentChart',
      find: "'code.matched': 'endingSessions'",
      replace: "'code.matched': 'storingFactor'",
      breaks: ['POL-03', 'STM-02'],
    },
  ]),
  ...mutantsOf('machines/email-change.ts', [
    {
      id: 'policy/confirmed-address-ends-nothing-first',
      in: 'emailChangeConfirmChart',
      find: "'address.free': 'endingSessions'",
      replace: "'address.free': 'changingAddress'",
      breaks: ['POL-03', 'STM-02'],
    },
  ]),
  ...mutantsOf('machines/backchannel-logout.ts', [
    {
      id: 'policy/provider-logout-of-tokens-spares-held-sign-ins',
      in: 'backchannelLogoutChart',
      find: "'tokens.revoked': 'endingHeldSignIns'",
      replace: "'tokens.revoked': 'loggedOut'",
      breaks: ['POL-06'],
    },
  ]),
  ...mutantsOf('machines/account-page.ts', [
    {
      id: 'policy/unlinking-ends-nothing-first',
      in: 'accountChart',
      find: "'way.spare': 'endingBeforeRemoval'",
      replace: "'way.spare': 'removingWay'",
      breaks: ['POL-03', 'STM-02'],
    },
    {
      id: 'policy/removal-of-the-factor-ends-nothing-first',
      in: 'accountChart',
      find: "'factor.found': 'endingBeforeFactor'",
      replace: "'factor.found': 'removingFactor'",
      breaks: ['POL-03', 'STM-02'],
    },
  ]),
  ...mutantsOf('src/features/account-page/ways.ts', [
    {
      id: 'policy/unlinked-in-silence',
      in: 'removeWay',
      find: "tell('unlink', { event: 'unlinkAccount', message: { user, account } }, { user, visit }, world.out)",
      replace: "world.out.announce({ event: 'unlinkAccount', message: { user, account } })",
      breaks: ['POL-07'],
    },
  ]),
  ...mutantsOf('src/flows/shared/link-account.ts', [
    {
      id: 'policy/linked-in-silence',
      in: 'linkAccount',
      find: 'if (linking) tell(',
      replace: 'if (linking && String(linking.change) === tell.name) tell(',
      breaks: ['POL-07'],
    },
  ]),
  ...mutantsOf('src/features/passwords/set.ts', [
    {
      id: 'policy/reset-in-silence',
      in: 'storePassword',
      find: "else tell('reset-password', announcement, { user, visit }, world.out)",
      replace: 'else world.out.announce(announcement)',
      breaks: ['POL-07'],
    },
  ]),
]
