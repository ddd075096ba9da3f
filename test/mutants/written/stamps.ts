import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in what ends with the stamp of an account. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/policy/stamp.ts', [
    {
      id: 'stamps/never-outdated',
      in: 'isOutdated',
      find: 'if (!store || !stamp) return false',
      replace: 'if (store || !stamp) return false',
      breaks: ['STM-01'],
    },
    {
      id: 'stamps/first-change-overlooked',
      in: 'isOutdated',
      find: 'if (!store || !stamp) return false',
      replace: 'if (!store || !stamp || stamp.value === null) return false',
      breaks: ['STM-01', 'STM-02'],
    },
    {
      id: 'stamps/not-renewed',
      in: 'renewRecord',
      find: 'await store.setRecord(userId, name, after, held)',
      replace: 'await store.setRecord(userId, `${name}s`, after, held)',
      breaks: ['STM-01', 'STM-02', 'STM-03'],
    },
    {
      id: 'stamps/read-by-every-site',
      in: 'isStamped',
      find: 'if (!store) return false',
      replace: 'if (store) return true',
      breaks: ['STM-04'],
    },
    {
      id: 'stamps/no-hash-without-records',
      in: 'readValue',
      find: 'if (!hasPasswords(settings)) return null',
      replace: 'if (hasPasswords(settings)) return null',
      breaks: ['STM-05'],
    },
    {
      id: 'stamps/address-link-lost-after-a-fault',
      in: 'isBound',
      find: "value === current || current?.split('.')[1] === (await sha256Base64url(linkToken))",
      replace: 'value === current || linkToken === current',
      breaks: ['EC-09'],
    },
    {
      id: 'stamps/upgrade-refuses-the-sign-in',
      in: 'keepStamp',
      find: '{ ...stamp, value: await stampHash(hash) }',
      replace: 'stamp',
      breaks: ['STM-05'],
    },
  ]),
  ...mutantsOf('src/flows/shared/issue-session.ts', [
    {
      id: 'stamps/outdated-token-issued',
      in: 'issueToken',
      find: 'facts.stamp && (await isOutdated',
      replace: 'facts.stamp === null && (await isOutdated',
      breaks: ['STM-01'],
    },
    {
      id: 'stamps/outdated-session-stays',
      find: 'await requireStore(world).deleteSession(session.sessionToken)\n      return denyOutdated()',
      replace: 'return denyOutdated()',
      breaks: ['STM-01'],
    },
  ]),
  ...mutantsOf('src/flows/shared/mailed-proof.ts', [
    {
      id: 'stamps/links-not-bound',
      in: 'hashesOf',
      find: 'value === null',
      replace: 'value !== undefined',
      breaks: ['STM-02'],
    },
    {
      id: 'stamps/every-link-bound',
      in: 'hashesOf',
      find: 'value === null',
      replace: 'value === undefined',
      breaks: ['STM-05'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/guess.ts', [
    {
      id: 'stamps/codes-not-bound',
      find: '(requestedCode.stamp ?? null) !== (stamp?.value ?? null)',
      replace: 'requestedCode.expires === 0',
      breaks: ['STM-02'],
    },
    {
      id: 'stamps/codes-without-one-survive-the-first-change',
      find: '(requestedCode.stamp ?? null) !== (stamp?.value ?? null)',
      replace: 'requestedCode.stamp !== undefined && requestedCode.stamp !== stamp?.value',
      breaks: ['STM-02'],
    },
  ]),
  ...mutantsOf('src/features/email-change/link.ts', [
    {
      id: 'stamps/address-links-not-bound',
      find: '(await isBound(linkToken, link?.stamp ?? null, current?.value ?? null))',
      replace: 'isBound !== undefined && current !== undefined',
      breaks: ['STM-02'],
    },
    {
      id: 'stamps/address-links-without-one-survive-the-first-change',
      find: '(await isBound(linkToken, link?.stamp ?? null, current?.value ?? null))',
      replace: '(!link?.stamp || (await isBound(linkToken, link.stamp, current?.value ?? null)))',
      breaks: ['STM-02'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/remembered-device.ts', [
    {
      id: 'stamps/devices-not-bound',
      in: 'deviceCookie',
      find: "'binding', 'stamp'],",
      replace: "'binding'],",
      breaks: ['STM-02'],
    },
  ]),
  ...mutantsOf('src/password/limit-concurrency.ts', [
    {
      id: 'passwords/server-error-beyond-the-queue',
      find: 'throw new RateLimited(',
      replace: 'throw new Error(',
      breaks: ['PW-15'],
    },
  ]),
]
