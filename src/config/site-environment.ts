import { InvalidConfig } from '../errors.ts'
import type { Environment } from './environment.ts'

/** A variable that says where the site is. */
export type SiteVariable = 'AUTH_URL' | 'NEXTAUTH_URL'

/** Whether the environment says that the host of a request can be relied on. */
export interface HostTrust {
  readonly trusted: boolean
  /** Why the host counts as trusted though nobody said so. */
  readonly inferredFrom?: string
}

/**
 * Returns the URL of the site, or undefined when the variable is not set.
 * @throws InvalidConfig when it is set to anything else; the message never quotes it, since it may hold a password
 */
export function readSiteUrl(environment: Environment, name: SiteVariable = 'AUTH_URL'): URL | undefined {
  const text = environment[name]
  if (text === undefined) return undefined
  const problem = judgeSiteUrl(text)
  if (problem === undefined) return new URL(text)
  throw new InvalidConfig(
    `${name} ${problem}. Set it to the URL of the site, such as https://example.com, or remove it`,
  )
}

function judgeSiteUrl(text: string): string | undefined {
  if (text.trim() === '') return 'is blank'
  // `localhost:3000` parses, with `localhost:` for its scheme.
  if (!/^\s*https?:/i.test(text)) return 'does not start with https:// or http://'
  if (!URL.canParse(text)) return 'is not a valid URL'
  const { username, password } = new URL(text)
  return username === '' && password === '' ? undefined : 'contains a user name or a password'
}

const trusting: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
])

/**
 * Decides by the first variable that is set. A platform that names itself sets the host header safely, and a server that
 * is not in production is reached by its developers alone.
 * @throws InvalidConfig when a variable is set to something that it cannot mean
 */
export function readHostTrust(environment: Environment): HostTrust {
  const isDeclared = readSiteUrl(environment) !== undefined
  const told = readTrustVariable(environment)
  if (isDeclared) return { trusted: true }
  if (told !== undefined) return { trusted: told }
  const platform = (['VERCEL', 'CF_PAGES'] as const).find((name) => environment[name] !== undefined)
  if (platform) {
    const trusted = trusting.get(environment[platform]?.toLowerCase() ?? '') !== false
    return { trusted, ...(trusted && { inferredFrom: `${platform} is set` }) }
  }
  const { NODE_ENV } = environment
  if (NODE_ENV === 'production') return { trusted: false }
  return { trusted: true, inferredFrom: NODE_ENV ? `NODE_ENV is "${NODE_ENV}"` : 'NODE_ENV is not set' }
}

function readTrustVariable({ AUTH_TRUST_HOST: told }: Environment): boolean | undefined {
  if (told === undefined) return undefined
  const trusted = trusting.get(told.toLowerCase())
  if (trusted !== undefined) return trusted
  throw new InvalidConfig('AUTH_TRUST_HOST must be true or 1, or false, 0 or empty')
}

/** Returns what is wrong with the variables that say where the site is; undefined when they can be used. */
export function findSiteFault(environment: Environment): InvalidConfig | undefined {
  try {
    readHostTrust(environment)
    return undefined
  } catch (error) {
    if (error instanceof InvalidConfig) return error
    throw error
  }
}
