import type { Description } from './description.ts'

/** Where the file of a description names something that failures are about. Lines and columns count from 1. */
export interface DescribedPlace {
  /** The member of the description: `signOut.url`. */
  readonly member: string
  /** Its value, which may come from a preset. */
  readonly value: string
  readonly line: number
  readonly column: number
  /** The column after the last character. */
  readonly end: number
}

/** The line of one member in the file. */
type Written = Omit<DescribedPlace, 'value'>

/**
 * Finds where a JSON file names the routes, cookies and providers of a description. A member that its preset defines is
 * where the file names the preset.
 *
 * @param description what the file describes, with its preset
 * @returns nothing if the file is not JSON
 */
export function findPlaces(text: string, description: Description): DescribedPlace[] {
  const written = findMembers(text)
  const preset = written.get('preset')
  return listMembers(description).flatMap(([member, value]) => {
    const place = written.get(member) ?? preset
    return place ? [{ ...place, member, value }] : []
  })
}

/** Lists the texts of a description that name a route, a cookie, a provider or a file. */
function listMembers({
  signIn,
  callback,
  session,
  signOut,
  mail,
  cookies,
  providers,
  log,
}: Description): (readonly [member: string, value: string])[] {
  const members = {
    'signIn.url': signIn.url,
    callback,
    'session.url': session.url,
    'signOut.url': signOut?.url,
    'mail.url': mail?.url,
    'mail.link': mail?.link,
    'cookies.session': cookies?.session,
    log,
    ...Object.fromEntries(Object.entries(providers ?? {}).map(([name, id]) => [`providers.${name}`, id])),
  }
  return Object.entries(members).flatMap(([member, value]) =>
    value === undefined ? [] : [[member, value] as const],
  )
}

/** Finds the texts in a JSON file, by the names of the members around them. */
function findMembers(text: string): ReadonlyMap<string, Written> {
  const places = new Map<string, Written>()
  const path: string[] = []
  let name = ''
  let isValue = false
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}:,]/g)) {
    if (token === '{') path.push(name)
    else if (token === '}') path.pop()
    else if (token === ':') isValue = true
    else if (token !== ',' && !isValue) name = token.slice(1, -1)
    else if (token !== ',') {
      const member = [...path.slice(1), name].join('.')
      places.set(member, { member, ...placeOf(text, index, token.length) })
    }
    if (token !== ':') isValue = false
  }
  return places
}

function placeOf(text: string, index: number, length: number): Omit<Written, 'member'> {
  const before = text.slice(0, index).split('\n')
  const column = (before.at(-1) ?? '').length + 1
  return { line: before.length, column, end: column + length }
}
