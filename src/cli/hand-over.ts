import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Hands over to the executable of the oracle, which stands above this library and is not imported by it.
 *
 * @returns its exit code; 2 when a signal ended it
 */
export function runConformance(args: readonly string[]): Promise<number> {
  const here = import.meta.url
  const main = new URL(`../../fuzz/cli/main${here.slice(here.lastIndexOf('.'))}`, here)
  const child = spawn(process.execPath, [fileURLToPath(main), ...args], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 2))
  })
}
