import { memoryAdapter } from '../../src/adapters/memory.ts'
import { deriveSettings } from '../../src/config/derive-settings.ts'
import type { Notice, ShownAccount } from '../../src/features/account-page/pages.ts'
import type { Shown as Coded } from '../../src/features/mail-codes/pages.ts'
import type { Shown as Asked } from '../../src/features/passwords/pages.ts'
import type { ShownCodes, ShownForm } from '../../src/features/second-factor/pages.ts'
import { createSiteTools } from '../../src/flows/engine/site-tools.ts'
import { createWorld } from '../../src/handler/run-flow.ts'
import { createFeaturePage } from '../../src/pages/feature-page.ts'
import type { Page } from '../../src/pages/page.ts'
import { sealTotpSecret } from '../../src/second-factor.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { Feature, Json } from '../../src/types/feature.ts'
import { everyFeature } from '../support/every-option.ts'
import { base, origin } from './samples.ts'

const email = 'ada@example.com'
const expires = Date.UTC(2030, 0, 31, 9)

/** The account page with all its sections. */
const account: ShownAccount = {
  userId: 'ada',
  name: 'Ada Lovelace',
  email,
  sessions: [
    { id: '1', device: 'Firefox on Linux', isCurrent: true, createdAt: Date.UTC(2030, 0, 1, 9), expires },
    { id: '1', isCurrent: true, expires },
    { id: '2', isCurrent: false, expires },
  ],
  canEndOthers: true,
  accounts: {
    linked: [{ id: '1', name: 'GitHub' }],
    others: [{ id: 'google', name: 'Google' }],
    callbackUrl: `${base}/account`,
  },
  passkeys: { list: [{ id: '1' }, { id: '2', name: 'Ada Lovelace' }], maxName: 60 },
  deletion: email,
}

/** A user with a second factor, and one without. */
const unprotected: ShownAccount = { ...account, userId: 'bob' }

const secret = 'a secret of the tests, long enough'
const adapter = memoryAdapter()
await adapter.createUser({ id: account.userId, email, emailVerified: null })
await adapter.createUser({ id: unprotected.userId, email: 'bob@example.com', emailVerified: null })
await adapter.setFactor(
  account.userId,
  await sealTotpSecret(account.userId, 'JBSWY3DPEHPK3PXPJBSWY3DP', secret),
)
const world = createWorld(deriveSettings({ providers: [], adapter, secret }, {}))

const minLength = 15

const notices = ['last-way', 'unconfirmed', 'unavailable', 'factor-changed'] as const satisfies Notice[]

type Sample = readonly [feature: string, action: string, page: string, data: Json]

/** Pages of the optional features, for tests and for the screenshots of the guide. */
export const shown = {
  account: [
    'account',
    'account',
    'account',
    {
      userId: 'ada',
      name: 'Ada Lovelace',
      sessions: [
        { id: '1', device: 'Firefox on Linux', isCurrent: true, createdAt: Date.UTC(2030, 0, 1, 9), expires },
        { id: '2', device: 'Safari on iPhone', isCurrent: false, expires: Date.UTC(2030, 0, 30, 9) },
      ],
      canEndOthers: false,
      accounts: account.accounts,
      deletion: email,
    } satisfies ShownAccount,
  ],
  'email-change': ['email-change', 'email-change', 'request', { current: email }],
  'email-change-confirm': [
    'email-change',
    'email-change-confirm',
    'confirm',
    { current: email, email: 'ada@work.example', token: 'token' },
  ],
  factor: ['factor', 'factor', 'code', { canRemember: true } satisfies ShownForm],
  'factor-enrolment': [
    'factor',
    'factor-enrolment',
    'code',
    {
      canRemember: false,
      enrolment: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/app', sealed: 'sealed' },
    } satisfies ShownForm,
  ],
  'recovery-codes': [
    'factor',
    'factor-enrolment',
    'recovery-codes',
    {
      recoveryCodes: ['k4tq-9d2m', 'p7wn-3xkf', 'h2vb-8rzc', 'm6ys-5jlt'],
      callbackUrl: `${origin}/after`,
    } satisfies ShownCodes,
  ],
  'verify-code': [
    'mail-codes',
    'verify-request',
    'code',
    { provider: 'code', attempts: 4, mail: { email, links: false } } satisfies Coded,
  ],
  password: ['password', 'password/password', 'request', { minLength } satisfies Asked],
  'password-reset': [
    'password',
    'password-reset/password',
    'reset',
    { minLength, email, objection: 'breached' } satisfies Asked,
  ],
} as const satisfies Readonly<Record<string, Sample>>

