import { expect } from 'vitest'
import { importPackage } from '../../src/tools/cli/import-module.ts'
import { runCommand } from '../../src/tools/cli/run-command.ts'
import type { Terminal } from '../../src/tools/cli/terminal.ts'

/** The time of every test terminal, in milliseconds. */
export const time = Date.UTC(2030, 0, 1)

interface Surroundings {
  readonly environment?: Record<string, string>
  /** Importable modules, by path. */
  readonly modules?: Readonly<Record<string, object>>
  /** Installed packages, by name. @default those of this repository */
  readonly packages?: Readonly<Record<string, object>>
  /** The user, if there is one. */
  readonly ask?: Terminal['ask']
  /** @default a network without hosts */
  readonly fetch?: typeof fetch
}

/** A test terminal, with the given files and those that a command writes. */
export function openTerminal(files: Record<string, string> = {}, around: Surroundings = {}) {
  const { environment = {}, modules = {} } = around
  const [out, err]: [string[], string[]] = [[], []]
  const modes: Record<string, number | undefined> = {}
  const written: Record<string, string> = {}
  const terminal: Terminal = {
    environment,
    setDefaults(variables) {
      for (const [name, value] of Object.entries(variables)) environment[name] ??= value ?? ''
    },
    async importModule(path) {
      const found = modules[path]
      if (found) return found
      throw Object.assign(new Error(`Cannot find module '${path}'`), { code: 'ERR_MODULE_NOT_FOUND' })
    },
    async importPackage(name) {
      const found = around.packages ? around.packages[name] : await importPackage(name)
      if (found) return found
      throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
    },
    ...(around.ask && { ask: around.ask }),
    fetch: around.fetch ?? (() => Promise.reject(new TypeError('fetch failed'))),
    now: () => time,
    print: (text) => void out.push(text),
    complain: (text) => void err.push(text),
    async readFile(path) {
      const text = files[path]
      if (text !== undefined) return text
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    },
    async writeFile(path, content, mode) {
      files[path] = written[path] = content
      modes[path] = mode
    },
  }
  const output = () => ({ out: out.join(''), err: err.join('') })
  return {
    files,
    modes,
    terminal,
    /** Returns everything printed so far. */
    output,
    /** Runs a command line. @returns its output and exit code, with the files that it wrote */
    async type(line: string) {
      out.length = err.length = 0
      const code = await runCommand(line === '' ? [] : line.split(' '), terminal)
      return { code, ...output(), files: written }
    },
  }
}

/** Expects of each problem and warning that doctor prints, unwrapped, that it has a fix and refers to a section of a guide. */
export function expectSections(out: string): void {
  for (const [finding] of out.matchAll(/^ {2}[✗!] .*$/gm))
    expect(finding).toMatch(/ → .+ See "[^"]+" in the authmachine guide "[^"]+"\.$/)
}
