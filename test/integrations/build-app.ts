import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findApp, older, type App, type Change } from './apps.ts'
import { libraryKey } from './library.ts'
import { fingerprint, once } from './once.ts'
import { run, time, top } from './run.ts'

/** Files that are not sources of any application. */
const made = new Set([
  'node_modules',
  'dist',
  'build',
  'tmp',
  '.next',
  '.svelte-kit',
  '.astro',
  '.nuxt',
  '.output',
  '.react-router',
  'next-env.d.ts',
  'tsconfig.tsbuildinfo',
])

const madeBy = ({ alsoWrites = [] }: App): ReadonlySet<string> => new Set([...made, ...alsoWrites])

/** Builds and compiles an application whose packages are installed. */
export async function buildApp(app: App): Promise<void> {
  const directory = join(top, app.directory)
  if (app.madeOf) makeOf(app, app.madeOf)
  const key = `${fingerprint(directory, ['.'], madeBy(app))} ${libraryKey}`
  const { name, output, check } = app
  if (output) {
    const build = () => run(directory, 'npm', ['run', '--silent', 'build'])
    await time(`builds ${name}`, () => once(join(directory, output, '.built'), key, build))
  }
  if (check) {
    const [command, ...args] = check
    const stamp = join(directory, 'node_modules/.compiled')
    await time(`compiles ${name}`, () => once(stamp, key, () => run(directory, command, args)))
  }
}

/** Copies the sources of another application, with a change. @throws Error when the text to replace is missing */
function makeOf(target: App, { app, packages, edits = [], adds }: Change): void {
  const { name, directory } = target
  const skipped = madeBy(target)
  const [from, to] = [join(top, findApp(app).directory), join(top, directory)]
  const packagesFrom = packages ? join(top, older.directory) : from
  mkdirSync(to, { recursive: true })
  const left = readdirSync(to).filter((file) => file === 'node_modules' || !skipped.has(file))
  for (const file of left) rmSync(join(to, file), { recursive: true })
  cpSync(from, to, { recursive: true, filter: (path) => !skipped.has(basename(path)) })
  symlinkSync(join(packagesFrom, 'node_modules'), join(to, 'node_modules'))
  if (adds) cpSync(join(top, adds), join(to, basename(adds)))
  for (const { file, find, replace } of edits) replaceIn(join(to, file), find, replace)
  // Qwik distinguishes builds of several applications by their names.
  replaceIn(join(to, 'package.json'), `example-${app}`, `example-${name}`)
}

function replaceIn(path: string, find: string, replace: string): void {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(find)) throw new Error(`${path} does not contain ${find}`)
  writeFileSync(path, text.replaceAll(find, replace))
}
