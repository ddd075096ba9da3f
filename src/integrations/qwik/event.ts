import { parseSetCookie } from 'cookie'
import type { Environment } from '../../config/environment.ts'
import { setEnvDefaults as fillIn } from '../../config/set-env-defaults.ts'
import type { AuthConfig } from '../../types/config.ts'

/** A configuration of integration A. */
export type QwikAuthConfig = Omit<AuthConfig, 'raw'>

/** What is used of Qwik City's events, so that this code needs its types no more than its modules. */
export interface QwikEvent {
  readonly request: Request
  readonly url: URL
  /** Of the response. */
  readonly headers: Headers
  readonly env: EnvironmentGetter
  readonly sharedMap: { get(key: string): unknown; set(key: string, value: unknown): unknown }
  readonly cookie: { set(name: string, value: string, options?: QwikCookieOptions): void }
  readonly redirect: (status: 302, url: string) => unknown
  readonly send: (response: Response) => unknown
}

export interface QwikActionEvent extends QwikEvent {
  readonly fail: (status: number, result: Problems) => unknown
}

export interface EnvironmentGetter {
  get(name: string): string | undefined
}

interface QwikCookieOptions {
  domain?: string
  expires?: Date
  httpOnly?: boolean
  maxAge?: number
  path?: string
  sameSite?: 'strict' | 'lax' | 'none'
  secure?: boolean
}

/** What is wrong with an input, by field and in all. */
export interface Problems {
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  readonly formErrors: readonly string[]
}

/** As the core's, with what Qwik City knows of the environment. Writes to the configuration it is given. */
export function setEnvDefaults(env: EnvironmentGetter, config: QwikAuthConfig): void {
  const environment: Environment = new Proxy(
    {},
    { get: (_, name) => (typeof name === 'string' ? env.get(name) : undefined) },
  )
  fillIn(environment, config)
}

/**
 * Puts cookies into the response. Qwik City writes values as they are, and keeps of a header that is set twice the last
 * one only: so each goes in by its name, its value still encoded.
 */
export function setCookies({ cookie }: QwikEvent, lines: readonly string[]): void {
  for (const line of lines) {
    const { name, value = '', ...attributes } = parseSetCookie(line, { decode: (text) => text })
    const { domain, expires, httpOnly, maxAge, path, sameSite, secure } = attributes
    const options = { domain, expires, httpOnly, maxAge, path, secure }
    cookie.set(name, value, { ...options, ...(typeof sameSite === 'string' && { sameSite }) })
  }
}
