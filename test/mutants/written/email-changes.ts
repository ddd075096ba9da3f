import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in changes of the e-mail address. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/email-change/link.ts', [
    {
      id: 'email-changes/of-any-user',
      in: 'linkText',
      find: "boundTo: ['sub', 'row'],",
      replace: 'boundTo: [],',
      breaks: ['EC-05'],
    },
    {
      id: 'email-changes/address-of-the-form',
      in: 'openLink',
      find: 'identifier: link.address,',
      replace: "identifier: typeof visit.body.email === 'string' ? visit.body.email : link.address,",
      breaks: ['CC-10'],
    },
    {
      id: 'email-changes/older-links-work',
      in: 'takeRow',
      find: 'if (held.getTime() === expires.getTime()) return true',
      replace: 'if (held.getTime() !== 0 && expires.getTime() !== 0) return true',
      breaks: ['EC-03'],
    },
    {
      id: 'email-changes/same-expiry-twice',
      in: 'storeToken',
      find: 'Math.floor(expiryOf(earlier) / 1000) + 1',
      replace: 'Math.floor(expiryOf(earlier) / 1000) * 0',
      breaks: ['EC-03'],
    },
    {
      id: 'email-changes/a-newer-link-is-lost',
      in: 'takeRow',
      find: 'await store.createVerificationToken({ ...row, expires: held })',
      replace: '',
      breaks: ['EC-03'],
    },
    {
      id: 'email-changes/links-for-a-year',
      in: 'storeToken',
      find: '?? options.emailChange.members.maxAge.default',
      replace: '?? options.emailChange.members.maxAge.default * 8766',
      breaks: ['EC-03'],
    },
    {
      id: 'email-changes/works-twice',
      in: 'consumeToken',
      find: 'if (await takeRow(row, expires, demandStore(world)))',
      replace: 'if ((await takeRow(row, expires, demandStore(world))) || expires)',
      breaks: ['EC-05'],
    },
    {
      id: 'email-changes/unsent-link-works',
      in: 'withdrawToken',
      find: 'await takeRow(await rowOf(currentUser), expires, demandStore(world))',
      replace: 'await rowOf({ ...currentUser, emailVerified: expires })\nvoid world',
      breaks: ['EC-09'],
    },
  ]),
  ...mutantsOf('src/flows/email-change/change.ts', [
    {
      id: 'email-changes/taken-address-not-looked-up',
      in: 'findHolderWith',
      find: 'if (addressee)',
      replace: 'if (addressee && identifier === "")',
      breaks: ['EC-04'],
    },
    {
      id: 'email-changes/owner-loses-the-address',
      in: 'findHolderWith',
      find: "if (addressee) return { type: 'address.taken', addressee, ...taken() }",
      replace: "if (addressee) return { type: 'address.contested', claimant: addressee }",
      breaks: ['EC-04', 'EC-06'],
    },
    {
      id: 'email-changes/address-not-verified',
      in: 'changeAddress',
      find: ', emailVerified: new Date(world.platform.now()) }',
      replace: ' }',
      breaks: ['EC-06'],
    },
    {
      id: 'email-changes/nobody-told',
      in: 'sendNotice',
      find: 'if (!to)',
      replace: 'if (!to || to !== "")',
      breaks: ['EC-08'],
    },
    {
      id: 'email-changes/notice-to-the-new-address',
      in: 'sendNotice',
      find: "type: 'changed', to,",
      replace: "type: 'changed', to: identifier,",
      breaks: ['EC-08'],
    },
  ]),
  ...mutantsOf('src/flows/email-change/request.ts', [
    {
      id: 'email-changes/owner-not-told',
      in: 'warnOwner',
      find: 'emailChange?.sendNotice(',
      replace: 'identifier === "" && emailChange?.sendNotice(',
      breaks: ['EC-04'],
    },
  ]),
  ...mutantsOf('src/flows/shared/restore-token.ts', [
    {
      id: 'email-changes/link-not-restored',
      in: 'restoreToken',
      find: 'await demandStore(world).createVerificationToken(consumedToken)',
      replace: 'await Promise.resolve([demandStore(world), consumedToken])',
      breaks: ['EC-09', 'FI-09'],
    },
  ]),
  ...mutantsOf('src/flows/shared/rate-limit.ts', [
    {
      id: 'email-changes/not-limited',
      in: 'askAddressRateLimit',
      find: "ask(visit, () => ({ type: 'email', provider: 'email-change', identifier }), world)",
      replace: '(void [visit, identifier, world], allowed)',
      breaks: ['EC-10'],
    },
  ]),
  ...mutantsOf('src/flows/flows.ts', [
    {
      id: 'email-changes/always-offered',
      in: 'findRoutes',
      find: 'settings[option] !== undefined',
      replace: "(option === 'emailChange' || settings[option] !== undefined)",
      breaks: ['EC-01'],
    },
  ]),
]
