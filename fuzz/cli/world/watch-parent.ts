/** Milliseconds between two looks at the parent process. */
const interval = 500

/**
 * Calls a function when the shell in which npm started this process has ended. npm forwards SIGTERM and SIGINT to that
 * shell only. bash replaces itself with the command, but dash, the `sh` of Debian, ends and leaves the command running.
 */
export function whenParentEnds(end: () => void): void {
  // Without npm, somebody may keep the process running on purpose, for example with nohup.
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, interval)
  timer.unref()
}
