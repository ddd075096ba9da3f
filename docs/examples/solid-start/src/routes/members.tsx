import { createAsync } from '@solidjs/router'
import { requireUser } from '~/user'

export default function Members() {
  // Waits on the server, so that a redirect is one before anything is sent.
  const user = createAsync(() => requireUser(), { deferStream: true })
  return <h1>Hello {user()?.name}</h1>
}
