import type { Chart } from '../../machines/states.ts'
import type { AuthError } from '../errors/classes.ts'
import type { Adapter, AdapterUser } from './adapter.ts'
import type { PageKit, SectionKit, View, ViewField, ViewPart } from './feature-page.ts'
import type { PageLocale } from './page-texts.ts'
import type { Awaitable, Profile } from './records.ts'
import type { findFault } from './symbols.ts'

/** Data that a cookie or a record can contain. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** The request that a step or a gate handles. */
export interface FeatureRequest {
  /** Other methods get status 405. */
  readonly method: 'GET' | 'POST'
  /** The origin of the site. */
  readonly origin: string
  /** The URL of the library's routes, without a trailing slash. */
  readonly base: string
  /** The parameters of the URL. */
  readonly query: URLSearchParams
  /** The fields of the form or the members of the JSON body. Empty for GET. Nothing in it is validated. */
  readonly body: Readonly<Record<string, unknown>>
  /** The names of fields that the form contains more than once. */
  readonly duplicates: readonly string[]
  /** The id of the provider in the path, if the route has `providers`. A held sign-in continues without it. */
  readonly provider?: string | undefined
}

/** A response, as the tools create it. */
export interface FeatureResult {
  /** The HTTP status. */
  readonly status: number
}

/** What a feature may use outside of requests to its routes. Time, randomness and requests come from the platform. */
export interface SiteTools<Options = unknown> {
  /** The options of the feature. */
  readonly options: Options
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Returns cryptographically secure random bytes. */
  readonly randomBytes: (length: number) => Uint8Array
  /** Sends requests to other servers. */
  readonly fetch: typeof fetch
  /** The adapter of the site. Throws if there is none; an operation that it lacks rejects. */
  readonly store: Required<Adapter>
  /** Logs an error that the user does not see. */
  readonly log: (error: Error) => void
}

/** What a step, a gate or an outcome of a feature may use. */
export interface FeatureTools<Options = unknown> extends SiteTools<Options> {
  /** The request. */
  readonly request: FeatureRequest
  /** Shows a page of the feature. @param status the status of the response. @default 200 */
  readonly show: (page: string, data?: Json, status?: number) => FeatureResult
  /** Responds with JSON, for a program. It is not cached. @param status the status of the response. @default 200 */
  readonly json: (data: Json, status?: number) => FeatureResult
  /** Redirects to a route of this feature or of the library, such as `signin`. */
  readonly redirect: (action: string, query?: Readonly<Record<string, string>>) => FeatureResult
  /** Redirects to the callback URL, which the chart has resolved and the site has approved, or else to the site. */
  readonly goBack: () => FeatureResult
  /**
   * Lets the sign-in pass that the gate of this feature holds. It continues at once, and its response is sent. Only a
   * POST can do this.
   *
   * @param learnt kept until the session, for `gate.settle`
   * @param undo called if the sign-in then fails on the server, so that the user can try again
   */
  readonly pass: (learnt?: Json, undo?: () => Awaitable<void>) => FeatureResult
}

/** Who signs in, as far as it is known before anything is stored. */
export interface GateSubject {
  /** The id of the stored user; undefined for a new user. Without an adapter, the id that the session will have. */
  readonly userId: string | undefined
  /** The name of the user, or the one in the profile of a new user. */
  readonly name: string | undefined
  /** The address of the user, or the one in the profile of a new user, who may not own it. */
  readonly email: string | undefined
  /** The account that the user has proven. */
  readonly account: { readonly provider: string; readonly providerAccountId: string; readonly type: string }
  /** The profile from the provider, if there is one. */
  readonly profile: Profile | undefined
}

/**
 * Lets a sign-in pass, holds it until the page of the feature lets it pass, or refuses it. The reason of a refusal is
 * logged; the user sees that access is denied. To tell the user more, hold the sign-in, and show a page.
 */
export type GateDecision = 'pass' | 'hold' | { readonly refuse: string }

/** Stands between a known user and everything that a sign-in stores. */
export interface Gate<Options> {
  /** What the gate checks, for the diagrams: `Check that the user has accepted the terms`. */
  readonly description: string
  /**
   * Decides whether the sign-in passes, and changes nothing. It is asked again when a held sign-in continues. After its
   * page has let the sign-in pass, `'hold'` counts as `'pass'`.
   */
  check(subject: GateSubject, tools: FeatureTools<Options>): Awaitable<GateDecision>
  /**
   * Stores what the page has learnt. It runs after the user is stored and before the session is. If it throws, there is
   * no session.
   *
   * @param learnt the value that was given to `tools.pass`
   */
  settle?(userId: string, learnt: Json, tools: FeatureTools<Options>): Awaitable<void>
}

/** Whom a feature has found out to be signing in, for `admitting`. */
export type ProvenIdentity = ProvenAccount | ApprovedIdentity

