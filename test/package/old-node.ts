import { delimiter, join } from 'node:path'
import { runCommand } from './command.ts'

/** The oldest Node that the package supports, for machines with another Node. */
const OLDEST = '20.20.2'

/**
 * Path of a Node 20: the system's, or else the binary from npm, installed into `directory`. The package
 * `node-<platform>` contains only the binary and runs no script on installation.
 */
export function findOldNode(directory: string): string {
  const installed = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(path, 'node'))
    .find((path) => majorOf(path) === '20')
  if (installed !== undefined) return installed
  const name = `node-${process.platform}-${process.arch}`
  runCommand(
    'npm',
    ['install', '--silent', '--no-save', '--prefix', directory, `${name}@${OLDEST}`],
    directory,
  )
  return join(directory, 'node_modules', name, 'bin', 'node')
}

function majorOf(node: string): string | undefined {
  try {
    return runCommand(node, ['-p', 'process.versions.node.split(".")[0]']).trim()
  } catch {
    return undefined
  }
}
