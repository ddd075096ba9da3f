import type { Mutant } from '../mutant.ts'

const callback = 'src/steps/callback.ts'
const identity = 'src/steps/identity.ts'
const admission = 'src/steps/admission.ts'
const askSignIn = 'src/steps/ask-sign-in.ts'
const answer = 'src/handler/answer.ts'
const endings = 'src/flows/endings.ts'
const table = 'src/linking/decide-link.ts'

/** Faults of the way back from a provider, and of whom it leads to. */
export const mutants: readonly Mutant[] = [
  {
    id: 'sign-in/ambiguous-query-read',
    file: callback,
    find: 'isForm ? visit.duplicates : findAmbiguous(response)',
    replace: 'isForm ? visit.duplicates : []',
    kills: ['TX-12', 'DEC-08'],
  },
  {
    id: 'sign-in/ambiguous-form-read',
    file: callback,
    find: 'isForm ? visit.duplicates : findAmbiguous(response)',
    replace: 'findAmbiguous(response)',
    kills: ['TX-12', 'DEC-08'],
  },
  {
    id: 'sign-in/form-read-from-query',
    file: callback,
    find: 'isForm ? formParameters(visit.body) : visit.query',
    replace: 'visit.query.has("code") || !isForm ? visit.query : formParameters(visit.body)',
    kills: ['TX-15'],
  },
  {
    id: 'sign-in/query-read-from-form',
    file: callback,
    find: "const isForm = provider.responseMode === 'form_post'",
    replace: "const isForm = provider.responseMode === 'form_post' || visit.method === 'POST'",
    kills: ['TX-15'],
  },
  {
    id: 'sign-in/proxy-trusts-any-state',
    file: callback,
    find: "if (!('claims' in opened)) {",
    replace:
      "if (!('claims' in opened) && state.startsWith('https:')) return { type: 'hop.elsewhere', elsewhere: `${state}?${response.toString()}` }\n      if (!('claims' in opened)) {",
    kills: ['DEC-14a', 'TX-20'],
  },
  {
    id: 'sign-in/every-host-is-a-proxy',
    file: callback,
    find: 'provider.redirectProxy?.origin !== visit.origin || !state',
    replace: '!state',
    kills: ['TX-20'],
  },
  {
    id: 'sign-in/hop-drops-parameters',
    file: callback,
    find: '`${origin}?${response.toString()}`',
    replace: "`${origin}?code=${response.get('code')}&state=${state}`",
    kills: ['WIR-035', 'TX-20'],
  },
  {
    id: 'sign-in/added-check-not-demanded',
    file: callback,
    find: 'configured.includes(check) || listed.includes(check)',
    replace: 'configured.includes(check)',
    kills: ['TX-01', 'DEC-06b'],
  },
  {
    id: 'sign-in/no-check-demanded-where-none-is-configured',
    file: callback,
    find: "checks.length > 0 ? checks : ['state']",
    replace: 'checks',
    kills: ['TX-01', 'TX-09'],
  },
  {
    id: 'sign-in/stale-check-in-the-way',
    file: callback,
    find: 'configured.includes(check) || listed.includes(check))',
    replace: 'configured.includes(check) || listed.includes(check) || check === "state")',
    kills: ['TX-05'],
  },
  {
    id: 'sign-in/nonce-not-compared',
    file: identity,
    find: 'const asked = { response: judgedResponse, redirectUri, codeVerifier, nonce }',
    replace:
      'const asked = { response: judgedResponse, redirectUri, codeVerifier, nonce: nonce && undefined }',
    kills: ['OI-04'],
  },
  {
    id: 'sign-in/address-as-it-came',
    file: identity,
    find: 'canonicaliseEmail: canonicaliseAddress',
    replace: 'canonicaliseEmail: (raw: string) => raw',
    kills: ['DEC-13d'],
  },
  {
    id: 'sign-in/bad-address-not-logged',
    file: identity,
    find: 'if (emailRefused)',
    replace: 'if (false)',
    kills: ['DEC-13d'],
  },
  {
    id: 'sign-in/account-callback-names-the-owner',
    file: admission,
    find: 'return { ...withoutUndefined(kept), provider, providerAccountId, type, userId: id }',
    replace: 'return { provider, providerAccountId, type, userId: id, ...withoutUndefined(kept) }',
    kills: ['PRV-018', 'REC-007'],
  },
  {
    id: 'sign-in/everything-stored',
    file: admission,
    find: '(await settle(provider.account(grant.tokens))) ?? {}',
    replace: 'grant.tokens',
    kills: ['CB-07', 'REC-014', 'WIR-040'],
  },
  {
    id: 'sign-in/orphan-by-a-throwing-callback',
    file: admission,
    find: 'const stored = await answerInTime(',
    replace: 'provider.account(grant.tokens)\n    const stored = await answerInTime(',
    kills: ['FI-02', 'DEC-20b'],
  },
  {
    id: 'sign-in/linked-user-taken-back',
    file: admission,
    find: 'if (failure && !isSameId((await readOwner(account, store))?.id, member.id))',
    replace: 'if (failure)',
    kills: ['FI-02', 'CC-01'],
  },
  {
    id: 'sign-in/lost-answer-is-a-conflict',
    file: admission,
    find: 'const made = await readMade(candidate.id, store)',
    replace: 'const made = null as AdapterUser | null',
    kills: ['FI-02', 'AL-11'],
  },
  {
    id: 'sign-in/orphan-kept',
    file: admission,
    find: "if (store.has('deleteUser')) await store.deleteUser(orphan.id)",
    replace: '',
    kills: ['DEC-20b', 'FI-02', 'CC-01'],
  },
  {
    id: 'sign-in/address-refuses-a-late-owner',
    file: admission,
    find: 'const late = owner ? null : await awaitOwner(account, store, world)',
    replace: 'const late = null as AdapterUser | null',
    kills: ['CC-01', 'DEC-20a'],
  },
  {
    id: 'sign-in/address-proven-by-the-provider',
    file: admission,
    find: 'emailVerified: null }',
    replace: 'emailVerified: new Date(world.platform.now()) }',
    kills: ['REC-025'],
  },
  {
    id: 'sign-in/new-user-not-announced',
    file: admission,
    find: "if (madeNow) world.out.announce({ event: 'createUser', message: { user: madeNow } })",
    replace: '',
    kills: ['AL-07'],
  },
  {
    id: 'sign-in/link-announced-twice',
    file: admission,
    find: "    if (madeNow) world.out.announce({ event: 'createUser', message: { user: madeNow } })",
    replace:
      "    if (madeNow) world.out.announce({ event: 'createUser', message: { user: madeNow } })\n" +
      "    world.out.announce({ event: 'linkAccount', message: { user: member, account, profile: candidate } })",
    kills: ['AL-03', 'AL-07'],
  },
  {
    id: 'sign-in/nothing-lets-in',
    file: askSignIn,
    find: "if (answer) return { type: 'signin.allowed' }",
    replace: "if (answer !== false) return { type: 'signin.allowed' }",
    kills: ['CB-01'],
  },
  {
    id: 'sign-in/other-users-account-opens',
    file: table,
    find: 'if (!currentUser || isSameId(owner.id, currentUser.id))',
    replace: 'if (owner)',
    kills: ['AL-05', 'WIR-043'],
  },
  {
    id: 'sign-in/unverified-as-text-links',
    file: table,
    find: " && verified !== 'false'",
    replace: '',
    kills: ['AL-01'],
  },
  {
    id: 'sign-in/every-error-told',
    file: answer,
    find: "isClientError(error) ? error.type : 'Configuration'",
    replace: 'error.type',
    kills: ['WIR-008'],
  },
  {
    id: 'sign-in/checks-told-as-the-provider',
    file: callback,
    find: 'new InvalidCheck(error, { provider: provider.id })',
    replace: 'new OAuthCallbackError(error, { provider: provider.id })',
    kills: ['WIR-036', 'DEC-31f', 'TX-02'],
  },
  {
    id: 'sign-in/checks-told-as-the-server',
    file: 'src/errors.ts',
    find: "static override type: ErrorType = 'InvalidCheck'\n  static override clientSafe = true",
    replace: "static override type: ErrorType = 'InvalidCheck'\n  static override clientSafe = false",
    kills: ['WIR-036', 'DEC-31f', 'WIR-055'],
  },
  {
    id: 'sign-in/nobody-welcomed',
    file: endings,
    find: 'createdUser !== undefined && createdUser === member',
    replace: 'false',
    kills: ['WIR-042'],
  },
]
