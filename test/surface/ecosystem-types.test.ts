import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compile, settings } from '../dropin/compile.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))

/** Both names of the package lead to the sources. */
const paths = Object.fromEntries(
  ['@auth/core', 'authmachine'].flatMap((name) => [
    [name, [`${top}src/index.ts`]],
    [`${name}/providers`, [`${top}src/providers/index.ts`]],
    [`${name}/*`, [`${top}src/*.ts`]],
  ]),
)

// The packed declarations are compiled by `npm run test:dropin`, and the programs against `@auth/core` itself.
describe('the types of the sources', () => {
  it.each(['ecosystem.ts', 'own.ts'])('DEC-01a compile %s', (name) => {
    const options = { ...settings.bundler, paths, allowImportingTsExtensions: true }
    expect(compile(`${top}test/dropin/types/${name}`, options)).toEqual([])
  })
})