/** Each page of the optional features in each of its states. */
export const samples: readonly Sample[] = [
  ['account', 'account', 'account', account],
  ...notices.map((notice): Sample => {
    return ['account', 'account', 'account', { ...unprotected, notice }]
  }),
  shown['email-change'],
  ['email-change', 'email-change', 'request', { current: email, objection: 'invalid' }],
  ['email-change', 'email-change', 'request', { objection: 'same' }],
  ['email-change', 'email-change', 'sent', { email }],
  shown['email-change-confirm'],
  ['email-change', 'email-change-confirm', 'changed', { email }],
  ['email-change', 'email-change-confirm', 'stopped', { objection: 'link', again: `${base}/email-change` }],
  ['email-change', 'email-change-confirm', 'stopped', { objection: 'taken', again: `${base}/email-change` }],
  shown.factor,
  ['factor', 'factor', 'code', { canRemember: false, refused: 'code' } satisfies ShownForm],
  [
    'factor',
    'factor',
    'code',
    {
      canRemember: true,
      refused: 'passkey',
      passkeys: { url: `${base}/factor`, script: `${base}/webauthn-options?v=1` },
    } satisfies ShownForm,
  ],
  [
    'factor',
    'factor-enrolment',
    'code',
    {
      canRemember: false,
      enrolment: { secret: '22223333', uri: 'otpauth://totp/app', sealed: 'sealed' },
    } satisfies ShownForm,
  ],
  [
    'factor',
    'factor-enrolment',
    'recovery-codes',
    { recoveryCodes: ['2222-3333'], callbackUrl: `${origin}/after` } satisfies ShownCodes,
  ],
  shown['verify-code'],
  ['mail-codes', 'verify-request', 'code', { provider: 'code' } satisfies Coded],
  shown.password,
  shown['password-reset'],
  ...(['too-short', 'too-long'] as const).map((objection): Sample => {
    const data: Asked = { minLength, email, token: 'token', callbackUrl: `${origin}/after`, objection }
    return ['password', 'password-reset/password', 'reset', data]
  }),
  ['password', 'password-change/password', 'change', { minLength, objection: 'mismatch' } satisfies Asked],
]

/** Creates a page of an optional feature, in a language that the browser accepts. */
export async function createSample(
  [name, action, page, data]: Sample,
  accepted: string | null,
  { texts = {}, locale }: Pick<AuthConfig, 'texts' | 'locale'> = {},
): Promise<Page> {
  const features = everyFeature(texts)
  const feature = features.find((each): each is Feature => each.name === name)
  if (!feature) throw new Error(`There is no feature ${name}`)
  const shownPage = {
    feature,
    page,
    data,
    base,
    action,
    origin,
    csrfToken: 'c0ffee',
    callbackUrl: undefined,
    features,
    hasRoute: () => true,
    toolsOf: (of: Feature) => createSiteTools({ feature: of, world }, {}),
  }
  return createFeaturePage(shownPage, { texts, locale }, accepted)
}

/** Creates the pages of the optional features. */
export async function createSamples(
  appearance: Pick<AuthConfig, 'texts' | 'locale'>,
): Promise<readonly Page[]> {
  return Promise.all(samples.map(async (sample) => createSample(sample, null, appearance)))
}
