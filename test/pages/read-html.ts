/** A start tag and its attributes, or the text between two tags, both decoded. */
export type Piece = { readonly tag: string; readonly attributes: ReadonlyMap<string, string> } | string

const tag = /<(\/?[a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<]*")?)*)\/?>/y
const text = /[^<]+/y

/**
 * Parses the library's pages strictly: anything but lower-case tags, double-quoted attributes and text without `<`
 * throws, so that a value that breaks out of its context cannot go unnoticed.
 */
export function readHtml(html: string): Piece[] {
  const pieces: Piece[] = []
  const start = '<!DOCTYPE html>'
  if (!html.startsWith(start)) throw new Error('no doctype')
  let at = start.length
  while (at < html.length) {
    const found = match(tag, html, at) ?? match(text, html, at)
    if (found === undefined) throw new Error(`unexpected markup at: ${html.slice(at, at + 60)}`)
    at += found[0].length
    const [whole, name, attributes] = found
    if (name === undefined) pieces.push(decode(whole))
    else if (!name.startsWith('/'))
      pieces.push({ tag: name, attributes: readAttributes(attributes ?? '', name) })
  }
  return pieces
}

/** All elements with that name. Without a name, all elements. */
export function findAll(html: string, name?: string): ReadonlyMap<string, string>[] {
  return readHtml(html).flatMap((piece) =>
    typeof piece === 'object' && (name === undefined || piece.tag === name) ? [piece.attributes] : [],
  )
}

/** The visible text, without the style sheet and the title. */
export function readText(html: string): string {
  const [, body = ''] = html.split('<body')
  return readHtml(`<!DOCTYPE html><body${body}`)
    .filter((piece) => typeof piece === 'string')
    .join(' ')
}

/** The page's structure of elements and attributes, without values. */
export function readShape(html: string): string[] {
  return readHtml(html).map((piece) =>
    typeof piece === 'string' ? 'text' : [piece.tag, ...piece.attributes.keys()].join(' '),
  )
}

function readAttributes(source: string, name: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, key = '', value = ''] of source.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/gi)) {
    if (attributes.has(key)) throw new Error(`${name} has ${key} twice`)
    attributes.set(key, decode(value))
  }
  return attributes
}

function match(pattern: RegExp, html: string, at: number): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern.source, 'yi')
  sticky.lastIndex = at
  return sticky.exec(html) ?? undefined
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

function decode(escaped: string): string {
  return escaped.replace(/&(?:([a-z]+);)?/g, (whole, name: string | undefined) => {
    const character = name === undefined ? undefined : entities[name]
    if (character === undefined) throw new Error(`a bare ampersand: ${whole}`)
    return character
  })
}
