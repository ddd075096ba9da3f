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
  ...mutantsOf('src/flows/shared/hold-sign-in.ts', [
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
    {
      id: 'features/gates-not-in-features',
      in: 'runFeature',
      find: 'addGates(replace(readFlow(own, feature, route)), world.settings)',
      replace: 'readFlow(own, feature, route)',
      breaks: ['FT-01', 'FT-09'],
    },
  ]),
  ...mutantsOf('src/policy/end-held.ts', [
    {
      id: 'features/held-sign-in-works-twice',
      in: 'takeHeld',
      find: '!store || Boolean(await',
      replace: "!store || token !== '' || Boolean(await",
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
  ...mutantsOf('src/extend/claim-identity.ts', [
    {
      id: 'features/target-not-approved',
      in: 'claimIdentity',
      find: 'callbackUrl: await chooseTarget(target, visit, world)',
      replace: 'callbackUrl: target',
      breaks: ['FT-08'],
    },
    {
      id: 'features/link-for-anyone',
      in: 'claimAccount',
      find: '{ startedBy: String(linkTo), isLink: true }',
      replace: '{ startedBy: String(linkTo) }',
      breaks: ['FT-13'],
    },
  ]),
  ...mutantsOf('src/extend/toolbox.ts', [
    {
      id: 'features/session-without-admission',
      in: 'requireOnlyAdmission',
      find: '[...stepNames(Object.fromEntries(others)), ...Object.keys(own)]',
      replace: 'Object.keys(own)',
      breaks: ['FT-08'],
    },
    {
      id: 'features/identity-not-held',
      in: 'factsOfIdentity',
      find: "['identity', 'candidate',",
      replace: "['candidate',",
      breaks: ['FT-09'],
    },
  ]),
  ...mutantsOf('src/extend/one-time-code.ts', [
    {
      id: 'features/code-works-twice',
      in: 'oneTimeCode.use',
      find: '!isFirst || kept.stamp',
      replace: 'kept.stamp',
      breaks: ['FT-10'],
    },
    {
      id: 'features/code-with-endless-guesses',
      in: 'oneTimeCode.use',
      find: 'attempt: kept.attempt + 1',
      replace: 'attempt: kept.attempt',
      breaks: ['FT-10'],
    },
    {
      id: 'features/code-outlives-a-change',
      in: 'stampOf',
      find: 'return stamp?.value ?? undefined',
      replace: 'return stamp && undefined',
      breaks: ['FT-10'],
    },
    {
      id: 'features/code-in-any-browser',
      in: 'oneTimeCode',
      find: "    browser: 'feature',\n",
      replace: '',
      breaks: ['FT-10'],
    },
  ]),
  ...mutantsOf('src/session/authentication.ts', [
    {
      id: 'features/method-unknown',
      in: 'methodsOf',
      find: '[way.config.signIn.amr]',
      replace: "['fed']",
      breaks: ['FT-11'],
    },
  ]),
  ...mutantsOf('src/flows/shared/rate-limit.ts', [
    {
      id: 'features/rate-limit-of-any-feature',
      in: 'checkFeatureRateLimit',
      find: "provider: world.feature?.name ?? ''",
      replace: "provider: ''",
      breaks: ['FT-12'],
    },
  ]),
  ...mutantsOf('src/features/second-factor/gate.ts', [
    {
      id: 'features/held-after-the-factor-is-removed',
      in: 'check',
      find: 'return isSame ?',
      replace: 'return isSame || !stored ?',
      breaks: ['FT-03'],
    },
    {
      id: 'features/factor-of-another-user',
      in: 'check',
      find: 'isAwaited(entered.binding,',
      replace: 'isAwaited(stored.record.binding,',
      breaks: ['SF-02', 'FT-03'],
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
    {
      id: 'features/same-method-as-a-proof-by-session',
      in: 'findSameMethod',
      find: 'if (!other) return undefined',
      replace: 'if (!other || name) return undefined',
      breaks: ['FT-32'],
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
      find: '{ ...own, ...admission, ...coreSteps }',
      replace: '{ ...admission, ...coreSteps, ...own }',
      breaks: ['FT-05'],
    },
  ]),
  ...mutantsOf('src/policy/end-by-features.ts', [
    {
      id: 'features/keep-everything',
      in: 'endByFeatures',
      find: 'of world.settings.features)',
      replace: 'of world.settings.features.slice(0, 0))',
      breaks: ['FT-15'],
    },
  ]),
  ...mutantsOf('src/handler/call-method.ts', [
    {
      id: 'features/methods-of-any-feature',
      in: 'callMethod',
      find: 'each === feature',
      replace: 'each.name === feature.name',
      breaks: ['FT-14'],
    },
  ]),
  ...mutantsOf('src/extend/sealed.ts', [
    {
      id: 'features/update-loses-a-change',
      in: 'changeStored',
      find: 'if (isDone) return value',
      replace: 'if (isDone !== undefined) return value',
      breaks: ['FT-06'],
    },
  ]),
  ...mutantsOf('src/extend/gates.ts', [
    {
      id: 'features/learnt-of-a-way-not-stored',
      in: 'settlingWay',
      find: 'feature?.name !== name || learnt === undefined',
      replace: 'feature?.name !== name || learnt !== undefined',
      breaks: ['FT-16'],
    },
  ]),
  ...mutantsOf('src/handler/continue-held.ts', [
    {
      id: 'features/blank-page-after-a-hold',
      in: 'runHeld',
      find: 'const begun = own &&',
      replace: "const begun = own && held.flow === '' &&",
      breaks: ['FT-16'],
    },
  ]),
  ...mutantsOf('src/extend/claim-identity.ts', [
    {
      id: 'features/admitted-after-a-get',
      in: 'claimIdentity',
      find: "visit.method !== 'POST'",
      replace: "visit.method !== 'POST' && way.id === ''",
      breaks: ['FT-08'],
    },
    {
      id: 'features/account-need-not-exist',
      in: 'claimIdentity',
      find: 'if (identity.mustExist && ',
      replace: "if (identity.mustExist && way.id === '' && ",
      breaks: ['FT-19'],
    },
    {
      id: 'features/any-session-proves',
      in: 'isOpener',
      find: '&& amr.includes(config.signIn.amr)',
      replace: '',
      breaks: ['FT-18', 'FT-32'],
    },
    {
      id: 'features/approval-of-unknown-age',
      in: 'describeBorrowed',
      find: 'authTime ?? 0',
      replace: 'authTime ?? stale',
      breaks: ['FT-18'],
    },
  ]),
  ...mutantsOf('src/rate-limit/create-rate-limits.ts', [
    {
      id: 'features/one-count-for-all-visitors',
      in: 'createRateLimits.countSubject',
      find: 'attempt.identifier === undefined',
      replace: "attempt.identifier === ''",
      breaks: ['FT-12'],
    },
  ]),
  ...mutantsOf('src/extend/tools.ts', [
    {
      id: 'features/json-without-status',
      in: 'createTools',
      find: '      json,\n',
      replace: '      json: (data) => json(data),\n',
      breaks: ['FT-20'],
    },
  ]),
  ...mutantsOf('src/extend/keyed-record.ts', [
    {
      id: 'features/keyed-record-of-any-key',
      in: 'keyedRecord',
      find: "boundTo: ['hash'],",
      replace: 'boundTo: [],',
      breaks: ['FT-17'],
    },
    {
      id: 'features/keyed-record-extended',
      in: 'keyedRecord',
      find: 'stored?.expires ?? ',
      replace: '',
      breaks: ['FT-17'],
    },
    {
      id: 'features/keyed-record-in-the-way',
      in: 'keyedRecord',
      find: 'return store.setKeyedRecord(row, { value: sealed })',
      replace: 'return false',
      breaks: ['FT-17'],
    },
    {
      id: 'features/keyed-record-lost-with-a-new-secret',
      in: 'keyedRecord',
      find: 'return hashes.map(',
      replace: 'return hashes.slice(0, 1).map(',
      breaks: ['FT-17'],
    },
    {
      id: 'features/keyed-record-removed-twice',
      in: 'keyedRecord',
      find: 'deleteKeyedRecord(hash, { value: sealed })',
      replace: 'setKeyedRecord({ key: hash, value: sealed, expires: new Date(0) }, { value: sealed })',
      breaks: ['FT-17'],
    },
  ]),
  ...mutantsOf('src/flows/shared/approve-sign-in.ts', [
    {
      id: 'features/approval-works-twice',
      in: 'openApproval',
      find: '!isHeld && !(await',
      replace: '!isHeld && !text && !(await',
      breaks: ['FT-18'],
    },
    {
      id: 'features/approval-outlives-a-change',
      in: 'openApproval',
      find: '!user || (await isOutdated(stamp, user.id, world))',
      replace: '!user',
      breaks: ['FT-18'],
    },
    {
      id: 'features/approval-without-the-factor',
      in: 'approveSignIn',
      find: "if (type !== 'session.sufficient')",
      replace: "if (type !== 'session.sufficient' && !name)",
      breaks: ['FT-18', 'POL-01'],
    },
    {
      id: 'features/approved-by-a-link',
      in: 'approveSignIn',
      find: "visit.method !== 'POST'",
      replace: "visit.method !== 'POST' && !name",
      breaks: ['FT-18'],
    },
  ]),
  ...mutantsOf('src/session/approval.ts', [
    {
      id: 'features/approval-of-any-feature',
      in: 'approvalText',
      find: "boundTo: ['feature', 'site'],",
      replace: "boundTo: ['site'],",
      breaks: ['FT-18'],
    },
    {
      id: 'features/approval-of-any-site',
      in: 'approvalText',
      find: "boundTo: ['feature', 'site'],",
      replace: "boundTo: ['feature'],",
      breaks: ['FT-18'],
    },
  ]),
  ...mutantsOf('src/extend/claim-identity.ts', [
    {
      id: 'features/approved-session-is-fresh',
      in: 'describeBorrowed',
      find: 'Math.min(authTime ?? 0, stale)',
      replace: 'authTime ?? stale',
      breaks: ['FT-18'],
    },
    {
      id: 'features/approved-session-newer-than-its-session',
      in: 'describeBorrowed',
      find: 'Math.min(authTime ?? 0, stale)',
      replace: 'stale',
      breaks: ['FT-18'],
    },
  ]),
  ...mutantsOf('machines/approval.ts', [
    {
      id: 'features/approval-of-an-ended-session',
      in: 'approval',
      find: "on: { 'stamp.noted': 'recognising' },",
      replace: "on: { 'stamp.noted': 'approvingSignIn' },",
      breaks: ['FT-18'],
    },
  ]),
  ...mutantsOf('src/flows/engine/site-tools.ts', [
    {
      id: 'features/records-of-another-feature',
      in: 'siteOf',
      find: 'name === undefined ||',
      replace: "name === undefined || name !== '' ||",
      breaks: ['FT-06'],
    },
  ]),
  ...mutantsOf('src/config/derive-settings.ts', [
    {
      id: 'features/time-of-sign-in-not-recorded',
      in: 'deriveSettings',
      find: 'signIn ?? needsRecentSignIn',
      replace: 'signIn ?? (needsRecentSignIn && undefined)',
      breaks: ['FT-25', 'EC-02'],
    },
  ]),
  ...mutantsOf('src/http/parse-visit.ts', [
    {
      id: 'features/route-of-any-provider',
      in: 'findFeatureRoute',
      find: 'route?.providers?.includes(providerId)',
      replace: 'route?.providers !== undefined',
      breaks: ['FT-21', 'PW-14'],
    },
  ]),
  ...mutantsOf('src/pages/view-field.ts', [
    {
      id: 'features/no-minimum-length',
      in: 'createViewField',
      find: 'value, minlength, maxlength,',
      replace: 'value, maxlength,',
      breaks: ['FT-22'],
    },
  ]),
  ...mutantsOf('src/extend/core-steps.ts', [
    {
      id: 'features/return-without-the-provider',
      find: '${pathOfRoute(visit)}',
      replace: '${visit.action}',
      breaks: ['FT-21'],
    },
    {
      id: 'features/change-from-any-session',
      find: 'return check(fresh, facts, world)',
      replace: "return check({ session: 'any' }, facts, world)",
      breaks: ['FT-25'],
    },
  ]),
  ...mutantsOf('src/pages/feature-page.ts', [
    {
      id: 'features/nothing-hidden-in-forms',
      in: 'createForm',
      find: '...hidden, csrfToken',
      replace: 'csrfToken',
      breaks: ['FT-26', 'EC-05'],
    },
    {
      id: 'features/password-of-nobody',
      in: 'createForm',
      find: 'username && h(',
      replace: 'username && fields.length === 0 && h(',
      breaks: ['FT-22'],
    },
    {
      id: 'features/no-section-on-the-account-page',
      in: 'showSection',
      find: 'if (!feature.account) return []',
      replace: 'if (!feature.account || user) return []',
      breaks: ['FT-27'],
    },
    {
      id: 'features/fields-with-the-same-id',
      in: 'countIds',
      find: 'used.has(id)',
      replace: 'used.has(name)',
      breaks: ['FT-29'],
    },
    {
      id: 'features/undefined-parts-as-items',
      in: 'createList',
      find: "h('li', {}, elementsOf(parts))",
      replace: 'elementsOf(parts)',
      breaks: ['FT-29'],
    },
    {
      id: 'features/forms-that-lead-nowhere',
      in: 'createForm',
      find: "!hasRoute('POST', action)",
      replace: "!hasRoute('POST', action) && action === ''",
      breaks: ['FT-30'],
    },
    {
      id: 'features/no-links-below-the-form',
      in: 'describeProvider',
      find: 'links: form?.links',
      replace: 'links: []',
      breaks: ['FT-34'],
    },
    {
      id: 'features/qr-code-without-modules',
      in: 'createQrCode',
      find: 'd: path',
      replace: "d: ''",
      breaks: ['FT-33'],
    },
    {
      id: 'features/links-that-lead-nowhere',
      in: 'createLink',
      find: "isRoute && !hasRoute('GET', to)",
      replace: "isRoute && !hasRoute('GET', to) && to === ''",
      breaks: ['FT-30'],
    },
  ]),
  ...mutantsOf('src/flows/shared/hold-sign-in.ts', [
    {
      id: 'features/held-link-forgets-its-session',
      in: 'onlyNeeded',
      find: 'isSameId(requester.id, member?.id) ? requester : {}',
      replace: '{}',
      breaks: ['DEC-39e', 'SF-02'],
    },
  ]),
  ...mutantsOf('src/features/backchannel-logout/flow.ts', [
    {
      id: 'features/logout-needs-a-store',
      in: 'endHeldSignIns',
      find: 'world.store &&',
      replace: '',
      breaks: ['BCL-01', 'FT-03'],
    },
  ]),
  ...mutantsOf('src/handler/run-flow.ts', [
    {
      id: 'features/page-after-the-run',
      in: 'runFlow',
      find: 'return show ? show(result) : result',
      replace: 'return result',
      breaks: ['FT-31', 'FT-07'],
    },
  ]),
  ...mutantsOf('src/handler/answer.ts', [
    {
      id: 'features/faults-of-pages-as-json',
      in: 'isForPerson',
      find: 'isOptionalAction(action) || findFeature(features, action) !== undefined',
      replace: 'isOptionalAction(action)',
      breaks: ['FT-31'],
    },
  ]),
  ...mutantsOf('src/handler/run-feature.ts', [
    {
      id: 'features/server-route-with-cookies',
      in: 'withoutCookies',
      find: "cookies: parseCookies('')",
      replace: 'cookies: visit.cookies',
      breaks: ['FT-28'],
    },
    {
      id: 'features/server-route-signs-in',
      in: 'readFlow',
      find: "caller === 'server' && Object.keys(flow.continues).length > 0",
      replace: "caller === 'server' && Object.keys(flow.continues).length > 9",
      breaks: ['FT-28'],
    },
  ]),
  ...mutantsOf('src/extend/keyed-record.ts', [
    {
      id: 'features/second-first-value-after-a-new-secret',
      find: '!stored && (await record.read(key, tools))',
      replace: "!stored && key === '' && (await record.read(key, tools))",
      breaks: ['FT-17'],
    },
  ]),
  ...mutantsOf('src/extend/gates.ts', [
    {
      id: 'features/gate-without-result',
      in: 'readDecision',
      find: "if (decision === 'pass' || decision === 'hold') return decision",
      replace:
        "if (decision === undefined) return 'pass'\n  if (decision === 'pass' || decision === 'hold') return decision",
      breaks: ['FT-01'],
    },
  ]),
  ...mutantsOf('src/features/all.ts', [
    {
      id: 'features/optional-by-the-action-alone',
      in: 'findOptional',
      find: 'findFeatureRoute(feature, route)',
      replace: 'feature.routes?.[route.action]',
      breaks: ['FT-05'],
    },
  ]),
]
