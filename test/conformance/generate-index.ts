import { readdirSync, readFileSync } from 'node:fs'
import type { Generator } from '../support/generator.ts'

const folder = new URL('../../fuzz/properties/', import.meta.url)

/** Generates the index of the oracle's properties: one entry for each file in a folder of `fuzz/properties`. */
export const propertyIndex: Generator = {
  name: 'properties',
  generate: () => ({ 'fuzz/properties/themes.ts': writeThemes(readThemes()) }),
}

interface Theme {
  /** Path below `fuzz/properties`, without the extension. */
  readonly path: string
  /** Name of the list that the file exports. */
  readonly list: string
}

function readThemes(): Theme[] {
  const topics = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'support',
  )
  return topics
    .flatMap(({ name }) => readdirSync(new URL(`${name}/`, folder)).map((file) => `${name}/${file}`))
    .toSorted()
    .map((file) => {
      const [, list] =
        /^export const (\w+Properties)\b/m.exec(readFileSync(new URL(file, folder), 'utf8')) ?? []
      if (!list) throw new Error(`Expected fuzz/properties/${file} to export a list named …Properties`)
      return { path: file.replace(/\.ts$/, ''), list }
    })
}

function writeThemes(themes: readonly Theme[]): string {
  return [
    '// Written by `npm run generated`.',
    ...themes.map(({ path, list }) => `import { ${list} } from './${path}.ts'`),
    "import type { Property } from './property.ts'",
    '',
    '/** Properties by theme, which is the path of their file. */',
    'export const themes: Readonly<Record<string, readonly Property[]>> = {',
    ...themes.map(({ path, list }) => `  '${path}': ${list},`),
    '}',
    '',
  ].join('\n')
}
