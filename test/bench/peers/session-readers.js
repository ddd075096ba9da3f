import { parse } from 'hono/utils/cookie'
import { sign, verify } from 'hono/jwt'
import { getIronSession, sealData } from 'iron-session'

const cookieName = 'session'
const ask = (cookie) =>
  new Request('https://app.test/account', { headers: { cookie: `${cookieName}=${cookie}` } })

/** Reads claims that iron-session encrypted. It takes a response, in which it could save changes. */
export async function openIronSession({ claims, secret }) {
  const options = { cookieName, password: secret }
  const request = ask(await sealData(claims, options))
  const response = new Response()
  return () => getIronSession(request, response, options)
}

/** Reads claims that hono/jwt signed (HS256). They are not encrypted. */
export async function openHonoJwt({ claims, secret }) {
  const exp = Math.floor(Date.now() / 1000) + 2_592_000
  const request = ask(await sign({ ...claims, exp }, secret, 'HS256'))
  return () => verify(parse(request.headers.get('cookie'), cookieName)[cookieName], secret, 'HS256')
}
