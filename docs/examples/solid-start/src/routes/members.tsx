import { createAsync } from '@solidjs/router'
import { requireUser } from '~/user'

export default function Members() {
  // Waits on the server, so that a redirect is sent before any HTML.
  const user = createAsync(() => requireUser(), { deferStream: true })
  return <h1>Hello {user()?.name}</h1>
}
