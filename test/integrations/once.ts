import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What these files say, in a few letters; of a directory all files in it, and in those in it that are not passed over. */
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

/** Does what a stamp does not say to be done for this key already, and stamps it. @returns whether it was to be done */
export async function once(stamp: string, key: string, act: () => Promise<unknown>): Promise<boolean> {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return false
  rmSync(stamp, { force: true })
  await act()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, key)
  return true
}
