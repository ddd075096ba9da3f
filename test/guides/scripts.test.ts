import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const top = new URL('../../', import.meta.url)
/** npm runs these after or before another script, which starts with the check. */
const attached = ['prepack']

describe('the scripts of package.json, before `npm ci`', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'authmachine-scripts-'))
  afterAll(() => rmSync(scratch, { recursive: true }))

  it('all start with the check that the tools are installed', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8')) as {
      scripts: Record<string, string>
    }
    const unchecked = Object.entries(scripts).filter(
      ([name, command]) => !attached.includes(name) && !command.startsWith('node .ci/installed.mjs && '),
    )
    expect(unchecked).toEqual([])
  })

  it('say to run `npm ci`, and run after it', () => {
    cpSync(fileURLToPath(new URL('.ci/installed.mjs', top)), join(scratch, '.ci/installed.mjs'))
    const check = () => spawnSync(process.execPath, ['.ci/installed.mjs'], { cwd: scratch, encoding: 'utf8' })
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Run `npm ci` first\./) })
    mkdirSync(join(scratch, 'node_modules/node/bin'), { recursive: true })
    writeFileSync(join(scratch, 'node_modules/node/bin/node'), '')
    expect(check()).toMatchObject({ status: 0, stderr: '' })
  })
})
