import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the second factor: codes, recovery codes, remembered devices and step-ups. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/second-factor/seal-totp-secret.ts', [
    {
      id: 'second-factor/imported-secret-of-any-form',
      in: 'sealTotpSecret',
      find: '!shape.test(read)',
      replace: 'read === undefined',
      breaks: ['SF-22'],
    },
  ]),
  ...mutantsOf('src/flows/factor/challenge.ts', [
    {
      id: 'factor/code-reusable',
      in: 'compareCode',
      find: '|| found <= record.step',
      replace: '',
      breaks: ['SF-05', 'SU-16'],
    },
    {
      id: 'factor/lost-race-counts',
      in: 'useCode',
      find: "return usedFactor ? { type: 'code.used', usedFactor } : { type: 'factor.outrun' }",
      replace: "return { type: 'code.used', usedFactor: usedFactor ?? factor }",
      breaks: ['SF-05', 'SF-06'],
    },
    {
      id: 'factor/code-not-restored',
      in: 'restoreCode',
      find: 'await writeFactor(factor.record, usedFactor, vaultOf(world))',
      replace: 'await Promise.resolve([factor, usedFactor, world])',
      breaks: ['FI-09'],
    },
    {
      id: 'factor/restored-over-another-request',
      in: 'restoreCode',
      find: 'await writeFactor(factor.record, usedFactor, vaultOf(world))',
      replace:
        'const held = await readFactor(factor.record.userId, vaultOf(world))\n    await writeFactor(factor.record, held ?? usedFactor, vaultOf(world))',
      breaks: ['FI-09', 'SF-11'],
    },
    {
      id: 'factor/limit-not-checked',
      in: 'limitGuesses',
      find: 'if (wait <= 0)',
      replace: 'if (wait <= Infinity)',
      breaks: ['SF-11'],
    },
    {
      id: 'factor/replaced-factor-counts',
      in: 'findFactor',
      find: '!(factor && isHeld(pending, factor.record))',
      replace: '!(factor && isHeld)',
      breaks: ['SF-10'],
    },
  ]),
  ...mutantsOf('src/flows/factor/passkey.ts', [
    {
      id: 'factor/passkey-of-any-user',
      in: 'openFactorChallenge',
      find: 'challenge,\nwebauthnProvider,\nnextFactor,',
      replace: 'challenge: { ...challenge, offered: [], user: undefined },\nwebauthnProvider,\nnextFactor,',
      breaks: ['SF-17'],
    },
    {
      id: 'factor/passkey-after-a-passkey',
      in: 'choosePasskeyProvider',
      find: 'if (first === passkeyMethod)',
      replace: 'if (first === undefined)',
      breaks: ['SF-18'],
    },
    {
      id: 'factor/passkey-challenge-reusable',
      in: 'openFactorChallenge',
      find: 'createdAt <= (record.challengedAt ?? 0)',
      replace: 'createdAt < 0',
      breaks: ['SF-19', 'SU-16'],
    },
  ]),
  ...mutantsOf('src/webauthn/challenge.ts', [
    {
      id: 'factor/passkey-challenge-of-any-sign-in',
      in: 'factorChallengeCookie',
      find: "'user', 'attempt'],",
      replace: "'user'],",
      breaks: ['SF-19'],
    },
    {
      id: 'factor/challenge-of-any-purpose',
      in: 'challengeCookie',
      find: 'claims.factor === undefined ?',
      replace: 'claims.factor !== null ?',
      breaks: ['SF-19'],
    },
  ]),
  ...mutantsOf('src/flows/factor/flow.ts', [
    {
      id: 'factor/pending-sign-in-lost-by-a-fault',
      in: 'factorFlow',
      find: 'restored: faulted',
      replace: 'restored: clearing(faulted, clearPending)',
      breaks: ['FI-09', 'SF-02'],
    },
  ]),
  ...mutantsOf('src/second-factor/recovery-codes.ts', [
    {
      id: 'factor/recovery-code-reusable',
      in: 'removeHash',
      find: '? others : undefined',
      replace: '? hashes : undefined',
      breaks: ['SF-06', 'SU-16'],
    },
  ]),
  ...mutantsOf('src/second-factor/guess-limit.ts', [
    {
      id: 'factor/guesses-not-counted',
      in: 'countFailure',
      find: 'record.failures + 1',
      replace: 'record.failures',
      breaks: ['SF-11'],
    },
  ]),
  ...mutantsOf('src/second-factor/factor-record.ts', [
    {
      id: 'factor/replaced-by-deleting',
      in: 'writeFactor',
      find: 'const stored = await vault.store.setFactor(record.userId, sealed, held && { factor: held.sealed })',
      replace:
        'await vault.store.deleteFactor(record.userId)\n  const stored = await vault.store.setFactor(record.userId, sealed, undefined && held)',
      breaks: ['FI-02', 'SF-05'],
    },
    {
      id: 'factor/secret-stored-in-plain-text',
      in: 'writeFactor',
      find: 'const sealed = await factorText.seal(record, vault)',
      replace:
        'const sealed = await factorText.seal(record, vault)\nawait vault.store.setRecord(record.userId, `secret`, record.secret)',
      breaks: ['SF-04'],
    },
    {
      id: 'factor/second-first-enrolment-succeeds',
      in: 'writeFactor',
      find: "return demandBoolean(stored, 'setFactor') ? { record, sealed } : undefined",
      replace: "return demandBoolean(stored, 'setFactor') || !held ? { record, sealed } : undefined",
      breaks: ['SF-12', 'SF-04'],
    },
    {
      id: 'factor/lost-secret-turns-it-off',
      in: 'readFactor',
      find: 'if (record) return { record, sealed }',
      replace: 'return record ? { record, sealed } : undefined',
      breaks: ['SF-04'],
    },
  ]),
  ...mutantsOf('src/second-factor/pending-sign-in.ts', [
    {
      id: 'factor/pending-in-any-browser',
      in: 'pendingCookie',
      find: "browser: 'factor',",
      replace: '',
      breaks: ['SF-02', 'SF-10'],
    },
    {
      id: 'factor/sign-in-waits-for-a-day',
      find: 'maxAge: 600,',
      replace: 'maxAge: 86_400,',
      breaks: ['SF-10'],
    },
  ]),
  ...mutantsOf('src/flows/flows.ts', [
    {
      id: 'factor/routes-without-the-option',
      in: 'findRoutes',
      find: 'option === undefined || settings[option] !== undefined',
      replace: "option !== 'emailChange' || settings[option] !== undefined",
      breaks: ['SF-15'],
    },
  ]),
  ...mutantsOf('src/second-factor/remembered-device.ts', [
    {
      id: 'factor/device-outlives-enrolment',
      in: 'deviceCookie',
      find: "boundTo: ['userId', 'binding',",
      replace: "boundTo: ['userId',",
      breaks: ['SF-09'],
    },
  ]),
  ...mutantsOf('src/flows/shared/demand-factor.ts', [
    {
      id: 'factor/skipped-by-mail',
      in: 'demandFactor',
      find: 'if (!held ||',
      replace: "if (!held || account.type === 'email' ||",
      breaks: ['SF-01'],
    },
    {
      id: 'factor/skipped-by-providers',
      in: 'demandFactor',
      find: 'if (!held ||',
      replace: "if (!held || account.type === 'oauth' || account.type === 'oidc' ||",
      breaks: ['SF-01', 'POL-01'],
    },
    {
      id: 'factor/skipped-by-credentials',
      in: 'demandFactor',
      find: 'if (!held ||',
      replace: "if (!held || account.type === 'credentials' ||",
      breaks: ['SF-01'],
    },
  ]),
  ...mutantsOf('src/flows/factor/elevate.ts', [
    {
      id: 'factor/step-up-without-mfa',
      in: 'storeElevated',
      find: 'addSecondFactor(first, factorMethod, setup ? undefined : platform.now())',
      replace: '(void [addSecondFactor, factorMethod, platform], first)',
      breaks: ['SF-08'],
    },
  ]),
  ...mutantsOf('src/flows/factor/enrol.ts', [
    {
      id: 'events/enrolment-told-before-it-is-stored',
      in: 'storeFactor',
      find: "if (!isStored) return { type: 'factor.outrun' }\nconst message",
      replace:
        "world.out.announce({ event: 'updateSecondFactor', message: { user, change: 'enrolled' } })\n    if (!isStored) return { type: 'factor.outrun' }\nconst message",
      breaks: ['EVT-012', 'CB-05'],
    },
  ]),
  ...mutantsOf('src/flows/account/factor.ts', [
    {
      id: 'account/recovery-codes-kept',
      in: 'renewCodes',
      find: '{ ...heldFactor.record, recovery }',
      replace: '{ ...heldFactor.record, recovery: [...heldFactor.record.recovery, ...recovery] }',
      breaks: ['ACP-14', 'SF-06'],
    },
    {
      id: 'account/codes-of-concurrent-requests',
      in: 'renewCodes',
      find: 'if (!isStored)',
      replace: 'if (!isStored && !recovery)',
      breaks: ['ACP-14'],
    },
    {
      id: 'events/removal-of-no-factor-told',
      in: 'removeFactor',
      find: 'if (!heldFactor || !(await removeRecord(heldFactor, vaultOf(world))))',
      replace: 'if (heldFactor && !(await removeRecord(heldFactor, vaultOf(world))))',
      breaks: ['EVT-012'],
    },
    {
      id: 'events/new-recovery-codes-not-told',
      in: 'renewCodes',
      find: "tell('renew-recovery-codes', { event: 'updateSecondFactor', message }, { user, visit }, world.out)",
      replace: 'void [tell, message, visit]',
      breaks: ['EVT-012'],
    },
    {
      id: 'account/factor-not-removed',
      in: 'removeFactor',
      find: '!(await removeRecord(heldFactor, vaultOf(world)))',
      replace: 'void [removeRecord, vaultOf]',
      breaks: ['ACP-14'],
    },
  ]),
  ...mutantsOf('src/flows/factor/elevate.ts', [
    {
      id: 'account/device-lost-after-a-code',
      in: 'storeElevated',
      find: 'earlier?.description)',
      replace: 'undefined)',
      breaks: ['ACP-01'],
    },
  ]),
  ...mutantsOf('src/session/authentication.ts', [
    {
      id: 'factor/mfa-without-a-code',
      in: 'describeFirstFactor',
      find: '[methods[type]]',
      replace: "[methods[type], 'mfa']",
      breaks: ['SF-07', 'SF-09'],
    },
  ]),
  ...mutantsOf('src/session/session-token.ts', [
    {
      id: 'factor/client-sets-amr',
      in: 'setOwnClaims',
      find: '...authentication',
      replace: '...(false && authentication)',
      breaks: ['SF-07'],
    },
  ]),
  ...mutantsOf('src/session/sufficient.ts', [
    {
      id: 'factor/any-session-is-fresh',
      in: 'isSufficient',
      find: 'now / 1000 - auth_time <= freshness',
      replace: 'now - auth_time > 0',
      breaks: ['SF-14', 'SF-13'],
    },
  ]),
  ...mutantsOf('src/adapters/memory.ts', [
    {
      id: 'factor/memory-replaces-any-factor',
      in: 'memoryAdapter',
      find: 'if (factors.get(userId) !== held?.factor) return false',
      replace: 'void held',
      breaks: ['SF-12', 'SF-05'],
    },
    {
      id: 'factor/memory-removes-any-factor',
      in: 'memoryAdapter',
      find: '(!held || factors.get(userId) === held.factor) && factors.delete(userId)',
      replace: '(void held, factors.delete(userId))',
      breaks: ['SF-12', 'ACP-14'],
    },
  ]),
  ...mutantsOf('src/flows/shared/demand-factor.ts', [
    {
      id: 'factor/remembered-browser-changes-the-account',
      in: 'demandFactor',
      find: 'held && !rest &&',
      replace: 'held && (!rest || rest) &&',
      breaks: ['SF-09', 'POL-01'],
    },
  ]),
]
