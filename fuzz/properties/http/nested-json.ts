import fc from 'fast-check'
import { answerTo, requireOptions, enrol, openDevice, postAnswer } from '../../world/passkeys.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { isFault, isRefusal } from '../support/outcome.ts'
import { passkeysAndSessions } from '../support/passkeys.ts'

export const nestedJsonProperties: readonly Property[] = [
  property({
    proves: ['LM-10'],
    name: 'refuses deeply nested JSON in an authenticator response',
    story: 'A field full of brackets bypasses the body limit, because different code parses it.',
    advice: 'Limit the depth in the one function that parses JSON.',
    needs: ['passkey'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { register: 2, authenticate: 2 },
    input: fc.record({
      action: fc.constantFrom('register' as const, 'authenticate' as const),
      kind: fc.constantFrom('lists', 'objects'),
      beside: fc.constantFrom('the credential', 'its response'),
    }),
    async run(world, { action, kind, beside }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
      const browser = world.browser('ada')
      const fields = { action, ...(action === 'register' && { email: ada.address.passkey }) }
      const request = () => requireOptions(world, browser, action, fields)
      const answer = answerTo(device, action, await request())
      const [open, close] = kind === 'lists' ? ['[', ']'] : ['{"":', '}']
      // As many as fit in a form of 100 KB, where each bracket takes three characters.
      const levels = kind === 'lists' ? 14_000 : 5000
      const nested = `${open.repeat(levels)}0${close.repeat(levels)}`
      const mark = '"here"'
      const marked =
        beside === 'the credential'
          ? { ...answer, more: 'here' }
          : { ...answer, response: { ...answer.response, more: 'here' } }
      world.prove(browser, ada, 'passkey')
      const reply = await postAnswer(world, browser, action, JSON.stringify(marked).replace(mark, nested))
      const says = `${levels} ${kind} beside ${beside}`
      world.check('LM-10', !isFault(reply), `${says}: it returned ${reply.failure ?? reply.status}`)
      const me = await browser.whoAmI()
      world.check('LM-10', isRefusal(reply) && me === undefined, `${says}: ${me ?? 'nobody'} is signed in`)
      world.reach(action)
      await postAnswer(world, browser, action, answerTo(device, action, await request()))
      world.assume((await browser.whoAmI()) === 'ada', 'nobody can sign in with a passkey')
    },
  }),

  property({
    proves: ['LM-10'],
    name: 'refuses deeply nested JSON in a body or a field as a bad request',
    story:
      'A body of brackets overflows the stack of the code that serialises it, and looks like a server fault.',
    advice: 'Limit the depth in the one function that parses JSON.',
    setups: { database: {}, form: { strategy: 'jwt', providers: ['form', 'alpha'] } },
    runs: 40,
    input: fc.record({
      post: fc.constantFrom('callback/form', 'signin/mail', 'session'),
      field: fc.constantFrom('username', 'data', 'csrfToken', 'callbackUrl', 'nested'),
      kind: fc.constantFrom('lists', 'objects'),
      inField: fc.boolean(),
      isDeepest: fc.boolean(),
      // A text before the brackets, which a check without a parser may misread.
      before: fc.constantFrom('ada', '"', '\\', '\\"', '["'),
    }),
    async run(world, { post, field, kind, inField, isDeepest, before }) {
      const [, provider] = /\/(\w+)$/.exec(post) ?? []
      if (provider !== undefined && world.idOf(provider as 'form' | 'mail') === undefined)
        throw new Absent(`the application has no provider ${provider}`)
      // At most as many as fit in a body of 100 KB. The number that overflows a stack depends on the thread.
      const deepest = kind === 'lists' ? 45_000 : 15_000
      const levels = isDeepest ? deepest : 1500
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const cookie = Object.entries(browser.cookies())
        .map((pair) => pair.join('='))
        .join('; ')
      const [open, close] = kind === 'lists' ? ['[', ']'] : ['{"":', '}']
      const nested = `${open.repeat(levels)}0${close.repeat(levels)}`
      const others = { csrfToken, username: before, action: 'register' }
      const path = post.replace(/\w+$/, (name) => world.idOf(name as 'alpha') ?? name)
      const send = (value: string) =>
        world.send(
          new Request(world.url(path), {
            method: 'POST',
            headers: {
              cookie,
              'content-type': inField ? 'application/x-www-form-urlencoded' : 'application/json',
            },
            body: inField
              ? // A field may contain plain brackets. Escaped, they would make the body too large.
                `${new URLSearchParams(others)}&${field}=${value}`
              : `${JSON.stringify(others).slice(0, -1)},${JSON.stringify(field)}:${value}}`,
          }),
        )
      const flat = await send('0')
      if (flat.location?.searchParams.get('error') === 'Configuration')
        throw new Absent(`${path} returns Configuration for a flat body, too`)
      const { status, failure, location } = await send(nested)
      const error = location?.searchParams.get('error')
      const says = `a request to ${path} with ${levels} nested ${kind} in ${field} returns ${failure ?? error ?? status}`
      world.check('LM-10', status < 500 && failure === undefined && error !== 'Configuration', says)
      // Text in a field of a form need not be parsed.
      if (!inField) world.check('LM-10', status >= 400, says, { observed: 'a broken rule' })
      world.reach(inField ? 'in a field' : 'as a body')
    },
  }),
]
