import type { World } from '../../../world/world.ts'
import { writeRequest } from '../compose-description.ts'
import type { Answers } from '../questions.ts'
import type { SignIn } from './learn-sign-in.ts'
import type { Action } from './read-actions.ts'

/** Returns whether a field has this name because it returns a CSRF token. */
export function looksLikeToken(name: string): boolean {
  return /csrf|xsrf|token|proof/i.test(name)
}

/** Describes the request that starts a sign-in, and the ids that an application has for the providers. */
export function describeSignIn(world: World, ways: readonly SignIn[], action: Action): Answers {
  const ids = new Map(ways.map((way) => [way.provider, idOf(way, ways)]))
  const id = ids.get(ways[0]?.provider ?? 'alpha')
  const hasOwnIds = [...ids].some(([provider, each]) => each !== undefined && each !== provider)
  const callback = ways[0]?.callback.pathname.slice(world.basePath.length) ?? ''
  const named = id === undefined ? {} : { id }
  return {
    'sign-in': describeAction(world, action, named),
    callback: insertId(callback, named),
    ...(hasOwnIds && {
      providers: String(
        new URLSearchParams([...ids].flatMap(([name, each]) => (each === undefined ? [] : [[name, each]]))),
      ),
    }),
  }
}

/** Returns the id of a provider: its name in the request, or the part in which two requests differ. */
function idOf({ provider, action }: SignIn, ways: readonly SignIn[]): string | undefined {
  const parts = partsOf(action)
  if (parts.includes(provider)) return provider
  const other = ways.find((way) => way.provider !== provider)
  const others = other && partsOf(other.action)
  return others?.length === parts.length ? parts.find((part, at) => part !== others[at]) : undefined
}

function partsOf({ url, fields, hidden }: Action): string[] {
  const shown = Object.entries(fields).filter(([name]) => !hidden.includes(name) || !looksLikeToken(name))
  return [...url.pathname.split('/'), ...url.searchParams.values(), ...shown.map(([, value]) => value)]
}

interface Named {
  readonly id?: string
}

/** Writes an action as an answer to a question of `init`. */
export function describeAction(
  { basePath }: World,
  { method, url, fields }: Action,
  named: Named = {},
): string {
  const path = insertId(url.pathname.slice(basePath.length), named)
  const query = [...url.searchParams].map(
    ([name, value]) => `${name}=${value === named.id ? '{provider}' : encodeURIComponent(value)}`,
  )
  const own = Object.entries(fields).map(([name, value]) => [name, value === named.id ? '{provider}' : value])
  const body: Record<string, string> = Object.fromEntries(own)
  const isLink = method === 'GET'
  // A link has its parameters in its URL, so that it needs no method.
  const all = isLink
    ? [
        ...query,
        ...Object.entries(body).map(
          ([name, value]) => `${name}=${value.startsWith('{') ? value : encodeURIComponent(value)}`,
        ),
      ]
    : query
  const whole = `${path}${all.length > 0 ? `?${all.join('&')}` : ''}`
  return writeRequest({
    ...(isLink ? {} : { method }),
    url: whole,
    ...(!isLink && Object.keys(body).length > 0 && { fields: body }),
  })
}

function insertId(path: string, { id }: Named): string {
  return id === undefined
    ? path
    : path
        .split('/')
        .map((part) => (part === id ? '{provider}' : part))
        .join('/')
}

/** Returns the fields without some of them. */
export function without(
  fields: Readonly<Record<string, string>>,
  ...names: readonly (string | undefined)[]
): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}
