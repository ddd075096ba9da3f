import { join } from 'node:path'
import { runCommand } from './command.ts'

/** Packs what was built. @returns the path of the tarball, in the directory `destination` */
export function packLibrary(destination: string): string {
  const packed = JSON.parse(
    runCommand('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]),
  ) as { filename: string }[]
  if (!packed[0]) throw new Error('npm pack named no file')
  return join(destination, packed[0].filename)
}

/** Builds the library, as it is before it is packed. */
export function buildLibrary(): void {
  runCommand('npm', ['run', '--silent', 'build'])
}

/** Does something, and says how long it took. */
export async function timeStep(name: string, act: () => unknown): Promise<void> {
  const startedAt = performance.now()
  await act()
  console.log(`ok  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
}
