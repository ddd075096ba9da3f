import { describe, expect, it } from 'vitest'
import GitLab from '../../src/providers/gitlab.ts'
import { preset } from '../../src/provider-base/preset.ts'
import type { Profile } from '../../src/types/records.ts'

describe('GitLab', () => {
  it('AL-01 AL-09 reports an unconfirmed address as unverified', async () => {
    const complete = GitLab()[preset]?.complete
    const flagOf = async (profile: Profile) => (await complete?.(profile, {}, fetch))?.email_verified
    expect(await flagOf({ email: 'ada@example.com', confirmed_at: null })).toBe(false)
    expect(await flagOf({ email: 'ada@example.com', confirmed_at: null, email_verified: true })).toBe(false)
    expect(await flagOf({ email: 'ada@example.com', confirmed_at: '2030-01-01T00:00:00Z' })).toBeUndefined()
    expect(await flagOf({ email: 'ada@example.com' })).toBeUndefined()
  })
})
