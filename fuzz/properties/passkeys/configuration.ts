import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { createStore } from '../../world/store.ts'
import { checkRefused, checkWorks } from '../configuration/configuration.ts'
import { property, type Property } from '../property.ts'

type Loose = Readonly<Record<string, unknown>>

const needs = ['passkey', 'setup', 'hooks'] as const
const field = (autocomplete: string) => ({ email: { label: 'Address', autocomplete } })
const functions = [
  'generateAuthenticationOptions',
  'generateRegistrationOptions',
  'verifyAuthenticationResponse',
  'verifyRegistrationResponse',
] as const

/** An additional provider with minimal options for a page. */
function further(id: string, more: Loose = {}): Loose {
  return {
    id,
    name: 'Keys',
    type: 'webauthn',
    enableConditionalUI: false,
    simpleWebAuthnBrowserVersion: 'v9.0.1',
    simpleWebAuthn: Object.fromEntries(functions.map((name) => [name, () => ({})])),
    formFields: field('username webauthn'),
    timeout: 300_000,
    ...more,
  }
}

/** Passkeys beside another sign-in method. */
function withPasskey(passkey: Loose, config: Loose, strategy: Setup['strategy']): Setup {
  return {
    ...(strategy && { strategy }),
    providers: ['alpha', 'passkey'],
    provider: { passkey },
    config: { adapter: true, experimental: { enableWebAuthn: true }, ...config },
  }
}

/** Valid configurations from the manual. */
const sound: fc.Arbitrary<readonly [passkey: Loose, config: Loose]> = fc
  .record({
    version: fc.constantFrom('v9', 'v9.0', 'v9.0.1', 'v14.0.0', 'v123.45.678', false as const, undefined),
    autocomplete: fc.constantFrom('webauthn', 'username webauthn', 'email webauthn'),
    offers: fc.constantFrom(true, false, undefined),
    second: fc.boolean(),
    isFirst: fc.boolean(),
  })
  .map(({ version, autocomplete, offers, second, isFirst }) => [
    {
      ...(version !== undefined && { simpleWebAuthnBrowserVersion: version }),
      ...(offers !== undefined && { enableConditionalUI: offers }),
      formFields: field(offers === false && isFirst ? 'email' : autocomplete),
    },
    second ? { providers: [further('keys', { enableConditionalUI: offers === false })] } : {},
  ])

/** Invalid passkey options: changes of the provider, or of the configuration. */
const defects: Readonly<Record<string, { readonly passkey?: Loose; readonly config?: Loose }>> = {
  'passkeys without the experimental option': { config: { experimental: undefined } },
  'passkeys with an empty experimental option': { config: { experimental: {} } },
  'passkeys with enableWebAuthn off': { config: { experimental: { enableWebAuthn: false } } },
  'passkeys with another experimental option': { config: { experimental: { enableOther: true } } },
  'two providers with conditional UI': {
    passkey: { enableConditionalUI: true },
    config: { providers: [further('keys', { enableConditionalUI: true })] },
  },
  'three providers with conditional UI': {
    passkey: { enableConditionalUI: true },
    config: {
      providers: ['keys', 'more-keys'].map((id) => further(id, { enableConditionalUI: true })),
    },
  },
  'conditional UI without a webauthn field': {
    passkey: { enableConditionalUI: true, formFields: field('username') },
  },
  'conditional UI with several fields, none for webauthn': {
    passkey: {
      enableConditionalUI: true,
      formFields: { ...field('email'), name: { label: 'webauthn', autocomplete: 'name' } },
    },
  },
  ...Object.fromEntries(
    [
      '9.0.1',
      'v9.0.1.2',
      'v',
      'latest',
      'v9.0.1/../../evil',
      'v9.0.1"><script>',
      'v9.0.1@evil',
      'v9.x',
      ' v9.0.1',
      'v9.0.1 ',
      'v9.0.1-beta',
      'V9.0.1',
      'https://evil.example/v9.0.1',
    ].map((version) => [
      `a browser script of version ${JSON.stringify(version)}`,
      { passkey: { simpleWebAuthnBrowserVersion: version } },
    ]),
  ),
}

/** Store methods that ceremonies call. */
const operations = [
  'createUser',
  'getUserByEmail',
  'linkAccount',
  'getAuthenticator',
  'createAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const

const strategies = fc.constantFrom('database' as const, 'jwt' as const)

export const webauthnConfigurationProperties: readonly Property[] = [
  property({
    proves: ['CF-01'],
    name: 'refuses an invalid passkey configuration with a named error',
    story:
      'A configuration mistake surfaces only when the wrong user is signed in, or a page loads a foreign script.',
    advice: 'Validate passkey providers with all others, before the first request.',
    needs,
    runs: 8,
    input: fc.record({
      some: fc.shuffledSubarray(Object.keys(defects), { minLength: Object.keys(defects).length - 4 }),
      good: sound,
      strategy: strategies,
    }),
    async run(base, { some, good: [passkey, config], strategy }) {
      for (const name of some) {
        const wrong = defects[name] ?? {}
        // No other part of it may be the reason for the refusal.
        const setup = withPasskey(
          { ...passkey, enableConditionalUI: false, ...wrong.passkey },
          { ...(wrong.config?.providers ? {} : config), ...wrong.config },
          strategy,
        )
        await checkRefused(base, 'CF-01', setup, `a configuration with ${name}`, ['GET signin'])
        base.reach(name)
      }
    },
  }),
  property({
    proves: ['CF-01'],
    name: 'accepts a valid passkey configuration',
    story: 'An application that follows the manual does not start.',
    advice: 'Refuse only what cannot work. Accept what is merely unusual.',
    needs,
    runs: 30,
    input: fc.record({ good: sound, strategy: strategies }),
    run: (base, { good: [passkey, config], strategy }) =>
      checkWorks(base, 'CF-01', withPasskey(passkey, config, strategy), fc.stringify([passkey, config])),
  }),
  property({
    proves: ['FI-04'],
    name: 'refuses an adapter without the WebAuthn methods at startup',
    story: 'An application goes live, and fails when somebody uses a second passkey.',
    advice: 'Check for all WebAuthn methods when you read the configuration, including inherited ones.',
    needs,
    setups: { database: {} },
    runs: 6,
    reaches: { inherited: 1 },
    input: fc.record({ isInherited: fc.boolean(), strategy: strategies }),
    async run(base, { isInherited, strategy }) {
      const adapterWithout = (missing?: string): object => {
        const given = Object.entries(createStore().operations).filter(([name]) => name !== missing)
        const own = Object.fromEntries(given)
        return isInherited ? (Object.create(own) as object) : own
      }
      const setupOf = (adapter: object) => withPasskey({}, { adapter }, strategy)
      if (isInherited) base.reach('inherited')
      await checkWorks(base, 'FI-04', setupOf(adapterWithout()), 'an adapter with all methods')
      for (const name of operations)
        await checkRefused(base, 'FI-04', setupOf(adapterWithout(name)), `an adapter without ${name}`, [])
    },
  }),
]
