/** A site with sign-in, and an OpenID provider for it: `npm start`. You need no account anywhere. */
import { constants } from 'node:os'
import { check } from './check.ts'
import { startDemo } from './demo.ts'
import { readOptions, usage, type Options } from './options.ts'
import { createLogger, describeRun } from './trail.ts'

async function serve({ verbose, ...options }: Options): Promise<void> {
  const logger = verbose ? createLogger((run) => console.log(`${describeRun(run)}\n`)) : undefined
  const { origin, issuer, redirectUri } = await startDemo({ ...options, logger })
  console.log(`The site is at ${origin}, the provider at ${issuer}. Press Ctrl-C to stop.`)
  if (options.other) console.log(`Register this redirect URI at the provider: ${redirectUri}`)
}

// Cleanup runs when the process exits, but not when a signal terminates it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]))

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.task === 'help') console.log(usage)
  else if (options.task === 'check') await check(options.store, console.log)
  else await serve(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
