/**
 * `npm run conformance:apps`: starts the demo with the oracle's providers and mail server, and runs the oracle on it over
 * HTTP. Then it starts small applications on libraries of others, without a fault, where the oracle must find what their
 * expected result lists and no more, and with each of their seeded faults, which it must find. The first argument selects
 * one application; options are passed to the oracle. `--port` moves the oracle's ports, and the applications follow.
 * `deployed` runs the oracle on the built examples of our integrations, after `npm run test:integrations`; their names
 * select some. `deployed --write` records the results for the guide.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../../fuzz/cli/options.ts'
import { firstPort } from '../../fuzz/world/places.ts'
import { listApps, type App } from './apps.ts'
import { judgeSites } from './deployed/judge-sites.ts'
import { deployedSites } from './deployed/sites.ts'
import { describedApps } from './described/applications.ts'
import { judgeFaults } from './described/judge-faults.ts'
import { findOrigin } from './find-origin.ts'

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Starts one application and runs the oracle on it. @returns the oracle's exit code */
async function judgeApp({ name, command, wants }: App): Promise<number> {
  process.stdout.write(`\n# ${name}\n`)
  if (!existsSync(wants)) {
    process.stderr.write('The application is not installed: npm ci\n')
    return 2
  }
  const app = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<undefined>((resolve) => {
    app.once('error', () => resolve(undefined))
    app.once('exit', () => resolve(undefined))
  })
  try {
    const origin = await Promise.race([findOrigin(app.stdout), ended])
    if (origin !== undefined) return await runOracle([`${origin}/auth`, ...options])
    process.stderr.write(`The application did not start: ${command.join(' ')}\n`)
    return 2
  } finally {
    app.kill()
    await ended
  }
}

function runOracle(words: readonly string[]): Promise<number> {
  const args = [place('fuzz/cli/main.ts'), '--profile', 'smoke', ...words]
  const oracle = spawn(process.execPath, args, { stdio: 'inherit' })
  return new Promise((resolve) => {
    oracle.once('error', () => resolve(2))
    oracle.once('exit', (code) => resolve(code ?? 2))
  })
}

const help = `Starts applications with the oracle’s providers, and runs the oracle on them.

Usage: npm run conformance:apps -- [<application>] [options of the oracle]

Applications: demo, ${describedApps.map(({ word }) => word).join(', ')} (default: all of these)
All but the demo must have their expected result, and are started with each of their seeded faults, which the oracle must
find. --port moves all ports.

After npm run test:integrations, deployed [<site>...] runs it on our sites: ${deployedSites.map(({ name }) => name).join(', ')}.
With --write, it records the results for the guide; otherwise it compares them.
`

if (process.argv.some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(help)
  process.exit()
}

const [first, ...others] = process.argv.slice(2)
const words = ['demo', ...describedApps.map(({ word }) => word)]
const isChosen = first !== undefined && words.includes(first)
const options = isChosen || first === undefined ? others : [first, ...others]

async function judgeApps(): Promise<number> {
  const { application, seed = 1 } = readOptions(options)
  const { port = firstPort } = application
  const codes: number[] = []
  for (const app of listApps(port).filter(({ word }) => !isChosen || word === first))
    codes.push(await judgeApp(app))
  for (const app of describedApps.filter(({ word }) => !isChosen || word === first))
    codes.push(await judgeFaults(app, { port, seed }))
  return Math.max(...codes)
}

process.exitCode = first === 'deployed' ? await judgeSites(others, runOracle) : await judgeApps()
