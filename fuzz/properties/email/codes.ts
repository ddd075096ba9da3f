import fc from 'fast-check'
import { readForms } from '../../world/forms.ts'
import { property, type Property } from '../property.ts'
import { enterCode, mailingCodes, misread, offset, plantCode, requestCode } from '../support/codes.ts'
import { freshAddress, twoAddresses } from '../support/outcome.ts'
import { textsOf } from '../support/texts.ts'

/** A second provider that mails codes. */
const post = {
  id: 'post',
  name: 'Post',
  type: 'email',
  method: 'code',
  from: 'no-reply@app.example',
  server: {},
  options: {},
  async sendVerificationRequest() {},
}

/** Who enters the code of another request, and the fields that they change. */
const misuses: Readonly<Record<string, (other: string) => Readonly<Record<string, string>>>> = {
  elsewhere: () => ({}),
  'after another request': () => ({}),
  'at another provider': () => ({ id: 'post' }),
  'for another address': (other) => ({ email: other, identifier: other }),
}

/** Ways to write a code that a person means. */
const spellings: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => ` ${code} `,
  (code) => `${code.slice(0, 3)} ${code.slice(3)}`,
  (code) => `${code.slice(0, 3)}-${code.slice(3)}`,
  (code) => [...code].join('\u00a0'),
  (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
]

/** Values that do not count as a guess. */
const malformed = fc.constantFrom<unknown>(undefined, null, '', ' \t ', ' - ', true, 0, [], ['1'], {
  value: '1',
})

