import { describe, expect, it } from 'vitest'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import { preset } from '../../src/provider-base/preset.ts'

const host = 'https://login.microsoftonline.com'
const tenant = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'

describe('Microsoft Entra ID', () => {
  it('OI-21 DEC-09d has the template of the shared issuers, and none for one tenant', () => {
    expect(MicrosoftEntraID().issuer).toBe(`${host}/common/v2.0`)
    expect(templateOf()).toBe(`${host}/{tenantid}/v2.0`)
    expect(templateOf(`${host}/organizations/v2.0`)).toBe(`${host}/{tenantid}/v2.0`)
    expect(templateOf(`${host}/common/v2.0/`)).toBe(`${host}/{tenantid}/v2.0`)
    // Personal accounts have their own tenant, which the metadata of `consumers` names.
    expect(templateOf(`${host}/consumers/v2.0`)).toBe(`${host}/${personal}/v2.0`)
    expect(templateOf(`${host}/${tenant}/v2.0`)).toBeUndefined()
    expect(MicrosoftEntraID({ issuer: `${host}/${tenant}/v2.0` }).issuer).toBe(`${host}/${tenant}/v2.0`)
  })

  it('AL-01 AL-09 reports an address that any tenant may have set as unverified', async () => {
    const noPhoto: typeof fetch = async () => new Response(null, { status: 404 })
    const flagOf = async (issuer: string | undefined, claims: object) => {
      const hook = MicrosoftEntraID({ issuer })[preset]?.complete
      return (await hook?.({ email: 'ada@example.com', ...claims }, {}, noPhoto))?.email_verified
    }
    const shared = ['common', 'organizations', 'consumers'].map((name) => `${host}/${name}/v2.0`)
    for (const issuer of [undefined, ...shared, `${host}/common/v2.0/`]) {
      expect(await flagOf(issuer, {})).toBe(false)
      expect(await flagOf(issuer, { email_verified: true })).toBe(false)
      for (const xms_edov of [false, 0, '0', 'false', null])
        expect(await flagOf(issuer, { xms_edov })).toBe(false)
      for (const xms_edov of [true, 1, '1', 'true'])
        expect(await flagOf(issuer, { xms_edov })).toBeUndefined()
    }
    expect(await flagOf(`${host}/${tenant}/v2.0`, {})).toBeUndefined()
  })

  it('PRV-017 shows the photo from Microsoft Graph', async () => {
    const asked: unknown[] = []
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const completed = await complete(async (...request) => {
      asked.push(request)
      return new Response(bytes, { headers: { 'content-type': 'image/jpeg' } })
    })
    expect(completed.picture).toBe(`data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`)
    const url = 'https://graph.microsoft.com/v1.0/me/photos/96x96/$value'
    expect(asked).toEqual([[url, { headers: { authorization: 'Bearer token' }, redirect: 'manual' }]])
    expect(MicrosoftEntraID().profile?.(completed as never, {})).toMatchObject({ image: completed.picture })
  })

  it('FI-07 signs in without the photo if it is missing, broken, not an image or too large', async () => {
    const image = { headers: { 'content-type': 'image/png' } }
    const endings: Record<string, typeof fetch> = {
      'the network fails': async () => Promise.reject(new TypeError('fetch failed')),
      'a throw before any promise': () => {
        throw new Error('no fetch')
      },
      'there is none': async () => new Response('{}', { ...image, status: 404 }),
      'no type': async () => new Response(new Uint8Array(3)),
      'a script': async () => new Response('<svg>', { headers: { 'content-type': 'text/html' } }),
      'the body breaks off': async () =>
        new Response(new ReadableStream({ start: (body) => body.error(new Error('reset')) }), image),
      'more than a session holds': async () => new Response(new Uint8Array(16 * 1024 + 1), image),
    }
    for (const [ending, send] of Object.entries(endings)) {
      expect([ending, await complete(send)]).toEqual([ending, { sub: 's' }])
    }
  })
})

function templateOf(issuer?: string) {
  return MicrosoftEntraID({ issuer })[preset]?.issuerTemplate
}

function complete(send: typeof fetch) {
  const issuer = `${host}/${tenant}/v2.0`
  const hook = MicrosoftEntraID({ profilePhotoSize: 96, issuer })[preset]?.complete
  if (hook === undefined) throw new Error('Entra has no complete')
  return Promise.resolve(hook({ sub: 's' }, { access_token: 'token' }, send))
}
