import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const top = fileURLToPath(new URL('../../', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'authmachine-bundled-'))

const provider = (id: string) =>
  `export const ${id}: unknown = { id: '${id}', name: '${id}', type: 'oauth', clientId: 'c', clientSecret: 's',
    authorization: 'https://${id}.test/a', token: 'https://${id}.test/t', userinfo: 'https://${id}.test/u' }`

/** A project whose imports a bundler resolves. */
const files: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  // Comments are allowed in this file.
  'tsconfig.json':
    '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "options": ["./src/options.ts"] } } /* */ }',
  'src/auth.ts': `import { createAuth } from '${join(top, 'src/instance/create-auth.ts')}'
    import { one } from './providers/one'
    import { two } from './providers/two.js'
    import { three } from '@/providers/three'
    import { four } from './four'
    import { secret } from 'options'
    export const auth = createAuth({ secret, providers: [one, two, three, four] as never })`,
  'src/providers/one.ts': provider('one'),
  'src/providers/two.ts': provider('two'),
  'src/providers/three.ts': provider('three'),
  'src/four/index.ts': provider('four'),
  'src/options.ts': "export const secret: string = 'a secret of at least thirty-two characters'",
  'src/broken.ts': "import './nowhere'",
}

beforeAll(() => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  symlinkSync(join(top, 'node_modules'), join(project, 'node_modules'))
})
afterAll(() => rmSync(project, { recursive: true }))

describe('doctor in a project that a bundler builds', () => {
  const run = (path: string) =>
    promisify(execFile)(process.execPath, [join(top, 'src/tools/cli/main.ts'), 'doctor', path], {
      cwd: project,
      env: { PATH: process.env.PATH },
    })

  it('finds files without an extension, TypeScript behind .js, folders, and the paths of tsconfig.json', async () => {
    const { stdout } = await run('src/auth.ts')
    for (const id of ['one', 'two', 'three', 'four']) expect(stdout).toContain(`/auth/callback/${id}`)
  })

  it('names a file that does not exist', async () => {
    await expect(run('src/broken.ts')).rejects.toThrow('nowhere')
  })
})
