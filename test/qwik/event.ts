import {
  type Problems,
  type QwikActionEvent,
  type QwikAuthConfig,
  serveEvent,
} from '../../src/integrations/qwik/serve-event.ts'
import { origin, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'

/** The exceptions with which Qwik City ends a request. */
class Redirect {
  readonly status: number
  readonly location: string
  constructor(status: number, location: string) {
    this.status = status
    this.location = location
  }
}

/** The result of an event. */
export interface Ended {
  readonly value?: unknown
  readonly redirect?: Redirect
  readonly response?: Response
  readonly event: QwikActionEvent
  readonly cookies: readonly string[]
}

/** A Qwik City application that handles events, and the user agent whose cookies it sets. */
export interface QwikApp {
  readonly agent: Agent
  readonly send: (
    path: string,
    act: (event: QwikActionEvent, config: QwikAuthConfig) => Promise<unknown>,
    init?: RequestInit,
  ) => Promise<Ended>
  readonly serve: (path: string, init?: RequestInit) => Promise<Ended>
}

export function openQwikApp(app: App, environment: Record<string, string> = {}): QwikApp {
  const agent = app.agent()
  const send: QwikApp['send'] = async (path, act, init = {}) => {
    const headers = new Headers(init.headers)
    const held = Object.entries(agent.cookies()).map(([name, value]) => `${name}=${value}`)
    if (held.length > 0) headers.set('cookie', held.join('; '))
    const request = new Request(origin + path, { ...init, headers })
    const url = new URL(request.url.replace('/q-data.json', '/'))
    const cookies = new Map<string, string>()
    const shared = new Map<string, unknown>()
    const event: QwikActionEvent = {
      request,
      url,
      headers: new Headers(),
      env: { get: (name) => environment[name] },
      sharedMap: shared,
      cookie: { set: (name, value, options = {}) => void cookies.set(name, write(name, value, options)) },
      redirect: (status, location) => new Redirect(status, location),
      send: (response) => response,
      fail: (status: number, problems: Problems) => ({ status, failed: true, ...problems }),
    }
    const ended = await act(event, app.config).then(
      (value) => ({ value }),
      (thrown: unknown) => {
        if (thrown instanceof Redirect) return { redirect: thrown }
        if (thrown instanceof Response) return { response: thrown }
        throw thrown
      },
    )
    for (const line of cookies.values()) agent.set(line)
    return { ...ended, event, cookies: [...cookies.values()] }
  }
  return { agent, send, serve: (path, init) => send(path, serveEvent, init) }
}

type Setting = string | number | boolean | Date | undefined

/** Writes a cookie as Qwik City does, without encoding its value. */
function write(name: string, value: string, options: object): string {
  const attributes = Object.entries(options).flatMap(([option, setting]: [string, Setting]) => {
    if (setting === undefined || setting === false) return []
    if (setting instanceof Date) return [`Expires=${setting.toUTCString()}`]
    const spelt = option === 'maxAge' ? 'Max-Age' : option
    return [setting === true ? spelt : `${spelt}=${setting}`]
  })
  return [`${name}=${value}`, ...attributes].join('; ')
}
