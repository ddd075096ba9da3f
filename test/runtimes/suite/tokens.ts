import { assertEqual, type Check } from './assert.ts'
import type { Library } from './library.ts'

const salt = 'authjs.session-token'
const secret = 'secret'

/** Tokens that Auth.js created with the secret `secret`, one for each encryption. */
const known = {
  A256CBC:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..BwcHBwcHBwcHBwcHBwcHBw.QhzbJgIsZ-q36U4oRq4h-trOkXQ6AfHWFEUU8RqrApLDH_vryW_53_AjpnwJWcoE-FmtnDlWqdg5nrsxooIFyAzEXBshXPZQFId4UMG__M_Sj13nsQHscAP50BDiwUDpvVIQ6DaOjD7xe5m_i-m-nUMO75FWMhk8oDsG3A_V92JuRf1G7dvu9z31xZRKik8d.MXos30ueF2Nb2ONK3-U5utEV0z0HrBfeItQK58qh7Dk',
  A256GCM:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..BwcHBwcHBwcHBwcH.xPcWkmhIsOG0S3zLJdrgxafAgXk9i0Z-hEckGArq0oZn21EF4224ESz2iWD5Q-TBMAsIzg2omeR0gABsOhZ7qSQ.gK4AdM37TAIKksI1HnvoeQ',
}
const claims = { name: 'Ada', sub: 'ada', letters: 'äß✓', deep: { list: [1, 'two', null] } }

/** A token that every runtime must open. */
export function mintToken({ encode }: Library): Promise<string> {
  return encode({ token: claims, salt, secret, maxAge: 3600 })
}

/** The token checks, including tokens of other runtimes. */
export function tokenChecks(tokens: Readonly<Record<string, string>>): readonly Check<Library>[] {
  return [
    ['opens the tokens of the ecosystem', openKnown],
    ['opens its own token, and rejects a changed one', openOwn],
    ['finds a token in a request', findInRequest],
    ...Object.entries(tokens).map(([name, token]): Check<Library> => [
      `opens a token of ${name}`,
      async ({ decode }) => demandClaims(await decode({ token, salt, secret })),
    ]),
  ]
}

function demandClaims(found: Readonly<Record<string, unknown>> | null): void {
  const { name, sub, letters, deep } = found ?? {}
  assertEqual({ name, sub, letters, deep }, claims, 'the claims')
}

async function openKnown({ decode }: Library): Promise<void> {
  for (const [encryption, token] of Object.entries(known)) {
    const found = await decode({ token, salt, secret })
    assertEqual([found?.sub, found?.exp], ['user-1', 4_102_444_800], encryption)
  }
}

async function openOwn(library: Library): Promise<void> {
  const token = await mintToken(library)
  demandClaims(await library.decode({ token, salt, secret }))
  const parts = token.split('.')
  const [first = '', ...rest] = parts[3] ?? ''
  parts[3] = (first === 'A' ? 'B' : 'A') + rest.join('')
  assertEqual(await library.decode({ token: parts.join('.'), salt, secret }), null, 'a changed token')
  assertEqual(await library.decode({ token, salt, secret: 'another secret' }), null, 'under another secret')
}

async function findInRequest(library: Library): Promise<void> {
  const headers = { cookie: `${salt}=${await mintToken(library)}` }
  const req = new Request('https://app.test/', { headers })
  demandClaims(await library.getToken({ req, secret, secureCookie: false }))
}
