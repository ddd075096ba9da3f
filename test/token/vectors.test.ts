import { describe, expect, it } from 'vitest'
import { decode } from '../../src/jwt.ts'
import type { Encryption } from '../../src/token/compact.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import { keysOf } from '../../src/token/derive-keys.ts'
import type { Engine } from '../../src/token/engine.ts'
import { engines, keyring, now, salt } from './support.ts'

/** The keys that Auth.js derives from the secret `secret`, and their ids. */
const keyVectors = [
  {
    salt: 'authjs.session-token',
    key: 'b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025131e90695ff072a9d148f1511c7a4981a85b63a628311da1fa7ccfc49c47c2bb',
    kid: '7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ',
  },
  {
    salt: '__Secure-authjs.session-token',
    key: '0d8bf2d720367891eda6b7cc8f1960cf3fac4c0e5972e05c0ea71f835d01d69a60b8d258a71a473d46b0eec5ed3dfe45a7bcfbe54ccfa14f50206f3af0f777f5',
    kid: '7E3YIGAxRtn6djTGy1UjZrFvXELHKzM9vfWl0nQ4b88EsnrmmX0grN0VKis7G3fjgB626TXm_lEtBG1N0E7Xyg',
  },
  {
    salt: 'encodedState',
    key: '873919037dab91c0520af9b5dbaa5c3642b0ee31f816a0b08fc766b788879243af6b009a41598809c140510bd5f782dfe391ce3792140318fad4e4cd6b6d99a4',
    kid: 'ze1rGMPGVDubcXDnXo8NkdIqeDyuSSG3mI5gRPgxRiRlgDu9MMjrpKw4-pNomgcTqiQZlith1dCysR6uVPfKfg',
  },
] as const

const cbcToken =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..BwcHBwcHBwcHBwcHBwcHBw.QhzbJgIsZ-q36U4oRq4h-trOkXQ6AfHWFEUU8RqrApLDH_vryW_53_AjpnwJWcoE-FmtnDlWqdg5nrsxooIFyAzEXBshXPZQFId4UMG__M_Sj13nsQHscAP50BDiwUDpvVIQ6DaOjD7xe5m_i-m-nUMO75FWMhk8oDsG3A_V92JuRf1G7dvu9z31xZRKik8d.MXos30ueF2Nb2ONK3-U5utEV0z0HrBfeItQK58qh7Dk'
const gcmToken =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..BwcHBwcHBwcHBwcH.xPcWkmhIsOG0S3zLJdrgxafAgXk9i0Z-hEckGArq0oZn21EF4224ESz2iWD5Q-TBMAsIzg2omeR0gABsOhZ7qSQ.gK4AdM37TAIKksI1HnvoeQ'

const alice = { name: 'Alice', sub: 'user-1', iat: 1700000000, exp: 4102444800 }
const claimsOfCbc = {
  ...alice,
  email: 'alice@example.com',
  jti: '00000000-0000-4000-8000-000000000000',
}

/** The result of opening a token that an older version of Auth.js created. */
const aliceBefore = { claims: alice, isLegacy: true }

describe.each(engines)('with the %s engine', (_, engine) => {
  it.each(keyVectors)(
    'DEC-05a WIR-028 TOK-005 derives the key and the kid for the salt $salt',
    async ({ salt, key, kid }) => {
      const seen = await openingKey(engine, salt, 'A256CBC-HS512')
      expect(seen).toEqual({ key, kid })
    },
  )

  it('DEC-05a WIR-030 uses the first half of the A256CBC-HS512 key for A256GCM, with another kid', async () => {
    const seen = await openingKey(engine, salt, 'A256GCM')
    expect(seen).toEqual({
      key: keyVectors[0].key.slice(0, 64),
      kid: 'tgdt-VLOTRviBTc4vwSS-WjOhg14Bq0M6tGDvSzfdgs',
    })
  })

  it('DEC-05a WIR-030 opens a token that Auth.js created', async () => {
    expect(await keyring(['secret'], engine).open(cbcToken, { salt, now })).toEqual({ claims: claimsOfCbc })
  })

  it('DEC-05a WIR-028 WIR-029 TOK-016 creates the same bytes as Auth.js from the same claims, IV and jti', async () => {
    const random = (length: number) => new Uint8Array(length).fill(7, 0, 16)
    const { name, email, sub, iat, exp } = claimsOfCbc
    const { seal } = createKeyring(['secret'], { randomBytes: random }, engine)
    const token = await seal({ name, email, sub }, { salt, maxAge: exp - iat, now: iat * 1000 + 999 })
    expect(token).toBe(cbcToken)
  })

  it('DEC-05a WIR-030 opens an A256GCM token that an older version of Auth.js created', async () => {
    expect(await keyring(['secret'], engine).open(gcmToken, { salt, now })).toEqual(aliceBefore)
  })

  it('DEC-05c DEC-25b opens a token without kid under the second secret', async () => {
    expect(await keyring(['x', 'secret'], engine).open(gcmToken, { salt, now })).toEqual(aliceBefore)
    expect(await keyring(['secret', 'x'], engine).open(gcmToken, { salt, now })).toEqual(aliceBefore)
    expect(await keyring(['x', 'y'], engine).open(gcmToken, { salt, now })).toEqual({ refused: 'forged' })
  })
})

it('DEC-05a decodes both tokens with the public function', async () => {
  expect(await decode({ token: cbcToken, secret: 'secret', salt })).toEqual(claimsOfCbc)
  expect(await decode({ token: gcmToken, secret: ['x', 'secret'], salt })).toEqual(alice)
})

/** Returns the key that the engine receives, in hexadecimal, and the kid of its tokens. */
async function openingKey(engine: Engine, purpose: string, encryption: Encryption) {
  const given: string[] = []
  const spy: Engine = {
    ...engine,
    createOpener(key, enc) {
      given.push(Buffer.from(key).toString('hex'))
      return engine.createOpener(key, enc)
    },
  }
  const { kid } = await keysOf(spy, 'secret').getOpener(purpose, encryption)
  return { key: given.join(), kid }
}
