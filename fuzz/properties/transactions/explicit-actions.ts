import fc from 'fast-check'
import { member, type Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { readForms } from '../../world/forms.ts'
import { stored, touchesSession } from '../support/outcome.ts'
import { checkUnchanged, takeSnapshot } from '../support/snapshot.ts'

export const explicitActionProperties: readonly Property[] = [
  property({
    proves: ['SE-03', 'TX-21'],
    name: 'signs nobody in when another browser opens the link',
    story:
      'A page sends its visitor to the attacker’s link. The visitor links an identity, and it belongs to the attacker’s account.',
    advice:
      'Set a sealed cookie when a link is requested. Ask any browser without it to confirm the address.',
    setups: stored(),
    runs: 60,
    reaches: { 'signed in': 10, 'signed out': 10, 'waiting for a link': 10 },
    input: fc.record({
      situation: fc.constantFrom('signed out', 'signed in', 'waiting for a link'),
      method: fc.constantFrom('GET', 'HEAD'),
      signInMethod: fc.constantFrom('alpha' as const, 'plain' as const),
    }),
    async run(world, { situation, method, signInMethod }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      const mail = await attacker.requestLink(eve.address.mail)
      const victim = world.browser('ada')
      const other = world.idOf('beta') === undefined ? 'mail' : 'beta'
      if (situation === 'signed in') await victim.signIn(other, ada)
      const own = situation === 'waiting for a link' ? await victim.requestLink(ada.address.mail) : undefined
      const before = await victim.readSession()
      if (method === 'HEAD') await victim.send(`${mail.link.pathname}${mail.link.search}`, { method })
      const page = await victim.openLink(mail)
      const after = await victim.readSession()
      const user = (reply: Reply) => JSON.stringify(member(reply.json, 'user'))
      const isUntouched = !touchesSession(page) && user(after) === user(before)
      world.check('SE-03', isUntouched, 'a link that another user requested changed the signed-in user')
      world.reach(situation)
      if (own) await victim.openLink(own)
      if (own) world.check('TX-21', (await victim.whoAmI()) === 'ada', 'the browser’s own link does not work')
      await victim.arrive(await victim.visit(signInMethod, ada))
      // The attacker's link still works where it was requested.
      await attacker.openLink(mail)
      world.check(
        'TX-21',
        (await attacker.whoAmI()) === 'eve',
        'the link does not work in the browser that requested it',
      )
      const later = world.browser('ada')
      await later.arrive(await later.visit(signInMethod, ada))
      world.check('SE-03', (await later.whoAmI()) === 'ada', 'ada’s identity signs in as eve')
    },
  }),

  property({
    proves: ['TX-21'],
    name: 'signs nobody in by opening a link until a button is pressed',
    story:
      'A page opens the attacker’s own link in a victim’s browser, or a mail scanner opens the victim’s link.',
    advice: 'Return a page with a form for the link, and let GET change nothing.',
    setups: { confirming: { provider: { mail: { confirm: true } } } },
    runs: 40,
    input: fc.record({
      where: fc.constantFrom('the same browser', 'another browser'),
      times: fc.integer({ min: 1, max: 3 }),
      method: fc.constantFrom('GET', 'HEAD'),
    }),
    async run(world, { where, times, method }) {
      const { ada } = world.people
      const requester = world.browser('ada')
      const mail = await requester.requestLink(ada.address.mail)
      const browser = where === 'the same browser' ? requester : world.browser('ada')
      const before = await takeSnapshot(world, browser)
      let page: Reply | undefined
      for (let n = 0; n < times; n++) {
        await browser.send(`${mail.link.pathname}${mail.link.search}`, { method })
        page = await browser.openLink(mail)
        await checkUnchanged(world, 'TX-21', browser, before, `a link was opened in ${where}`)
      }
      const form = readForms(page?.text ?? '').find(({ method: by }) => by === 'post')
      world.assume(form !== undefined, 'the page of the link has no form')
      if (!form) return
      const action = new URL(form.action || mail.link.href, mail.link)
      await browser.send(`${action.pathname}${action.search}`, {
        form: form.fields,
        says: 'presses the button',
      })
      world.assume((await browser.whoAmI()) === ada.name, 'the button signs nobody in')
      world.reach(where)
    },
  }),

  property({
    proves: ['TX-22'],
    name: 'redirects no form in a way that makes the browser post its secret again',
    story: 'A 307 makes the browser post a password or a code again, to the redirect’s target.',
    advice: 'Respond to forms with 302 or 303.',
    setups: {
      database: {},
      'passwords and form_post': {
        strategy: 'jwt',
        providers: ['alpha', 'form'],
        provider: {
          alpha: {
            checks: ['state', 'nonce'],
            authorization: { params: { scope: 'openid profile email', response_mode: 'form_post' } },
          },
        },
      },
    },
    runs: 40,
    input: fc.record({
      way: fc.constantFrom(
        'alpha',
        'mail',
        'form',
        'a wrong password',
        'a wrong token',
        'an error',
        'signout',
      ),
      callbackUrl: fc.constantFrom('/', '/there?a=b', 'https://evil.example/', 'https://app.example/x'),
    }),
    async run(world, { way, callbackUrl }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const at = (path: string) => `${world.basePath}/${path}`
      const form = world.idOf('form')
      const csrfToken = await browser.csrfToken()
      const ways: Readonly<Record<string, () => Promise<readonly Reply[]>>> = {
        async alpha() {
          const started = await browser.start('alpha', { callbackUrl })
          return [started, await browser.arrive(await browser.visit('alpha', ada))]
        },
        mail: async () =>
          world.idOf('mail') ? [await browser.start('mail', { email: ada.address.mail, callbackUrl })] : [],
        form: async () =>
          form
            ? [
                await browser.send(at(`callback/${form}`), {
                  form: { csrfToken, callbackUrl, username: 'ada', password: ada.password },
                }),
              ]
            : [],
        'a wrong password': async () => (form ? [await browser.enterPassword(ada, 'wrong')] : []),
        'a wrong token': async () => [
          await browser.send(at(`callback/${form ?? 'alpha'}`), {
            form: { csrfToken: 'wrong', callbackUrl, username: 'ada', password: ada.password },
          }),
        ],
        async 'an error'() {
          const arrival = await browser.visit('alpha', ada)
          world.idps.alpha.misbehave('token:500')
          return [await browser.arrive(arrival)]
        },
        async signout() {
          await browser.signIn('alpha', ada)
          return [await browser.signOut({ callbackUrl })]
        },
      }
      for (const { status, location } of (await ways[way]?.()) ?? []) {
        const isRedirect = location !== undefined && status >= 300 && status < 400
        world.check(
          'TX-22',
          !isRedirect || [302, 303].includes(status),
          `the response to a form has status ${status}`,
        )
        if (isRedirect) world.reach(way)
      }
    },
  }),
]
