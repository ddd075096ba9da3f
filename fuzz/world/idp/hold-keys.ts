import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setEnvironmentData } from 'node:worker_threads'
import { exportKeys, keysName } from './keys.ts'

/**
 * Uses the keys of a file, or creates it with new ones, so that applications can cache key sets, and know the key
 * `client` for private_key_jwt. Call it before the first provider signs.
 *
 * @throws {Error} if the file contains no keys
 */
export async function holdKeys(file: string): Promise<void> {
  if (!existsSync(file)) return writeFile(file, `${await exportKeys()}\n`, { mode: 0o600 })
  const text = await readFile(file, 'utf8')
  if (!/^\{.*"client":/s.test(text))
    throw new Error(`Expected the file of --keys to contain the keys of an earlier run, but ${file} does not`)
  setEnvironmentData(keysName, text)
}
