/** Milliseconds between two looks at the parent process. */
const interval = 500

/**
 * Calls a function when the shell in which npm started this process has ended. npm sends a signal only to that shell,
 * which ends without passing it on if it waits for a command of a list (`a && b`).
 */
export function whenParentEnds(end: () => void): void {
  // Without npm, somebody may have left the process running on purpose, as with nohup.
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, interval)
  timer.unref()
}
