import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type AuthClient, type AuthClientOptions, createAuthClient } from '../client/create-auth-client.ts'
import type { AnyAuthTypes, AuthTypes } from '../types/inference.ts'
import type { AuthBase, AuthInstance, TypesOf } from '../types/instance.ts'
import type { Session } from '../types/records.ts'
import { createFirstRead } from './first-read.ts'

/** The session of a page: unknown at first, unless the server sent it. */
export type KnownSession<S = Session> =
  | { readonly status: 'loading'; readonly data: undefined }
  | { readonly status: 'authenticated'; readonly data: S }
  | { readonly status: 'unauthenticated'; readonly data: null }

/** Props of `SessionProvider`. */
export interface SessionProviderProps<S = Session> {
  /** The session from the server, or null if nobody is signed in. Without it, the browser fetches the session. */
  readonly session?: S | null | undefined
  /** The components that read the session. */
  readonly children?: ReactNode
}

/** The browser client, and the session for components. */
export interface ReactAuth<T extends AuthTypes = AnyAuthTypes> extends AuthClient<T> {
  /**
   * Provides the session to the components inside it, and keeps it up to date: when this tab or another one signs in or out,
   * and when the user returns to this tab.
   */
  readonly SessionProvider: (props: SessionProviderProps<T['session']>) => ReactElement
  /**
   * Returns the session of the provider. While it is unknown, the status is `loading`.
   *
   * @throws Error without a `SessionProvider` around the component
   * @example
   * const { status, data } = useSession()
   */
  readonly useSession: () => KnownSession<T['session']>
  /**
   * Returns the session, or null. While it is unknown, the component suspends, and React shows the fallback of the closest
   * `Suspense`. If the server passes no session to the provider, it renders the fallback, and the browser fetches the session.
   *
   * @throws Error without a `SessionProvider` around the component, or if the server fails
   */
  readonly useSuspenseSession: () => T['session'] | null
}

/**
 * Creates the browser client for React 18 and 19, with a provider and hooks for the session. Call it once, in a module that
 * runs in the browser: with Next.js, one that starts with `'use client'`.
 *
 * Pass the type of your instance, so that the hooks know its session.
 *
 * @param options path of the routes
 * @returns the functions of `createAuthClient`, the provider and the hooks
 * @example
 * 'use client'
 * import { createReactAuth } from 'authmachine/react'
 * import type { Auth } from './auth'
 * export const { SessionProvider, useSession, signIn, signOut } = createReactAuth<Auth>({ basePath: '/api/auth' })
 */
export function createReactAuth<Auth extends AuthBase<AuthTypes> = AuthInstance>(
  options?: AuthClientOptions,
): ReactAuth<TypesOf<Auth>>
export function createReactAuth(options?: AuthClientOptions): ReactAuth {
  const client = createAuthClient(options)
  const context = createContext<KnownSession | undefined>(undefined)
  const first = createFirstRead(client.getSession)

  function useSession(): KnownSession {
    const known = useContext(context)
    if (!known) throw new Error('`useSession` needs a `SessionProvider` around the component')
    return known
  }

  return {
    ...client,
    useSession,
    SessionProvider({ session, children }) {
      const [known, setKnown] = useState(() => describe(session))
      const [sent, setSent] = useState(session)
      // The server may send another session later, for example after a server action that signs out.
      if (session !== undefined && JSON.stringify(session) !== JSON.stringify(sent)) {
        setSent(session)
        setKnown(describe(session))
      }
      const shown = useRef(known.data)
      useEffect(() => void (shown.current = known.data), [known])
      useEffect(() => {
        const show = (current: Session | null) => {
          first.forget()
          setKnown(describe(current))
        }
        return client.watchSession(show, () => shown.current)
      }, [])
      return createElement(context.Provider, { value: known }, children)
    },
    useSuspenseSession() {
      const { data } = useSession()
      // Asks React first, because some servers have a `document`. `preact/compat` of Preact 10 does not know the answer.
      const isOnServer = useSyncExternalStore(neverChanges, no, yes) || !('document' in globalThis)
      if (data !== undefined) return data
      if (isOnServer)
        throw new Error('On the server, `useSuspenseSession` needs the prop `session` of `SessionProvider`')
      return first.read()
    },
  }
}

const neverChanges = () => no
const no = () => false
const yes = () => true

function describe(data: Session | null | undefined): KnownSession {
  if (data === undefined) return { status: 'loading', data }
  return data ? { status: 'authenticated', data } : { status: 'unauthenticated', data }
}
