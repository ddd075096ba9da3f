import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import {
  addressesIn,
  confirmChange,
  openAda,
  receiveChange,
  requestChange,
  withEmailChange,
} from '../support/email-changes.ts'
import { twoAddresses } from '../support/outcome.ts'

const abuses = [
  'reused',
  'superseded',
  'of another user',
  'without a session',
  'only opened',
  'without a CSRF token',
  'with another address',
  'cut',
  'late',
] as const

const hindrances = ['no session', 'an old sign-in', 'no CSRF token', 'the rate limit', 'the option'] as const

/** Links that change an address: to which one, how often, and for whom. */
export const changedAddressProperties: readonly Property[] = [
  property({
    proves: ['CC-10', 'EC-05', 'EC-03'],
    name: 'changes an address only to the one that the link was mailed to, once, and only by the newest link',
    story:
      'A mail scanner, an old mail or a link of another user changes the address, and its owner gets the account.',
    advice:
      'Seal the user and both addresses in the link, and use it up when the form is submitted by that user.',
    needs: ['store', 'clock'],
    setups: withEmailChange,
    runs: 90,
    reaches: Object.fromEntries(abuses.map((abuse) => [abuse, 3])),
    parts: abuses.map((abuse) => ({ abuse })),
    input: fc.record({ addresses: twoAddresses, abuse: fc.constantFrom(...abuses) }),
    async run(world, { addresses: [address, other], abuse }) {
      const browser = await openAda(world)
      const earlier = world.people.ada.address.alpha
      const mail = await receiveChange(world, browser, address)
      const path = `${mail.link.pathname}${mail.link.search}`
      let expected = earlier
      switch (abuse) {
        case 'reused': {
          await confirmChange(browser, mail)
          await confirmChange(browser, await receiveChange(world, browser, other))
          await confirmChange(browser, mail)
          expected = other
          break
        }
        case 'superseded': {
          const newer = await receiveChange(world, browser, other)
          await confirmChange(browser, mail)
          world.check('EC-03', addressesIn(world).includes(earlier), 'a superseded link changes the address')
          await confirmChange(browser, newer)
          expected = other
          break
        }
        case 'of another user': {
          const thief = world.browser('eve')
          await thief.signIn('alpha', world.people.eve)
          // Both links are requested at the same moment, so they expire together.
          await receiveChange(world, thief, other)
          await thief.send(path, { says: 'opens the link' })
          await confirmChange(thief, mail)
          break
        }
        case 'without a session':
          await confirmChange(world.browser('eve'), mail)
          break
        case 'only opened':
          for (const method of ['GET', 'GET', 'HEAD'])
            await browser.send(path, { method, says: 'opens the link' })
          break
        case 'without a CSRF token':
          await confirmChange(browser, mail, { csrfToken: 'f'.repeat(64) })
          break
        case 'with another address':
          await confirmChange(browser, mail, { email: other, to: other, address: other })
          expected = address
          break
        case 'cut':
          await confirmChange(browser, mail, { token: (mail.token ?? '').slice(0, -2) })
          break
        case 'late':
          world.advance(3600)
          await confirmChange(browser, mail)
      }
      world.reach(abuse)
      const found = addressesIn(world).filter((each) => [earlier, address, other].includes(each))
      const id = abuse === 'late' ? 'EC-03' : abuse === 'with another address' ? 'CC-10' : 'EC-05'
      world.check(id, found.join() === expected, `after a link ${abuse}, the address is ${found.join()}`)
      if (expected !== earlier || abuse === 'late') return
      await confirmChange(browser, mail)
      world.check(
        'EC-05',
        addressesIn(world).includes(address),
        `after a link ${abuse}, the right form changes nothing`,
      )
    },
  }),

  property({
    proves: ['EC-02', 'EC-10', 'EC-01'],
    name: 'mails no address-change link unless the sign-in is recent, the CSRF token is valid and the application allows it',
    story: 'Someone at an unlocked screen, or another site, takes over the account with a new address.',
    advice:
      'Check the CSRF token, the session and the time of the sign-in before anything is stored or mailed.',
    needs: ['setup', 'store', 'clock', 'hooks'],
    setups: withEmailChange,
    runs: 50,
    reaches: Object.fromEntries(hindrances.map((why) => [why, 3])),
    parts: hindrances.map((why) => ({ why })),
    input: fc.record({
      addresses: twoAddresses,
      why: fc.constantFrom(...hindrances),
    }),
    async run(base, { addresses: [address], why }) {
      const { emailChange, ...off } = withEmailChange[base.strategy]
      const setup = why === 'the option' ? off : { ...off, emailChange }
      const config = {
        ...('config' in off && off.config),
        callbacks: { rateLimit: () => why !== 'the rate limit' },
      }
      const world = await base.another({ ...setup, config }, 'own')
      const browser = why === 'no session' ? world.browser('eve') : await openAda(world)
      if (why === 'an old sign-in') world.advance(901)
      const more: Readonly<Record<string, string>> =
        why === 'no CSRF token' ? { csrfToken: 'f'.repeat(64) } : {}
      const reply = await requestChange(world, browser, address, more)
      const id = why === 'the rate limit' ? 'EC-10' : why === 'the option' ? 'EC-01' : 'EC-02'
      base.check(id, world.mailbox.mails.length === 0, `${why}, and a link is mailed`)
      base.check(id, reply.status >= 300, `${why}, and the request has status ${reply.status}`)
      base.check('EC-01', why !== 'the option' || reply.status === 404, 'the path exists without the option')
      base.reach(why)
    },
  }),
]
