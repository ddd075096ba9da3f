import type { Environment } from '../../config/environment.ts'

/** Formats names and descriptions in two columns. */
export function table(rows: readonly (readonly [name: string, says: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`).join('\n')
}

/** The environment of a command: everything that it reads and writes. */
export interface Terminal {
  /** The variables of the process. */
  readonly environment: Environment
  /** Adds variables to the process, unless they are already set. */
  setDefaults(variables: Environment): void
  /** Returns the exports of a module. */
  importModule(path: string): Promise<object>
  /** Returns the exports of a package that is installed in the project of the user. */
  importPackage(name: string): Promise<object>
  readonly fetch: typeof fetch
  /** Milliseconds since 1970. */
  now(): number
  /** To standard output. */
  print(text: string): void
  /** Asks the user, and returns the answer. Absent if nobody can answer. */
  readonly ask?: (question: string) => Promise<string>
  /** To standard error. */
  complain(text: string): void
  /** Reads a file as text. */
  readFile(path: string): Promise<string>
  /** Opens a file in the program that shows it. Absent if there is no user. @returns whether it could be opened */
  readonly openFile?: (path: string) => Promise<boolean>
  /** Writes a file and creates its directories. `mode` applies to new files. */
  writeFile(path: string, content: string, mode?: number): Promise<void>
}
