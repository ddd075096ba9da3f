import { existsSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/** Milliseconds without a change after which the changes so far are reported together. */
const quiet = 200

/**
 * Watches files, and calls back with those that changed. Changes during a call are reported together after it. Watches
 * only folders with listed files, so that installed packages cost nothing.
 *
 * @param list the paths to watch, from `top`; called again after each change, because files come and go
 * @returns a function that stops watching
 */
export function watchFiles(
  top: string,
  list: () => readonly string[],
  onChange: (files: readonly string[]) => Promise<void>,
): () => void {
  const watchers = new Map<string, { close(): void }>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isBusy = false

  const watchFolders = (files: readonly string[]) => {
    for (const folder of new Set(files.map((file) => dirname(file))))
      if (!watchers.has(folder) && existsSync(join(top, folder)))
        watchers.set(
          folder,
          watch(join(top, folder), (_, name) => void (name !== null && note(join(folder, name)))),
        )
  }
  const note = (file: string) => {
    changed.add(file)
    clearTimeout(timer)
    timer = setTimeout(() => void report(), quiet)
  }
  const report = async () => {
    if (isBusy) return
    isBusy = true
    const files = list()
    watchFolders(files)
    const listed = [...changed].filter((file) => files.includes(file))
    changed.clear()
    if (listed.length > 0) await onChange(listed)
    isBusy = false
    if (changed.size > 0) await report()
  }

  watchFolders(list())
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}
