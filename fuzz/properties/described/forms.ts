import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'

const foreign = { origin: 'https://evil.example', referer: 'https://evil.example/' }

export const describedFormProperties: readonly Property[] = [
  property({
    proves: ['TX-18'],
    name: 'signs nobody out through a form on another site',
    story: 'An attacker’s page signs its visitors out, with a form that is sent in their name.',
    advice: 'Compare a token of the form with one of the session, or check the Origin header.',
    severity: 'denial of service',
    needs: ['description'],
    runs: 20,
    ...everyOf({
      provider: remotes,
      by: ['another site', 'a missing token', 'the token of another visitor'],
    }),
    async run(world, { provider, by }) {
      const { ada } = world.people
      const { csrf, withoutProof, withProof } = describedBy(world)
      const isToken = by === 'the token of another visitor'
      // A form of another site sends no header of the attacker's choice.
      if (isToken && csrf?.field === undefined) throw new Absent('no form has a CSRF token')
      const { path, sending } = isToken
        ? await withProof(world.browser('eve'), 'signOut', provider)
        : withoutProof('signOut', provider)
      if (sending.method !== 'POST') throw new Absent('the sign-out is not a form')
      // Without a token, the application may rely on the origin of a request.
      const isForeign = by !== 'a missing token' || !csrf
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      await browser.send(path, {
        ...sending,
        ...(isForeign && {
          crossSite: 'old rules',
          // A form of another site cannot send the media type of JSON.
          headers: { ...foreign, ...(sending.json !== undefined && { 'content-type': 'text/plain' }) },
        }),
        says: isForeign
          ? `opens a page of another site that posts a form${isToken ? ` with ${by}` : ''}`
          : 'posts a form without its token',
      })
      const isIn = (await browser.whoAmI()) === ada.name
      world.check(
        'TX-18',
        isIn,
        `a form with ${isForeign && !isToken ? 'the origin of another site' : by} signed ada out`,
        { observed: 'a sign-out' },
      )
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the application’s own form signs nobody out')
      world.reach(isForeign && !isToken ? 'another site' : by)
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'starts no sign-in from a form without its CSRF token',
    story: 'An attacker’s page signs its visitors in to an account of the attacker’s choice.',
    advice: 'Compare a token of the form with one of the session before you redirect to the provider.',
    needs: ['description'],
    runs: 10,
    ...eachOf(remotes),
    async run(world, provider) {
      const { csrf, withoutProof } = describedBy(world)
      const { path, sending } = withoutProof('signIn', provider)
      if (!csrf || sending.method !== 'POST') throw new Absent('the form of a sign-in has no CSRF token')
      const says = 'posts a form without its token'
      const { location } = await world.browser('ada').send(path, { ...sending, says })
      const isInside = location === undefined || location.origin === world.origin
      const started = `a form without a CSRF token starts a sign-in at ${provider}`
      world.check('TX-18', isInside, started, { observed: 'a request' })
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['TX-17'],
    name: 'starts no sign-in by a link, if a form starts it',
    story: 'A link or an image on another page signs its visitors in to an account of the attacker’s choice.',
    advice: 'Start a sign-in by POST only, and compare a token of its form.',
    needs: ['description'],
    runs: 10,
    ...everyOf({ provider: remotes, method: ['GET', 'HEAD'] }),
    async run(world, { provider, method }) {
      const { path, sending } = describedBy(world).withoutProof('signIn', provider)
      if (sending.method !== 'POST') throw new Absent('a link starts the sign-in, as the description says')
      const fields = new URLSearchParams({ ...sending.form }).toString()
      const query = fields === '' ? '' : `${path.includes('?') ? '&' : '?'}${fields}`
      const says = 'follows a link to the sign-in'
      const { location } = await world.browser('ada').send(`${path}${query}`, { method, says })
      const isInside = location?.origin !== new URL(world.idps[provider].issuer).origin
      const started = `a ${method} request starts a sign-in at ${provider}`
      world.check('TX-17', isInside, started, { observed: 'a request' })
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['TX-17'],
    name: 'signs nobody out by a link',
    story: 'A link or an image on another page signs users out.',
    advice: 'Sign out by POST only.',
    severity: 'denial of service',
    needs: ['description'],
    runs: 10,
    ...everyOf({ provider: remotes, method: ['GET', 'HEAD'] }),
    async run(world, { provider, method }) {
      const { ada } = world.people
      const { path } = describedBy(world).withoutProof('signOut', provider)
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      await browser.send(path, { method, says: 'follows a link to the sign-out' })
      const isIn = (await browser.whoAmI()) === ada.name
      world.check('TX-17', isIn, `a ${method} request signed ada out`, { observed: 'a sign-out' })
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the sign-out signs nobody out')
    },
  }),
]
