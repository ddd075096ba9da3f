import { auth } from './auth.ts'

/** The `User-Agent` of each session, by the id of the session. In your application, this is a table. */
export const devices = new Map<string, string>()

/** Call this on the page that you show after the sign-in. */
export async function nameDevice(userId: string, request: Request): Promise<void> {
  const sessions = await auth.listSessions(userId, { request })
  const current = sessions.find(({ isCurrent }) => isCurrent)
  if (current) devices.set(current.id, request.headers.get('user-agent') ?? 'Unknown device')
}
