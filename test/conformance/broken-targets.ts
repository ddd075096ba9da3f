import type { LibraryTarget } from '../../fuzz/targets/target.ts'
import ours from '../../fuzz/targets/ours.ts'

/** Strings that stand for secrets. No report may contain one. */
export const canaries = {
  session: 'canary0session0cookie0of0somebody',
  token: 'canary1access1token1in1a1body',
  code: 'canary2code2in2a2location',
}

/** This library, without any binding of a provider's response to the browser that started the sign-in. */
export const unbound: LibraryTarget = {
  ...ours,
  open(config) {
    const providers = config['providers'] as readonly Readonly<Record<string, unknown>>[]
    return ours.open({
      ...config,
      providers: providers.map((each) => ('clientId' in each ? { ...each, checks: ['none'] } : each)),
    })
  },
}

/** A library that leaks all of its secrets. */
export const talkative: LibraryTarget = {
  name: 'talkative <script>alert(1)</script>',
  capabilities: [],
  open: () => async (request) => {
    const cookie = `authjs.session-token=${canaries.session}; Path=/`
    if (new URL(request.url).pathname.endsWith('/session')) {
      const user = { name: 'nobody', email: 'nobody@elsewhere.example', accessToken: canaries.token }
      return Response.json({ user, expires: '2030-01-01T00:00:00Z' }, { headers: { 'set-cookie': cookie } })
    }
    const location = `/?code=${canaries.code}&token=${encodeURIComponent(`${canaries.token}|${canaries.code}`)}`
    return new Response(null, { status: 302, headers: { location, 'set-cookie': cookie } })
  },
}
