import { expect, it } from 'vitest'
import { createOutbox } from '../../src/flows/engine/world.ts'
import { finish } from '../../src/handler/finish.ts'
import { derive } from '../config/derive.ts'

it.each([
  ['no cookie', []],
  ['a cookie', [{ name: 'own', value: 'x', options: {} }]],
])(
  'DEC-34 FI-02 a step that sets a cookie after its deadline adds nothing to a response with %s that waits for an event',
  async (_, own) => {
    const out = createOutbox()
    out.setCookies(own)
    const settings = derive({
      events: { signOut: () => out.setCookies([{ name: 'late', value: 'x', options: {} }]) },
    })
    const result = {
      status: 302,
      location: 'https://app.test/',
      announces: [{ event: 'signOut' as const, message: { token: null } }],
    }
    const asked = new Request('https://app.test/auth/signout')
    const sent = await finish(result, asked, settings, ({ cookies }) => cookies, out)
    expect(out.cookies).toHaveLength(own.length + 1)
    expect(sent).toEqual(own.map(({ name }) => `${name}=x`))
  },
)
