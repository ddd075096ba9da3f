import { setTimeout as wait } from 'node:timers/promises'
import { eachOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import { readForms } from '../../world/forms.ts'
import { property, type Property } from '../property.ts'
import { describedBy, readTexts } from '../support/described.ts'
import { tokenIn } from '../support/mailed-tokens.ts'

const another = { observed: 'another user' } as const

/** Addresses of an attacker that resemble that of a victim. */
const similarAddresses = {
  'with a tag': (victim) => victim.replace('@', '+1@'),
  'with a dot': (victim) => victim.replace(/^(.)/, '$1.'),
  'at a subdomain': (victim) => victim.replace('@', '@mail.'),
  'with another end': (victim) => `${victim}.evil.example`,
  'with an accent': (victim) => victim.replace('a', '\u00E1'),
  'with a full-width letter': (victim) => victim.replace('a', '\uFF41'),
} satisfies Record<string, (victim: string) => string>

/** Milliseconds within which an application writes its log. */
const patience = 100

export const mailedSessionProperties: readonly Property[] = [
  property({
    proves: ['EM-05'],
    name: 'signs in the same user with each mailed link',
    story:
      'A user who signs in by mail again has lost the address, because the update replaced the stored user.',
    advice: 'Change only the members that an update contains, and find users by their canonical address.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 2,
    ...eachOf(['in one browser', 'in another browser each time']),
    async run(world, where) {
      const { ada } = world.people
      const first = world.browser('ada')
      const show = async (browser: Browser) => {
        await browser.followLink(await browser.requestLink(ada.address.mail))
        world.assume((await readTexts(world, browser)).length > 0, 'a mailed link signs nobody in')
        return browser.whoAmI()
      }
      world.assume((await show(first)) === ada.name, 'the session of a mailed link does not show the address')
      for (const time of ['second', 'third']) {
        const browser = where === 'in one browser' ? first : world.browser('ada')
        if (browser === first) await first.signOut()
        const shown = await show(browser)
        const says = `after the ${time} mailed link to ada, the session shows ${shown ?? 'no address'}`
        world.check('EM-05', shown === ada.name, says, { observed: 'a broken rule' })
      }
      world.reach(where)
    },
  }),

  property({
    proves: ['SE-01'],
    name: 'signs nobody in with the cookies from before a sign-in by mail',
    story:
      'An attacker plants cookies in the victim’s browser. The victim opens a mailed link, and the attacker’s copies are signed in too.',
    advice: 'Generate a new session id at every sign-in, whatever starts the session.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 2,
    ...eachOf(['of a visitor', 'of a visitor who requested a link']),
    async run(world, planted) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      await attacker.readSession()
      if (planted !== 'of a visitor') await attacker.requestLink(eve.address.mail)
      const victim = world.browser('ada')
      victim.restore(attacker.save())
      await victim.followLink(await victim.requestLink(ada.address.mail))
      world.assume((await victim.whoAmI()) === ada.name, 'a link with planted cookies signs nobody in')
      const isIn = (await attacker.whoAmI()) === ada.name
      const says = `the cookies ${planted} are signed in as ada, who opened a mailed link in another browser`
      world.check('SE-01', !isIn, says, another)
      world.reach(planted)
    },
  }),

  property({
    proves: ['SU-02'],
    name: 'signs in nobody else with a link that was mailed to an address which looks like theirs',
    story:
      'An attacker requests a link for the address of a victim with a tag or an accent, which reaches the attacker, and is the victim (CVE-2019-19844).',
    advice:
      'Mail the link to the address that you found in the database, and change nothing of an address before you compare it.',
    severity: 'takeover',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 6,
    ...eachOf(Object.keys(similarAddresses) as (keyof typeof similarAddresses)[]),
    async run(world, how) {
      const { ada } = world.people
      const honest = world.browser('ada')
      await honest.followLink(await honest.requestLink(ada.address.mail))
      world.assume((await honest.whoAmI()) === ada.name, 'a link signs nobody in')
      const address = similarAddresses[how](ada.address.mail)
      const attacker = world.browser('eve')
      const { path, sending } = await describedBy(world).mailRequest(attacker, address)
      const before = world.mailbox.mails.length
      world.prove(attacker, ada, 'mail')
      await attacker.send(path, { ...sending, says: `requests a link for ${address}` })
      const mail = await world.mailbox.waitFor(address, before)
      // The application may refuse such an address.
      if (!mail) return
      await attacker.followLink(mail)
      const isTaken = (await attacker.whoAmI()) === ada.name
      world.check('SU-02', !isTaken, `the link that was mailed to ${address} signs in ${ada.name}`, another)
      world.reach(how)
    },
  }),

  property({
    proves: ['IL-02'],
    name: 'writes no mailed link to its log',
    story: 'Anyone with access to the logs opens the link before its owner does.',
    advice: 'Log that a mail was sent, and neither its text nor its link.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    severity: 'leak',
    runs: 2,
    ...eachOf(['ada', 'bob']),
    async run(world, name) {
      const { readLog } = describedBy(world)
      await readLog()
      const mail = await world.browser(name).requestLink(world.people[name].address.mail)
      const token = tokenIn(mail.link)
      if (token === undefined) throw new Absent('a mailed link has no token')
      await wait(patience)
      const log = await readLog()
      const owner = world.browser(name)
      await owner.followLink(mail)
      world.assume((await owner.whoAmI()) === name, 'a link signs nobody in')
      const says = 'the token of a link that nobody has opened yet is in the log'
      world.check('IL-02', !log.includes(token), says, { observed: 'a secret' })
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'signs nobody in, and sends no mail, for a form without its CSRF token',
    story:
      'A page of an attacker posts the form of a link that was mailed to the attacker, and its visitor works in the account of the attacker.',
    advice: 'Compare the token of every form that is sent before a sign-in, too.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 2,
    ...eachOf(['the form of a link', 'the form that requests a link']),
    async run(world, which) {
      const { ada, eve } = world.people
      const { csrf, mailRequest } = describedBy(world)
      const field = csrf?.field
      if (field === undefined) throw new Absent('no form has a CSRF token')
      const attacker = world.browser('eve')
      const victim = world.browser('ada')
      if (which === 'the form that requests a link') {
        const { path, sending } = await mailRequest(attacker, eve.address.mail)
        if (!sending.form) throw new Absent('no form requests a link')
        const form = new URLSearchParams(sending.form)
        form.delete(field)
        const before = world.mailbox.mails.length
        await attacker.send(path, { ...sending, form, says: 'requests a link without the token of the form' })
        const mail = await world.mailbox.waitFor(eve.address.mail, before)
        world.check('TX-18', !mail, 'a form without its token sends a mail', { observed: 'a request' })
      } else {
        const { link } = await attacker.requestLink(eve.address.mail)
        const path = `${link.pathname}${link.search}`
        const { text } = await attacker.send(path, { says: 'opens the link in the mail' })
        const found = readForms(text).find(({ method, fields }) => method === 'post' && field in fields)
        if (!found) throw new Absent('a mailed link opens no form with a CSRF token')
        const { [field]: _, ...form } = found.fields
        await victim.readSession()
        world.prove(victim, eve, 'mail')
        const action = new URL(found.action, link)
        await victim.send(`${action.pathname}${action.search}`, {
          form,
          says: 'posts the form of a link that was mailed to eve, without its token',
        })
        const isIn = (await victim.whoAmI()) === eve.name
        const says = `the form of a link, without its token, signs in ${eve.name} in the browser of ${ada.name}`
        world.check('TX-18', !isIn, says, { observed: 'a session' })
      }
      const honest = world.browser('ada')
      await honest.followLink(await honest.requestLink(ada.address.mail))
      world.assume((await honest.whoAmI()) === ada.name, 'a link signs nobody in')
      world.reach(which)
    },
  }),
]
