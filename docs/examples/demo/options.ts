import { parseArgs } from 'node:util'
import type { StorePlace } from './store.ts'

/** An OpenID provider to use instead of the demo's own. */
export interface OtherProvider {
  readonly issuer: string
  readonly clientId: string
  /** Missing for a public client. */
  readonly clientSecret?: string | undefined
}

export interface Options {
  readonly task: 'serve' | 'check' | 'help'
  readonly port: number
  readonly verbose: boolean
  readonly other?: OtherProvider | undefined
  readonly store: StorePlace
  /** The URL of the SMTP server. */
  readonly smtp?: string | undefined
}

export const usage = `Usage: npm start -- [options]

  --port <n>           port of the site (default: the environment variable PORT, else 3000)
  --issuer <url>       use this OpenID provider instead of the demo's
  --client-id <id>     ... as this client,
  --client-secret <s>  ... with this secret
  --store <where>      memory (default), sqlite, sqlite:<path> or postgres://<...>; creates missing tables
  --smtp <url>         send sign-in mails with this server; without it, they are at /inbox
  --verbose            print the states of each flow
  --check              sign in and out by every method, use the second factor and the account page,
                       print what happened, and exit
  --help               show this
`

/**
 * Reads the command line.
 * @throws {Error} if an option is invalid
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: environment.PORT || '3000' },
      issuer: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
      store: { type: 'string', default: 'memory' },
      smtp: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const other = readProvider(values.issuer, values['client-id'], values['client-secret'])
  if (values.check && other) throw new Error('--check uses the demo’s own provider: leave --issuer out')
  if (values.check && values.smtp)
    throw new Error('--check reads mail from the demo’s own inbox: leave --smtp out')
  const task = values.help ? 'help' : values.check ? 'check' : 'serve'
  const { verbose } = values
  const [store, smtp] = [readStore(values.store), readSmtp(values.smtp)]
  return { task, port: readPort(values.port), verbose, other, store, smtp }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`--port takes a number from 0 (any free one) to 65535, not "${text}"`)
}

function readStore(text: string): StorePlace {
  if (text === 'memory' || text === 'sqlite') return { kind: text }
  const path = /^sqlite:(.+)$/.exec(text)?.[1]
  if (path !== undefined) return { kind: 'sqlite', path }
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text }
  throw new Error('--store takes memory, sqlite, sqlite:<path> or postgres://<user>@<host>/<database>')
}

function readSmtp(text: string | undefined): string | undefined {
  if (text === undefined || (/^smtps?:\/\//.test(text) && URL.canParse(text))) return text
  throw new Error('--smtp takes a URL: smtp://<host>:<port> or smtps://<user>:<password>@<host>')
}

function readProvider(issuer?: string, clientId?: string, clientSecret?: string): OtherProvider | undefined {
  if (issuer === undefined) {
    if (clientId === undefined && clientSecret === undefined) return undefined
    throw new Error('--client-id and --client-secret need --issuer')
  }
  if (!URL.canParse(issuer)) throw new Error(`--issuer takes a URL, not "${issuer}"`)
  if (!clientId) throw new Error('--issuer needs --client-id')
  return { issuer, clientId, clientSecret }
}
