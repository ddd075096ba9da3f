import type { AuthorizationResponse } from './idp/contract.ts'
import { quote } from './describe.ts'
import { readForms } from './forms.ts'
import { places } from './places.ts'
import type { Reply } from './reply.ts'
import { splitName } from './secrets.ts'

/** Reads values from the last response, which each command saves. Begins a story that is a shell script. */
const preamble = [
  'reply=$(mktemp)',
  String.raw`cookie() { sed -n "s/^[Ss]et-[Cc]ookie: $1=\([^;]*\).*/\1/p" "$reply" | tail -n 1 | tr -d '\r'; }`,
  String.raw`cookie_name() { sed -n "s/^[Ss]et-[Cc]ookie: $1\([^=;]*\)$2=[^;].*/\1/p" "$reply" | tail -n 1; }`,
  String.raw`member() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$reply" | sed 's/\\u0026/\&/g; s/\\//g' | tail -n 1; }`,
  String.raw`location() { sed -n 's/^[Ll]ocation: *//p' "$reply" | tail -n 1 | tr -d '\r'; }`,
  String.raw`parameter() { location | sed -n "s/^[^?#]*[?#]\(.*&\)\{0,1\}$1=\([^&#]*\).*/\2/p"; }`,
  String.raw`segment() { location | sed 's/[?#].*//; s/.*\///'; }`,
  String.raw`field() { tr '\n>' ' \n' <"$reply" | sed -n "/name=[\"']$1[\"']/s/.*value=[\"']\([^\"']*\).*/\1/p" | sed 's/&#43;/+/g; s/&#x2B;/+/g; s/&#61;/=/g; s/&#x3D;/=/g; s/&amp;/\&/g' | tail -n 1; }`,
  String.raw`random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }`,
  'control() { curl -sS --data-raw "$1" "$world/control"; }',
]

const secretName = /‹secret (\d+)›/g

/** A story as a shell script: commands, and the secrets that they take from responses. */
export interface Script {
  readonly lines: readonly string[]
  /** Adds a command, and a line before it that prints its purpose. Secrets become variables. */
  readonly add: (command: string, says?: string) => void
  /** Keeps the secrets of a response in variables. */
  readonly learn: (reply: Reply) => void
  /** Prints a line. */
  readonly title: (says: string) => void
  /** Changes a provider of the command `world`. */
  readonly control: (change: object) => void
  /** Opens an authorization URL, and keeps the secrets of the provider's response. */
  readonly authorize: (url: string, response: AuthorizationResponse, says: string) => void
  /** Reads a mail from the command `world`, and keeps the secrets of its link. */
  readonly readMail: (to: string, link: URL) => void
}

/** The names of the secrets of a script. */
export interface Secrets {
  /** Replaces the secrets of a text with short names. */
  readonly veil: (text: string) => string
  /** Returns the secret with a short name. */
  readonly reveal: (name: string) => string
  /** The address of the page of the command `world`. @default a story without it */
  readonly world?: string | undefined
}

/** A value of a response, and how a script reads it. */
interface Readable {
  readonly value: string
  readonly read: string
}

/**
 * Opens a script. Cookies are in variables and not in a jar, because attacks mix the cookies of several browsers.
 */
