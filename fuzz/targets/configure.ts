import type { Mailbox } from '../world/mailbox.ts'
import { people, type ProviderName, type RemoteName } from '../world/people.ts'
import type { Points } from '../world/points.ts'
import type { Recorded } from '../world/recorded.ts'
import { providersOf, type Setup } from './setup.ts'
import type { LibraryTarget, TurnOn } from './target.ts'

export const issuers: Readonly<Record<RemoteName, string>> = {
  alpha: 'https://alpha.example',
  beta: 'https://beta.example',
  plain: 'https://plain.example',
}
export const secret = 'the secret of the oracle, which is long enough'

/** The parts of a world that a configuration uses. */
interface Parts {
  readonly mailbox: Mailbox
  readonly recorded: Recorded
  readonly store: object
  readonly points: Points
}

type Loose = Readonly<Record<string, unknown>>

/** Returns the configuration of an application in Auth.js format, and wraps every hook. */
export function configure(target: LibraryTarget, setup: Setup, parts: Parts): Record<string, unknown> {
  return turnOn(target, setup, configureDefaults(target, setup, parts))
}

/** Turns on the capabilities that the setup requires. */
function turnOn(
  { turnOn: known = {} }: LibraryTarget,
  setup: Setup,
  config: Record<string, unknown>,
): Record<string, unknown> {
  return Object.entries(setup.with ?? {}).reduce((each, [name, value]) => {
    const change = (known as Readonly<Record<string, TurnOn<unknown> | undefined>>)[name]
    return change ? change(each, value) : each
  }, config)
}

function configureDefaults(target: LibraryTarget, setup: Setup, parts: Parts): Record<string, unknown> {
  const { recorded, store, points } = parts
  const { config = {}, strategy = 'database' } = setup
  return {
    trustHost: true,
    secret,
    basePath: '/auth',
    debug: true,
    adapter: strategy === 'database' || config.adapter === true ? store : undefined,
    logger: {
      error: (error: Error) => void recorded.errors.push(error),
      warn: (code: string) => void recorded.warnings.push(code),
      debug: (...entry: unknown[]) => void recorded.debugs.push(entry),
    },
    ...(setup.emailChange && target.emailChange?.({ ...setup.emailChange, ...changeMailer(parts) })),
    ...config,
    ...(config.adapter === true && { adapter: store }),
    ...(config.sendNotice !== undefined && watchNotices(recorded, config.sendNotice)),
    providers: addTo(
      [
        ...providersOf(setup).map((name) => provide(target, name, setup, parts)),
        ...(setup.passwords ? [target.password?.({ ...setup.passwords, sendLink: mailer(parts).send })] : []),
      ],
      config.providers,
    ),
    session: { strategy, ...(config.session as Loose | undefined) },
    callbacks: whenHooks(config.callbacks, (given) =>
      points.watch('callback', watchCallbacks(recorded, { ...defaultCallbacks, ...given })),
    ),
    events: whenHooks(config.events, (given) => points.watch('event', watchEvents(recorded, given))),
  }
}

type Operation = (params: never) => unknown

const defaultCallbacks: Record<string, Operation> = {
  signIn: () => true,
  jwt: ({ token }: { token: unknown }) => token,
}

/** Adds providers. Passes an invalid list on, so that the target rejects it. */
function addTo(providers: readonly unknown[], more: unknown): unknown {
  if (more === undefined) return providers
  return Array.isArray(more) ? [...providers, ...(more as unknown[])] : more
}

/** Wraps hooks. Passes invalid ones on, so that the target rejects them. */
function whenHooks(given: unknown, watch: (hooks: Record<string, Operation>) => object): unknown {
  const isGroup = given === undefined || (typeof given === 'object' && !Array.isArray(given))
  const areHooks = isGroup && Object.values(given ?? {}).every((hook) => typeof hook === 'function')
  return areHooks ? watch((given ?? {}) as Record<string, Operation>) : given
}

