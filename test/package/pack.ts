import { join } from 'node:path'
import { runCommand } from './command.ts'

/** Packs the built library. @returns the path of the tarball, in the directory `destination` */
export const packLibrary = (destination: string): string => pack('dist', destination)

/** Packs the built oracle and testing kit. @returns the path of the tarball, in the directory `destination` */
export const packOracle = (destination: string): string => pack('fuzz/dist', destination)

function pack(built: string, destination: string): string {
  const packed = JSON.parse(
    runCommand('npm', [
      'pack',
      `./${built}`,
      '--json',
      '--ignore-scripts',
      '--pack-destination',
      destination,
    ]),
  ) as { filename: string }[]
  if (!packed[0]) throw new Error('npm pack printed no file name')
  return join(destination, packed[0].filename)
}

/** Builds both packages without packing them. */
export function buildLibrary(): void {
  runCommand('npm', ['run', '--silent', 'build'])
}

/** Runs a step, and prints how long it took. */
export async function timeStep(name: string, act: () => unknown): Promise<void> {
  const startedAt = performance.now()
  await act()
  console.log(`ok  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
}
