import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const program = `
import { createAuth } from 'authmachine'
import Credentials from 'authmachine/providers/credentials'
const provider = Credentials({ credentials: { pin: {} }, authorize: () => null })
setInterval(() => {}, 60_000)
export const { handler, getSession } = createAuth({ providers: [provider] })
`

/** Starts a server, as the one in the README does, on a port that is in use. */
const server = `
import { createServer } from 'node:http'
import { createAuth } from 'authmachine'
const provider = { id: 'acme', name: 'Acme', type: 'oidc', issuer: 'https://acme.test', clientId: 'a', clientSecret: 'b' }
createAuth({ providers: [provider], trustHost: true })
createServer().listen(0, function () {
  createServer().listen(this.address().port)
})
await new Promise((done) => setTimeout(done, 500))
`

/** The expected exit code and output of a command. */
interface Expected {
  readonly code: 0 | 1 | 2
  readonly says: RegExp
}

/**
 * Tries the commands as a new user does right after installing. Commands that the guides run with `npx` are run with
 * `npx`. The others are run with Node, which is faster.
 */
export function tryCommands(directory: string, node: string, command: string): void {
  const run = (file: string, args: readonly string[], { code, says }: Expected): string => {
    const {
      NODE_OPTIONS: _options,
      AUTH_URL: _url,
      AUTH_SECRET: _secret,
      DATABASE_URL: _database,
      ...env
    } = process.env
    const { status, stdout, stderr } = spawnSync(file, args, {
      cwd: directory,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    })
    if (status === code && says.test(code === 0 ? stdout : stdout + stderr)) return stdout
    const line = [file, ...args].join(' ')
    throw new Error(`${line}: expected ${code} and ${says}, got ${status}\n${stdout}${stderr}`)
  }
  const typeByNpx = (line: string, expected: Expected) =>
    run('npx', ['authmachine', ...line.split(' ')], expected)
  const type = (line: string, expected: Expected) => run(node, [command, ...line.split(' ')], expected)
  const variables = join(directory, '.env.local')
  const config = join(directory, 'auth.js')
  try {
    typeByNpx('--help', { code: 0, says: /Commands:\n {2}secret .*\n {2}doctor / })
    type('--version', { code: 0, says: /^\d+\.\d+\.\d+/ })
    typeByNpx('secret', { code: 0, says: /^[\w-]{43}\n$/ })
    type('doctor auth.js', { code: 1, says: /Cannot load auth\.js/ })
    writeFileSync(config, program)
    type('doctor auth.js', { code: 1, says: /There is no secret/ })
    type('secret --write .env.local', { code: 0, says: /Wrote AUTH_SECRET to \.env\.local/ })
    type('secret --write .env.local', { code: 1, says: /already contains an AUTH_SECRET/ })
    const written = readFileSync(variables, 'utf8')
    writeFileSync(variables, `${written}AUTH_URL=https://example.com\n`)
    const printed = typeByNpx('doctor auth.js', { code: 0, says: /No problems found\.\n$/ })
    writeFileSync(join(directory, 'server.mjs'), server)
    type('doctor server.mjs', { code: 1, says: /Provider "acme": discovery failed/ })
    writeFileSync(join(directory, 'auth.ts'), `export const checked: boolean = true\n${program}`)
    const hasCompiler = existsSync(join(directory, 'node_modules/typescript'))
    const loaded = { code: 0, says: /No problems found\.\n$/ } as const
    type('doctor auth.ts', hasCompiler ? loaded : { code: 1, says: /--import tsx/ })
    const secret = /"(.*)"/.exec(written)?.[1] ?? ''
    if (secret.length !== 43 || printed.includes(secret)) throw new Error('doctor prints the secret')
    type('completion bash', { code: 0, says: /complete .*authmachine\n$/ })
    type('migrate', { code: 2, says: /Expected a module that exports a Kysely instance/ })
    type('docter', { code: 2, says: /Unknown command: docter/ })
  } finally {
    for (const file of [variables, config, join(directory, 'server.mjs'), join(directory, 'auth.ts')])
      rmSync(file, { force: true })
  }
}
