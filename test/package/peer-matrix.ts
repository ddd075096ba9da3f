/**
 * Resolves the dependencies of applications together with our packages, without installing anything and without
 * `--legacy-peer-deps` or `--force`. If the dependencies of a row conflict even without our packages, it says nothing
 * about ours and must set `conflictsAlone`.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { combinations, type PeerCombination } from './peer-combinations.ts'

/** Our packed packages, by name. */
export type Tarballs = Readonly<Record<string, string>>

type Dependencies = Readonly<Record<string, string>>

interface Manifest {
  readonly dependencies: Dependencies
  readonly overrides?: Dependencies
}

/** The results of a row. Each is npm's output if npm refuses the dependencies, and undefined if it resolves them. */
interface Row {
  readonly name: string
  /** With our packages. */
  readonly plain: string | undefined
  /** With our library in place of @auth/core. */
  readonly override: string | undefined
  /** Without our packages. Tried if one of the other resolutions fails, or if the row sets `conflictsAlone`. */
  readonly alone: string | undefined
}

/** Concurrent npm processes. They wait for the cache as much as they compute. */
const LANES = 3
const LIBRARY = 'authmachine'

/**
 * @returns a table of the results
 * @throws Error with that table if npm refuses a row without `conflictsAlone`, or if a row sets it without need
 */
export async function checkPeerMatrix(
  directory: string,
  tarballs: Tarballs,
  tried: readonly PeerCombination[] = combinations,
): Promise<string> {
  const waiting = [...tried.entries()]
  const rows: Row[] = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, combination] = next
      rows[index] = await tryCombination(join(directory, String(index)), combination, tarballs)
    }
  }
  await Promise.all(Array.from({ length: LANES }, work))
  const table = rows.map(describeRow).join('\n')
  const faults = rows.flatMap((row, index) => findFaults(row, tried[index]?.conflictsAlone === true))
  if (faults.length > 0) throw new Error([table, ...faults].join('\n\n'))
  return table
}

async function tryCombination(
  directory: string,
  { name, dependencies, conflictsAlone }: PeerCombination,
  tarballs: Tarballs,
): Promise<Row> {
  const ours = Object.fromEntries(Object.entries(tarballs).map(([each, path]) => [each, `file:${path}`]))
  const core = { '@auth/core': `file:${tarballs[LIBRARY]}` }
  const overrides = { '@auth/core': '$@auth/core' }
  // Packages with `auth` in their names may depend on @auth/core, so they need a resolution with ours in its place and
  // another one beside ours. For all other rows, one resolution covers both cases.
  const mayNeedCore = Object.keys(dependencies).some((each) => /auth/.test(each))
  const override = await resolve(directory, {
    dependencies: { ...dependencies, ...(mayNeedCore ? {} : ours), ...core },
    overrides,
  })
  const plain = mayNeedCore
    ? await resolve(directory, { dependencies: { ...dependencies, ...ours } })
    : override
  const isRefused = plain !== undefined || override !== undefined
  const alone = isRefused || conflictsAlone ? await resolve(directory, { dependencies }) : undefined
  return { name, plain, override, alone }
}

function findFaults({ name, plain, override, alone }: Row, conflictsAlone: boolean): string[] {
  if (alone !== undefined && !conflictsAlone)
    return [
      `${name}: npm refuses it without our packages; choose compatible versions, or set conflictsAlone\n${alone}`,
    ]
  if (alone === undefined && conflictsAlone)
    return [`${name}: npm resolves it without our packages; remove conflictsAlone`]
  if (conflictsAlone) return []
  return [
    ...(plain === undefined ? [] : [`${name}, with our packages:\n${plain}`]),
    ...(override === undefined ? [] : [`${name}, with our package as @auth/core:\n${override}`]),
  ]
}

function describeRow({ name, plain, override, alone }: Row): string {
  const show = (refusal: string | undefined) => (refusal === undefined ? 'ok     ' : 'REFUSED')
  const control = alone === undefined ? '' : '   (also refused without our packages)'
  return `      ${name.padEnd(40)} plain ${show(plain)}  as @auth/core ${show(override)}${control}`
}

/** @returns npm's output if it refuses the manifest */
function resolve(directory: string, manifest: Manifest): Promise<string | undefined> {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'app', private: true, ...manifest }))
  const flags = ['--package-lock-only', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_config_/i.test(key)))
  return new Promise((done) => {
    execFile('npm', ['install', ...flags], { cwd: directory, env }, (error, _stdout, stderr) =>
      done(error ? stderr.trim() || error.message : undefined),
    )
  })
}
