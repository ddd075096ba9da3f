import { component$ } from '@builder.io/qwik'
import type { RequestHandler } from '@builder.io/qwik-city'
import { useSession } from '../plugin@auth'

export const onRequest: RequestHandler = ({ sharedMap, redirect, url }) => {
  if (sharedMap.get('session')?.user) return
  throw redirect(302, `/auth/signin?${new URLSearchParams({ callbackUrl: url.pathname + url.search })}`)
}

export default component$(() => {
  const session = useSession()
  return <h1>Hello {session.value?.user?.name}</h1>
})
