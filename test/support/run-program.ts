import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** A preload with which the site has a store that is down. */
export const withDeadStore = [`--import=${new URL('dead-store.mjs', import.meta.url).href}`] as const

export interface Program {
  readonly directory: string
  /** The arguments of Node. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** A server in its own process. */
export interface Running {
  /** Sends a GET request with a session cookie. @returns the status */
  readonly send: (path: string, headers?: Readonly<Record<string, string>>) => Promise<number>
  /** What it has written so far. */
  readonly log: () => string
  readonly hasEnded: () => boolean
  readonly end: () => Promise<void>
}

/** Starts a server that listens on the port that `PORT` names, and waits until it accepts connections. */
export async function runProgram({ directory, args, environment }: Program, port: number): Promise<Running> {
  const child = spawn(process.execPath, [...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOST: 'localhost', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const running: Running = {
    send: (path, headers = {}) => send(port, path, headers),
    log: () => log,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async end() {
      child.kill()
      await ended
    },
  }
  for (;;) {
    if (running.hasEnded()) throw new Error(`The program ended with ${child.exitCode}: ${log}`)
    const answered = await running.send('/favicon.ico').catch(() => undefined)
    if (answered !== undefined) return running
    await wait(50)
  }
}

/** Does not use `fetch`, which would set the Host header itself. */
function send(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const cookie = 'authjs.session-token=any; __Secure-authjs.session-token=any'
    const sent = request({ host: 'localhost', port, path, headers: { cookie, accept: '*/*', ...headers } })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}
