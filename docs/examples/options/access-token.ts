import { createAuth } from '../../../src/index.ts'
import { memoryAdapter } from '../../../src/adapters/memory.ts'
import Google from '../../../src/providers/google.ts'

export const auth = createAuth({
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
  providers: [Google({ authorization: { params: { access_type: 'offline', prompt: 'consent' } } })],
  callbacks: {
    jwt: ({ token, account }) => (account ? { ...token, googleId: account.providerAccountId } : token),
    session: ({ session, token }) => ({ ...session, googleId: token['googleId'] }),
  },
})

/** A route that calls Google's API on behalf of the signed-in user. */
export async function listCalendars(
  request: Request,
  { getSession, getAccessToken }: Pick<typeof auth, 'getSession' | 'getAccessToken'> = auth,
): Promise<Response> {
  const session = await getSession(request)
  if (!session?.googleId) return new Response(null, { status: 401 })
  const token = await getAccessToken({
    provider: 'google',
    providerAccountId: String(session.googleId),
  })
  if (token.state === 'lapsed') return Response.redirect(new URL('/auth/signin', request.url))
  return fetch('https://www.googleapis.com/calendar/v3/users/me/calendarList', {
    headers: { authorization: `Bearer ${token.accessToken}` },
  })
}
