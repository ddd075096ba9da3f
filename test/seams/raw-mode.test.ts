import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { requirements } from '../../spec/index.ts'
import { errorNames } from './error-names.ts'
import { differences } from './differences.ts'
import { errorGuide } from './generate.ts'
import { hasPeer, ours } from './library.ts'
import { nameSituation, playAll, type Endings } from './situation.ts'
import { situations } from './situations/index.ts'

const recorded = JSON.parse(
  await readFile(new URL('auth-core-0.41.3.json', import.meta.url), 'utf8'),
) as Endings
const here = await playAll(situations, () => ours)
const names = situations.map(nameSituation)

const isSame = (name: string) =>
  here[name]?.raw === recorded[name]?.raw && here[name]?.normal === recorded[name]?.normal

describe('errors beside those of @auth/core', () => {
  it('compares every situation once, and each was recorded', () => {
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(recorded)).toEqual(names)
  })

  it('SEA-001 SEA-002 SEA-003 end in the same way, unless a requirement says otherwise', () => {
    const unexplained = names
      .filter((name) => !isSame(name) && !(name in differences))
      .map((name) => ({ name, here: here[name], there: recorded[name] }))
    expect(unexplained).toEqual([])
  })

  it('SEA-001 SEA-002 SEA-003 end as the guide shows (`npm run generated`)', async () => {
    for (const [path, text] of Object.entries(await errorGuide.generate()))
      expect(text).toBe(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'))
  })

  it('lists no difference that is not one', () => {
    expect(Object.keys(differences).filter((name) => !names.includes(name) || isSame(name))).toEqual([])
  })

  it('explains each difference by a requirement', () => {
    const ids: ReadonlySet<string> = new Set(requirements.map(({ id }) => id))
    const unknown = Object.values(differences).filter((why) => !ids.has(why.split(':')[0] ?? ''))
    expect(unknown).toEqual([])
  })

  it('SEA-001 returns a URL in raw mode, and does not throw, wherever the other library does so at the start', () => {
    const starts = names.filter((name) => /^Sign-in (at|by)/.test(name))
    const thrown = starts.filter(
      (name) => recorded[name]?.raw.startsWith('redirects') && here[name]?.raw.startsWith('throws'),
    )
    expect(thrown).toEqual([])
  })

  it('triggers every type of error that either library has', () => {
    const seen = new Set(
      [here, recorded].flatMap((endings) => Object.values(endings).flatMap(({ logs }) => logs)),
    )
    expect(errorNames.filter((name) => !seen.has(name) && !(name in neverAlone))).toEqual([])
  })

  it.skipIf(!hasPeer)(
    'finds the record as the installed @auth/core behaves',
    () => {
      const script = fileURLToPath(new URL('record.ts', import.meta.url))
      const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
    },
    120_000,
  )
})

/** Types that no request ends in, and why. */
const neverAlone: Readonly<Record<string, string>> = {
  SignInError: 'a base class',
  OAuthSignInError: 'neither library throws it',
}
