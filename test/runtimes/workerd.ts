import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveProcess, type Served } from './serve-process.ts'
import type { Found, Given } from './suite/run-suite.ts'

/** A worker without `nodejs_compat` and without network access. */
const configure = (bundle: string) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (
      modules = [(name = "main", esModule = embed "${bundle}")],
      compatibilityDate = "2026-10-01",
      compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
      globalOutbound = "nowhere",
    ),
  ), (name = "nowhere", network = (allow = []))],
  sockets = [(name = "main", address = "127.0.0.1:0", http = (), service = "main")],
);
`

/** Serves a bundle with workerd. */
export function serveWorker(command: string, directory: string, bundle: string): Promise<Served> {
  writeFileSync(join(directory, `${bundle}.capnp`), configure(bundle))
  return serveProcess(command, ['serve', `${bundle}.capnp`, '--control-fd=3'], directory, readPort, 3)
}

/** Serves the suite with workerd, and makes it run. @throws Error with its output if it fails */
export async function runWorker(command: string, directory: string, given: Given): Promise<Found> {
  const { port, printed, end } = await serveWorker(command, directory, 'bundle.js')
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(given) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`workerd responded with ${answer.status}: ${text}${printed()}`)
    return JSON.parse(text) as Found
  } finally {
    await end()
  }
}

/** Reads the port from a message of workerd's control channel. */
function readPort(line: string): number | undefined {
  const message = JSON.parse(line) as { event?: string; port?: number }
  return message.event === 'listen' ? message.port : undefined
}
