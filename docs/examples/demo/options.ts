import { parseArgs } from 'node:util'

/** An OpenID provider to use instead of the demo's own. */
export interface OtherProvider {
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined
}

export interface Options {
  readonly task: 'serve' | 'check' | 'help'
  readonly port: number
  readonly verbose: boolean
  readonly other?: OtherProvider | undefined
}

export const usage = `Usage: npm start -- [options]

  --port <n>           port of the site (default: the environment variable PORT, else 3000)
  --issuer <url>       use this OpenID provider, not the demo's own
  --client-id <id>     ... as this client,
  --client-secret <s>  ... with this secret
  --verbose            print the path of states that each flow takes
  --check              sign in and out once without a browser, print what happened, and exit
  --help               show this
`

/**
 * Reads the command line.
 * @throws Error that says what is wrong with it
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: environment.PORT || '3000' },
      issuer: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
      verbose: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const other = readProvider(values.issuer, values['client-id'], values['client-secret'])
  if (values.check && other)
    throw new Error('--check signs in at the demo’s own provider: leave --issuer out')
  const task = values.help ? 'help' : values.check ? 'check' : 'serve'
  return { task, port: readPort(values.port), verbose: values.verbose, other }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`--port takes a number from 0 (any free one) to 65535, not "${text}"`)
}

function readProvider(issuer?: string, clientId?: string, clientSecret?: string): OtherProvider | undefined {
  if (issuer === undefined) {
    if (clientId === undefined && clientSecret === undefined) return undefined
    throw new Error('--client-id and --client-secret go with --issuer')
  }
  if (!URL.canParse(issuer)) throw new Error(`--issuer takes a URL, not "${issuer}"`)
  if (!clientId) throw new Error('--issuer needs --client-id')
  return { issuer, clientId, clientSecret }
}
