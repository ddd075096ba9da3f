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

/** Secrets that a run let out into the world: what the browser holds, what was sent, what tokens came. */
export interface Canaries {
  readonly add: (name: string, value: unknown) => void
  /** What the browser holds now. */
  readonly addCookies: (agent: Agent) => void
  /** What the provider got of us, and of the browser. */
  readonly addRequests: (app: App) => void
  /** The names of the secrets that are in a text, in any of the spellings that end up in logs. */
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
