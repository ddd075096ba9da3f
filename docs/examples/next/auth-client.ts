'use client'

import { createReactAuth } from 'authmachine/react'
import type { Auth } from './auth'

// The import of a type adds no server code to the bundle.
export const { SessionProvider, useSession } = createReactAuth<Auth>({ basePath: '/api/auth' })
