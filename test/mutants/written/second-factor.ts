import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the second factor: codes, recovery codes, remembered devices and step-ups. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/features/second-factor/seal-totp-secret.ts', [
    {
      id: 'second-factor/imported-secret-of-any-form',
      in: 'sealTotpSecret',
      find: '!shape.test(read)',
      replace: 'read === undefined',
      breaks: ['SF-22'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/challenge.ts', [
    {
      id: 'factor/overtaken-code-stored',
      in: 'useCode',
      find: 'const usedFactor = await writeFactor(nextFactor, factor, world)',
      replace:
        'const current = await readFactor(factor.record.userId, world)\nconst usedFactor = await writeFactor(nextFactor, current && current.record.step < nextFactor.step ? current : factor, world)',
      breaks: ['SF-11'],
    },
    {
      id: 'factor/code-reusable',
      in: 'compareCode',
      find: '|| found <= record.step',
      replace: '',
      breaks: ['SF-05', 'SU-16'],
    },
    {
      id: 'factor/code-not-restored',
      in: 'restoreCode',
      find: 'await writeFactor(factor.record, usedFactor, world)',
      replace: 'await Promise.resolve([factor, usedFactor, world])',
      breaks: ['FI-09'],
    },
    {
      id: 'factor/restored-over-another-request',
      in: 'restoreCode',
      find: 'await writeFactor(factor.record, usedFactor, world)',
      replace:
        'const held = await readFactor(factor.record.userId, world)\n    await writeFactor(factor.record, held ?? usedFactor, world)',
      breaks: ['FI-09', 'SF-11'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/passkey.ts', [
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
  ...mutantsOf('src/features/second-factor/challenge-cookie.ts', [
    {
      id: 'factor/passkey-challenge-of-any-sign-in',
      in: 'factorChallengeCookie',
      find: "'user', 'attempt'],",
      replace: "'user'],",
      breaks: ['SF-19'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/factor-record.ts', [
    {
      id: 'factor/guesses-not-counted',
      in: 'countFailure',
      find: 'record.failures + 1',
      replace: 'record.failures',
      breaks: ['SF-11'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/factor-record.ts', [
    {
      id: 'factor/replaced-by-deleting',
      in: 'writeFactor',
      find: 'const stored = await requireStore(world).setFactor(record.userId, sealed, held && { factor: held.sealed })',
      replace:
        'await requireStore(world).deleteFactor(record.userId)\n  const stored = await requireStore(world).setFactor(record.userId, sealed, undefined && held)',
      breaks: ['FI-02', 'SF-05'],
    },
    {
      id: 'factor/secret-stored-in-plain-text',
      in: 'writeFactor',
      find: 'const sealed = await factorText.seal(record, world)',
      replace:
        'const sealed = await factorText.seal(record, world)\nawait requireStore(world).setRecord(record.userId, `secret`, record.secret)',
      breaks: ['SF-04'],
    },
    {
      id: 'factor/second-first-enrolment-succeeds',
      in: 'writeFactor',
      find: "return requireBoolean(stored, 'setFactor') ? { record, sealed } : undefined",
      replace: "return requireBoolean(stored, 'setFactor') || !held ? { record, sealed } : undefined",
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
  ...mutantsOf('src/session/held-sign-in.ts', [
    {
      id: 'factor/pending-in-any-browser',
      in: 'heldSignInCookie',
      find: "browser: 'held-sign-in',",
      replace: '',
      breaks: ['SF-02', 'SF-10', 'FT-03'],
    },
    {
      id: 'factor/sign-in-waits-for-a-day',
      find: 'maxAge: 600,',
      replace: 'maxAge: 86_400,',
      breaks: ['SF-10', 'FT-02'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/feature.ts', [
    {
      id: 'factor/routes-without-the-option',
      in: 'secondFactor',
      find: 'if (!options) return undefined',
      replace: '',
      breaks: ['SF-15'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/gate.ts', [
    {
      id: 'factor/remembered-device-resets-the-password',
      in: 'changesAccount',
      find: 'passwordProvider && linkToken !== undefined',
      replace: "passwordProvider && linkToken === ''",
      breaks: ['SF-09', 'POL-01'],
    },
    {
      id: 'factor/skipped-by-credentials',
      in: 'check',
      find: 'if (!stored)',
      replace: "if (!stored || facts.account.type === 'credentials')",
      breaks: ['SF-01'],
    },
  ]),
  ...mutantsOf('src/flows/session/present.ts', [
    {
      id: 'factor/claims-of-the-callback-replace-ours',
      in: 'renewToken',
      find: 'setOwnClaims(claims, own)',
      replace: '{ ...setOwnClaims({}, own), ...claims }',
      breaks: ['SF-07'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/elevate.ts', [
    {
      id: 'factor/session-at-the-provider-forgotten',
      in: 'storeElevated',
      find: '...parseRow(heldCookie), scope',
      replace: '...parseRow(heldCookie), opening: undefined, scope',
      breaks: ['BCL-03'],
    },
    {
      id: 'factor/step-up-without-mfa',
      in: 'storeElevated',
      find: 'addFactor(first, factorMethod, setup ? undefined : platform.now())',
      replace: '(void [addFactor, factorMethod, platform], first)',
      breaks: ['SF-08'],
    },
    {
      id: 'account/device-lost-after-a-code',
      in: 'storeElevated',
      find: 'earlier?.description)',
      replace: 'undefined)',
      breaks: ['ACP-01'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/change.ts', [
    {
      id: 'account/recovery-codes-kept',
      in: 'renewCodes',
      find: '{ ...storedFactor.record, recovery }',
      replace: '{ ...storedFactor.record, recovery: [...storedFactor.record.recovery, ...recovery] }',
      breaks: ['ACP-14', 'SF-06'],
    },
    {
      id: 'events/new-recovery-codes-not-told',
      in: 'renewCodes',
      find: "tell('renew-recovery-codes', { event: 'updateSecondFactor', message }, { user, visit }, world.out)",
      replace: 'void [tell, message, visit]',
      breaks: ['EVT-012'],
    },
  ]),
  ...mutantsOf('src/session/authentication.ts', [
    {
      id: 'factor/mfa-without-a-code',
      in: 'methodsOf',
      find: '[methods[type]]',
      replace: "[methods[type], 'mfa']",
      breaks: ['SF-07', 'SF-09'],
    },
  ]),
  ...mutantsOf('src/session/authentication.ts', [
    {
      id: 'factor/any-session-is-fresh',
      in: 'isSufficient',
      find: 'now / 1000 - auth_time <= freshness',
      replace: 'now - auth_time > 0',
      breaks: ['SF-14', 'SF-13'],
    },
  ]),
]
