import { h, type ComponentChild } from 'preact'
import { severities } from '../causes.ts'
import { verdicts, type Verdict } from '../run/verdict.ts'
import { badge } from './elements.ts'
import { gains, names } from './parts.ts'

const meanings: Readonly<Record<Verdict, string>> = {
  PASS: 'passed in every case that checked it',
  WARN: 'breaks a recommendation (a “should”)',
  FAIL: 'breaks a requirement (a “must”)',
  SKIP: 'not tested: the target lacks the feature, or does not declare the capability',
  UNTESTED: 'no property or case checked it',
  XFAIL: 'expected failure: fails, as the baseline of known failures says',
  XPASS: 'unexpected pass: passes, although the baseline expects a failure. Remove its entry',
  INCONCLUSIVE: 'neither: too few cases reached the situation, or a failure did not occur again',
  ERROR: 'the oracle itself failed',
}

const words = {
  Target:
    'what was tested: a running application, by its URL, or a library, around which the oracle builds applications. Only its authors can repair a library: report the failure to them, and avoid the configuration until they do',
  'Requirement (OI-06)':
    'a statement that the target must or should fulfil, with a fixed id. Its source is a standard, an advisory, or a document of this project (Interface, Wire, Decision, Note)',
  Property: 'a test of one or several requirements, named by what a correct target does (“Expected”)',
  Case: 'one run of a property with random input. The seed decides the input, so that the same seed repeats the run',
  Profile: 'how many cases run: “smoke” a tenth, “ci” all, “nightly” twenty times as many',
  Application:
    'the target in one configuration, in brackets: “database” and “jwt” are where it keeps sessions, others say what was changed',
  Capability: 'an optional feature. The oracle tests it only if the target declares it',
  ...names,
} as const

/** The topics of the requirements, by the first letters of their ids. */
export const topics = {
  ACP: 'account page',
  AL: 'account linking',
  ATN: 'the secret',
  BCL: 'back-channel logout',
  CB: 'callbacks',
  CC: 'concurrency and caches',
  CD: 'codes by mail',
  CF: 'configuration',
  CK: 'cookies',
  DEC: 'decisions of this project',
  EC: 'change of the e-mail address',
  EM: 'e-mail addresses',
  EVT: 'events',
  FT: 'features of a site, and their gates',
  FI: 'faults of the store and of providers',
  HH: 'hosts and routes',
  IL: 'information leaks',
  JW: 'session tokens (JWT)',
  LM: 'limits',
  MD: 'consistency of results',
  OI: 'OpenID Connect',
  OPT: 'options',
  POL: 'changes to an account',
  PW: 'passwords',
  RD: 'redirects',
  RL: 'rate limits',
  RO: 'rotation of secrets and tokens',
  SE: 'sessions',
  SEA: 'texts in the log',
  SF: 'second factor',
  STM: 'what is pending or trusted when an account changes',
  SU: 'secrets for single use: mailed links',
  TM: 'timing',
  TOK: 'tokens',
  TX: 'sign-ins through a provider',
  WA: 'passkeys (WebAuthn)',
  WIR: 'routes and responses',
} as const

/** Explains the words of a report, its users and providers, its verdicts and its ids. */
export function guide(): ComponentChild {
  return h('details', { class: 'legend' }, [
    h('summary', null, 'How to read this report'),
    h('p', null, [
      'The oracle plays the browsers, providers and mailboxes around the target, and attacks it. Read “Fix first”, then the failures that it links to. Each failure says what happened, what should have happened, and how to repeat it. ',
      h('a', { href: '#matrix' }, 'All requirements'),
      ' are at the end.',
    ]),
    h(
      'dl',
      null,
      Object.entries(words).flatMap(([term, text]) => [h('dt', null, term), h('dd', null, text)]),
    ),
    h('p', null, h('strong', null, 'Verdicts')),
    h(
      'dl',
      null,
      verdicts.flatMap((verdict) => [h('dt', null, badge(verdict)), h('dd', null, meanings[verdict])]),
    ),
    h('p', null, h('strong', null, 'Severities, by what happened')),
    h(
      'dl',
      null,
      severities.flatMap((each) => [h('dt', null, each), h('dd', null, gains[each])]),
    ),
    h('p', null, h('strong', null, 'Letters of the ids')),
    h(
      'p',
      null,
      Object.entries(topics)
        .map(([letters, topic]) => `${letters} ${topic}`)
        .join(', '),
    ),
  ])
}
