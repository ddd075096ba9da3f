import { inspect } from 'node:util'
import type { App } from './app.ts'
import type { Agent } from './browser-agent.ts'

/** Everything that an application logged, with causes, stacks and hidden members, as one text. */
export function loggedBy({ errors, warnings, debugs }: App): string {
  return inspect(
    { errors, warnings, debugs },
    { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null },
  )
}

/** Secrets of a run: the browser's cookies, and the tokens sent and received. */
export interface Canaries {
  readonly add: (name: string, value: unknown) => void
  /** Adds the browser's cookies. */
  readonly addCookies: (agent: Agent) => void
  /** Adds the secrets that the provider received from the application and the browser. */
  readonly addRequests: (app: App) => void
  /** The names of the secrets that occur in a text, in any encoding that logs may use. */
  readonly foundIn: (text: string) => string[]
  readonly size: () => number
}

const secretParameters = ['code', 'state', 'nonce', 'code_verifier', 'client_secret', 'client_assertion']

export function createCanaries(): Canaries {
  const secrets = new Map<string, string>()
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string' && value.length >= 8) secrets.set(value, name)
  }
  return {
    add,
    addCookies(agent) {
      for (const [name, value] of Object.entries(agent.cookies()))
        if (!name.endsWith('callback-url'))
          for (const part of decodeURIComponent(value).split('|')) add(name, part)
    },
    addRequests({ idp }) {
      for (const { endpoint, parameters, headers } of idp.log) {
        for (const name of secretParameters) add(`${endpoint} ${name}`, parameters.get(name))
        add(`${endpoint} authorization`, headers.get('authorization')?.replace(/^\w+ /, ''))
      }
    },
    foundIn: (text) =>
      [...secrets].flatMap(([value, name]) =>
        [value, encodeURIComponent(value), btoa(value)].some((spelt) => text.includes(spelt)) ? [name] : [],
      ),
    size: () => secrets.size,
  }
}
