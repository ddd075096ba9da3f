import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { headerOf, issuedBy } from '../support/sessions.ts'

export const duplicateMemberProperties: readonly Property[] = [
  property({
    proves: ['LM-13'],
    name: 'refuses a JSON body in which a member occurs twice',
    story:
      'A filter in front of the application checks the first value of a repeated member, and the application uses the last.',
    advice:
      'Compare the number of members in the text with that in the parsed value, and return 400 if they differ.',
    setups: { form: { strategy: 'jwt', providers: ['form', 'alpha'] } },
    runs: 30,
    reaches: { plain: 5, escaped: 5, 'the body': 2, 'an object in it': 2, 'a list in it': 2 },
    input: fc.record({
      name: fc.constantFrom('csrfToken' as const, 'username', 'password', 'data'),
      other: fc.constantFrom('the same', 'another'),
      first: fc.boolean(),
      spelling: fc.constantFrom('plain', 'escaped'),
      place: fc.constantFrom('the body', 'an object in it', 'a list in it'),
    }),
    async run(world, { name, other, first, spelling, place }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const good = { csrfToken, username: 'ada', password: ada.password, data: '1' }
      const send = (body: string) => {
        const headers = { cookie: headerOf(browser.cookies()), 'content-type': 'application/json' }
        const path = `callback/${world.idOf('form') ?? ''}`
        return world.send(new Request(world.url(path), { method: 'POST', headers, body }))
      }
      const key =
        spelling === 'plain'
          ? name
          : name.replace(/./g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
      const member = `"${key}":${JSON.stringify(other === 'the same' ? good[name] : 'another')}`
      const others = JSON.stringify(good).slice(1, -1)
      const doubled = first ? `{${member},${others}}` : `{${others},${member}}`
      const inner = place === 'a list in it' ? `[0,${doubled}]` : doubled
      const reply = await send(place === 'the body' ? doubled : `{${others},"more":${inner}}`)
      const what = `${name}, with ${other} value ${first ? 'first' : 'last'} in ${place}`
      world.check('LM-13', reply.status >= 400 && reply.status < 500, `${what}, returns ${reply.status}`)
      world.check('LM-13', issuedBy(reply).length === 0, `${what}, signs somebody in`)
      world.assume((await send(`{${others}}`)).status === 302, 'nobody can sign in by JSON')
      world.reach(spelling)
      world.reach(place)
    },
  }),
]
