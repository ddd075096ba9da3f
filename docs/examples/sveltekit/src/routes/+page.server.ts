import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals }) => ({ user: locals.session?.user ?? null })
