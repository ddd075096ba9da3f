import { redirect } from 'next/navigation'
import { findUser } from '../../auth'

export default async function Members() {
  // Asked here too: a page does not rely on what stands in front of it.
  const user = await findUser()
  if (!user) redirect('/api/auth/signin?callbackUrl=/members')
  return <h1>Hello {user.name}</h1>
}
