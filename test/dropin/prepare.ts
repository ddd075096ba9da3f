/**
 * The first half of `npm run test:dropin [-- <app> ...]`: packs the library, installs the tarball in the place of
 * `@auth/core` beside each published integration, and builds the applications on them; and installs `@auth/core` itself,
 * with which the tests of the switch begin and end.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cache, installLibrary, runInApp } from './install.ts'
import { runCommand, top } from '../package/command.ts'
import { buildLibrary, packLibrary, timeStep } from '../package/pack.ts'
import { dropins } from './apps.ts'

// Nothing of what is built here is told to anybody.
process.env.NEXT_TELEMETRY_DISABLED = '1'
const here = fileURLToPath(new URL('./', import.meta.url))
const wanted = process.argv.slice(2)
/** As the lock files of the applications name it. */
const tarball = join(here, 'authmachine.tgz')

mkdirSync(cache, { recursive: true })
await timeStep('packs the library', () => {
  buildLibrary()
  copyFileSync(packLibrary(cache), tarball)
})
await timeStep('installs @auth/core', () => runCommand('npm', ['ci', '--prefix', 'fuzz/peers/core'], top))
for (const { name, integration, steps } of dropins) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const directory = join(here, name)
  await timeStep(`installs ${integration}`, () => installLibrary(directory, '@auth/core', tarball))
  for (const [command, ...args] of steps)
    await timeStep(`${name}: ${command} ${args.join(' ')}`, () => runInApp(directory, command, args))
}
