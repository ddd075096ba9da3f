import { textOfReceived, textOfSent, valuesOf, type Received, type Sent } from './exchange.ts'
import type { Kind } from './requests.ts'
import { markPattern, parseSetCookie } from './visitor.ts'

/** A request and its response. */
export interface Exchange {
  /** Number, visitor and kind, for messages. */
  readonly label: string
  readonly kind: Kind
  /** Names of the cookies that it carries. */
  readonly cookieNames: readonly string[]
  /** The session cookie that it carries. */
  readonly session: string | undefined
  /** The mark of its visitor's request. */
  readonly mark: string
  readonly sent: Sent
  readonly received: Received
}

/** The values that each request sent and each response gave, and the name in each session cookie. */
export interface Ledger {
  /** Notes the values of exchanges, which may have run at the same time. */
  readonly note: (exchanges: readonly Exchange[]) => void
  /** Returns the name in a session cookie. */
  readonly nameIn: (session: string) => string | undefined
  /** Lists the values in a response that belong to another request. */
  readonly findForeign: (exchange: Exchange) => string[]
}

export function createLedger(): Ledger {
  /** The first exchange with each value. */
  const owners = new Map<string, Exchange>()
  const names = new Map<string, string>()
  const nameIn = (session: string) => names.get(session)
  return {
    nameIn,
    note(exchanges) {
      for (const exchange of exchanges) {
        for (const value of listSent(exchange)) owners.set(value, owners.get(value) ?? exchange)
        const { session, kind, mark } = exchange
        const name = kind.signsIn ? mark : session && names.get(session)
        for (const given of sessionsIn(exchange)) if (name && !names.has(given)) names.set(given, name)
      }
      // A value that a request carries belongs to the request, even if a response repeats it.
      for (const exchange of exchanges)
        for (const value of listGiven(exchange.received)) owners.set(value, owners.get(value) ?? exchange)
    },
    findForeign(exchange) {
      const [sent, received] = [textOfSent(exchange.sent), textOfReceived(exchange.received)]
      const own = exchange.session && nameIn(exchange.session)
      return [...owners]
        .filter(([value, owner]) => owner !== exchange && received.includes(value))
        .filter(([value]) => value !== own && !sent.includes(value))
        .map(([value, owner]) => `repeats ${shorten(value)} of ${owner.label}`)
    },
  }
}

/** Returns the session cookies that a response sets. */
export function sessionsIn({ received }: Pick<Exchange, 'received'>): string[] {
  const cookies = valuesOf(received, 'set-cookie').map(parseSetCookie)
  return cookies
    .filter(({ name, value }) => name.endsWith('session-token') && value !== '')
    .map(({ value }) => value)
}

function listSent({ sent }: Exchange): readonly string[] {
  return textOfSent(sent).match(markPattern) ?? []
}

/** Lists what a response gives to a visitor: cookies, CSRF tokens and the parameters of a sign-in at a provider. */
function listGiven(received: Received): string[] {
  const cookies = valuesOf(received, 'set-cookie').map((line) => parseSetCookie(line).value)
  const tokens = [...received.body.matchAll(/csrfToken[^0-9a-f]{1,12}([0-9a-f]{64})/g)].map(
    ([, token]) => token,
  )
  const parameters = valuesOf(received, 'location').flatMap(readParameters)
  return [...cookies, ...tokens, ...parameters]
    .flatMap((value) => value?.split(/%7C|\|/) ?? [])
    .filter((value) => value.length >= 16 && !/^https?[:%]/.test(value))
}

function readParameters(location: string): string[] {
  const { searchParams } = new URL(location, 'http://localhost')
  return ['state', 'nonce', 'code_challenge'].flatMap((name) => searchParams.getAll(name))
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value
}
