import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findRequirement } from '../../spec/index.ts'
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

describe('errors compared with @auth/core', () => {
  it('cover every situation once, and each has a record', () => {
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

  it('have an explanation only if they differ', () => {
    expect(Object.keys(differences).filter((name) => !names.includes(name) || isSame(name))).toEqual([])
  })

  it('have a requirement for each difference', () => {
    const unknown = Object.values(differences).filter((why) => !findRequirement(why.split(':')[0] ?? ''))
    expect(unknown).toEqual([])
  })

  it('SEA-001 return a URL in raw mode instead of throwing wherever the other library returns one when a sign-in starts', () => {
    const starts = names.filter((name) => /^Sign-in (at|by)/.test(name))
    const thrown = starts.filter(
      (name) => recorded[name]?.raw.startsWith('redirects') && here[name]?.raw.startsWith('throws'),
    )
    expect(thrown).toEqual([])
  })

  it('cover every error type of either library', () => {
    const seen = new Set(
      [here, recorded].flatMap((endings) => Object.values(endings).flatMap(({ logs }) => logs)),
    )
    expect(errorNames.filter((name) => !seen.has(name) && !(name in neverAlone))).toEqual([])
  })

  it.skipIf(!hasPeer)(
    'match the record if @auth/core is installed',
    () => {
      const script = fileURLToPath(new URL('record.ts', import.meta.url))
      const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
    },
    120_000,
  )
})

/** Types with which no request ends, and why. */
const neverAlone: Readonly<Record<string, string>> = {
  SignInError: 'a base class',
  OAuthSignInError: 'neither library throws it',
}
