import type { CallbacksOptions, EventCallbacks } from '../types/callbacks.ts'
import { cookiePurposes } from '../cookies/cookie-table.ts'
import { featureOptions, optionalEvents } from '../features/options.ts'
import type { AuthConfig, RedirectProxyOptions } from '../types/config.ts'
import type { CookiesOptions } from '../types/cookies.ts'
import type { JWTOptions } from '../types/jwt.ts'
import type { PageLocale } from '../types/page-texts.ts'
import type { SessionOptions } from '../types/session-options.ts'
import { raw, skipCSRFCheck } from '../types/symbols.ts'
import type { PagesOptions, Theme } from '../types/theme.ts'
import {
  basePath,
  feature,
  filledText,
  flag,
  flagOrDate,
  hook,
  interval,
  lifetime,
  list,
  object,
  objectWith,
  oneOf,
  only,
  origins,
  page,
  text,
} from './rule.ts'
import type { Members, Option } from './option.ts'

const day = 86_400

const session = {
  strategy: { rule: oneOf('jwt', 'database') },
  maxAge: { rule: lifetime, default: 30 * day },
  updateAge: { rule: interval, default: day },
  generateSessionToken: { rule: hook },
  signInMaxAge: { rule: hook },
  absoluteMaxAge: { rule: lifetime },
  describe: {
    rule: hook,
    needs: { strategy: 'database', adapter: () => ['describeSession', 'listSessionsByUserId'] },
  },
} as const satisfies Members<SessionOptions>

const jwt = {
  secret: {},
  maxAge: { rule: lifetime },
  audience: { rule: filledText },
  acceptLegacyTokens: { rule: flagOrDate, default: true },
  encode: { rule: hook },
  decode: { rule: hook },
  isRevoked: { rule: hook, needs: { strategy: 'jwt' } },
  revocations: { rule: objectWith('find', 'add') },
} as const satisfies Members<JWTOptions>

const callbacks = {
  signIn: {},
  redirect: {},
  session: {},
  jwt: {},
  rateLimit: {},
  endSession: {},
} satisfies Members<CallbacksOptions>

const events = {
  signIn: {},
  signOut: {},
  createUser: {},
  updateUser: {},
  linkAccount: {},
  unlinkAccount: {},
  updatePassword: {},
  ...optionalEvents,
  deleteUser: {},
  session: {},
} satisfies Members<EventCallbacks>

const pages = {
  signIn: {},
  signOut: {},
  error: {},
  verifyRequest: {},
  newUser: {},
} satisfies Members<PagesOptions>

const cookies = Object.fromEntries(cookiePurposes.map((purpose) => [purpose, {}])) as Members<CookiesOptions>

const theme = {
  colorScheme: { default: 'auto' },
  logo: {},
  brandColor: {},
  buttonText: {},
} satisfies Members<Theme>

const texts = { en: { each: text }, de: { each: text }, ar: { each: text } } satisfies Members<
  Record<PageLocale, unknown>
>

const redirectProxy = { allow: { rule: origins } } satisfies Members<RedirectProxyOptions>

const experimental = {
  enableWebAuthn: { rule: flag, default: false },
} satisfies Members<NonNullable<AuthConfig['experimental']>>

/** All options. */
export const options = {
  providers: { rule: list },
  adapter: { rule: object },
  accountLinking: { rule: oneOf('session', 'explicit'), default: 'session' },
  basePath: { rule: basePath, default: '/auth' },
  callbacks: { rule: object, each: hook, members: callbacks },
  cookies: { rule: object, members: cookies },
  debug: { rule: flag, default: false },
  ...featureOptions,
  events: { rule: object, each: hook, members: events },
  experimental: { rule: object, members: experimental },
  features: { rule: list, each: feature },
  jwt: { rule: object, members: jwt },
  locale: { rule: oneOf(...Object.keys(texts)) },
  logger: {
    rule: object,
    isOpen: true,
    members: { error: { rule: hook }, warn: { rule: hook }, debug: { rule: hook } },
  },
  pages: { rule: object, each: page, members: pages },
  parallelSignIns: { rule: flag, default: false },
  redirectProxy: { rule: object, members: redirectProxy },
  redirectProxyUrl: { rule: text },
  secret: {},
  sendNotice: { rule: hook },
  session: { rule: object, members: session },
  skipCSRFCheck: { rule: only(skipCSRFCheck, 'skipCSRFCheck') },
  raw: { rule: only(raw, 'raw') },
  texts: { rule: object, each: object, members: texts },
  theme: { rule: object, each: text, members: theme },
  trustHost: { default: false },
  useSecureCookies: { rule: flag },
} as const satisfies Members<AuthConfig>

/** The options because of which sessions record when their users signed in. */
export const recordingOptions = Object.entries<Option>(options)
  .filter(([, { needsRecentSignIn }]) => needsRecentSignIn)
  .map(([name]) => name as keyof AuthConfig & string)
