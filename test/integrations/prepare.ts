/**
 * The first half of `npm run test:integrations [-- <app> ...]`: packs the library, installs the tarball into each example
 * with the packages of its lock file, builds it and compiles it against the types of its framework. One at a time.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { top } from '../package/command.ts'
import { buildLibrary, packLibrary, timeStep } from '../package/pack.ts'
import { apps } from './apps.ts'
import { cache, installLibrary, runInApp } from './install.ts'

const wanted = process.argv.slice(2)
mkdirSync(cache, { recursive: true })
let tarball = ''
await timeStep('packs the library', () => {
  buildLibrary()
  tarball = packLibrary(cache)
})
for (const { name, steps } of apps) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const directory = join(top, 'docs/examples', name)
  await timeStep(`installs ${name}`, () => installLibrary(directory, 'authmachine', tarball))
  for (const [command, ...args] of steps)
    await timeStep(`${name}: ${command} ${args.join(' ')}`, () => runInApp(directory, command, args))
}
