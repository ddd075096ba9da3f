/**
 * The first half of `npm run test:integrations`, by itself `node test/integrations/prepare.ts [<app> ...]`: builds the
 * library, installs it into each example with the packages of its lock file, builds the example and compiles it against
 * the types of its framework. Skips steps whose files have not changed.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { apps, nextAuth, older, react18 } from './apps.ts'
import { buildApp } from './build-app.ts'
import { buildLibrary, install, installLocked, promiseLibrary, unpackLibrary } from './library.ts'
import { cache, time, top } from './run.ts'

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

mkdirSync(cache, { recursive: true })
const startedAt = performance.now()
const built = time('builds the library', buildLibrary)
const promised = promiseLibrary()

/** Installs an application, and the library once it is built. */
async function makeReady(name: string, directory: string): Promise<void> {
  const promise = await promised
  await time(`installs ${name}`, () => install(directory, promise))
  await built
  await unpackLibrary(directory)
}

const own = [...apps.filter(({ madeOf }) => !madeOf), older].filter(({ name }) => isWanted(name))
const ready = new Map(own.map(({ name, directory }) => [name, makeReady(name, join(top, directory))]))
const others = [nextAuth, react18]
  .filter(({ name }) => isWanted(name))
  .map(({ name, directory }) => time(`installs ${name}`, () => installLocked(join(top, directory))))
await Promise.all([
  ...others,
  ...apps.map(async (app) => {
    const isReady = ready.get(app.madeOf?.packages ?? app.madeOf?.app ?? app.name)
    if (!isReady) return
    await isReady
    await buildApp(app)
  }),
])
console.log(`ok  all (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
