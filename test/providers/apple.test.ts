import { describe, expect, it } from 'vitest'
import Apple from '../../src/providers/apple.ts'
import { preset } from '../../src/provider-base/preset.ts'
import type { Profile } from '../../src/types/records.ts'

const claims = { sub: '001999.x', email: 'me@example.com', email_verified: true }

describe('Apple', () => {
  it('WIR-020 requests form_post with state and nonce, and authenticates by post', () => {
    expect(Apple()).toMatchObject({
      authorization: { params: { response_mode: 'form_post', scope: 'name email' } },
      checks: ['nonce', 'state'],
      client: { token_endpoint_auth_method: 'client_secret_post' },
    })
  })

  it('PRV-017 reads the name from the form field at the first consent, and otherwise shows the address', () => {
    expect(toUser(readField({ name: { firstName: 'Mona', lastName: 'Lisa' } })).name).toBe('Mona Lisa')
    expect(toUser(readField({ name: { lastName: 'Lisa' } })).name).toBe('Lisa')
    expect(toUser(readField(undefined)).name).toBe('me@example.com')
    expect(toUser({ sub: 'x' }).name).toBeNull()
  })

  it('AL-09 reads only the name from the form field, which the browser controls', () => {
    const forged = { sub: 'victim', email: 'victim@example.com', email_verified: true, id: 'victim' }
    const profile = readField({ ...forged, name: { firstName: 'Eve', email: 'victim@example.com' } })
    expect(toUser(profile)).toEqual({ id: '001999.x', name: 'Eve', email: 'me@example.com', image: null })
    expect(JSON.stringify(profile)).not.toContain('victim')
    expect(toUser(readField(forged, { sub: 'x' })).email).toBeNull()
  })

  it('AL-09 reads a flag that is a string', () => {
    const verified = (flag: unknown) =>
      readField(undefined, { email_verified: flag } as Profile).email_verified
    expect(['true', 'false', true, false, null].map(verified)).toEqual([true, false, true, false, false])
    expect('email_verified' in readField(undefined, { sub: 'x' })).toBe(false)
  })

  it('FI-07 ignores a form field that is not such an object', () => {
    for (const field of ['', '{', 'null', '7', '"x"', '[]', '{"name":null}', '{"name":"x"}', '{"name":[]}']) {
      const profile = readRaw(field, claims)
      expect([field, toUser(profile).name]).toEqual([field, 'me@example.com'])
    }
  })
})

function readRaw(field: string, profile: Profile): Profile {
  const read = Apple()[preset]?.readResponse
  if (read === undefined) throw new Error('Apple has no readResponse')
  return read(new URLSearchParams({ code: 'c', user: field }), profile)
}

function readField(field: unknown, profile: Profile = claims): Profile {
  return readRaw(JSON.stringify(field) ?? '', profile)
}

function toUser(profile: Profile) {
  const user = Apple().profile?.(profile as never, {})
  if (user === undefined || 'then' in user) throw new Error('Apple is synchronous')
  return user
}
