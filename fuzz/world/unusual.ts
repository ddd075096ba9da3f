import type { Sending } from './browser.ts'
import type { Reply } from './reply.ts'

/** Characters of a value that a step shows. */
const shownValue = 60

/** Fields of a form or of JSON that a step shows, because a case is often about them. */
const shownFields: readonly string[] = ['email', 'callbackUrl']

/** Finds the parts of requests that an ordinary browser would not send. */
export interface Unusual {
  /** Notes the cookies that a response sets. */
  readonly note: (reply: Reply) => void
  /** Lists the cookies that no response set, the additional headers, and the fields that a case is often about. */
  readonly of: (request: Request, sending?: Sending) => readonly string[]
}

export function openUnusual(): Unusual {
  const issued = new Set<string>()
  return {
    note(reply) {
      for (const { key, value } of reply.cookies) issued.add(`${key}=${value}`)
    },
    of(request, { headers = {}, form, json } = {}) {
      const cookies = (request.headers.get('cookie') ?? '').split('; ')
      const planted = cookies.filter((pair) => pair !== '' && !issued.has(pair))
      const added = Object.entries(headers).filter(([name]) => !/^(?:cookie|accept)$/i.test(name))
      const fields = form instanceof URLSearchParams ? [...form] : Object.entries(form ?? Object(json))
      return [
        ...planted.map((pair) => `the cookie ${shorten(pair)}`),
        ...added.flatMap(([name, value]) =>
          value === undefined ? [] : `the header ${name}: ${shorten(value)}`,
        ),
        ...fields
          .filter(([name]) => shownFields.includes(name))
          .map(
            ([name, value]) =>
              `${name}=${shorten(typeof value === 'string' ? value : JSON.stringify(value))}`,
          ),
      ]
    },
  }
}

function shorten(text: string): string {
  return text.length > shownValue ? `${text.slice(0, shownValue)}… (${text.length} characters)` : text
}