/** The user whose session has approved the sign-in in the state `approving`. */
export interface ApprovedIdentity {
  /**
   * The fact `approval`. It works once, for ten minutes, in this feature, until a change to the account that ends pending
   * operations. The session is never fresh, and has not passed the second factor.
   */
  readonly approval: string
  /** Sealed until the session is issued, also while the sign-in is held, for `signIn.settle`. */
  readonly learnt?: Json
}

/** An account of the feature, whose owner the feature has authenticated. */
export interface ProvenAccount {
  /**
   * Identifies the account, such as a phone number, and always means the same person. The account is stored as
   * `{ provider: <the name of the feature>, providerAccountId: id, type: 'feature' }`.
   */
  readonly id: string
  /**
   * What is known about the person, as claims of OpenID Connect. A new user gets `name`, `email` and `picture`. The address
   * never finds the user. It counts as verified if `email_verified` is true.
   */
  readonly profile?: Profile
  /**
   * The id of the user to whom the account is to be linked, who must be signed in with a recent session. Pass it only if that
   * user has asked for it in this browser. Without it, the account signs in its own user, or a new one.
   */
  readonly linkTo?: string
  /** Refuses the sign-in if nobody has the account, so that it creates no user. @default false */
  readonly mustExist?: boolean
  /** Sealed until the account is stored, also while the sign-in is held, for `signIn.settle`. */
  readonly learnt?: Json
}

/** An attempt for `checkingRateLimit`, which the `rateLimit` callback of the site may refuse. */
export interface FeatureAttempt {
  /** What the feature is about to do, such as `message` or `code`. */
  readonly kind: string
  /**
   * What it is about, such as a phone number, in one form only. Without it, the counters of `authmachine/rate-limit` count by the
   * address of the client alone.
   */
  readonly identifier?: string
}

/** A form on the sign-in page. It sends its fields, the CSRF token and `callbackUrl`. */
export interface SignInForm {
  /** The route to which it posts. @default the route with the name of the feature */
  readonly action?: string
  /** From top to bottom. */
  readonly fields?: readonly ViewField[]
  /** The text of the button. */
  readonly button: string
  /** Links below the form, which the kit creates. */
  readonly links?: readonly ViewPart[]
}

/** Makes a feature a way to sign in. One of its flows contains `admitting`. */
export interface SignInWay<Key extends string = string, Options = unknown> {
  /** How the user authenticates: a value of RFC 8176, such as `sms`. Sessions name it in `amr`. */
  readonly amr: string
  /**
   * `session` if only a session of the user proves an account, as for users without any other one. Such an account signs in
   * again only in a session that it has opened itself, and the account page does not count it as a remaining way to sign in.
   * Sessions are told apart by `amr`, so no other feature of the site may have the same one.
   *
   * @default the feature proves the account
   */
  readonly provenBy?: 'session'
  /** The form on the sign-in page. Without one, users find the routes of the feature in another way. */
  readonly form?: (kit: Pick<PageKit<Key>, 't' | 'link'>) => SignInForm
  /**
   * Stores what the flow has learnt, such as a new password. It runs if the identity has `learnt`, after everything is
   * checked and the account is stored or linked, and before the session is issued. If it throws, there is no session.
   *
   * @param learnt the value in the identity
   */
  settle?(userId: string, learnt: Json, tools: FeatureTools<Options>): Awaitable<void>
}

/** A type of a method, because those of functions would distinguish features by the types of their options. */
interface MethodDefinition<Options> {
  run(tools: SiteTools<Options>, ...args: never[]): unknown
}

/** Functions of a feature, by name, which get the tools before their own parameters. */
export type MethodDefinitions<Options = unknown> = Readonly<Record<string, MethodDefinition<Options>['run']>>

