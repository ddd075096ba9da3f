import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { readForms } from '../../world/forms.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  enterCode as enterMailedCode,
  isCompared,
  mailingCodes,
  misread,
  requestCode,
} from '../support/codes.ts'
import { disguise, disguises, type Guesser, guesser, guessers } from '../support/disguises.ts'
import { change, enter, opens, setPassword, withStoredSessions } from '../support/passwords.ts'
import { enrol, enterCode, wrongCodes } from '../support/second-factor.ts'
import { isSignedIn } from '../support/sessions.ts'

const throttled = { throttle: true } as const
const mailing: Setup = { providers: ['mail'], with: throttled }
const withSecondFactor: Setup = { with: { ...throttled, 'second-factor': true } }
const withPasswords: Setup = { ...withStoredSessions.database, with: throttled }
const [first, second] = ['the first long password', 'the second long password']

/** Each case is one way to make attempts look different. */
const every = { runs: guessers.length, cases: guessers, input: guesser } as const

const story =
  'An attacker changes a value that the limit counts by, such as a further field of the form, and guesses without a limit.'

/** Opens a link as a browser does, and presses the button on its page. */
async function openLink(browser: Browser, link: URL): Promise<Reply> {
  const page = await browser.send(`${link.pathname}${link.search}`, { says: 'opens a link' })
  const form = readForms(page.text).find(({ method }) => method === 'post')
  if (!form) return page
  const action = new URL(form.action, link)
  return browser.send(`${action.pathname}${action.search}`, { form: form.fields, says: 'presses the button' })
}

/**
 * Makes wrong attempts that look different, in one browser or in one each, and then the right one. That succeeds if the limit
 * does not count the others, and the application does not refuse requests that look like this.
 */
async function guessThenEnter(
  { how, isFresh }: Guesser,
  wrong: number,
  open: () => Browser | Promise<Browser>,
  guess: (browser: Browser, n: number, isRight: boolean) => Promise<unknown>,
): Promise<Browser> {
  let last = await open()
  for (let n = 0; n <= wrong; n++) {
    if (isFresh && n > 0) last = await open()
    await guess(disguise(last, how, n), n, n === wrong)
  }
  return last
}

