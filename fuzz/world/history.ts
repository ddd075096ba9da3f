/** What happened in a world, in words and as requests that can be sent again. */
export interface History {
  /** One line each, oldest first. */
  readonly words: readonly string[]
  /** The requests, as curl commands. */
  readonly commands: readonly string[]
  readonly say: (line: string) => void
  readonly command: (line: string) => void
  /** A text with its secrets under the names that they have here. */
  readonly veil: (text: string) => string
}

/** Looks random, and is one: a token, a code, a cookie's value. */
const secretLike =
  /(?<![A-Za-z0-9_-])(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}(?:[.~+%|][A-Za-z0-9_.~+%-]{8,})*/g

/** Keeps lines in which each secret has a short name, the same wherever it comes up: reports may be shown around. */
export function openHistory(): History {
  const names = new Map<string, string>()
  const words: string[] = []
  const commands: string[] = []
  const veil = (text: string) =>
    text.replaceAll(secretLike, (secret) => {
      const name = names.get(secret) ?? `‹secret ${names.size + 1}›`
      names.set(secret, name)
      return name
    })
  return {
    words,
    commands,
    veil,
    say: (line) => void words.push(veil(line)),
    command: (line) => void commands.push(veil(line)),
  }
}
