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
      id: 'passwords/one-form-only',
      in: 'verifyForms',
      find: '|| compatible === password',
      replace: '|| compatible !== undefined',
      breaks: ['PW-17'],
    },
    {
      id: 'passwords/hash-not-upgraded',
      in: 'authenticate',
      find: 'if (isOutdated)',
      replace: 'if (isOutdated && user.id === "")',
      breaks: ['PW-03'],
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
      id: 'passwords/told-to-the-log',
      in: 'createHooks',
      find: "if (password === undefined) return 'too-long'",
      replace: "logger.debug('check', { password })\nif (password === undefined) return 'too-long'",
      breaks: ['PW-12'],
    },
  ]),
  ...mutantsOf('src/password/hash.ts', [
    {
      id: 'passwords/only-the-beginning-hashed',
      in: 'derive',
      find: 'new TextEncoder().encode(password)',
      replace: 'new TextEncoder().encode(password).slice(0, 72)',
      breaks: ['PW-06'],
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
  ]),
  ...mutantsOf('src/password/breached.ts', [
    {
      id: 'passwords/padding-counts',
      in: 'isBreached',
      find: '&& Number(count) > 0',
      replace: '&& count !== undefined',
      breaks: ['PW-11'],
    },
  ]),
  ...mutantsOf('src/features/passwords/link.ts', [
    {
      id: 'passwords/link-not-restored',
      in: 'restoreToken',
      find: 'await storeRow({ ...consumedToken, token: newestHash(hashes) }, world)',
      replace: 'void [consumedToken, hashes]',
      breaks: ['FI-09', 'PW-08'],
    },
    {
      id: 'passwords/link-survives-a-reset',
      in: 'bindToken',
      find: '[mail.id, token, storedHash]',
      replace: '[mail.id, token, storedHash === undefined]',
      breaks: ['PW-08'],
    },
    {
      id: 'passwords/expired-link-accepted',
      in: 'consumeToken',
      find: 'consumeHashed(identifier, hashes, world)',
      replace:
        'consumeHashed(identifier, hashes, { ...world, platform: { ...world.platform, now: () => 0 } })',
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
      find: 'const storedToken',
      replace:
        'if (storedHash === null) await requireStore(world).createUser({ id: linkToken, email: identifier, emailVerified: null })\nconst storedToken',
      breaks: ['PW-09'],
    },
  ]),
  ...mutantsOf('src/features/passwords/set.ts', [
    {
      id: 'events/refused-password-told',
      in: 'replacePassword',
      find: "if (!isStored) return { type: 'password.refused', objection: 'mismatch' }",
      replace:
        "if (!isStored) world.out.announce({ event: 'updatePassword', message: { user, isReset: false } })\n    if (!isStored) return { type: 'password.refused', objection: 'mismatch' }",
      breaks: ['EVT-011', 'CB-05'],
    },
    {
      id: 'passwords/change-undoes-a-reset',
      in: 'replacePassword',
      find: 'hash, held)',
      replace: 'held && hash)',
      breaks: ['PW-10'],
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
      id: 'passwords/memory-replaces-any-hash',
      in: 'memoryAdapter',
      find: 'if (held && passwords.get(userId) !== held.hash) return false',
      replace: 'void held',
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
  ...mutantsOf('src/password/provider.ts', [
    {
      id: 'passwords/upgrade-undoes-a-reset',
      in: 'authenticate',
      find: 'adapter.setPassword(user.id, hash, { hash: stored })',
      replace: 'adapter.setPassword(user.id, hash)',
      breaks: ['PW-03'],
    },
    {
      id: 'passwords/any-legacy-result',
      in: 'askLegacy',
      find: 'systemPlatform)) === true',
      replace: 'systemPlatform)) !== false',
      breaks: ['PW-03', 'PW-16'],
    },
  ]),
]
