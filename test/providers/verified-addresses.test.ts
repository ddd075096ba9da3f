import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { preset, type Preset } from '../../src/provider-base/preset.ts'
import Discord from '../../src/providers/discord.ts'
import Eventbrite from '../../src/providers/eventbrite.ts'
import GitLab from '../../src/providers/gitlab.ts'
import Kakao from '../../src/providers/kakao.ts'
import Patreon from '../../src/providers/patreon.ts'
import Wikimedia from '../../src/providers/wikimedia.ts'
import Zoom from '../../src/providers/zoom.ts'

interface Verdict {
  readonly make: () => Preset<object>
  /** Profiles by what the provider says about the address. */
  readonly verified: object
  readonly unverified: readonly object[]
}

const email = 'ada@example.com'
const kakao = (valid?: unknown, verified?: unknown) => ({
  kakao_account: { email, is_email_valid: valid, is_email_verified: verified },
})
const patreon = (verified?: unknown) => ({ data: { attributes: { email, is_email_verified: verified } } })

/** Presets whose provider tells in another claim whether the address is verified. */
const verdicts: Readonly<Record<string, Verdict>> = {
  discord: {
    make: Discord,
    verified: { email, verified: true },
    unverified: [{ email, verified: false }, { email }],
  },
  eventbrite: {
    make: Eventbrite,
    verified: { emails: [{ email, verified: true, primary: true }] },
    unverified: [
      { emails: [{ email, verified: false, primary: true }] },
      { emails: [{ email, primary: true }] },
      {
        emails: [
          { email: 'second@example.com', verified: true, primary: false },
          { email, verified: false, primary: true },
        ],
      },
      { emails: 'none' },
    ],
  },
  // Not every GitLab server sends the member.
  gitlab: {
    make: GitLab,
    verified: { email, email_verified: true, confirmed_at: '2026-01-01T00:00:00Z' },
    unverified: [{ email, email_verified: true, confirmed_at: null }],
  },
  kakao: {
    make: Kakao,
    verified: kakao(true, true),
    unverified: [kakao(false, true), kakao(true, false), kakao(undefined, true), kakao(true), {}],
  },
  patreon: { make: Patreon, verified: patreon(true), unverified: [patreon(false), patreon(), {}] },
  wikimedia: {
    make: Wikimedia,
    verified: { email, confirmed_email: true },
    unverified: [{ email, confirmed_email: false }, { email }],
  },
  zoom: {
    make: Zoom,
    verified: { email, verified: 1 },
    unverified: [{ email, verified: 0 }, { email }],
  },
}

describe.each(Object.entries(verdicts))('the preset %s', (_, { make, verified, unverified }) => {
  const flagOf = async (profile: object) =>
    (await make()[preset]?.complete?.(profile as never, {}, fetch))?.email_verified

  it('AL-09 adopts what its provider says about the address', async () => {
    expect(await flagOf(verified)).toBe(true)
    for (const profile of unverified) expect([profile, await flagOf(profile)]).toEqual([profile, false])
  })
})

it('AL-09 no preset ignores a claim about the address that its profile declares', () => {
  const folder = new URL('../../src/providers/', import.meta.url)
  const declaring = readdirSync(folder).filter((file) => {
    const code = readFileSync(new URL(file, folder), 'utf8').replaceAll(/\bemail_verified\b/g, '')
    return /\b\w*(?:verif|valid|confirm)\w*\??: (?:boolean|number|string)/.test(code)
  })
  // The addresses of GitHub come from a separate request, which github.test.ts describes.
  const known = [...Object.keys(verdicts), 'github'].map((id) => `${id}.ts`)
  expect(declaring.toSorted()).toEqual(known.toSorted())
})
