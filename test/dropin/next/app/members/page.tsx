import { auth } from '../../auth'

export default async function Members() {
  const session = await auth()
  return <h1>Hello {session?.user?.name}</h1>
}
