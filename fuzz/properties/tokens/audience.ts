import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, issuedBy, moveTo, readWith, sessionOf, update } from '../support/sessions.ts'

const names = ['https://shop.example', 'https://preview.shop.example', 'shop', 'SHOP']

export const audienceProperties: readonly Property[] = [
  property({
    proves: ['JW-06'],
    name: 'refuses a session of another deployment that shares the secret',
    story: 'An attacker signs in to the preview as another user, and uses that session at the real site.',
    advice: 'Name the deployment in each session token, and accept no token that names another or none.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 40,
    reaches: { 'with another name': 10, 'without a name': 3 },
    input: fc.record({
      own: fc.constantFrom(...names),
      other: fc.constantFrom(undefined, ...names),
      how: fc.constantFrom('read', 'update'),
    }),
    async run(base, { own, other, how }) {
      const named = (audience: string | undefined): Setup => ({
        strategy: 'jwt',
        ...(audience !== undefined && { with: { audience } }),
      })
      const { ada } = base.people
      const home = await base.another(named(own), 'own')
      const away = await base.another(named(other), 'own')
      const browser = away.browser('ada')
      await browser.signIn('alpha', ada)
      const held = sessionOf(browser.cookies())
      away.assume(isSignedIn(await readWith(away, held)), 'nobody is signed in')
      const isSame = own === other
      const arrived = moveTo(home, browser, ada)
      const reply = how === 'update' ? await update(home, arrived, null) : await arrived.readSession()
      home.check(
        'JW-06',
        isSignedIn(reply) === isSame,
        `a session of ${other ?? 'nobody'} is ${isSame ? 'refused' : 'accepted'} by ${own}`,
      )
      if (!isSame) home.check('JW-06', issuedBy(reply).length === 0, 'a foreign session is renewed')
      base.reach(other === undefined ? 'without a name' : isSame ? 'with the same name' : 'with another name')
    },
  }),
]
