import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { createStore } from '../world/store.ts'
import { holdRefused, holdWorks } from './configuration.ts'
import { property, type Property } from './property.ts'

type Loose = Readonly<Record<string, unknown>>

const needs = ['passkey', 'setup', 'hooks'] as const
const field = (autocomplete: string) => ({ email: { label: 'Address', autocomplete } })
const functions = [
  'generateAuthenticationOptions',
  'generateRegistrationOptions',
  'verifyAuthenticationResponse',
  'verifyRegistrationResponse',
] as const

/** A further provider, which does what it should as little as a page is concerned. */
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

/** Passkeys beside a provider by which one can sign in. */
function withPasskey(passkey: Loose, config: Loose, strategy: Setup['strategy']): Setup {
  return {
    ...(strategy && { strategy }),
    providers: ['alpha', 'passkey'],
    provider: { passkey },
    config: { adapter: true, experimental: { enableWebAuthn: true }, ...config },
  }
}

/** Configurations that are as the manual has them. */
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

/** What is wrong about passkeys: changes of the provider, or of the configuration. */
const wrongs: Readonly<Record<string, { readonly passkey?: Loose; readonly config?: Loose }>> = {
  'passkeys without the experiment': { config: { experimental: undefined } },
  'passkeys with no experiments': { config: { experimental: {} } },
  'passkeys with the experiment off': { config: { experimental: { enableWebAuthn: false } } },
  'passkeys with another experiment': { config: { experimental: { enableOther: true } } },
  'two providers that offer passkeys': {
    passkey: { enableConditionalUI: true },
    config: { providers: [further('keys', { enableConditionalUI: true })] },
  },
  'three providers that offer passkeys': {
    passkey: { enableConditionalUI: true },
    config: {
      providers: ['keys', 'more-keys'].map((id) => further(id, { enableConditionalUI: true })),
    },
  },
  'passkeys offered in a field that takes none': {
    passkey: { enableConditionalUI: true, formFields: field('username') },
  },
  'passkeys offered in fields of which none takes any': {
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

/** Operations that a ceremony calls in the end. */
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
    name: 'a configuration of passkeys with something wrong in it is refused by name',
    story: 'A mistake in the settings shows first when somebody is let in, or a page loads a foreign script.',
    advice: 'Check providers of passkeys with all others, before the first request is answered.',
    needs,
    runs: 8,
    input: fc.record({
      some: fc.shuffledSubarray(Object.keys(wrongs), { minLength: Object.keys(wrongs).length - 4 }),
      good: sound,
      strategy: strategies,
    }),
    async run(base, { some, good: [passkey, config], strategy }) {
      for (const name of some) {
        const wrong = wrongs[name] ?? {}
        // Nothing else about it may be what it is refused for.
        const setup = withPasskey(
          { ...passkey, enableConditionalUI: false, ...wrong.passkey },
          { ...(wrong.config?.providers ? {} : config), ...wrong.config },
          strategy,
        )
        await holdRefused(base, 'CF-01', setup, `a configuration with ${name}`, ['GET signin'])
        base.reach(name)
      }
    },
  }),
  property({
    proves: ['CF-01'],
    name: 'a configuration of passkeys with nothing wrong in it works',
    story: 'An application that follows the manual does not start.',
    advice: 'Refuse what cannot work, and nothing that is merely unusual.',
    needs,
    runs: 30,
    input: fc.record({ good: sound, strategy: strategies }),
    run: (base, { good: [passkey, config], strategy }) =>
      holdWorks(base, 'CF-01', withPasskey(passkey, config, strategy), fc.stringify([passkey, config])),
  }),
  property({
    proves: ['FI-04', 'CF-01'],
    name: 'an adapter without an operation that ceremonies need is refused from the start',
    story: 'An application goes live, and its passkeys break when somebody uses the second one.',
    advice: 'Look for all operations of ceremonies when the configuration is read, also on the prototype.',
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
      await holdWorks(base, 'FI-04', setupOf(adapterWithout()), 'an adapter with all operations')
      for (const name of operations)
        await holdRefused(base, 'FI-04', setupOf(adapterWithout(name)), `an adapter without ${name}`, [])
    },
  }),
]
