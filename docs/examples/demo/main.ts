/** A site with sign-in, and an OpenID provider to sign in at: `npm start`. Nobody needs an account anywhere. */
import { constants } from 'node:os'
import { check } from './check.ts'
import { startDemo } from './demo.ts'
import { readOptions, usage, type Options } from './options.ts'
import { createLogger, describeRun } from './trail.ts'

async function serve({ verbose, ...options }: Options): Promise<void> {
  const logger = verbose ? createLogger((run) => console.log(`${describeRun(run)}\n`)) : undefined
  const { origin, issuer, redirectUri } = await startDemo({ ...options, logger })
  console.log(`The site is at ${origin}, the provider at ${issuer}. Ctrl-C ends both.`)
  if (options.other) console.log(`The provider has to know the redirect URI ${redirectUri}`)
}

// A process that exits cleans up behind itself; one that a signal ends does not.
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
