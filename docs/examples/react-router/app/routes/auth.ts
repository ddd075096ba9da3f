import { auth } from '../auth.server'
import type { Route } from './+types/auth'

export const loader = ({ request }: Route.LoaderArgs) => auth.handler(request)
export const action = ({ request }: Route.ActionArgs) => auth.handler(request)
