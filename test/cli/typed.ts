import { runCommand } from '../../src/cli/run-command.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

/** The time at every terminal, in milliseconds. */
export const time = Date.UTC(2030, 0, 1)

interface Surroundings {
  readonly environment?: Record<string, string>
  /** Modules that can be loaded, by path. */
  readonly modules?: Readonly<Record<string, object>>
  /** @default a network that nobody is in */
  readonly fetch?: typeof fetch
}

/** A terminal of tests, with the files that are there and what a command made of them. */
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
  const told = () => ({ out: out.join(''), err: err.join('') })
  return {
    files,
    modes,
    terminal,
    /** What has been printed by now. */
    told,
    /** Types a line, and answers what came of it, with the files that were written. */
    async type(line: string) {
      out.length = err.length = 0
      const code = await runCommand(line === '' ? [] : line.split(' '), terminal)
      return { code, ...told(), files: written }
    },
  }
}
