import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The top of the repository. */
export const top = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a command. @returns its output @throws Error with both streams, since either may contain the reason */
export function runCommand(command: string, args: readonly string[], cwd: string = top): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return stdout
  const reason = error?.message ?? `exit code ${status}\n${stdout}${stderr}`
  throw new Error(`${command} ${args.join(' ')}: ${reason}`)
}
