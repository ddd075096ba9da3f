import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as adapters from '../../src/adapters.ts'
import * as errors from '../../src/errors.ts'
import * as main from '../../src/index.ts'
import * as jwt from '../../src/jwt.ts'
import * as providers from '../../src/providers/index.ts'
import * as types from '../../src/types.ts'
import { exportedNames, readEntries } from './exported-names.ts'

function readSource(file: string): string {
  return readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
}

const words = (text: string) => text.trim().split(/\s+/)

const errorClasses = words(`
  AccessDenied AccountNotLinked AdapterError AuthError CallbackRouteError CredentialsSignin DuplicateConditionalUI
  EmailSignInError ErrorPageLoop EventError ExperimentalFeatureNotEnabled InvalidCallbackUrl InvalidCheck
  InvalidEndpoints InvalidProvider JWTSessionError MissingAdapter MissingAdapterMethods MissingAuthorize MissingCSRF
  MissingSecret MissingWebAuthnAutocomplete OAuthAccountNotLinked OAuthCallbackError OAuthProfileParseError
  OAuthSignInError SessionTokenError SignInError SignOutError UnknownAction UnsupportedStrategy UntrustedHost
  Verification WebAuthnVerificationError`)

/** Each subpath: what it has at run time, in the ecosystem and beyond, and the names of its types. */
const surface = [
  {
    subpath: '.',
    module: main,
    known: words('Auth createActionURL customFetch isAuthAction raw setEnvDefaults skipCSRFCheck'),
    ours: ['createAuth'],
    types: words(
      `Account AuthConfig AuthInstance DefaultSession FoundSession JWT Profile Session User UserSession`,
    ),
  },
  {
    subpath: './jwt',
    module: jwt,
    known: words('decode encode getToken'),
    ours: [],
    types: words('DefaultJWT GetTokenParams JWT JWTDecodeParams JWTEncodeParams JWTOptions'),
  },
  {
    subpath: './errors',
    module: errors,
    known: [...errorClasses, 'isClientError'],
    ours: ['DuplicateProvider', 'InvalidConfig', 'RateLimited'],
    types: words('ErrorCause ErrorType'),
  },
  {
    subpath: './adapters',
    module: adapters,
    known: ['isDate'],
    ours: [],
    types: words(`Adapter AdapterAccount AdapterAccountType AdapterAuthenticator AdapterSession AdapterUser
      VerificationToken`),
  },
  {
    subpath: './types',
    module: types,
    known: [],
    ours: [],
    types: words(`Account AuthAction AuthConfig Authenticator Awaitable Awaited CookieOption CookiesOptions
      DefaultSession DefaultUser ErrorPageParam LoggerInstance PagesOptions Profile PublicProvider ResponseInternal
      SemverString Session SignInPageErrorParam Theme TokenSet User WarningCode WebAuthnOptionsResponseBody`),
  },
  {
    subpath: './providers',
    module: providers,
    known: [],
    ours: [],
    types:
      words(`AccountCallback AppProvider AppProviders BuiltInProviders CommonProviderOptions CredentialInput
      CredentialsConfig CredentialsProviderId CredentialsProviderType EmailConfig EmailProviderType EmailUserConfig
      OAuth2Config OAuthConfig OAuthEndpointType OAuthUserConfig OIDCConfig OIDCUserConfig ProfileCallback Provider
      ProviderId ProviderType WebAuthnConfig`),
  },
]

describe('the package', () => {
  const entries = readEntries()
  const names = exportedNames([...entries.values()].filter((file) => !file.includes('*')))

  it('DEC-01a has the subpaths of the ecosystem', () => {
    for (const { subpath } of surface) expect(entries.has(subpath), subpath).toBe(true)
    expect(entries.get('./providers/*')).toBe('src/providers/*.ts')
    for (const [subpath, file] of entries)
      expect(file, subpath).toMatch(/^(src|machines|spec)\/[\w/*.-]+\.ts$/)
  })

  it('DEC-01b has more subpaths beside them, and none in their place', () => {
    const known = [...surface.map(({ subpath }) => subpath), './providers/*']
    const more = [...entries].filter(([subpath]) => !known.includes(subpath))
    expect(more.map(([subpath]) => subpath)).toEqual(
      expect.arrayContaining(['./adapters/memory', './machines']),
    )
    const files = known.map((subpath) => entries.get(subpath))
    for (const [subpath, file] of more) expect(files, subpath).not.toContain(file)
  })

  it('DEC-01a exports at run time what the ecosystem does, and what is ours', () => {
    for (const { subpath, module, known, ours } of surface)
      expect(Object.keys(module).toSorted(), subpath).toEqual([...known, ...ours].toSorted())
  })

  it('DEC-01a exports the types of the ecosystem by their names', () => {
    for (const { subpath, types: wanted } of surface)
      expect(names.get(entries.get(subpath) ?? ''), subpath).toEqual(expect.arrayContaining(wanted))
  })

  it('DEC-01a has a preset in each module of providers, which BuiltInProviders lists', () => {
    const folder = new URL('../../src/providers/', import.meta.url)
    const modules = readdirSync(folder).filter((file) => file.endsWith('.ts'))
    const presets = exportedNames(modules.map((file) => `src/providers/${file}`))
    const files = [...presets].filter(([, exported]) => exported.includes('default')).map(([file]) => file)
    const listed =
      /interface BuiltInProviders \{([^}]*)\}/.exec(readSource('providers/built-in.ts'))?.[1] ?? ''
    const ids = [...listed.matchAll(/^\s*'?([\w-]+)'?:/gm)].map(([, id]) => `src/providers/${id}.ts`)
    expect(ids.toSorted()).toEqual(files.toSorted())
  })

  it('DEC-01a has the symbols of the ecosystem, each for itself', () => {
    const { customFetch, raw, skipCSRFCheck } = main
    expect([customFetch, raw, skipCSRFCheck].map((symbol) => symbol.description)).toEqual([
      'custom-fetch',
      'return-type-raw',
      'skip-csrf-check',
    ])
    for (const symbol of [customFetch, raw, skipCSRFCheck]) expect(Symbol.keyFor(symbol)).toBeUndefined()
  })

  it('DEC-01a isDate knows a text that holds a date', () => {
    for (const text of ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00+02:00'])
      expect(adapters.isDate(text)).toBe(true)
    for (const other of ['2030-01-01', 'soon', '2030-13-41T99:00:00Z', 5, null, new Date()])
      expect(adapters.isDate(other)).toBe(false)
  })
})
