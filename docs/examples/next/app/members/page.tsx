import { redirect } from 'next/navigation'
import { findUser } from '../../auth'

export default async function Members() {
  // Check the session here too: do not rely on the proxy alone.
  const user = await findUser()
  if (!user) redirect('/api/auth/signin?callbackUrl=/members')
  return <h1>Hello {user.name}</h1>
}