export function openScript({ veil, reveal, world }: Secrets): Script {
  const lines: string[] = []
  const known = new Set<string>()
  const pages: string[] = []
  const urls: string[] = []
  const begin = () => {
    if (lines.length > 0) return
    const reset = { do: 'reset' }
    const first = Number(new URL(world ?? 'http://127.0.0.1:4014').port) - places.page
    const needed = `# Needs in another terminal: npx authmachine-conformance world --port ${first}`
    lines.push(
      ...(world === undefined ? [] : [`world=${world}`, `echo '${needed}'`]),
      ...preamble,
      ...(world === undefined ? [] : [`control '${JSON.stringify(reset)}'`]),
    )
  }
  const insert = (text: string) => veil(text).replaceAll(secretName, `'"$secret_$1"'`)
  const keep = (values: readonly Readable[]) => {
    for (const { value, read } of values) {
      const [name, number = ''] = /^‹secret (\d+)›$/.exec(veil(value)) ?? []
      if (name === undefined || known.has(number)) continue
      known.add(number)
      lines.push(`secret_${number}=$(${read})`)
    }
  }
  const demand = (command: string) => {
    for (const [, number = ''] of veil(command).matchAll(secretName)) {
      if (known.has(number)) continue
      known.add(number)
      const isShown = pages.some((page) => page.includes(reveal(`‹secret ${number}›`)))
      const origin = isShown ? 'a response above' : 'the provider or the mail'
      lines.push(`: "\${secret_${number}:?Set secret_${number} to the value from ${origin}}"`)
    }
  }
  const run = (command: string) => void lines.push(`${command} | tee "$reply"; echo`)
  // Not a comment, because zsh would run a pasted one.
  const title = (says: string) => void lines.push(`echo ${quote(`# ${veil(says)}`)}`)
  return {
    lines,
    title,
    add(command, says) {
      begin()
      if (says !== undefined) title(says)
      demand(command)
      run(insert(command))
    },
    learn(reply) {
      pages.push(reply.text)
      keep(findValues(reply, veil))
      for (const { value, read } of findUrls(reply))
        if (!urls.includes(value)) lines.push(`url_${urls.push(value)}=$(${read})`)
    },
    control(change) {
      begin()
      // The oracle invented these values.
      for (const [, number = ''] of veil(JSON.stringify(change)).matchAll(secretName)) {
        if (known.has(number)) continue
        known.add(number)
        lines.push(`secret_${number}=$(random)`)
      }
      lines.push(`control '${insert(JSON.stringify(change).replaceAll("'", String.raw`\u0027`))}'`)
    },
    authorize(url, { parameters, mode }, says) {
      begin()
      title(says)
      const at = urls.indexOf(url) + 1
      const address = `'${url.replaceAll("'", '%27')}'`
      if (at === 0) demand(address)
      run(`curl -si --proto =http,https --url ${at > 0 ? `"$url_${at}"` : insert(address)}`)
      const by = mode === 'query' ? 'parameter' : 'field'
      keep([...parameters].flatMap(([name, value]) => nameValue(by, name, value)))
    },
    readMail(to, link) {
      begin()
      title(`${to} receives a mail`)
      run(`curl -si "$world"${quote(`/mail?to=${encodeURIComponent(to)}`)}`)
      keep(findInUrl(link.href))
    },
  }
}

/** Names a value by a function of the preamble. Other names could be commands of a hostile target. */
function nameValue(by: string, name: string, value: unknown): Readable[] {
  return typeof value === 'string' && /^[\w.-]+$/.test(name) ? [{ value, read: `${by} ${name}` }] : []
}

/** Lists the values of a response that a script can read. */
function findValues(reply: Reply, veil: Secrets['veil']): Readable[] {
  const { cookies, json, headers, text } = reply
  return [
    ...findInUrl(headers.get('location') ?? ''),
    ...cookies.flatMap(({ key, value }) => readCookie(key, value, reply, veil)),
    ...findMembers(json),
    ...readForms(text).flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, value]) => nameValue('field', name, value)),
    ),
  ]
}

/** Reads a cookie. The name of a cookie for one sign-in may itself have a secret part. */
function readCookie(key: string, value: string, { location }: Reply, veil: Secrets['veil']): Readable[] {
  const split = splitName(key, location?.searchParams.get('state') ?? '')
  if (!split) return nameValue('cookie', key, value)
  const { before, random, after } = split
  if (!/^[\w.-]*$/.test(before + after)) return []
  const [, number] = /^‹secret (\d+)›$/.exec(veil(random)) ?? []
  if (number === undefined) return nameValue('cookie', key, value)
  return [
    { value: random, read: `cookie_name '${before}' '${after}'` },
    { value, read: `cookie '${before}'"$secret_${number}"'${after}'` },
  ]
}

function findMembers(json: unknown): Readable[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]: [string, unknown]) => [
    ...nameValue('member', name, value),
    ...findMembers(value),
  ])
}

/** Lists the parameters of a URL, as it writes them, and the end of its path. */
function findInUrl(url: string): Readable[] {
  const [path = '', query = ''] = url.split(/[?#]/)
  const pairs = query.split('&').map((pair) => pair.split('=', 2) as [string, string?])
  return [
    ...pairs.flatMap(([name, value]) => nameValue('parameter', name, value)),
    { value: path.slice(path.lastIndexOf('/') + 1), read: 'segment' },
  ]
}

/** Lists the authorization URLs to which a response leads: a browser by a redirect, or a script by JSON. */
function findUrls({ location, json }: Reply): Readable[] {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : []
  return [
    ...(location ? [{ value: location.href, read: 'location' }] : []),
    ...members.flatMap(([name, value]: [string, unknown]) => nameValue('member', name, value)),
  ].filter(({ value }) => URL.canParse(value) && new URL(value).searchParams.has('client_id'))
}
