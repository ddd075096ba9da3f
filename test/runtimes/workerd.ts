import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Found, Given } from './suite/run-suite.ts'

/** A worker without `nodejs_compat` and without network access. */
const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (
      modules = [(name = "main", esModule = embed "bundle.js")],
      compatibilityDate = "2026-10-01",
      compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
      globalOutbound = "nowhere",
    ),
  ), (name = "nowhere", network = (allow = []))],
  sockets = [(name = "main", address = "127.0.0.1:0", http = (), service = "main")],
);
`

/** Serves the bundle with workerd, and makes it run the suite. @throws Error with its output if it fails */
export async function runWorker(command: string, directory: string, given: Given): Promise<Found> {
  writeFileSync(join(directory, 'workerd.capnp'), configuration)
  const child = spawn(command, ['serve', 'workerd.capnp', '--control-fd=3'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => void (printed += text.toString()))
  const ended = once(child, 'exit')
  try {
    const port = await Promise.race([readPort(child.stdio[3] as Readable), ended])
    if (typeof port !== 'number') throw new Error(`workerd did not start: ${printed}`)
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(given) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`workerd responded with ${answer.status}: ${text}${printed}`)
    return JSON.parse(text) as Found
  } finally {
    child.kill()
    await ended
  }
}

/** The port, as workerd reports it on its control channel. */
async function readPort(control: Readable): Promise<number | undefined> {
  for await (const line of createInterface(control)) {
    const message = JSON.parse(line) as { event?: string; port?: number }
    if (message.event === 'listen') return message.port
  }
  return undefined
}
