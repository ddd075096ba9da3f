/**
 * `npm run conformance:apps`: starts the demo, then a small Express application on the published `@auth/express`, each
 * with the oracle's providers and mail server, and runs the oracle on them over HTTP. The argument `demo` or `express`
 * selects one; options are passed to the oracle. `--port` moves the oracle's ports, and the applications follow.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../../fuzz/cli/options.ts'
import { firstPort } from '../../fuzz/world/places.ts'
import { listApps, type App } from './apps.ts'

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Starts one application and runs the oracle on it. @returns the oracle's exit code */
async function judgeApp({ name, command, wants }: App): Promise<number> {
  process.stdout.write(`\n# ${name}\n`)
  if (!existsSync(wants)) {
    process.stderr.write('The application is not installed: npm ci --prefix fuzz/peers/core\n')
    return 2
  }
  const app = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<undefined>((resolve) => {
    app.once('error', () => resolve(undefined))
    app.once('exit', () => resolve(undefined))
  })
  try {
    const origin = await Promise.race([findOrigin(app.stdout), ended])
    if (origin !== undefined) return await runOracle(`${origin}/auth`)
    process.stderr.write(`The application did not start: ${command.join(' ')}\n`)
    return 2
  } finally {
    app.kill()
    await ended
  }
}

/** The first output of an application contains its address. */
async function findOrigin(output: AsyncIterable<Buffer>): Promise<string | undefined> {
  let printed = ''
  for await (const chunk of output) {
    printed += chunk.toString()
    const origin = /http:\/\/localhost:\d+/.exec(printed)?.[0]
    if (origin !== undefined) return origin
  }
  return undefined
}

function runOracle(url: string): Promise<number> {
  const args = [place('fuzz/cli/main.ts'), url, '--profile', 'smoke', ...options]
  const oracle = spawn(process.execPath, args, { stdio: 'inherit' })
  return new Promise((resolve) => {
    oracle.once('error', () => resolve(2))
    oracle.once('exit', (code) => resolve(code ?? 2))
  })
}

const [first, ...others] = process.argv.slice(2)
const isChosen = ['demo', 'express'].includes(first ?? '')
const options = isChosen || first === undefined ? others : [first, ...others]
const apps = listApps(readOptions(options).application.port ?? firstPort)
const codes: number[] = []
for (const app of apps.filter(({ word }) => !isChosen || word === first)) codes.push(await judgeApp(app))
process.exitCode = Math.max(...codes)
