/** `npm run bench`. The help is below. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isBenchmark, programOf } from './benchmarks.ts'

const help = `Runs one benchmark and prints its tables.

Usage: npm run bench -- [<benchmark>] [options]

  requests   every kind of request, compared with peers (the default; names select kinds)
  cold       the time from process start to the first session response
  hostile    the cost of hostile inputs
  http       session requests over node:http
  load       session requests from 256 connections for two minutes, on one process and on two
  million    four servers with 1,000,000 sessions in PostgreSQL and Redis, and a crash of the store
  memory     heap growth after each flow
  sessions   \`getSession\`, compared with peers and with decoding a token
  profile    where requests spend their time
  scale      the cost of large configurations, cookies and stores
  size       the size of a bundle
  report     all benchmarks, written to docs/performance.md; the same as \`npm run bench:report\`

  --quick    takes fewer measurements
  --json     prints data

Install the peers first: npm ci --prefix test/bench/peers
`

const [first = 'requests', ...rest] = process.argv.slice(2)
const [name, args] = first.startsWith('-') ? ['requests', process.argv.slice(2)] : [first, rest]
if (args.includes('--help') || args.includes('-h') || name === 'help') process.stdout.write(help)
else if (!isBenchmark(name)) {
  process.stderr.write(`Unknown benchmark \`${name}\`.\n\n${help}`)
  process.exitCode = 2
} else {
  const program = fileURLToPath(new URL(programOf(name), import.meta.url))
  process.exitCode = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' }).status ?? 1
}
