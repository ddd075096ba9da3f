import type { Reply } from './reply.ts'

/** Reads values from the last response, which each command saves. Begins a story that is a shell script. */
const preamble = [
  'reply=$(mktemp)',
  String.raw`cookie() { sed -n "s/^[Ss]et-[Cc]ookie: $1=\([^;]*\).*/\1/p" "$reply" | tail -n 1 | tr -d '\r'; }`,
  String.raw`member() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$reply" | tail -n 1; }`,
  String.raw`parameter() { sed -n "s/^[Ll]ocation: .*[?&]$1=\([^&#]*\).*/\1/p" "$reply" | tail -n 1 | tr -d '\r'; }`,
]

const secretName = /‹secret (\d+)›/g

/** A story as a shell script: commands, and the secrets that they take from responses. */
export interface Script {
  readonly lines: readonly string[]
  /** Adds a command, whose secrets have short names: `‹secret 1›`. */
  readonly add: (command: string) => void
  /** Keeps the secrets of a response in variables. */
  readonly learn: (reply: Reply) => void
}

/**
 * Opens a script. Cookies are in variables and not in a jar, because attacks mix the cookies of several browsers.
 *
 * @param veil replaces the secrets of a text with short names
 * @param reveal returns the secret with a short name
 */
export function openScript(veil: (text: string) => string, reveal: (name: string) => string): Script {
  const lines: string[] = []
  const known = new Set<string>()
  const pages: string[] = []
  return {
    lines,
    add(command) {
      if (lines.length === 0) lines.push(...preamble)
      for (const [, number = ''] of command.matchAll(secretName)) {
        if (known.has(number)) continue
        known.add(number)
        const isShown = pages.some((page) => page.includes(reveal(`‹secret ${number}›`)))
        const origin = isShown ? 'a response above' : 'the provider or the mail'
        lines.push(`: "\${secret_${number}:?Set secret_${number} to the value from ${origin}}"`)
      }
      lines.push(`${command.replaceAll(secretName, `'"$secret_$1"'`)} | tee "$reply"`)
    },
    learn(reply) {
      pages.push(reply.text)
      for (const { value, read } of findValues(reply)) {
        const [name, number = ''] = /^‹secret (\d+)›$/.exec(veil(value)) ?? []
        if (name === undefined || known.has(number)) continue
        known.add(number)
        lines.push(`secret_${number}=$(${read})`)
      }
    },
  }
}

/**
 * Lists the values of a response that a script can read, and how it reads them. Other names could be commands of a
 * hostile target.
 */
function findValues({ cookies, json, headers }: Reply): { readonly value: string; readonly read: string }[] {
  const [, query = ''] = (headers.get('location') ?? '').split(/[?#]/)
  const parameters = query.split('&').map((pair) => pair.split('=', 2) as [string, string?])
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : []
  return [
    ...cookies.map(({ key, value }) => ({ name: key, value, by: 'cookie' })),
    ...members.map(([name, value]: [string, unknown]) => ({ name, value, by: 'member' })),
    ...parameters.map(([name, value]) => ({ name, value, by: 'parameter' })),
  ].flatMap(({ name, value, by }) =>
    typeof value === 'string' && /^[\w.-]+$/.test(name) ? [{ value, read: `${by} ${name}` }] : [],
  )
}
