import { mkdirSync, rmSync, symlinkSync, copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { compile, settings } from './compile.ts'
import { cache } from './install.ts'
import { top } from '../package/command.ts'

const programs = join(top, 'test/dropin/types')
const packed = join(top, 'test/dropin/express/node_modules/@auth/core')
const control = join(top, 'fuzz/peers/core/node_modules/@auth/core')

/** A folder in which programs find these packages under these names. */
function install(folder: string, packages: Readonly<Record<string, string>>): string {
  const directory = join(cache, 'types', folder)
  rmSync(directory, { recursive: true, force: true })
  for (const [name, target] of Object.entries(packages)) {
    const place = join(directory, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(target, place)
  }
  for (const program of ['ecosystem.ts', 'own.ts', 'inferred.ts'])
    copyFileSync(join(programs, program), join(directory, program))
  return directory
}

describe.each(Object.entries(settings))(
  'the published types, with %s module resolution',
  (name, resolution) => {
    let ours = ''
    let theirs = ''
    const options = { ...resolution, typeRoots: [join(top, 'node_modules/@types')] }
    beforeAll(() => {
      ours = install(`ours-${name}`, { '@auth/core': packed, authmachine: packed })
      theirs = install(`theirs-${name}`, { '@auth/core': control })
    })

    it('DEC-01a compile a program for Auth.js against @auth/core, as a control', () => {
      expect(compile(join(theirs, 'ecosystem.ts'), options)).toEqual([])
    })
    it('DEC-01a compile the same program against this library', () => {
      expect(compile(join(ours, 'ecosystem.ts'), options)).toEqual([])
    })
    it('DEC-01a compile a program that augments this library under its own name', () => {
      expect(compile(join(ours, 'own.ts'), options)).toEqual([])
    })
    it('OPT-030 compile a program that uses what createAuth infers', () => {
      expect(compile(join(ours, 'inferred.ts'), options)).toEqual([])
    })
  },
)
