import type { Reply } from './reply.ts'
import { openScript } from './shell.ts'

/** Everything that happened in a world, in words and as requests that can be repeated. */
export interface History {
  /** One line for each event, oldest first. */
  readonly words: readonly string[]
  /** The requests, as a shell script of curl commands. */
  readonly commands: readonly string[]
  readonly say: (line: string) => void
  readonly command: (line: string) => void
  /** Stores the secrets of a response for later commands. */
  readonly learn: (reply: Reply) => void
  /** Replaces the secrets in a text with short names. */
  readonly veil: (text: string) => string
}

/** Matches text that looks random: a token, a code, a cookie's value. */
const secretLike =
  /(?<![A-Za-z0-9_-])(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}(?:[.~+%|][A-Za-z0-9_.~+%-]{8,})*/g

/** Opens a history. A secret has the same short name in all lines, because reports may be shared. */
export function openHistory(): History {
  const names = new Map<string, string>()
  const whole = new Set<string>()
  const words: string[] = []
  const nameOf = (secret: string) => {
    const name = names.get(secret) ?? `‹secret ${names.size + 1}›`
    names.set(secret, name)
    return name
  }
  const veil = (text: string) => {
    const named = [...whole].reduce((rest, value) => rest.replaceAll(value, nameOf), text)
    return named.replaceAll(secretLike, nameOf)
  }
  const reveal = (name: string) => [...names].find(([, each]) => each === name)?.[0] ?? ''
  const script = openScript(veil, reveal)
  // A cookie of which a part looks random is one secret, because a script reads it as a whole: `s%3A….…`.
  const learn = (reply: Reply) => {
    for (const { value } of reply.cookies) if (value.search(secretLike) !== -1) whole.add(value)
    script.learn(reply)
  }
  return {
    words,
    commands: script.lines,
    veil,
    say: (line) => void words.push(veil(line)),
    command: (line) => script.add(veil(line)),
    learn,
  }
}
