/** A page with the session of the unmodified next-auth client. Its other functions are globals, for the tests to call. */
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
