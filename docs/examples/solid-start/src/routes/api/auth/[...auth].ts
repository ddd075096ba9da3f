import { SolidAuth } from 'authmachine/solid-start'
import { authOptions } from '~/auth'

export const { GET, POST } = SolidAuth(authOptions)
