import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the contract of features: gates, held sign-ins, routes and what features keep. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('machines/admission.ts', [
    {
      id: 'features/new-user-of-a-provider-skips-gates',
      find: "'user.new': 'passingGatesOfNewcomer',\n        'address.contested'",
      replace: "'user.new': 'creatingUser',\n        'address.contested'",
      breaks: ['FT-01'],
    },
  ]),
  ...mutantsOf('src/extend/gates.ts', [
    {
      id: 'features/passed-for-another-user',
      in: 'checkingGate',
      find: 'passed && String(passed.userId) !== String(subject.userId)',
      replace: "passed && String(passed.userId) === ''",
      breaks: ['FT-03'],
    },
    {
      id: 'features/one-gate-passes-all',
      in: 'checkingGate',
      find: 'passed !== undefined && Object.hasOwn(passed.learnt, name)',
      replace: 'passed !== undefined',
      breaks: ['FT-01', 'FT-03'],
    },
    {
      id: 'features/learnt-not-stored',
      in: 'settlingGate',
      find: 'await blame(feature.name, async () => settle(userId, learnt, createTools(feature, visit, world)))',
      replace: 'await blame(feature.name, async () => [settle, learnt, createTools(feature, visit, world)])',
      breaks: ['FT-04'],
    },
  ]),
  ...mutantsOf('src/session/held-sign-in.ts', [
    { id: 'features/held-for-a-day', find: 'maxAge: 600', replace: 'maxAge: 86_400', breaks: ['FT-02'] },
    {
      id: 'features/held-in-any-browser',
      find: "  browser: 'feature',\n  toClaims",
      replace: '  toClaims',
      breaks: ['FT-03'],
    },
  ]),
  ...mutantsOf('src/extend/hold-sign-in.ts', [
    {
      id: 'features/held-after-a-change',
      in: 'useHeld',
      find: 'stamp && (await isOutdated',
      replace: 'stamp && world.settings.debug === undefined && (await isOutdated',
      breaks: ['FT-03'],
    },
    {
      id: 'features/held-in-another-application',
      in: 'openHeld',
      find: '|| held.site !== nameSite(visit, world.settings)',
      replace: '',
      breaks: ['FT-03'],
    },
    {
      id: 'features/held-after-the-user-is-deleted',
      in: 'useHeld',
      find: 'held.isStored && ',
      replace: 'held.isStored === undefined && ',
      breaks: ['FT-03'],
    },
    {
      id: 'features/held-by-any-gate',
      in: 'openHeld',
      find: 'held?.gate !== gate',
      replace: 'held === undefined || gate === ""',
      breaks: ['FT-01', 'FT-03'],
    },
  ]),
  ...mutantsOf('src/handler/run-feature.ts', [
    {
      id: 'features/post-without-csrf-check',
      in: 'readFlow',
      find: "!(refused && 'type' in refused && refused.meta.ending === 'refusal')",
      replace: 'refused === null',
      breaks: ['FT-05'],
    },
  ]),
  ...mutantsOf('src/policy/end-held.ts', [
    {
      id: 'features/held-sign-in-works-twice',
      in: 'takeHeld',
      find: '!store || Boolean(await',
      replace: 'store !== null || Boolean(await',
      breaks: ['FT-02', 'FT-03'],
    },
    {
      id: 'features/held-after-a-logout-at-the-provider',
      in: 'endHeldByGates',
      find: 'String(tools.platform.now())',
      replace: "'0'",
      breaks: ['FT-03'],
    },
  ]),
  ...mutantsOf('src/flows/factor/resume.ts', [
    {
      id: 'features/held-after-the-factor-is-removed',
      in: 'resume',
      find: '!factor || !isHeld(pending, factor.record)',
      replace: 'factor && !isHeld(pending, factor.record)',
      breaks: ['FT-03'],
    },
  ]),
  ...mutantsOf('src/extend/find-fault.ts', [
    {
      id: 'features/any-route',
      in: 'findFaultOfRoutes',
      find: 'ownActions.has(action) || !isOwn(action)',
      replace: 'ownActions.has(action) && !isOwn(action)',
      breaks: ['FT-05'],
    },
  ]),
  ...mutantsOf('src/extend/sealed.ts', [
    {
      id: 'features/record-of-any-user',
      in: 'userRecord',
      find: "boundTo: ['userId'],",
      replace: 'boundTo: [],',
      breaks: ['FT-06'],
    },
    {
      id: 'features/cookie-of-any-browser',
      in: 'featureCookie',
      find: "    browser: 'feature',\n",
      replace: '',
      breaks: ['FT-06'],
    },
  ]),
  ...mutantsOf('src/tools/feature-test/check-flow.ts', [
    {
      id: 'features/kit-misses-facts',
      in: 'checkFacts',
      find: 'needs.filter((fact) => !available.has(fact))',
      replace: 'needs.filter((fact) => !available.has(fact) && fact === undefined)',
      breaks: ['FT-07'],
    },
  ]),
  ...mutantsOf('src/extend/toolbox.ts', [
    {
      id: 'features/csrf-check-of-the-feature',
      in: 'composeFlow',
      find: '{ ...(d.steps as Readonly<Record<string, AnyStep>>), ...coreSteps }',
      replace: '{ ...coreSteps, ...(d.steps as Readonly<Record<string, AnyStep>>) }',
      breaks: ['FT-05'],
    },
  ]),
]
