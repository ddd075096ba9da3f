/**
 * `npm run test:follow`: follows the README and the guides like a user who has just cloned the repository. Reads the
 * commands from the texts, and runs them unchanged in temporary folders. They run on the oldest supported Node.
 * Commands before an installation, and the demo, run on each supported Node.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listGuides } from '../guides/generate.ts'
import { top } from '../package/command.ts'
import { timeStep } from '../package/pack.ts'
import { copyClone, linkPackages } from './clone.ts'
import { installNodes } from './nodes.ts'
import { readGuide } from './read-guide.ts'
import { findRule, install } from './rules.ts'
import { type, typeGood, typeServer, type Shell } from './shell.ts'

const scratch = mkdtempSync(join(tmpdir(), 'authmachine-follow-'))
const clone = join(scratch, 'authmachine')
/** Commands that already ran in the clone: `npm run build -- --pack` needs to run once for all guides. */
const done = new Set<string>()

/** Before `npm ci`, every script tells the user to run it. */
function refuseWithoutPackages(searchPath: string): void {
  for (const script of ['start', 'test', 'run lint', 'run build', 'run typecheck']) {
    const { status, output } = type(`npm ${script}`, { directory: clone, searchPath })
    if (status !== 1 || !output.includes('Run `npm ci` first.'))
      throw new Error(`npm ${script}: exit code ${status}\n${output}`)
  }
}

/** Scripts run on the installed Node, whatever the system's Node is. */
function startDemo(searchPath: string): void {
  const shell = { directory: clone, searchPath }
  const version = typeGood("npm exec --call 'node --version'", shell).trim()
  if (version !== process.version) throw new Error(`scripts run on ${version}, not on ${process.version}`)
  const output = typeGood('npm start -- --check', shell)
  if (!output.includes('callback')) throw new Error(`npm start -- --check printed:\n${output}`)
}

async function followGuide(guide: string, searchPath: string): Promise<void> {
  const app = join(scratch, guide.replaceAll(/\W+/g, '-'))
  mkdirSync(app)
  let shell: Shell = { directory: app, searchPath }
  // State that a shell keeps from one command to the next.
  const kept: string[] = []
  for (const instruction of readGuide(readFileSync(join(top, guide), 'utf8'))) {
    if (instruction.type === 'command') await followCommand(instruction.line)
    // A copied example contains its programs.
    else if (shell.directory !== clone)
      writeFileSync(join(shell.directory, instruction.name), instruction.text)
  }

  async function followCommand(line: string): Promise<void> {
    if (line.startsWith(install)) return followInClone(line.slice(install.length))
    const rule = findRule(guide, line)
    if (rule.notRun !== undefined) return
    // A path of the repository.
    if (line.startsWith('cp -r docs/')) shell = { ...shell, directory: clone }
    const typed = [...kept, line].join('\n')
    if (rule.serves) return expectAnswer(typed, rule.serves, shell)
    typeGood(typed, shell)
    if (/^(cd|export) /.test(line)) kept.push(line)
    if (rule.variables === undefined) return
    const directory = typeGood([...kept, 'pwd'].join('\n'), shell).trim()
    appendFileSync(join(directory, '.env.local'), rule.variables)
  }

  async function followInClone(line: string): Promise<void> {
    const { serves, notRun } = findRule(guide, line)
    if (done.has(line) || notRun !== undefined) return
    done.add(line)
    const here = { ...shell, directory: clone }
    if (serves) await expectAnswer(line, serves, here)
    else typeGood(line, here)
  }
}

async function expectAnswer(
  line: string,
  { path, answer }: { readonly path: string; readonly answer: string },
  shell: Shell,
): Promise<void> {
  const text = await typeServer(line, path, shell)
  if (!text.includes(answer)) throw new Error(`${line}: ${path} does not contain ${answer}\n${text}`)
}

try {
  const nodes = installNodes(join(scratch, 'nodes'))
  copyClone(clone)
  for (const [major, searchPath] of nodes)
    await timeStep(`says to run npm ci, on Node ${major}`, () => refuseWithoutPackages(searchPath))
  linkPackages(clone)
  for (const [major, searchPath] of nodes)
    await timeStep(`runs the demo, on Node ${major}`, () => startDemo(searchPath))
  const [[major = '', searchPath = ''] = []] = nodes
  for (const guide of await listGuides())
    await timeStep(`follows ${guide}, on Node ${major}`, () => followGuide(guide, searchPath))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
