import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in passwords: their hashes, and the flows that set, reset and change them. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/password/provider.ts', [
    {
      id: 'passwords/unverifiable-hash-ends-the-attempt',
      in: 'askLegacy',
      find: 'return false',
      replace: 'throw error',
      breaks: ['PW-16'],
    },
    {
      id: 'passwords/example-signs-in',
      in: 'verify',
      find: '= verdict ??',
      replace: '= (isLegacyMatch ? undefined : verdict) ??',
      breaks: ['PW-16'],
    },
    {
      id: 'passwords/one-form-only',
      in: 'verifyForms',
      find: '|| compatible === password',
      replace: '|| compatible !== undefined',
      breaks: ['PW-17'],
    },
  ]),
  ...mutantsOf('src/password/hash.ts', [
    {
      // Any buffer of the process then gives access to it.
      id: 'passwords/in-shared-memory',
      in: 'derive',
      find: 'new TextEncoder().encode(password)',
      replace: 'Buffer.from(password)',
      breaks: ['CC-12'],
    },
    {
      id: 'passwords/one-salt-for-all',
      in: 'hashPassword',
      find: 'randomBytes(sizes.salt)',
      replace: '(void randomBytes, Buffer.alloc(sizes.salt))',
      breaks: ['PW-01'],
    },
    {
      id: 'passwords/memory-without-limit',
      in: 'parse',
      find: 'memoryOf(scheme) <= maxMemory',
      replace: 'memoryOf(scheme) > 0',
      breaks: ['PW-01'],
    },
    {
      id: 'passwords/lanes-before-passes',
      in: 'names',
      find: "'t', 'p'",
      replace: "'p', 't'",
      breaks: ['PW-01'],
    },
    {
      id: 'passwords/any-password-matches',
      in: 'verifyHash',
      find: 'timingSafeEqual(derived, hash) && stored !== null',
      replace: 'Boolean(timingSafeEqual) && stored !== null',
      breaks: ['PW-02'],
    },
    {
      id: 'passwords/parameters-never-outdated',
      in: 'verifyHash',
      find: 'scheme.text !== current.text ||',
      replace: '',
      breaks: ['PW-03'],
    },
    {
      id: 'passwords/nobody-costs-less',
      in: 'nobody',
      find: '{ scheme,',
      replace: "{ scheme: { ...scheme, algorithm: 'scrypt', costs: [1, 1, 1] },",
      breaks: ['PW-02'],
    },
  ]),
  ...mutantsOf('src/password/provider.ts', [
    {
      id: 'passwords/unknown-users-not-looked-up',
      in: 'authenticate',
      find: 'const stored =',
      replace: 'if (!user) return null\nconst stored =',
      breaks: ['PW-02'],
    },
    {
      id: 'passwords/hash-not-upgraded',
      in: 'authenticate',
      find: 'if (isOutdated)',
      replace: 'if (isOutdated && user.id === "")',
      breaks: ['PW-03'],
    },
    {
      id: 'passwords/upgrade-undoes-a-reset',
      in: 'authenticate',
      find: ', { hash: stored })',
      replace: ')',
      breaks: ['PW-03'],
    },
    {
      id: 'passwords/sign-in-without-a-password',
      in: 'authenticate',
      find: 'stored === null || !matches',
      replace: 'stored !== null && !matches',
      breaks: ['PW-02'],
    },
    {
      id: 'passwords/short-ones-accepted',
      in: 'createHooks',
      find: '.length < minLength',
      replace: '.length < 1',
      breaks: ['PW-06'],
    },
    {
      id: 'passwords/code-units-as-characters',
      in: 'createHooks',
      find: 'Array.from(password).length',
      replace: 'password.length',
      breaks: ['PW-06'],
    },
    {
      id: 'passwords/long-ones-cut',
      in: 'createHooks.verify',
      find: "const typed = readSecret('password', password)",
      replace:
        "const typed = readSecret('password', password) ?? readSecret('password', password.slice(0, 1024))",
      breaks: ['PW-06'],
    },
    {
      id: 'passwords/breach-check-blocks',
      in: 'createHooks',
      find: 'return undefined } },',
      replace: "return 'breached' } },",
      breaks: ['PW-11'],
    },
    {
      id: 'passwords/told-to-the-log',
      in: 'createHooks',
      find: "if (password === undefined) return 'too-long'",
      replace: "logger.debug('check', { password })\nif (password === undefined) return 'too-long'",
      breaks: ['PW-12'],
    },
  ]),
  ...mutantsOf('src/crypto/read-evenly.ts', [
    {
      id: 'passwords/numeric-ids-reveal-users',
      in: 'readEvenly',
      find: '() => undefined, () => undefined,',
      replace: '() => undefined,',
      breaks: ['PW-07'],
    },
  ]),
  ...mutantsOf('src/password/breached.ts', [
    {
      id: 'passwords/padding-counts',
      in: 'isBreached',
      find: '&& Number(count) > 0',
      replace: '&& count !== undefined',
      breaks: ['PW-11'],
    },
    {
      id: 'passwords/whole-hash-sent',
      in: 'isBreached',
      find: 'fetchRange(hash.slice(0, 5))',
      replace: 'fetchRange(hash)',
      breaks: ['PW-11'],
    },
    {
      id: 'passwords/no-padding',
      in: 'fetchRanges',
      find: "'Add-Padding': 'true', ",
      replace: '',
      breaks: ['PW-11'],
    },
  ]),
  ...mutantsOf('src/flows/password/link.ts', [
    {
      id: 'passwords/link-survives-a-reset',
      in: 'bindToken',
      find: '[mail.id, token, heldHash]',
      replace: '[mail.id, token, heldHash === undefined]',
      breaks: ['PW-08'],
    },
    {
      id: 'passwords/expired-link-accepted',
      in: 'consumeToken',
      find: 'if (consumedToken.expires.getTime() > world.platform.now())',
      replace: 'if (consumedToken.expires.getTime() > 0)',
      breaks: ['PW-08'],
    },
    {
      id: 'passwords/reset-poisoned',
      in: 'sendLink',
      find: '${visit.base}/password-reset',
      replace:
        "${visit.base.replace(new URL(visit.base).host, visit.request.headers.get('x-forwarded-host') ?? new URL(visit.base).host)}/password-reset",
      breaks: ['PW-07'],
    },
    {
      id: 'passwords/user-before-the-proof',
      in: 'storeToken',
      find: 'await demandStore(world)',
      replace:
        'if (heldHash === null) await demandStore(world).createUser({ id: linkToken, email: identifier, emailVerified: null })\nawait demandStore(world)',
      breaks: ['PW-09'],
    },
    {
      id: 'passwords/unknown-addresses-get-no-token',
      in: 'storeToken',
      find: 'await demandStore(world)',
      replace: 'if (heldHash !== null) await demandStore(world)',
      breaks: ['PW-07'],
    },
    {
      id: 'passwords/mail-failure-for-users-only',
      in: 'sendLink',
      find: 'try {',
      replace: "if (!addressee) throw new Error('There is no user')\ntry {",
      breaks: ['PW-07'],
    },
  ]),
  ...mutantsOf('src/flows/password/set.ts', [
    {
      id: 'events/reset-of-a-password-not-told',
      in: 'storePassword',
      find: "else tell('reset-password', announcement, { user, visit }, world.out)",
      replace: '',
      breaks: ['EVT-011'],
    },
    {
      id: 'events/refused-password-told',
      in: 'replacePassword',
      find: "if (!isStored) return { type: 'password.refused', objection: 'mismatch' }",
      replace:
        "if (!isStored) world.out.announce({ event: 'updatePassword', message: { user, isReset: false } })\n    if (!isStored) return { type: 'password.refused', objection: 'mismatch' }",
      breaks: ['EVT-011', 'CB-05'],
    },
    {
      id: 'passwords/changed-without-the-current-one',
      in: 'checkCurrent',
      find: 'return matches',
      replace: 'return matches || current',
      breaks: ['PW-10'],
    },
    {
      id: 'passwords/change-undoes-a-reset',
      in: 'replacePassword',
      find: 'hash, held)',
      replace: 'held && hash)',
      breaks: ['PW-10'],
    },
    {
      id: 'passwords/hash-in-an-event',
      in: 'storePassword',
      find: 'await demandStore(world).setPassword(user.id, await passwordProvider.passwords.hash(password))',
      replace:
        "const hash = await passwordProvider.passwords.hash(password)\nawait demandStore(world).setPassword(user.id, hash)\nworld.out.announce({ event: 'updateUser', message: { user: { ...user, image: hash } } })",
      breaks: ['PW-12'],
    },
  ]),
  ...mutantsOf('src/config/check-config.ts', [
    {
      id: 'passwords/adapter-not-checked',
      in: 'needs',
      find: "'getPassword', 'setPassword', 'deletePassword',",
      replace: '',
      breaks: ['PW-14'],
    },
  ]),
  ...mutantsOf('src/adapters/memory.ts', [
    {
      id: 'passwords/memory-keeps-the-hash-of-a-deleted-user',
      in: 'memoryAdapter',
      find: 'passwords.delete(userId) factors',
      replace: 'factors',
      breaks: ['PW-04'],
    },
    {
      id: 'passwords/memory-replaces-any-hash',
      in: 'memoryAdapter',
      find: 'if (held && passwords.get(userId) !== held.hash) return false',
      replace: 'void held',
      breaks: ['PW-05'],
    },
  ]),
  ...mutantsOf('src/adapters/kysely.ts', [
    {
      id: 'passwords/kysely-replaces-any-hash',
      in: 'kyselyAdapter',
      find: 'passwords.change({ userId }, { hash }, held)',
      replace: 'passwords.change({ userId }, { hash }, held && {})',
      breaks: ['PW-05'],
    },
  ]),
  ...mutantsOf('src/adapters/kysely-writer.ts', [
    {
      id: 'passwords/mariadb-inserts-once',
      in: 'writeInTransactions',
      find: '.onDuplicateKeyUpdate(whole)',
      replace: '.ignore()',
      breaks: ['PW-04'],
    },
  ]),
  ...mutantsOf('src/adapters/redis-script.ts', [
    {
      id: 'passwords/redis-keeps-the-hash-of-a-deleted-user',
      in: 'script',
      find: "'authenticator', 'password', 'factor', 'record' }",
      replace: "'authenticator', 'factor', 'record' }",
      breaks: ['PW-04'],
    },
  ]),
  ...mutantsOf('src/flows/password/link.ts', [
    {
      id: 'passwords/link-hash-of-mailed-sign-ins',
      in: 'bindToken',
      find: 'return hashes.map(async (hash) => sha256Hex(`password ${await hash}`))',
      replace: 'return hashes.map(async (hash) => (void sha256Hex, await hash))',
      breaks: ['PW-08'],
    },
  ]),
  ...mutantsOf('src/password/limit-concurrency.ts', [
    {
      id: 'passwords/any-number-at-once',
      in: 'limitConcurrency',
      find: 'if (free > 0) free--',
      replace: 'if (free > 0) free += 0',
      breaks: ['PW-15'],
    },
  ]),
  ...mutantsOf('src/password/provider.ts', [
    {
      id: 'passwords/checks-are-not-limited',
      in: 'createHooks',
      find: 'limited(() => verifyForms(read, stored, parameters))',
      replace: "verifyHash(read ?? '', stored, parameters)",
      breaks: ['PW-15'],
    },
    {
      id: 'passwords/application-holds-up-other-users',
      in: 'createHooks',
      find: 'const limitedLegacy = limitConcurrency(hashedAtOnce, hashedLater)',
      replace: 'const limitedLegacy = limited',
      breaks: ['PW-15'],
    },
    {
      id: 'passwords/legacy-calls-not-limited',
      in: 'createHooks',
      find: 'await limitedLegacy(() =>',
      replace: 'await ((work: () => Promise<boolean>) => (void limitedLegacy, work()))(() =>',
      breaks: ['PW-15'],
    },
    {
      id: 'passwords/legacy-call-hangs-forever',
      in: 'askLegacy',
      find: 'await answerInTime(work, ',
      replace: 'void answerInTime, await Object(work, ',
      breaks: ['PW-15'],
    },
  ]),
]
