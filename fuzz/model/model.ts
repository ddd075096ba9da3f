import type { Actor, Command } from './commands.ts'

/** A session, as the rules describe it. */
interface Session {
  revoked: boolean
  /** Seconds since the start. */
  expires: number
}
interface Transaction {
  readonly started: number
  used: boolean
  /** A fault occurred when it started: it may be valid or not. */
  doubtful?: boolean
}
interface Link {
  readonly mailed: number
  used: boolean
  doubtful?: boolean
}
/** The meaning of a browser's cookies. */
interface Cookies {
  readonly session?: Session | undefined
  readonly transaction?: Transaction | undefined
}

/** The possible users of a browser after a command; usually one. */
export type Expectation = readonly (Actor | undefined)[]

const maxAge = 30 * 86_400
const updateAge = 86_400
const checkAge = 900
const linkAge = 86_400

/**
 * Predicts the outcome of commands from the rules, independent of any implementation. A browser is signed in as its owner
 * or not at all: from a sign-in that it started itself, until it signs out, loses its cookies, or is idle for too long.
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

  /** Returns whether the command is possible now. */
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

  /** Applies a command, and returns who may be signed in in its browser afterwards. */
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
        // Its check cookies were consumed or replaced; a target with several check cookies may still accept it.
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
        // A token cannot be revoked without a capability of the target, so both outcomes are possible.
        if (this.strategy === 'jwt' && restored && restored !== left) return [undefined, by]
        return [this.who(by)]
      }
      case 'forget':
        this.#cookies.delete(by)
        return [undefined]
    }
  }

  /** Updates the model with the observed session, which the observation may have extended. */
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

  /** Marks the actor's last sign-in and link as uncertain after a fault. */
  doubt(by: Actor): void {
    for (const action of [this.#answers.get(by), this.#links.get(by)]) if (action) action.doubtful = true
  }

  /** Returns who is signed in in a browser. */
  who(by: Actor): Actor | undefined {
    const { session } = this.#of(by)
    return session && !session.revoked && this.now < session.expires ? by : undefined
  }

  pass(seconds: number): void {
    this.now += seconds
  }

  /** Restored check cookies work again unless the server stores state; TX-03 tests that, by capability. */
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
