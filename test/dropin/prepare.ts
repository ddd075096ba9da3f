/**
 * The first half of `npm run test:dropin [-- <app> ...]`: packs the library, installs the tarball in place of
 * `@auth/core` with each published integration, and builds and compiles the applications. Also installs `@auth/core`
 * itself for the tests of the switch between both. Skips steps whose files have not changed.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint } from '../integrations/once.ts'
import { installLocked } from '../integrations/library.ts'
import { cache as temporary, time } from '../integrations/run.ts'
import { top } from '../package/command.ts'
import { buildLibrary, packLibrary, timeStep } from '../package/pack.ts'
import { dropins } from './apps.ts'
import { buildDropin, cache, installLibrary } from './install.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const wanted = process.argv.slice(2)
/** The name of the tarball in the lock files of the applications. */
const tarball = join(here, 'authmachine.tgz')

for (const directory of [cache, temporary]) mkdirSync(directory, { recursive: true })
await timeStep('packs the library', () => {
  buildLibrary()
  copyFileSync(packLibrary(cache), tarball)
})
const library = fingerprint(here, ['authmachine.tgz'])
const apps = dropins.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
await Promise.all([
  time('installs @auth/core', () => installLocked(join(top, 'fuzz/peers/core'))),
  ...apps.map(async (app) => {
    const directory = join(here, app.name)
    await time(`installs ${app.integration}`, () => installLibrary(directory, tarball, library))
    await time(`builds and compiles ${app.name}`, () => buildDropin(directory, app, library))
  }),
])
