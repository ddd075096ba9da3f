/**
 * Every script of package.json starts with this file. Scripts need the tools and the Node of `node_modules`; without them
 * they fail in ways that do not say why. It has to run on any Node, and imports no package.
 */
import { existsSync } from 'node:fs'

const node = new URL('../node_modules/node/bin/node', import.meta.url)
const isInstalled = [node, new URL(`${node}.exe`)].some((file) => existsSync(file))

if (!isInstalled) {
  console.error('Run `npm ci` first. It installs what the scripts need, a Node to run them on included.')
  process.exitCode = 1
}
