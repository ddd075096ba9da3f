import { mutantsOf, type Mutant } from '../mutant.ts'

const unasked = "run: () => ({ type: 'attempt.allowed' })"

/** Bugs in what the application is asked before an attempt at an account. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/features/email-change/rate-limit.ts', [
    {
      id: 'attempts/new-addresses-as-typed',
      in: 'checkRequestRateLimit',
      find: "ask(visit, () => ({ type: 'email', provider, identifier }), world)",
      replace: "ask(visit, () => ({ type: 'email', provider, identifier: visit.body.email }), world)",
      breaks: ['EC-10', 'RL-09'],
    },
    {
      id: 'attempts/address-links-unasked',
      in: 'checkLinkRateLimit',
      find: "run: ({ visit, identifier }, world) =>\n    ask(visit, () => ({ type: 'verification', provider, identifier }), world)",
      replace: unasked,
      breaks: ['EC-10'],
    },
  ]),
  ...mutantsOf('src/features/passwords/flow.ts', [
    {
      id: 'attempts/password-mails-unasked',
      in: 'passwordRequestFlow',
      find: 'checkRateLimit: checkMailRateLimit,',
      replace: `checkRateLimit: { ...checkMailRateLimit, ${unasked} },`,
      breaks: ['OPT-003'],
    },
    {
      id: 'attempts/password-links-unasked',
      in: 'passwordResetFlow',
      find: 'checkRateLimit: checkVerificationRateLimit,',
      replace: `checkRateLimit: { ...checkVerificationRateLimit, ${unasked} },`,
      breaks: ['OPT-003'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/challenge.ts', [
    {
      id: 'attempts/codes-by-the-held-sign-in',
      in: 'checkRateLimit',
      find: 'account: factor.record.userId,',
      replace: 'account: heldSignIn?.id ?? factor.record.userId,',
      breaks: ['RL-09'],
    },
  ]),
  ...mutantsOf('src/flows/shared/rate-limit.ts', [
    {
      id: 'attempts/nothing-allows',
      in: 'readDecision',
      find: 'decision === true',
      replace: '(decision ?? true) === true',
      breaks: ['OPT-003'],
    },
  ]),
]
