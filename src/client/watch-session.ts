import type { Session } from '../types/records.ts'

/** Receives the session, or null if nobody is signed in. */
export type Listener<S = Session> = (session: S | null) => void

export interface Watch {
  /** @param shown returns the session that the page shows. By default, it is the last one that the listener received. */
  readonly add: (listener: Listener, shown?: () => Session | null | undefined) => () => void
  /** Call it when the session has changed, or may have: it fetches the session, and tells other tabs to do the same. */
  readonly announce: () => Promise<void>
}

interface Subscription {
  /** Calls the listener with a session that the page does not show yet. */
  readonly tell: (session: Session | null) => void
  readonly shown: () => Message | undefined
}

/** The message to other tabs: the session as this tab knows it, so that only tabs with another one fetch it. */
type Message = string

/**
 * Keeps listeners informed of the session: at once, when another tab signs in or out, and when the user returns to this
 * tab. Tabs tell each other what changed, but each fetches the session itself, because only the cookies are
 * authoritative.
 * @param read fetches the session
 * @param channelName the same in all tabs of an application
 */
export function watchSession(read: () => Promise<Session | null>, channelName: string): Watch {
  const subscriptions = new Set<Subscription>()
  let channel: BroadcastChannel | undefined
  let last: Session | null | undefined
  let asked = 0
  let answered = 0

  const hear = ({ data }: MessageEvent<Message>) => {
    const known = [describe(last), ...[...subscriptions].map(({ shown }) => shown())]
    if (known.some((each) => each !== data)) void refresh(false)
  }
  const look = () => void (document.visibilityState === 'visible' && refresh(true))

  /** A failed request changes nothing. A response is ignored if that of a later request arrived first. */
  async function refresh(isNews: boolean): Promise<void> {
    asked += 1
    const turn = asked
    const session = await read().catch(() => undefined)
    if (session === undefined || turn < answered) return
    answered = turn
    const isChanged = describe(session) !== describe(last)
    last = session
    if (isNews && isChanged) channel?.postMessage(describe(session))
    for (const { tell } of subscriptions) tell(session)
  }

  function open(): void {
    channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', hear)
    document.addEventListener('visibilitychange', look)
    void refresh(true)
  }

  function close(): void {
    channel?.close()
    document.removeEventListener('visibilitychange', look)
    channel = undefined
    last = undefined
    // Ignores the responses to requests that are still running.
    asked += 1
    answered = asked
  }

  return {
    add(listener, shown) {
      // A server that renders pages must not keep the listeners of its visitors.
      if (!('document' in globalThis)) return () => {}
      const subscription = subscribe(listener, shown)
      subscriptions.add(subscription)
      const known = subscription.shown()
      if (!channel) open()
      else if (known !== undefined && known !== describe(last)) void refresh(true)
      else if (last !== undefined) subscription.tell(last)
      return () => {
        subscriptions.delete(subscription)
        if (subscriptions.size === 0 && channel) close()
      }
    },
    async announce() {
      const voice = channel ?? new BroadcastChannel(channelName)
      voice.postMessage('')
      if (channel) await refresh(false)
      else voice.close()
    },
  }
}

/**
 * Wraps a listener, so that its errors reach neither other listeners nor the caller of a sign-in. Each subscription has
 * its own wrapper, even if the same function subscribes twice.
 */
function subscribe(listener: Listener, shown?: () => Session | null | undefined): Subscription {
  let told: Session | null | undefined
  const read = () => describe(shown ? shown() : told)
  return {
    shown: read,
    tell(session) {
      if (describe(session) === read()) return
      told = session
      try {
        listener(session)
      } catch (error) {
        reportError(error)
      }
    },
  }
}

/**
 * Extending a session changes only its expiry, which is left out. An unknown session differs from every known one, even
 * from none.
 */
function describe(session: Session | null | undefined): Message | undefined {
  return session === undefined ? undefined : JSON.stringify({ ...session, expires: '' })
}