/** The functions of a feature as the application calls them: without the tools, and with a promise of the result. */
export type FeatureMethods<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (tools: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

/**
 * Ends what a feature stores about a user, by the classes of the account policy. The change fails if a function throws. Each
 * function may be called twice for one change.
 */
export interface FeatureEnds<Options = unknown> {
  /**
   * What lets a browser or a program act as the user. It ends with all sessions of the user, or with all but one.
   *
   * @param userId the id of the user
   * @param tools the tools of the feature
   */
  session?(userId: string, tools: SiteTools<Options>): Awaitable<void>
  /**
   * A way to sign in. It ends when the address of the account is first proven, because an attacker may have added it before.
   *
   * @param userId the id of the user
   * @param tools the tools of the feature
   */
  credential?(userId: string, tools: SiteTools<Options>): Awaitable<void>
}

/** A flow of a feature, as `toolbox().flow` creates it. */
export interface FeatureFlow {
  /** The id of its chart. */
  readonly id: string
  /** The chart, as diagrams draw it. */
  readonly chart: Chart
}

/** A route of a feature. */
export interface FeatureRoute {
  /** Others get status 405. The flow of a POST begins with `checkingCsrf`, unless a server sends it. */
  readonly methods: readonly ('GET' | 'POST')[]
  /**
   * Who sends the requests. A server, such as a webhook, has no cookies: the flow sees none and cannot set any or sign anyone
   * in, and its POST needs no CSRF check. It must authenticate the server itself.
   *
   * @default 'browser'
   */
  readonly caller?: 'browser' | 'server'
  /**
   * The ids of providers, one of which follows the action in the path: `<basePath>/<action>/<id>`. Other paths of the action
   * are not found. Forms of the page post to the same path, unless they name a route.
   *
   * @default nothing follows the action
   */
  readonly providers?: readonly string[]
  /** Returns the flow. It may load it when the first request comes. */
  readonly flow: () => Awaitable<FeatureFlow>
}

/** Creates a page of a feature from the data that `tools.show` gets. */
export type ShowPage<Key extends string = string> = (data: Json, kit: PageKit<Key>) => Awaitable<View>

/**
 * The definition that you pass to `defineFeature`: routes, a gate, a way to sign in and pages, on the same machines as
 * those of the library.
 */
export interface FeatureDefinition<
  Options = unknown,
  Key extends string = string,
  Methods = MethodDefinitions,
> {
  /**
   * Lower-case letters, digits and hyphens. It names the gate, the accounts, the cookies and the records, so it never
   * changes.
   */
  readonly name: string
  /** The name for people, in diagrams and devtools. */
  readonly title: string
  /** The options of the site, which steps, gates and outcomes get as `tools.options`. @default undefined */
  readonly options?: Options
  /** The operations of the adapter that the feature calls. */
  readonly needs?: readonly (keyof Adapter)[]
  /** Returns what is wrong with the options, such as "`version` must not be empty". */
  check?(options: Options): string | undefined
  /**
   * By action, the first segment of the path under the base path: the name of the feature, or a text that begins with
   * the name and a hyphen. A gate that holds sign-ins needs the route of its name for GET and POST.
   */
  readonly routes?: { readonly [action: string]: FeatureRoute }
  /** Stands between a known user and everything that a sign-in stores. */
  readonly gate?: Gate<Options>
  /** Makes the feature a way to sign in. */
  readonly signIn?: SignInWay<Key, Options>
  /**
   * Functions that your application calls as `auth.feature(<this feature>).<name>(…)`. Each must settle within 30
   * seconds.
   */
  readonly methods?: Methods
  /** Whether one of its flows has `checkingSession`. Sessions then record when and how their users signed in. @default false */
  readonly needsRecentSignIn?: boolean
  /** Ends what the feature stores about a user, when a change to the account ends things of its class. */
  readonly ends?: FeatureEnds<Options>
  /** The pages, by the name that `tools.show` gets, or a function that loads them when the first one is shown. */
  readonly pages?: FeaturePages<Key> | (() => Awaitable<FeaturePages<Key>>)
  /**
   * Returns a section of the account page, such as what the feature stores about the user, and a form that changes it.
   * Undefined if there is none for this user. A form posts to the route with the name of the feature, unless it names
   * another one.
   *
   * @param user the signed-in user, as stored
   */
  account?(user: AdapterUser, kit: SectionKit<Key>, tools: SiteTools<Options>): Awaitable<View | undefined>
  /**
   * The texts of the pages, by key, or a function that loads them. Languages other than English may omit texts. A site
   * can override a text with its option `texts`, under the name of the feature, a dot and the key: `terms.accept`.
   */
  readonly texts?: FeatureWords<Key> | (() => Awaitable<FeatureWords<Key>>)
}

/** The pages of a feature, by name. */
export type FeaturePages<Key extends string = string> = Readonly<Record<string, ShowPage<Key>>>

/** The texts of a feature, by language and key. */
export type FeatureWords<Key extends string = string> = { readonly en: Readonly<Record<Key, string>> } & {
  readonly [Locale in Exclude<PageLocale, 'en'>]?: { readonly [K in NoInfer<Key>]?: string }
}

/** A feature, as `defineFeature` returns it. */
export interface Feature<Methods = MethodDefinitions> extends FeatureDefinition<unknown, string, Methods> {
  /** Returns the fault of the feature in a configuration, or undefined. */
  readonly [findFault]: (site: FeatureSite) => AuthError | undefined
}

/** The other features of a configuration, its providers, and its adapter. */
interface FeatureSite {
  readonly features: readonly Pick<Feature, 'name' | 'signIn'>[]
  readonly providers: { readonly has: (id: string) => boolean }
  readonly store: { readonly has: (operation: keyof Adapter) => boolean } | undefined
}
