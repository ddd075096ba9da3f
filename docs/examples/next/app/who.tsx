'use client'

import { useSession } from '../auth-client'

/** Shows who is signed in, and follows sign-ins and sign-outs in all tabs. */
export function Who() {
  const { data } = useSession()
  const who = <strong id="who">{data?.user?.name ?? 'nobody'}</strong>
  return <p>Signed in: {who}</p>
}
