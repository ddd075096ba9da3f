import { readForms } from './forms.ts'
import type { Reply } from './reply.ts'
import { isHandedOut, secretLike, splitName } from './secrets.ts'
import { openScript, type Script } from './shell.ts'

/** Everything that happened in a world, in words and as requests that can be repeated. */
export interface History {
  /** One line for each event, oldest first. */
  readonly words: readonly string[]
  /** The requests, as a shell script of curl commands. */
  readonly commands: readonly string[]
  readonly say: (line: string) => void
  /** Adds a line as soon as another event follows. */
  readonly defer: (line: string) => void
  /** @param says who sends the request, and why */
  readonly command: (line: string, says?: string) => void
  /** Stores the secrets of a response for later commands. */
  readonly learn: (reply: Reply) => void
  /** Adds the commands that make the command `world` change its provider in the same way. */
  readonly control: Script['control']
  readonly authorize: Script['authorize']
  readonly readMail: Script['readMail']
  /** Replaces the secrets in a text with short names. */
  readonly veil: (text: string) => string
}

/** Options of a history. */
export interface HistoryOptions {
  /**
   * The address of the page of the command `world`: `http://127.0.0.1:4014`. Absent if nobody repeats the history
   * elsewhere.
   */
  readonly world?: string | undefined
}

/** Opens a history. A secret has the same short name in all lines, because reports may be shared. */
export function openHistory({ world }: HistoryOptions = {}): History {
  const names = new Map<string, string>()
  /** The longest first, because a cookie may contain the state. */
  let whole: readonly string[] = []
  const words: string[] = []
  const nameOf = (secret: string) => {
    const name = names.get(secret) ?? `‹secret ${names.size + 1}›`
    names.set(secret, name)
    return name
  }
  const veil = (text: string) => {
    const named = whole.reduce((rest, value) => rest.replaceAll(value, nameOf), text)
    return named.replaceAll(secretLike, nameOf)
  }
  const reveal = (name: string) => [...names].find(([, each]) => each === name)?.[0] ?? ''
  const script = openScript({ veil, reveal, world })
  const deferred: string[] = []
  const flush = () => void words.push(...deferred.splice(0))
  /** Names the secrets that a script reads as a whole. */
  const note = (...values: readonly string[]) => {
    const added = values.filter((value) => isHandedOut(value) && !whole.includes(value))
    if (added.length > 0) whole = [...new Set([...whole, ...added])].toSorted((a, b) => b.length - a.length)
  }
  return {
    words,
    commands: script.lines,
    veil,
    say(line) {
      flush()
      words.push(veil(line))
    },
    defer: (line) => void deferred.push(veil(line)),
    command(line, says) {
      flush()
      script.add(line, says)
    },
    learn(reply) {
      const state = reply.location?.searchParams.get('state') ?? ''
      for (const { key, value } of reply.cookies) note(value, splitName(key, state)?.random ?? '')
      const [, query = ''] = (reply.headers.get('location') ?? '').split(/[?#]/)
      note(...query.split('&').map(valueOf))
      for (const { fields } of readForms(reply.text)) note(...Object.values(fields))
      script.learn(reply)
    },
    control: script.control,
    authorize(url, response, says) {
      note(...response.parameters.values())
      script.authorize(url, response, says)
    },
    readMail(to, link) {
      note(...link.searchParams.values(), link.pathname.slice(link.pathname.lastIndexOf('/') + 1))
      script.readMail(to, link)
    },
  }
}

function valueOf(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1)
}
