import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compile, compileText, settings } from '../dropin/compile.ts'
import { mistakes } from './mistakes.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))

/** Both names of the package resolve to the sources. */
const paths = Object.fromEntries(
  ['@auth/core', 'authmachine'].flatMap((name) => [
    [name, [`${top}src/index.ts`]],
    [`${name}/providers/oauth`, [`${top}src/oauth-types.ts`]],
    [`${name}/*`, [`${top}src/*.ts`]],
  ]),
)
const options = { ...settings.bundler, paths, allowImportingTsExtensions: true }

// `npm run test:dropin` compiles the packed declarations, and compiles the programs against `@auth/core` itself.
describe('the types of the sources', () => {
  it.each(['ecosystem.ts', 'own.ts'])('DEC-01a compile %s', (name) => {
    expect(compile(`${top}test/dropin/types/${name}`, options)).toEqual([])
  })

  it('OPT-030 compile a program that uses what createAuth infers', () => {
    expect(compile(`${top}test/dropin/types/inferred.ts`, options)).toEqual([])
  })
})

describe('a mistake in a configuration', () => {
  const programs = mistakes.map(({ program }) => program)
  const messages = compileText(`${top}test/surface`, programs, { ...options, noErrorTruncation: true })

  it.each(mistakes.map((each, index) => [each.name, each.message, messages[index]] as const))(
    'OPT-030 is explained: %s',
    (_, message, found) => {
      expect(found).toEqual([message])
    },
  )
})
