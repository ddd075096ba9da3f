import { expect, it } from 'vitest'
import { checkClaims } from '../../src/oauth/id-token.ts'
import { openApp } from '../support/app.ts'
import { key, openRefreshApp, rotating } from '../support/refresh.ts'
import { createPlatform } from './stage.ts'

it('FI-10 OPT-008 refreshes a token whose claim has run out', async () => {
  const { app, sent, store, claimed } = await openRefreshApp(openApp, rotating())
  store({ refresh_token: claimed('refresh-1', -1) })
  expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-2' })
  expect(sent).toEqual(['refresh-1'])
})

it('SEA-009 IL-02 logs no refresh token that the provider repeats', async () => {
  const answer = () =>
    Response.json({ error: 'server_error', error_description: 'cannot use open-sesame' }, { status: 400 })
  const { app, store } = await openRefreshApp(openApp, answer)
  store({ refresh_token: 'open-sesame' })
  await app.accessToken(key)
  const logged = app.errors.map(({ message }) => message).join()
  expect(logged).toContain('cannot use')
  expect(logged).not.toContain('open-sesame')
})

it('OI-08 hashes with SHA-512 for an id_token that is signed with EdDSA', async () => {
  const platform = createPlatform(fetch)
  const digest = await crypto.subtle.digest('SHA-512', new TextEncoder().encode('access'))
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = platform.now() / 1000
  const judge = (at_hash: string) =>
    checkClaims(
      { id: 'idp', clientId: 'client' },
      { iss: 'https://idp.example', sub: 'ada', aud: 'client', iat, exp: iat + 600, at_hash },
      { idToken: `${encode({ alg: 'EdDSA' })}.${encode({})}.`, accessToken: 'access' },
      { platform, version: '1.2.3' },
    )
  expect(await judge(Buffer.from(digest.slice(0, 32)).toString('base64url'))).toBeUndefined()
  expect(await judge(Buffer.from(digest.slice(0, 16)).toString('base64url'))).toHaveProperty('failed')
})
