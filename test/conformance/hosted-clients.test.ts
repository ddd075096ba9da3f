import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { holdKeys } from '../../fuzz/world/idp/hold-keys.ts'
import { openHosted, type Hosted } from '../../fuzz/world/hosted.ts'

const port = 24_750
const issuer = `http://127.0.0.1:${port}`
const id = 'client-at-alpha'
const secret = 'secret-at-alpha-0123456789'
const keys = join(mkdtempSync(join(tmpdir(), 'authmachine-keys-')), 'keys.json')
const complaints: string[] = []
let hosted: Hosted

beforeAll(async () => {
  hosted = await openHosted(port, { keys, complain: (line) => void complaints.push(line) })
})
afterAll(() => hosted.close())

/** Exchanges a new code. */
async function exchange(credentials: Readonly<Record<string, string>>, headers: HeadersInit = {}) {
  const query = { client_id: id, redirect_uri: 'http://app.example/', response_type: 'code', scope: 'openid' }
  const { parameters } = await hosted.idps.alpha.authorize(
    `${issuer}/authorize?${new URLSearchParams(query)}`,
  )
  const code = parameters.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', code, redirect_uri: query.redirect_uri }
  const body = new URLSearchParams({ ...grant, ...credentials })
  const response = await fetch(`${issuer}/token`, { method: 'POST', body, headers })
  return { status: response.status, ...((await response.json()) as { error_description?: string }) }
}

async function assertion(key: CryptoKey | Uint8Array, alg: string): Promise<Record<string, string>> {
  const jwt = new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg })
    .setIssuer(id)
    .setSubject(id)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime('1m')
  return {
    client_id: id,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await jwt.sign(key),
  }
}

describe('the hosted providers', () => {
  it('accept a client by each method', async () => {
    const basic = { authorization: `Basic ${btoa(`${id}:${secret}`)}` }
    const { client } = JSON.parse(readFileSync(keys, 'utf8')) as { client: JWK }
    const key = (await importJWK(client, 'ES256')) as CryptoKey
    const statuses = [
      await exchange({}, basic),
      await exchange({ client_id: id, client_secret: secret }),
      await exchange(await assertion(new TextEncoder().encode(secret), 'HS256')),
      await exchange(await assertion(key, 'ES256')),
      await exchange({ client_id: id }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect(complaints).toEqual([])
  })

  it.each([
    [{ client_id: 'somebody' }, 'expected the client client-at-alpha, got "somebody"'],
    [{ client_id: id, client_secret: 'wrong' }, 'the secret of client-at-alpha is wrong'],
  ])('explain in the response and in the log why they refuse %j', async (credentials, reason) => {
    const refused = await exchange(credentials)
    expect(refused).toMatchObject({ status: 401, error_description: reason })
    await exchange(credentials)
    expect(complaints.filter((line) => line === `alpha refused the client: ${reason}`)).toHaveLength(1)
  })

  it('keep their keys in a file', async () => {
    const kept = JSON.parse(readFileSync(keys, 'utf8')) as Record<string, JWK>
    const response = await fetch(`${issuer}/jwks`)
    const published = (await response.json()) as { keys: JWK[] }
    expect(published.keys.map(({ kid, n, x }) => n ?? x ?? kid)).toEqual([kept['rsa-1']?.n, kept['ec-1']?.x])
    const before = readFileSync(keys, 'utf8')
    await holdKeys(keys)
    expect(readFileSync(keys, 'utf8')).toBe(before)
  })

  it('use the keys of the file in the next run', async () => {
    const kept = JSON.parse(readFileSync(keys, 'utf8')) as Record<string, JWK>
    vi.resetModules()
    const next = await import('../../fuzz/world/idp/hold-keys.ts')
    await next.holdKeys(keys)
    const { loadKeys } = await import('../../fuzz/world/idp/keys.ts')
    const { first, client } = await loadKeys()
    expect([first.rsa.publicJwk.n, client.publicJwk.x]).toEqual([kept['rsa-1']?.n, kept['client']?.x])
  })

  it('refuse a file without keys', async () => {
    const file = join(tmpdir(), `no-keys-${process.pid}.json`)
    writeFileSync(file, '{}')
    await expect(holdKeys(file)).rejects.toThrow('Expected the file of --keys to contain the keys')
  })
})
