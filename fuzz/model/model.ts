import type { Actor, Command } from './commands.ts'

/** A session as somebody would reckon with it who knows the rules alone. */
interface Session {
  revoked: boolean
  /** Seconds since the beginning. */
  expires: number
}
interface Transaction {
  readonly started: number
  used: boolean
  /** Something went wrong when it was begun: it may be good, or not. */
  doubtful?: boolean
}
interface Link {
  readonly mailed: number
  used: boolean
  doubtful?: boolean
}
/** What the cookies of a browser stand for. */
interface Cookies {
  readonly session?: Session | undefined
  readonly transaction?: Transaction | undefined
}

/** Who may be signed in in a browser after a command: usually there is one answer. */
export type Expectation = readonly (Actor | undefined)[]

const maxAge = 30 * 86_400
const updateAge = 86_400
const checkAge = 900
const linkAge = 86_400

/**
 * What should come of commands, by the rules and not by anybody's code: a browser is signed in as its owner, or not at
 * all, from a sign-in that it began itself until it is signed out, forgotten, or idle for too long.
 */
export class Model {
  readonly strategy: 'jwt' | 'database'
  now = 0
  readonly #cookies = new Map<Actor, Cookies>()
  readonly #saved = new Map<Actor, Cookies>()
  readonly #answers = new Map<Actor, Transaction>()
  readonly #links = new Map<Actor, Link>()

  constructor(strategy: 'jwt' | 'database') {
    this.strategy = strategy
  }

  /** Has the command anything to act on? */
  allows(command: Command): boolean {
    switch (command.does) {
      case 'arrive':
        return this.#answers.has(command.by) && !this.#isReplayed(command.by)
      case 'arrive-as':
        return command.by !== command.of && this.#answers.has(command.of)
      case 'follow-link':
        return this.#links.has(command.by)
      case 'restore':
        return this.#saved.has(command.by)
      default:
        return true
    }
  }

  /** Who may be signed in afterwards in the browser that acted. */
  expect(command: Exclude<Command, { readonly does: 'pass' | 'break-store' }>): Expectation {
    const { by } = command
    const before = this.who(by)
    switch (command.does) {
      case 'start': {
        const transaction = { started: this.now, used: false }
        this.#answers.set(by, transaction)
        this.#put(by, { transaction })
        return [before]
      }
      case 'arrive': {
        const answer = this.#answers.get(by)
        const { transaction } = this.#of(by)
        const isGood = answer !== undefined && !answer.used && this.now - answer.started < checkAge
        this.#put(by, { transaction: undefined })
        if (!isGood) return [before]
        answer.used = true
        if (answer.doubtful) return [before, by]
        if (transaction === answer) return [by]
        // Its check cookies were used up or replaced meanwhile; whoever keeps more of them may accept it still.
        return transaction ? [before] : [before, by]
      }
      case 'arrive-as':
        this.#put(by, { transaction: undefined })
        return [before]
      case 'ask-link':
        this.#links.set(by, { mailed: this.now, used: false })
        return [before]
      case 'follow-link': {
        const link = this.#links.get(by)
        if (!link || link.used || this.now - link.mailed >= linkAge) return [before]
        link.used = true
        return link.doubtful ? [before, by] : [by]
      }
      case 'update':
        return [before]
      case 'sign-out':
        this.#end(by)
        return [undefined]
      case 'save':
        this.#saved.set(by, this.#of(by))
        return [before]
      case 'restore': {
        const left = this.#of(by).session
        this.#cookies.set(by, this.#saved.get(by) ?? {})
        const restored = this.#of(by).session
        // A token cannot be called back: where it lives on depends on what the target can do.
        if (this.strategy === 'jwt' && restored && restored !== left) return [undefined, by]
        return [this.who(by)]
      }
      case 'forget':
        this.#cookies.delete(by)
        return [undefined]
    }
  }

  /** The browser turned out to be signed in, or not, and was asked just now. */
  settle(by: Actor, isSignedIn: boolean, isNew: boolean): void {
    const held = this.#of(by).session
    if (!isSignedIn) return this.#put(by, { session: undefined })
    if (isNew || !held || held.revoked) {
      if (held && isNew) held.revoked = this.strategy === 'database'
      return this.#put(by, { session: { revoked: false, expires: this.now + maxAge } })
    }
    const isDue = this.strategy === 'jwt' || this.now >= held.expires - maxAge + updateAge
    if (isDue) held.expires = this.now + maxAge
  }

  /** What this actor did last did not go as it should have. */
  doubt(by: Actor): void {
    for (const errand of [this.#answers.get(by), this.#links.get(by)]) if (errand) errand.doubtful = true
  }

  /** Who is signed in in a browser. */
  who(by: Actor): Actor | undefined {
    const { session } = this.#of(by)
    return session && !session.revoked && this.now < session.expires ? by : undefined
  }

  pass(seconds: number): void {
    this.now += seconds
  }

  /** Restored check cookies open once more where nothing is kept on the server: that is for TX-03, by capability. */
  #isReplayed(by: Actor): boolean {
    const answer = this.#answers.get(by)
    return answer?.used === true && this.#of(by).transaction === answer
  }

  #of(by: Actor): Cookies {
    return this.#cookies.get(by) ?? {}
  }

  #put(by: Actor, change: Cookies): void {
    this.#cookies.set(by, { ...this.#of(by), ...change })
  }

  #end(by: Actor): void {
    const { session } = this.#of(by)
    if (session && this.strategy === 'database') session.revoked = true
    this.#put(by, { session: undefined })
  }
}
