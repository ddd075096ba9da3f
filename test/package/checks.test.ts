import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findTwiceBuilt } from '../../.ci/chunks.ts'
import { runCommand } from './command.ts'
import { compileConsumer, importModules } from './consumer.ts'
import { findStrays, isTooLarge, limit } from './contents.ts'
import { findWayToPackage } from './declarations.ts'
import { checkPeerMatrix } from './peer-matrix.ts'

const scratch = mkdtempSync(join(tmpdir(), 'authmachine-checks-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Writes files in a folder of this test. @returns the folder */
function write(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(scratch, folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return join(scratch, folder)
}

describe('the checks of the packages fail for', () => {
  it('a module that is in two files of the build', () => {
    const chunk = (fileName: string, ...moduleIds: string[]) => ({ fileName, moduleIds })
    expect(findTwiceBuilt([chunk('a.js', 'src/a.ts'), chunk('b/b.js', 'src/b.ts')])).toEqual([])
    expect(findTwiceBuilt([chunk('a.js', 'src/a.ts'), chunk('b/b.js', 'src/a.ts', 'src/b.ts')])).toEqual([
      'src/a.ts is in a.js and b/b.js',
    ])
    expect(() => findTwiceBuilt([chunk('a.js')])).toThrow('Expected modules')
  })

  it('sources, tests and documentation in a package, and a package that is too large', () => {
    const strays = [
      'package/src/index.ts',
      'package/a.test.js',
      'package/docs/a.md',
      'package/fuzz/peers/a.js',
      'package/test/a.js',
      'package/mutants/a.js',
    ]
    expect(findStrays(['package/index.js', 'package/index.d.ts', ...strays])).toEqual(strays)
    expect([limit, limit + 1, Number.NaN].map(isTooLarge)).toEqual([false, true, true])
  })

  it('declarations that import the types of xstate', () => {
    const facts = (imports: string[]) => ({ imports })
    const declarations = (last: string) =>
      new Map([
        ['dist/index.d.ts', facts(['dist/types.js'])],
        ['dist/types.d.ts', facts([last])],
      ]) as unknown as Parameters<typeof findWayToPackage>[2]
    const find = (last: string) => findWayToPackage('dist/index.d.ts', 'xstate', declarations(last))
    expect(find('jose')).toBeUndefined()
    for (const last of ['xstate', 'xstate/guards'])
      expect(find(last)).toEqual(['dist/index.d.ts', 'dist/types.d.ts', last])
    expect(() => find('dist/gone.js')).toThrow('not in the build')
  })
})

describe('the check of peers fails for', () => {
  /** npm enforces the peers of tarballs, but not those of folders, which it links. */
  const pack = (name: string, manifest: object): string => {
    const folder = write(name, { 'package/package.json': manifest })
    runCommand('tar', ['-czf', `${folder}.tgz`, '-C', folder, 'package'])
    return `${folder}.tgz`
  }
  const tryWith = (range: string, row: object = {}) => {
    const kysely = pack('kysely', { name: 'kysely', version: '0.28.18' })
    const ours = pack('ours', {
      name: 'authmachine',
      version: '1.0.0',
      peerDependencies: { kysely: range },
      peerDependenciesMeta: { kysely: { optional: true } },
    })
    const tried = { name: 'kysely 0.28', dependencies: { kysely: `file:${kysely}` }, ...row }
    return checkPeerMatrix(join(scratch, 'tried'), { authmachine: ours }, [tried])
  }

  it('a range that excludes versions of applications', async () => {
    expect(await tryWith('>=0.28')).toMatch(/kysely 0\.28 +plain ok +as @auth\/core ok/)
    await expect(tryWith('>=0.29')).rejects.toThrow(/REFUSED[^]*kysely 0\.28, with our packages:[^]*ERESOLVE/)
  }, 120_000)

  it('a row that is marked as conflicting without our packages, but does not conflict', async () => {
    await expect(tryWith('>=0.28', { conflictsAlone: true })).rejects.toThrow('remove conflictsAlone')
  }, 120_000)
})

describe('the checks of an installed package fail for', () => {
  const types = (name: string) => `export interface Session { readonly user?: { readonly name?: ${name} } }\n`
  const root = `
import type { Session } from './types.js'
export interface AuthConfig {
  providers: readonly unknown[]
  callbacks?: { session?: (given: { session: Session }) => Session }
}
export declare function Auth(request: Request, config: AuthConfig): Promise<Response>
`
  const install = (folder: string, files: Readonly<Record<string, string>>) =>
    write(folder, {
      'package.json': { name: 'consumer', private: true, type: 'module' },
      'node_modules/authmachine/package.json': {
        name: 'authmachine',
        type: 'module',
        exports: {
          '.': { types: './index.d.ts', default: './index.js' },
          './types': { types: './types.d.ts', default: './types.js' },
          './providers/github': { types: './github.d.ts', default: './github.js' },
        },
      },
      ...Object.fromEntries(
        Object.entries({
          'index.js': 'export const Auth = () => {}',
          'index.d.ts': root,
          'types.js': 'export {}',
          'types.d.ts': types('string | null'),
          'github.d.ts': 'export default function GitHub(options?: object): object',
          ...files,
        }).map(([name, text]) => [`node_modules/authmachine/${name}`, text]),
      ),
    })
  const modules = ['authmachine', 'authmachine/types']

  it('an entry that does not load, or does not export Auth', () => {
    const importFrom = (folder: string, files: Readonly<Record<string, string>>) => () =>
      importModules(process.execPath, install(folder, files), modules)
    expect(importFrom('loads', {})).not.toThrow()
    expect(importFrom('without-auth', { 'index.js': 'export {}' })).toThrow('Auth is missing')
    expect(importFrom('broken', { 'types.js': "import 'no-such-package'" })).toThrow(
      'import(authmachine/types) failed',
    )
  })

  it('a changed type in the public interface', () => {
    const compile = (folder: string, files: Readonly<Record<string, string>>) => () =>
      compileConsumer(install(folder, files), modules)
    expect(compile('compiles', {})).not.toThrow()
    expect(compile('unknown-name', { 'types.d.ts': types('unknown') })).toThrow(/'unknown' is not assignable/)
  }, 120_000)
})
