import { auth } from '../../../auth'

export async function GET() {
  const session = await auth()
  return session ? Response.json(session.user) : Response.json({ error: 'Signed out' }, { status: 401 })
}
