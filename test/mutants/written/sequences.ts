import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs that only a sequence of actions shows, across features or browsers. Each is one slip in one place. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/policy/table.ts', [
    {
      id: 'sequences/links-outlive-a-change-of-password',
      in: 'policy',
      find: "also: 'current password' }, ends: everythingElse",
      replace: "also: 'current password' }, ends: ['other sessions']",
      breaks: ['POL-03', 'STM-02'],
    },
    {
      id: 'sequences/devices-outlive-the-end-of-sessions',
      in: 'policy',
      find: "name: 'end the other sessions', demands: { session: 'any' }, ends: everythingElse",
      replace: "name: 'end the other sessions', demands: { session: 'any' }, ends: ['other sessions']",
      breaks: ['SF-09', 'STM-02'],
    },
    {
      id: 'sequences/sessions-outlive-an-enrolment',
      in: 'policy',
      find: "name: 'enrol or replace the second factor', demands: fresh, ends: everythingElse",
      replace: "name: 'enrol or replace the second factor', demands: fresh, ends: ['trust', 'pending']",
      breaks: ['POL-03'],
    },
    {
      id: 'sequences/stale-session-enrols',
      in: 'policy',
      find: "name: 'enrol or replace the second factor', demands: fresh,",
      replace: "name: 'enrol or replace the second factor', demands: { session: 'any', factor: true },",
      breaks: ['SF-13'],
    },
    {
      id: 'sequences/remembered-device-removes-the-factor',
      in: 'policy',
      find: "name: 'remove the second factor', demands: fresh,",
      replace: "name: 'remove the second factor', demands: { session: 'fresh' },",
      breaks: ['ACP-13'],
    },
    {
      id: 'sequences/remembered-device-renews-codes',
      in: 'policy',
      find: "name: 'renew recovery codes', demands: fresh,",
      replace: "name: 'renew recovery codes', demands: { session: 'fresh' },",
      breaks: ['ACP-13'],
    },
    {
      id: 'sequences/stale-session-unlinks',
      in: 'policy',
      find: "demands: { ...fresh, also: 'another way to sign in remains' }",
      replace: "demands: { session: 'any', factor: true, also: 'another way to sign in remains' }",
      breaks: ['ACP-13'],
    },
    {
      id: 'sequences/remembered-device-deletes-the-user',
      in: 'policy',
      find: "demands: { ...fresh, also: 'typed address' }",
      replace: "demands: { session: 'fresh', also: 'typed address' }",
      breaks: ['ACP-13'],
    },
  ]),
  ...mutantsOf('src/policy/kept.ts', [
    {
      id: 'sequences/prepared-passkeys-are-trusted',
      in: 'kept',
      find: "class: 'credential', ...each",
      replace: "class: each.name === 'passkeys' ? 'trust' : 'credential', ...each",
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/policy/end-kept.ts', [
    {
      id: 'sequences/own-token-ends-with-the-others',
      in: 'endOthers',
      find: 'world, { heldCookie, token })',
      replace: 'world, (void token, { heldCookie }))',
      breaks: ['PW-10', 'EC-07', 'ACP-08'],
    },
  ]),
  ...mutantsOf('src/policy/end-sessions.ts', [
    {
      id: 'sequences/tokens-outlive-a-reset',
      in: 'endTokens',
      find: '!settings.jwt.revocations) return',
      replace: '!settings.jwt.revocations || !token) return',
      breaks: ['PW-09', 'POL-03'],
    },
  ]),
  ...mutantsOf('src/policy/end-held.ts', [
    {
      id: 'sequences/sign-out-leaves-copies-of-held-sign-ins',
      in: 'endHeldOf',
      find: 'await takeHeld(held.id, world)',
      replace: 'await takeHeld(held.gate, world)',
      breaks: ['POL-06'],
    },
  ]),
  ...mutantsOf('src/policy/stamp.ts', [
    {
      id: 'sequences/stamp-renewed-once',
      in: 'renewRecord',
      find: 'const random = encodeBase64url(',
      replace: 'const random = before ?? encodeBase64url(',
      breaks: ['STM-01', 'STM-02', 'STM-03'],
    },
    {
      id: 'sequences/no-stamps-with-passwords-alone',
      in: 'isStamped',
      find: "kind === 'email' || kind === 'password'",
      replace: "kind === 'email'",
      breaks: ['STM-01', 'STM-02'],
    },
    {
      id: 'sequences/no-stamps-with-mails-alone',
      in: 'isStamped',
      find: 'if (!store)',
      replace: "if (!store || [...providers.values()].every(({ kind }) => kind === 'email'))",
      breaks: ['STM-01', 'STM-02'],
    },
  ]),
  ...mutantsOf('src/session/revocations.ts', [
    {
      id: 'sequences/spared-token-is-spared-for-good',
      in: 'revokeUser',
      find: 'list.add(kept.session, now + 1,',
      replace: 'list.add(kept.session, now + lifetime(settings) * 1000,',
      breaks: ['ACP-08', 'OPT-042', 'POL-03'],
    },
  ]),
  ...mutantsOf('src/session/authentication.ts', [
    {
      id: 'sequences/mailed-link-counts-as-the-code',
      in: 'isSufficient',
      find: "!amr.includes('mfa')",
      replace: "!amr.includes('mfa') && !amr.includes('otp')",
      breaks: ['SF-09', 'SF-13', 'ACP-13'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/held-sign-ins.ts', [
    {
      id: 'sequences/held-sign-ins-end-once',
      in: 'endHeldSignIns',
      find: '{ ...record, endedAt }',
      replace: '{ endedAt, ...record }',
      breaks: ['POL-06'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/seal-totp-secret.ts', [
    {
      id: 'sequences/enrolment-finished-by-the-next-user',
      in: 'setupField',
      find: "boundTo: ['userId'],",
      replace: 'boundTo: [],',
      breaks: ['SF-13'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/enrol.ts', [
    {
      id: 'sequences/code-of-the-enrolment-signs-in',
      in: 'compareFirstCode',
      find: 'step: found,',
      replace: 'step: 0,',
      breaks: ['SF-05'],
    },
    {
      id: 'sequences/recovery-codes-of-the-replaced-app',
      in: 'storeFactor',
      find: 'await writeFactor(nextFactor, storedFactor, world)',
      replace:
        'await writeFactor({ ...nextFactor, recovery: [...(storedFactor?.record.recovery ?? []), ...nextFactor.recovery] }, storedFactor, world)',
      breaks: ['SF-06'],
    },
  ]),
  ...mutantsOf('src/flows/shared/hold-sign-in.ts', [
    {
      id: 'sequences/ended-sign-in-still-links',
      in: 'useHeld',
      find: 'stamp && (await isOutdated',
      replace: "stamp && held.gate !== 'factor' && (await isOutdated",
      breaks: ['STM-02', 'POL-03'],
    },
    {
      id: 'sequences/held-sign-in-forgets-the-provider',
      in: 'onlyNeeded',
      find: 'provider?.endsSessions && { claims: { sub, sid, iat } }',
      replace: '(void [provider, sub, sid, iat], undefined)',
      breaks: ['BCL-01', 'BCL-03'],
    },
  ]),
  ...mutantsOf('src/flows/shared/store-user.ts', [
    {
      id: 'sequences/first-proof-with-a-code-ends-nothing',
      in: 'revokeAccess',
      find: 'run: ({ member, stamp }, world) =>\n    isProven(member) ?',
      replace:
        "run: ({ member, stamp, ...facts }, world) =>\n    isProven(member) || 'factor' in (Object.getOwnPropertyDescriptor(facts, 'passed')?.value ?? {}) ?",
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/challenge.ts', [
    {
      id: 'sequences/recovery-code-stays',
      in: 'compareRecoveryCode',
      find: 'clearFailures({ ...record, recovery })',
      replace: 'clearFailures(record)',
      breaks: ['SF-06'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/elevate.ts', [
    {
      id: 'sequences/step-up-forgets-the-provider',
      in: 'storeElevated',
      find: '{ ...parseRow(heldCookie), scope',
      replace: '{ ...(void parseRow(heldCookie), {}), scope',
      breaks: ['SF-08', 'BCL-03'],
    },
    {
      id: 'sequences/enrolment-renews-the-authentication',
      in: 'storeElevated',
      find: 'setup ? undefined : platform.now()',
      replace: '(void setup, platform.now())',
      breaks: ['POL-04'],
    },
  ]),
  ...mutantsOf('machines/second-factor.ts', [
    {
      id: 'sequences/step-up-keeps-the-earlier-session',
      in: 'elevation',
      find: "'session.stored': 'revokingPreviousSession'",
      replace: "'session.stored': 'settingCookies'",
      breaks: ['SF-08'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/gate.ts', [
    {
      id: 'sequences/passkey-skips-the-factor',
      in: 'check',
      find: 'if (!stored)',
      replace: "if (!stored || facts.account.type === 'webauthn')",
      breaks: ['SF-01'],
    },
  ]),
  ...mutantsOf('src/flows/shared/check-factor.ts', [
    {
      id: 'sequences/remembered-device-counts-as-the-code',
      in: 'checkFactor',
      find: 'gate && enteredFactor(passed)',
      replace:
        "(await gate?.read(idOf(facts), world)) && { method: 'otp' as const, at: platform.now(), ...enteredFactor(passed) }",
      breaks: ['SF-09'],
    },
    {
      id: 'sequences/held-link-forgets-the-passkey',
      in: 'holdLink',
      find: 'const first = authenticationOf(facts)',
      replace: 'const first = void authenticationOf(facts)',
      breaks: ['SF-18'],
    },
  ]),
  ...mutantsOf('machines/admission.ts', [
    {
      id: 'sequences/vouched-account-skips-the-factor',
      in: 'admission',
      find: "'address.vouched': 'checkingFactorOfVouched'",
      replace: "'address.vouched': 'revokingAccess'",
      breaks: ['SF-01', 'POL-01'],
    },
    {
      id: 'sequences/link-needs-no-code',
      in: 'admission',
      find: "'step-up.demanded': 'holdingLink'",
      replace: "'step-up.demanded': 'keepingAuthentication'",
      breaks: ['POL-02'],
    },
    {
      id: 'sequences/linking-forgets-the-authentication',
      in: 'admission',
      find: "'session.sufficient': 'keepingAuthentication', 'step-up",
      replace: "'session.sufficient': 'linkingAccount', 'step-up",
      breaks: ['POL-02', 'POL-04', 'SF-07'],
    },
    {
      id: 'sequences/linking-is-a-new-authentication',
      in: 'admission',
      find: "'session.sufficient': 'keepingAuthentication', 'step-up",
      replace: "'session.sufficient': 'describingNewcomer', 'step-up",
      breaks: ['POL-04'],
    },
  ]),
  ...mutantsOf('machines/passkey-admission.ts', [
    {
      id: 'sequences/stale-session-adds-a-passkey',
      in: 'enrolment',
      find: "'registrant.identified': 'checkingSession'",
      replace: "'registrant.identified': 'callingSignIn'",
      breaks: ['SF-20', 'POL-02'],
    },
    {
      id: 'sequences/adding-a-passkey-is-a-new-authentication',
      in: 'enrolment',
      find: "'passkey.announced': 'keepingAuthentication'",
      replace: "'passkey.announced': 'describingNewcomer'",
      breaks: ['POL-04'],
    },
  ]),
  ...mutantsOf('machines/address-admission.ts', [
    {
      id: 'sequences/added-address-ends-nothing',
      in: 'addressAdmission',
      find: "'address.added': 'endingSessionsAgain'",
      replace: "'address.added': 'refreshingSession'",
      breaks: ['POL-03'],
    },
  ]),
  ...mutantsOf('machines/passwords.ts', [
    {
      id: 'sequences/prepared-passkeys-outlive-the-first-password',
      in: 'passwordAdmission',
      find: "passingGates: passingGates('revokingAccess')",
      replace: "passingGates: passingGates('provingAddress')",
      breaks: ['AL-04', 'DEC-39c'],
    },
  ]),
  ...mutantsOf('src/features/account-page/flow.ts', [
    {
      id: 'sequences/removal-of-the-factor-ends-nothing',
      in: 'accountFlow',
      find: "endForFactor: endOthers('remove-factor')",
      replace: "endForFactor: endOthers('renew-recovery-codes')",
      breaks: ['POL-03', 'STM-02'],
    },
  ]),
  ...mutantsOf('src/features/account-page/ways.ts', [
    {
      id: 'sequences/another-passkey-removed',
      in: 'readWays',
      find: 'passkeys.find(({ providerAccountId }) => providerAccountId === account.providerAccountId)',
      replace: 'passkeys.find(({ userId: owner }) => isSameId(owner, account.userId))',
      breaks: ['ACP-17'],
    },
  ]),
  ...mutantsOf('src/features/backchannel-logout/flow.ts', [
    {
      id: 'sequences/provider-logout-spares-held-sign-ins',
      in: 'endHeldSignIns',
      find: 'if (user) await endHeld(user.id, world)',
      replace: 'void [user, endHeld, world]',
      breaks: ['POL-06'],
    },
  ]),
  ...mutantsOf('src/features/email-change/flow.ts', [
    {
      id: 'sequences/stale-session-requests-an-address',
      in: 'emailChangeFlow',
      find: "checkChange('request-address')",
      replace: "checkChange('confirm-address')",
      breaks: ['EC-02'],
    },
  ]),
  ...mutantsOf('src/features/email-change/change.ts', [
    {
      id: 'sequences/change-of-address-ends-nothing',
      in: 'endSessions',
      find: 'await endKept(confirming, currentUser.id, world, spared)',
      replace: "await endKept('request-address', currentUser.id, world, spared)",
      breaks: ['EC-07', 'POL-03', 'SF-09'],
    },
  ]),
  ...mutantsOf('src/features/email-change/link.ts', [
    {
      id: 'sequences/address-links-from-before-the-first-stamp',
      in: 'openLink',
      find: '(await isBound(linkToken, link?.stamp ?? null, current?.value ?? null))',
      replace: '(link?.stamp === undefined || link.stamp === current?.value)',
      breaks: ['STM-02'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/guess.ts', [
    {
      id: 'sequences/codes-from-before-the-first-stamp',
      in: 'compareCode',
      find: '(requestedCode.stamp ?? null) !== (stamp?.value ?? null)',
      replace: 'requestedCode.stamp !== undefined && requestedCode.stamp !== stamp?.value',
      breaks: ['STM-02'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/request.ts', [
    {
      id: 'sequences/guessed-code-outlives-the-next-one',
      in: 'endOlderCode',
      find: 'tokensOfAttempt(older, provider, world.settings)',
      replace: 'tokensOfAttempt({ ...older, attempt: 1 }, provider, world.settings)',
      breaks: ['CD-06'],
    },
  ]),
  ...mutantsOf('src/flows/email/verification.ts', [
    {
      id: 'sequences/links-from-before-the-first-stamp',
      in: 'consumeToken',
      find: 'const hashes = await hashesOf(linkToken, mailProvider, world.settings, stamp)',
      replace:
        'const plain = await hashesOf(linkToken, mailProvider, world.settings)\nconst hashes = [...(await hashesOf(linkToken, mailProvider, world.settings, stamp)), ...plain]',
      breaks: ['STM-02'],
    },
  ]),
  ...mutantsOf('src/features/passwords/link.ts', [
    {
      id: 'sequences/reset-link-outlives-other-changes',
      in: 'bindToken',
      find: ', mail, settings, stamp)',
      replace: ', mail, settings, void stamp)',
      breaks: ['STM-02'],
    },
  ]),
]
