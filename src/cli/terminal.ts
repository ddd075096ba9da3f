import type { Environment } from '../config/environment.ts'

/** Where a command stands: what it reads, and where it writes to. */
export interface Terminal {
  /** The variables of the process. */
  readonly environment: Environment
  /** Adds variables to those of the process, where they are not set yet. */
  setDefaults(variables: Environment): void
  /** What a module exports. */
  importModule(path: string): Promise<object>
  readonly fetch: typeof fetch
  /** Milliseconds since 1970. */
  now(): number
  /** To standard output. */
  print(text: string): void
  /** To standard error. */
  complain(text: string): void
  /** Reads a file as text. */
  readFile(path: string): Promise<string>
  /** Writes a file, with the directories above it. One that was not there gets these permissions. */
  writeFile(path: string, content: string, mode?: number): Promise<void>
}
