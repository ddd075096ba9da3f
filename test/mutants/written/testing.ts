import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the testing kit. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('fuzz/testing/identity-provider.ts', [
    {
      id: 'tools/provider-chooses-nobody',
      in: 'choose',
      find: 'idp.choose(sub)',
      replace: '',
      breaks: ['KIT-001'],
    },
    {
      id: 'tools/provider-behaves-from-the-beginning',
      in: 'mockIdentityProvider',
      find: 'misbehave, ...(clients',
      replace: 'misbehave: misbehave.slice(0, 0), ...(clients',
      breaks: ['KIT-002'],
    },
  ]),
  ...mutantsOf('fuzz/testing/mailbox.ts', [
    {
      id: 'tools/mailbox-gives-the-first',
      in: 'linkTo',
      find: '.findLast',
      replace: '.find',
      breaks: ['KIT-005'],
    },
  ]),
  ...mutantsOf('fuzz/testing/session-cookie.ts', [
    { id: 'tools/session-without-claims', in: 'seal', find: ', ...claims', replace: '', breaks: ['KIT-003'] },
  ]),
  ...mutantsOf('fuzz/testing/virtual-clock.ts', [
    {
      id: 'tools/clock-rings-in-any-order',
      in: 'advance',
      find: '.toSorted((a, b) => a.due - b.due)',
      replace: '',
      breaks: ['KIT-004'],
    },
  ]),
]
