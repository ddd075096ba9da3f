/** A page whose session is kept by the unmodified client of next-auth; what else that offers is left to the console. */
import {
  getCsrfToken,
  getProviders,
  getSession,
  SessionProvider,
  signIn,
  signOut,
  useSession,
} from 'next-auth/react'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

function Who({ isRequired }) {
  const { data, status, update } = useSession({ required: isRequired })
  globalThis.client = { getCsrfToken, getProviders, getSession, signIn, signOut, update }
  return h('p', { id: 'who' }, status === 'loading' ? '?' : (data?.user?.name ?? 'nobody'))
}

const { basePath, required } = document.body.dataset
createRoot(document.querySelector('main')).render(
  h(SessionProvider, { basePath }, h(Who, { isRequired: required === 'true' })),
)
