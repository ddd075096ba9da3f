import type { Session } from '../types/records.ts'

export type Listener = (session: Session | null) => void

export interface Watch {
  readonly add: (listener: Listener) => () => void
  /** The session has changed, or may have: asks for it, and has the other tabs ask. */
  readonly announce: () => Promise<void>
}

/** What the other tabs are told: the session as this tab knows it, so that only who knows another one asks. */
type Message = string

/**
 * Keeps listeners told of the session: at once, when another tab signs in or out, and when the user comes back to this one.
 * Tabs tell each other what changed, but fetch the session themselves: their cookies are the truth.
 * @param read asks the server
 * @param channelName the same in all tabs of an application
 */
export function watchSession(read: () => Promise<Session | null>, channelName: string): Watch {
  const listeners = new Set<Listener>()
  let channel: BroadcastChannel | undefined
  let last: Session | null | undefined
  let asked = 0

  const hear = ({ data }: MessageEvent<Message>) => void (data !== describe(last) && refresh(false))
  const look = () => void (document.visibilityState === 'visible' && refresh(true))

  /** Failures are no change: what is known stays. Of answers that overtake each other the one asked for last counts. */
  async function refresh(isNews: boolean): Promise<void> {
    asked += 1
    const turn = asked
    const session = await read().catch(() => undefined)
    if (session === undefined || turn !== asked || describe(session) === describe(last)) return
    last = session
    if (isNews) channel?.postMessage(describe(session))
    for (const listener of listeners) listener(session)
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
    asked += 1
  }

  return {
    add(listener) {
      listeners.add(listener)
      if (!channel) open()
      else if (last !== undefined) listener(last)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && channel) close()
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

/** Sessions that are extended differ in nothing else. What is not known yet is like no session, not even none. */
function describe(session: Session | null | undefined): Message | undefined {
  return session === undefined ? undefined : JSON.stringify({ ...session, expires: '' })
}
