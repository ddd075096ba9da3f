import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files of a build that contain one of these texts. @throws Error when there are no scripts */
export function findInBundle(directory: string, build: string, texts: readonly string[]): string[] {
  const built = join(directory, build)
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(built, file)).isFile(),
  )
  if (!files.some((file) => file.endsWith('.js'))) throw new Error(`${built} contains no scripts`)
  return files.filter((file) => {
    const content = readFileSync(join(built, file), 'latin1')
    return texts.some((text) => content.includes(text))
  })
}
