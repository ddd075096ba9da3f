import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The scripts of a built client in which one of these texts is. @throws Error when there are no scripts */
export function findInBundle(directory: string, client: string, texts: readonly string[]): string[] {
  const built = join(directory, client)
  const scripts = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  )
  if (scripts.length === 0) throw new Error(`${built} holds no scripts`)
  return scripts.filter((file) => {
    const script = readFileSync(join(built, file), 'utf8')
    return texts.some((text) => script.includes(text))
  })
}