function watchCallbacks(recorded: Recorded, callbacks: Record<string, Operation>): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(callbacks).map(([name, callback]) => [
      name,
      (params: never) => {
        recorded.callbacks.push({ name, params: { ...(params as Loose) } })
        return callback(params)
      },
    ]),
  )
}

/** Records the notices that an application sends about any change to an account. */
function watchNotices(recorded: Recorded, sendNotice: unknown): Loose {
  if (typeof sendNotice !== 'function') return { sendNotice }
  const { accountNotice } = watchCallbacks(recorded, { accountNotice: sendNotice as Operation })
  return { sendNotice: accountNotice }
}

function watchEvents(recorded: Recorded, events: Record<string, Operation>): Record<string, Operation> {
  const names = [
    'signIn',
    'signOut',
    'createUser',
    'updateUser',
    'linkAccount',
    'updatePassword',
    'updateSecondFactor',
    'unlinkAccount',
    'deleteUser',
    'session',
  ]
  return Object.fromEntries(
    names.map((event) => [
      event,
      (message: never) => {
        recorded.events.push({ event, message: { ...(message as Loose) } })
        return events[event]?.(message)
      },
    ]),
  )
}

function provide(
  target: LibraryTarget,
  name: ProviderName,
  { provider, preset }: Setup,
  parts: Parts,
): unknown {
  const own = provider?.[name] ?? {}
  const service = name === 'alpha' || name === 'beta' || name === 'plain' ? preset?.[name] : undefined
  if (service !== undefined) return target.presets?.[service]?.({ ...registeredAs(name), ...own })
  switch (name) {
    case 'alpha':
    case 'beta':
      return { ...registeredAs(name), type: 'oidc', issuer: issuers[name], ...own }
    case 'plain':
      return { ...registeredAs(name), ...plainEndpoints, ...own }
    case 'mail':
      return { ...mailProvider(parts), ...own }
    case 'form':
      return { ...formProvider, ...own }
    case 'passkey':
      return target.passkey?.({ id: 'passkey', name: 'Passkey', ...own })
  }
}

function registeredAs(name: ProviderName) {
  return { id: name, name, clientId: `client-at-${name}`, clientSecret: `secret-at-${name}-0123456789` }
}

interface PlainProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
}

const plainEndpoints = {
  type: 'oauth',
  authorization: { url: `${issuers.plain}/authorize`, params: { scope: 'profile' } },
  token: `${issuers.plain}/token`,
  userinfo: `${issuers.plain}/userinfo`,
  profile: ({ sub, name, email }: PlainProfile) => ({ id: sub, name, email }),
}

function mailer({ mailbox, points }: Parts) {
  return points.watch('mail', {
    async send({ identifier, url, token }: { identifier: string; url: string; token?: string }) {
      mailbox.deliver({ to: identifier, link: new URL(url), token })
    },
  })
}

function changeMailer({ mailbox, points, recorded }: Parts) {
  return points.watch('mail', {
    async sendLink({ to, url }: { to: string; url: string }) {
      mailbox.deliver({ to, link: new URL(url), token: new URL(url).searchParams.get('token') ?? undefined })
    },
    async sendNotice(params: { to: string; type: string }) {
      recorded.callbacks.push({ name: 'sendNotice', params: { ...params } })
    },
  })
}

function mailProvider(parts: Parts) {
  return {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    from: 'no-reply@app.example',
    maxAge: 24 * 60 * 60,
    server: {},
    options: {},
    sendVerificationRequest: mailer(parts).send,
  }
}

const formProvider = {
  id: 'form',
  name: 'Form',
  type: 'credentials',
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize({ username, password }: Loose) {
    const person = Object.values(people).find((each) => each.name === username && each.password === password)
    return person ? { id: `${person.name}-by-form`, name: person.name, email: person.address.form } : null
  },
}
