import { expect, it } from 'vitest'
import { describeExchange } from '../../fuzz/world/describe.ts'
import { readReply } from '../../fuzz/world/reply.ts'
import { openUnusual } from '../../fuzz/world/unusual.ts'

const url = 'https://app.example/auth/signin/mail'
const reply = await readReply(new Response('', { headers: { 'set-cookie': 'session=1; Path=/' } }), url)
const request = new Request(url, { method: 'POST', headers: { cookie: 'session=1; sessionx=evil' } })

it('a step shows a cookie that no response set, an additional header and the mailed address, before the response', () => {
  const unusual = openUnusual()
  unusual.note(reply)
  const carries = unusual.of(request, {
    headers: { cookie: 'session=1; sessionx=evil', 'x-forwarded-host': 'evil.example', origin: undefined },
    form: { email: 'eve@mail.example', password: 'secret' },
  })
  expect(
    describeExchange({ by: 'eve', says: 'signs in', request, reply, cookie: 'x', unusual: carries }),
  ).toBe(
    'eve signs in: POST /auth/signin/mail with the cookie sessionx=evil, the header x-forwarded-host: evil.example, email=eve@mail.example → 200, sets session',
  )
})

it('a step shows the target of a JSON body, and the beginning of a long value', () => {
  const { of } = openUnusual()
  expect(of(new Request(url), { json: { callbackUrl: [], csrfToken: 'x' } })).toEqual(['callbackUrl=[]'])
  const long = new Request(url, { headers: { cookie: `a=${'x'.repeat(100)}` } })
  expect(of(long)).toEqual([`the cookie a=${'x'.repeat(58)}… (102 characters)`])
})

it('a step of an ordinary request shows none of this', () => {
  const unusual = openUnusual()
  unusual.note(reply)
  const ordinary = new Request(url, { headers: { cookie: 'session=1' } })
  expect(unusual.of(ordinary, { form: { csrfToken: 'x' } })).toEqual([])
})
