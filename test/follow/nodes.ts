import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from '../package/command.ts'

/** The Node versions that package.json supports. The version of Node 24 is the one that scripts run on. */
const versions = { 20: '20.20.2', 22: '22.23.3' }

/** The search path of a user with another Node, and without this repository's tools. */
export type SearchPaths = ReadonlyMap<string, string>

/** Installs each supported Node into `directory`. @returns a search path for each */
export function installNodes(directory: string): SearchPaths {
  const platform = `node-${process.platform}-${process.arch}`
  const names = Object.entries(versions).map(([major, version]) => `node-${major}@npm:${platform}@${version}`)
  mkdirSync(directory, { recursive: true })
  runCommand('npm', ['install', '--silent', '--no-save', '--prefer-offline', ...names], directory)
  const installed = Object.keys(versions).map(
    (major) => [major, join(directory, `node_modules/node-${major}/bin/node`)] as const,
  )
  return new Map(
    [...installed, ['24', process.execPath] as const].map(([major, node]) => [
      major,
      writeSearchPath(node, join(directory, `bin-${major}`)),
    ]),
  )
}

/** npm is the system's, and runs on the first Node in the path. */
function writeSearchPath(node: string, folder: string): string {
  mkdirSync(folder)
  symlinkSync(node, join(folder, 'node'))
  const others = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return [folder, ...others].join(delimiter)
}
