import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A short hash of files; of a directory, recursively, except for the names to skip. */
export function fingerprint(
  directory: string,
  names: readonly string[],
  passOver: ReadonlySet<string> = new Set(),
): string {
  const hash = createHash('sha256')
  const read = (path: string): void => {
    if (!statSync(path).isDirectory()) return void hash.update(`${path}\n`).update(readFileSync(path))
    for (const name of readdirSync(path).toSorted()) if (!passOver.has(name)) read(join(path, name))
  }
  for (const name of names) read(join(directory, name))
  return hash.digest('hex')
}

/** Runs an action unless its stamp has this key, then writes the stamp. @returns whether it ran */
export async function once(stamp: string, key: string, act: () => Promise<unknown>): Promise<boolean> {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return false
  rmSync(stamp, { force: true })
  await act()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, key)
  return true
}
