import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals, url }) => {
  const user = locals.session?.user
  if (!user) redirect(303, `/auth/signin?${new URLSearchParams({ callbackUrl: url.pathname + url.search })}`)
  return { user }
}
