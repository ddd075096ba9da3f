/** A site with sign-in, and an OpenID provider to sign in at: `npm start`. Nobody needs an account anywhere. */
import { check } from './check.ts'
import { startDemo } from './demo.ts'
import { readOptions, usage, type Options } from './options.ts'
import { createLogger, describeRun } from './trail.ts'

async function serve({ port, other, verbose }: Options): Promise<void> {
  const logger = verbose ? createLogger((run) => console.log(`${describeRun(run)}\n`)) : undefined
  const { origin, issuer, redirectUri } = await startDemo({ port, other, logger })
  console.log(`The site is at ${origin}, the provider at ${issuer}. Ctrl-C ends both.`)
  if (other) console.log(`The provider has to know the redirect URI ${redirectUri}`)
}

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.task === 'help') console.log(usage)
  else if (options.task === 'check') await check(console.log)
  else await serve(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
