import { Component, createElement as h, type ReactNode, Suspense } from 'react'
import { createReactAuth } from '../../src/react.ts'
import type { Session } from '../../src/types/records.ts'

export const auth = createReactAuth()

/** Properties of the application, which the server writes into the page. */
export interface AppProps {
  readonly session?: Session | null
  /** Whether the component suspends. Its boundary is then outside the provider, whose effects wait for the session. */
  readonly suspends: boolean
}

function Who() {
  const { status, data } = auth.useSession()
  return h('p', { id: 'who' }, status === 'loading' ? '?' : (data?.user?.name ?? 'nobody'))
}

function SuspendingWho() {
  return h('p', { id: 'who' }, auth.useSuspenseSession()?.user?.name ?? 'nobody')
}

interface Caught {
  readonly message?: string
}

class Boundary extends Component<{ readonly children?: ReactNode }, Caught> {
  override state: Caught = {}
  static getDerivedStateFromError({ message }: Error): Caught {
    return { message }
  }
  override render() {
    const { message } = this.state
    if (message === undefined) return this.props.children
    return h('button', { id: 'retry', onClick: () => this.setState({ message: undefined }) }, message)
  }
}

/** An application that shows the session, on the server and in the browser. */
export function App({ session, suspends }: AppProps) {
  if (!suspends) return h(auth.SessionProvider, { session }, h(Who))
  const page = h(auth.SessionProvider, { session }, h(SuspendingWho))
  return h(Boundary, null, h(Suspense, { fallback: h('p', { id: 'fallback' }, 'Loading') }, page))
}