export const countedValueProperties: readonly Property[] = [
  property({
    ...every,
    proves: ['RL-09'],
    name: 'counts passwords by the account, whatever else a request contains',
    story,
    advice: 'Count by the name that authorize looks up, read once and in the same way.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt', providers: ['form'], with: throttled } },
    async run(base, input) {
      const { ada, bob } = base.people
      let tried = 0
      const authorize = ({ username, password }: Readonly<Record<string, unknown>>) => {
        const person = [ada, bob].find(({ name }) => name === String(username).trim().toLowerCase())
        if (person?.name === 'ada') tried++
        const isRight = person?.password === password
        return isRight ? { id: person?.name, name: person?.name, email: person?.address.form } : null
      }
      const setup = { strategy: 'jwt', providers: ['form'], with: throttled } as const
      const world = await base.another({ ...setup, provider: { form: { authorize } } }, 'own')
      const open = () => world.browser('eve')
      const last = await guessThenEnter(input, 12, open, async (browser, n, isRight) =>
        browser.send(`${world.basePath}/callback/${world.idOf('form') ?? ''}`, {
          form: {
            csrfToken: await browser.csrfToken(),
            username: ada.name,
            password: isRight ? ada.password : `guess ${n}`,
          },
          says: 'enters a password for ada',
        }),
      )
      world.check('RL-09', tried <= 10, `13 passwords for an account are tried ${tried} times`)
      const isIn = isSignedIn(await last.readSession())
      world.check('RL-09', !isIn, 'after 12 wrong passwords for an account, the right one signs in')
      await world.browser('bob').signIn('form', bob)
    },
  }),

  property({
    proves: ['RL-09'],
    name: 'counts guesses at the current password by the signed-in user, whatever else a request contains',
    story:
      'Eve steals a session of Ada, guesses her password in the form that changes it, and locks Ada out.',
    advice: 'Count by the user of the session, before you compare the current password.',
    severity: 'takeover',
    needs: ['setup'],
    setups: { database: withPasswords },
    runs: disguises.length,
    ...eachOf(disguises),
    async run(world, how) {
      const [address, another] = ['member@new.example', 'another@new.example']
      const thief = await setPassword(world, address, first)
      const owner = world.browser('ada')
      await enter(world, owner, address, first)
      world.assume(isSignedIn(await owner.readSession()), 'nobody can sign in with a password')
      await guessThenEnter(
        { how, isFresh: false },
        12,
        () => thief,
        (browser, n, isRight) => change(world, browser, isRight ? first : `a wrong password ${n}`, second),
      )
      // A change ends the sessions of the other browsers.
      const isOut = !isSignedIn(await owner.readSession())
      const isChanged = isOut || (await opens(world, address, second))
      const says = 'after 12 wrong guesses at the current password, the right one changes the password'
      world.check('RL-09', !isChanged, says, { observed: 'another user' })
      const usual = disguise(await setPassword(world, another, first), how, 0)
      await change(world, usual, first, second)
      world.assume(await opens(world, another, second), 'a request like this changes no password')
      world.reach(how)
    },
  }),

  property({
    ...every,
    proves: ['RL-09'],
    name: 'counts mails by their address, whatever else a request contains',
    story: 'An attacker changes a value that the limit counts by, and floods a mailbox.',
    advice: 'Count by the canonical address to which the mail goes.',
    severity: 'denial of service',
    needs: ['setup'],
    setups: { database: mailing },
    async run(world, input) {
      const { ada, bob } = world.people
      const open = () => world.browser('eve')
      await guessThenEnter(input, 8, open, async (browser) =>
        browser.send(`${world.basePath}/signin/${world.idOf('mail') ?? ''}`, {
          form: { csrfToken: await browser.csrfToken(), email: ada.address.mail },
          says: 'requests a link',
        }),
      )
      const mails = world.mailbox.mails.filter(({ to }) => to === ada.address.mail).length
      world.check('RL-09', mails <= 5, `9 requests send ${mails} mails to one address`)
      await world.browser('bob').signIn('mail', bob)
    },
  }),

  property({
    ...every,
    proves: ['RL-09'],
    name: 'counts guesses at links by the address in them, whatever else a request contains',
    story,
    advice: 'Count by the address for which the token is looked up.',
    needs: ['setup'],
    setups: { database: mailing },
    async run(world, input) {
      const { ada, bob } = world.people
      const mail = await world.browser('ada').requestLink(ada.address.mail)
      const open = () => world.browser('eve')
      const last = await guessThenEnter(input, 11, open, async (browser, n, isRight) => {
        const link = new URL(mail.link)
        if (!isRight) link.searchParams.set('token', String(n).padStart(6, '0'))
        return openLink(browser, link)
      })
      const isIn = isSignedIn(await last.readSession())
      world.check('RL-09', !isIn, 'after 11 guesses for an address, the right one signs in')
      await world.browser('bob').signIn('mail', bob)
    },
  }),

  property({
    ...every,
    proves: ['CD-02', 'RL-09'],
    name: 'counts guesses at a mailed code, whatever else a request contains',
    story,
    advice: 'Keep the number of guesses with the stored code, and count before the comparison.',
    needs: ['store'],
    setups: mailingCodes,
    async run(world, { how }) {
      const eve = world.browser('eve')
      const code = await requestCode(world, eve, world.people.ada.address.mail)
      let compared = 0
      // A code belongs to the browser that requested it.
      const guess = async (browser: Browser, n: number, isRight: boolean) => {
        const reply = await enterMailedCode(world, browser, isRight ? code : misread(code, n + 1))
        if (isCompared(reply)) compared++
      }
      await guessThenEnter({ how, isFresh: false }, 5, () => eve, guess)
      check(world, 'CD-02', compared <= 5, `${compared} guesses at a code are compared`)
      const isIn = isSignedIn(await eve.readSession())
      check(world, 'CD-02', !isIn, 'a code signs in after five wrong guesses')
    },
  }),

  property({
    proves: ['SF-11', 'RL-09'],
    name: 'counts wrong codes of the second factor by the user, whatever else a request contains',
    story,
    advice: 'Keep the number of wrong codes with the factor of the user, and not with the browser.',
    needs: ['setup'],
    setups: { database: withSecondFactor },
    runs: guessers.length,
    cases: guessers.map((each) => ({ ...each, seed: 1 })),
    input: fc.record({
      how: fc.constantFrom(...disguises),
      isFresh: fc.boolean(),
      seed: fc.integer({ min: 1, max: 999_990 }),
    }),
    async run(world, { seed, ...input }) {
      const signIn = async () => {
        const browser = world.browser('ada')
        await browser.arrive(await browser.visit('alpha', world.people.ada))
        return browser
      }
      const app = await enrol(world, await signIn())
      const codes = wrongCodes(app, seed, 5)
      const last = await guessThenEnter(input, 5, signIn, (browser, n, isRight) =>
        enterCode(world, browser, isRight ? app.code() : (codes[n] ?? '')),
      )
      const isIn = isSignedIn(await last.readSession())
      check(world, 'SF-11', !isIn, 'a code is compared after five wrong ones')
    },
  }),
]

/** Checks a limit, and the row that says what every limit counts by. */
function check(world: World, id: 'CD-02' | 'SF-11', condition: boolean, says: string): void {
  world.check(id, condition, says)
  world.check('RL-09', condition, says)
}