export const codeProperties: readonly Property[] = [
  property({
    proves: ['CD-01'],
    name: 'mails a random code of six digits, and no link that signs in',
    story: 'A mail scanner opens the link, or an attacker predicts the next code.',
    advice: 'Draw the code from the platform’s random generator, and send only the URL of the form.',
    setups: mailingCodes,
    runs: 20,
    input: twoAddresses,
    async run(world, pair) {
      const codes: string[] = []
      for (let round = 0; round < 4; round++)
        for (const address of pair) {
          const browser = world.browser()
          const { link, token: code = '' } = await browser.requestLink(address)
          world.check('CD-01', /^\d{6}$/.test(code), 'the mail has no code of six digits')
          codes.push(code)
          await browser.followLink({ to: address, link })
          world.check('CD-01', (await browser.whoAmI()) === undefined, 'the URL in the mail signed in')
          await enterCode(world, browser, code)
          world.check('CD-01', (await browser.whoAmI()) === address, 'the right code signed nobody in')
        }
      // Two of eight random codes are the same in one of 36,000 cases.
      const distinct = new Set(codes).size
      world.check('CD-01', distinct >= codes.length - 1, `${codes.length} mails have ${distinct} codes`)
    },
  }),

  property({
    proves: ['CD-03'],
    name: 'accepts a code only in the browser that requested it, from the provider of that request',
    story:
      'An attacker requests a code, and a victim who is asked for it enters it: one of them gets the other’s account.',
    advice: 'Seal provider, address and code in a cookie of the browser that requested it.',
    setups: mailingCodes,
    runs: 40,
    reaches: {
      elsewhere: 3,
      'after another request': 3,
      'at another provider': 3,
      'for another address': 3,
    },
    parts: Object.keys(misuses).map((how) => ({ how })),
    input: fc.record({
      pair: twoAddresses,
      how: fc.constantFrom(...Object.keys(misuses)),
    }),
    async run(base, { pair: [mine, other], how }) {
      const setup = {
        ...mailingCodes[base.strategy],
        config: { adapter: true, providers: [post] },
      }
      const world = how === 'at another provider' ? await base.another(setup, 'own') : base
      const requester = world.browser('eve')
      const code = await requestCode(world, requester, mine)
      const isSame = how === 'at another provider' || how === 'for another address'
      const browser = isSame ? requester : world.browser()
      if (how === 'after another request') {
        const own = await requestCode(world, browser, other)
        world.assume(own !== code, 'both codes are the same')
      }
      await enterCode(world, browser, code, misuses[how]?.(other))
      world.reach(how)
      const who = await browser.whoAmI()
      // The right browser signs in with the right code, but as nobody else.
      const isRight = how === 'for another address' ? who !== other : who === undefined
      world.check('CD-03', isRight, `a code entered ${how} signed ${who} in`)
      if (who === undefined) await enterCode(world, requester, code)
      world.assume((await requester.whoAmI()) === mine, 'the code does not work at all')
    },
  }),

  property({
    proves: ['CD-04'],
    name: 'signs nobody in with the cookie of a code that was planted in another browser',
    story:
      'A host of the same site plants the attacker’s cookie, and a victim who enters the mailed code works in the attacker’s account.',
    advice: 'Bind the sealed cookie to the CSRF token of the browser that requested the code.',
    setups: mailingCodes,
    runs: 30,
    reaches: { planted: 10 },
    input: fc.record({ pair: twoAddresses, isWaiting: fc.boolean() }),
    async run(world, { pair: [mine, other], isWaiting }) {
      const attacker = world.browser('eve')
      await attacker.csrfToken()
      const before = attacker.cookies()
      const code = await requestCode(world, attacker, mine)
      const victim = world.browser()
      await victim.csrfToken()
      if (isWaiting) await requestCode(world, victim, other)
      const planted = plantCode(attacker, victim, before)
      if (planted > 0) world.reach('planted')
      await enterCode(world, victim, code)
      const who = await victim.whoAmI()
      world.check('CD-04', who === undefined, `a planted cookie signed the victim in as ${who}`)
    },
  }),

  property({
    proves: ['CD-07'],
    name: 'shows a code only to the reader of the mail',
    story: 'Anyone who reads a log, a history of URLs, a page or a backup signs in with pending codes.',
    advice:
      'Keep the code out of URLs, pages, events, logs and rows, and keep only a hash in a sealed cookie.',
    needs: ['hooks', 'store'],
    setups: mailingCodes,
    runs: 30,
    input: fc.record({ address: freshAddress, by: offset, isAsJson: fc.boolean() }),
    async run(world, { address, by, isAsJson }) {
      const browser = world.browser()
      const asked = world.replies.length
      const { link, token: code = '' } = await browser.requestLink(address)
      const shown = world.replies.slice(asked).map(({ reply }) => reply.location)
      for (const url of shown) if (url) await browser.send(`${url.pathname}${url.search}`)
      const rows = textsOf(world.rows)
      await enterCode(world, browser, misread(code, by))
      rows.push(...textsOf(world.rows))
      const headers: Record<string, string> = isAsJson ? { 'x-auth-return-redirect': '1' } : {}
      const form = { csrfToken: await browser.csrfToken(), code }
      await browser.send(`${world.basePath}/callback/${world.idOf('mail')}`, { form, headers })
      world.assume((await browser.whoAmI()) === address, 'the code does not work')
      const { errors, warnings, debugs, events } = world.recorded
      const replies = world.replies.flatMap(({ reply: { headers: sent, text } }) => [...textsOf(sent), text])
      const places = {
        'the log': textsOf([errors, warnings, debugs]),
        'an event': textsOf(events),
        'a row': rows,
        'a response': replies,
        'the URL in the mail': [link.href],
      }
      // Random text contains any six digits now and then, so only whole words count.
      const pattern = new RegExp(`(?<![\\w-])${code}(?![\\w-])`)
      for (const [place, texts] of Object.entries(places))
        world.check('CD-07', !texts.some((text) => pattern.test(text)), `${place} contains the code`)
    },
  }),

  property({
    proves: ['CD-08'],
    name: 'ignores spaces and dashes in a code, and does not count a value that is not text',
    story: 'A user who copies the code the way the mail program shows it is refused.',
    advice:
      'Remove white space and dashes, and refuse anything other than text before an attempt is used up.',
    setups: mailingCodes,
    runs: 30,
    input: fc.record({
      address: freshAddress,
      write: fc.constantFrom(...spellings),
      values: fc.array(malformed, { minLength: 5, maxLength: 7 }),
    }),
    async run(world, { address, write, values }) {
      const browser = world.browser()
      const code = await requestCode(world, browser, address)
      const csrfToken = await browser.csrfToken()
      for (const value of [...values, [code], { value: code }])
        await browser.send(`${world.basePath}/callback/${world.idOf('mail')}`, {
          json: { csrfToken, code: value },
        })
      const twice = new URLSearchParams({ csrfToken, code })
      twice.append('code', code)
      await browser.send(`${world.basePath}/callback/${world.idOf('mail')}`, { form: twice })
      world.check('CD-08', (await browser.whoAmI()) === undefined, 'a value other than one text signed in')
      await enterCode(world, browser, write(code))
      const who = await browser.whoAmI()
      world.check('CD-08', who === address, `the code as ${JSON.stringify(write('123456'))} signed nobody in`)
    },
  }),

  property({
    proves: ['CD-09'],
    name: 'asks for the code on a page that needs no script, and says how many attempts are left',
    story: 'A user who mistypes the code lands on an error page, and requests one mail after another.',
    advice:
      'Redirect back to the form, with the number of attempts in the URL, and say ok: false to scripts.',
    setups: mailingCodes,
    runs: 30,
    input: fc.record({ address: freshAddress, by: offset, wrongs: fc.integer({ min: 1, max: 4 }) }),
    async run(world, { address, by, wrongs }) {
      const browser = world.browser()
      const { status, location } = await browser.start('mail', { email: address })
      const code = world.mailbox.mails.at(-1)?.token ?? ''
      world.assume(code !== '', `no mail was sent: ${status}`)
      let page = location
      for (let left = 4; left >= 5 - wrongs; left--) {
        const text = (await browser.send(`${page?.pathname}${page?.search}`)).text
        const form = readForms(text).find(({ fields }) => 'code' in fields)
        world.check('CD-09', form?.method === 'post', 'the page after the request has no form for the code')
        const isShown = left === 4 || new RegExp(`\\b${left + 1}\\b`).test(text)
        world.check('CD-09', isShown, 'the page does not say how many attempts are left')
        const fields = { ...form?.fields, code: misread(code, by) }
        const reply = await browser.send(new URL(form?.action ?? '', world.origin).pathname, { form: fields })
        page = reply.location
        const attempts = page?.searchParams.get('attempts')
        world.check('CD-09', attempts === String(left), `after a wrong guess, ${attempts} attempts are left`)
      }
      const headers = { 'x-auth-return-redirect': '1' }
      const form = { csrfToken: await browser.csrfToken(), code: misread(code, by) }
      const path = `${world.basePath}/callback/${world.idOf('mail')}`
      const { json } = await browser.send(path, { form, headers })
      world.check('CD-09', Object(json).ok === false, 'a script is not told that a code is wrong')
    },
  }),
]
