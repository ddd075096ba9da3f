/** A browser of one person: its cookies, and marks that no other request has. */
export interface Visitor {
  readonly name: string
  /** Returns a new mark. Each value that a visitor sends contains one. */
  readonly mark: () => string
  /** The Cookie header; undefined without cookies. */
  readonly cookie: () => string | undefined
  readonly cookieNames: () => readonly string[]
  /** The CSRF token, which is the first half of its cookie; undefined without the cookie. */
  readonly csrfToken: () => string | undefined
  /** The value of the session cookie; undefined without the cookie. */
  readonly session: () => string | undefined
  /** Stores the cookies of a response. */
  readonly store: (lines: readonly string[]) => void
  /** Deletes all cookies, as a new browser has none. */
  readonly forget: () => void
  /** Opens another browser of the same person, with the same cookies. */
  readonly copy: () => Visitor
}

/** A cookie of a response. The value is empty if the response deletes the cookie. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly attributes: string
}

/** Marks have a form that occurs nowhere else, so that a response can be searched for them. */
export const markPattern = /mark-[a-z]+-[a-z0-9]+-\d+-end/g

/** Creates a visitor without cookies. The run distinguishes its marks from those of earlier runs on the same site. */
export function createVisitor(name: string, run: string): Visitor {
  let marks = 0
  return openBrowser(name, () => `mark-${name}-${run}-${marks++}-end`, new Map())
}

function openBrowser(name: string, mark: () => string, jar: Map<string, string>): Visitor {
  const ending = (suffix: string) => [...jar].find(([each]) => each.endsWith(suffix))?.[1]
  return {
    name,
    mark,
    cookie: () => (jar.size === 0 ? undefined : [...jar].map((pair) => pair.join('=')).join('; ')),
    cookieNames: () => [...jar.keys()].toSorted(),
    csrfToken: () => ending('csrf-token')?.split(/%7C|\|/)[0],
    session: () => ending('session-token'),
    store(lines) {
      for (const { name: each, value } of lines.map(parseSetCookie))
        if (value === '') jar.delete(each)
        else jar.set(each, value)
    },
    forget: () => jar.clear(),
    copy: () => openBrowser(name, mark, new Map(jar)),
  }
}

/** Parses a Set-Cookie value. */
export function parseSetCookie(line: string): SetCookie {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes: attributes.join('; ') }
}
