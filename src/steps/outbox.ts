import type { CookieChange } from '../cookies/cookie-change.ts'
import type { EventCallbacks } from '../types/config.ts'

type EventName = keyof EventCallbacks
export type Announcement = {
  [E in EventName]: { readonly event: E; readonly message: Parameters<EventCallbacks[E]>[0] }
}[EventName]

/** What a run leaves behind beside its outcome. Append-only, so that a fault loses none of it. */
export interface Outbox {
  readonly cookies: readonly CookieChange[]
  readonly announcements: readonly Announcement[]
  readonly setCookies: (changes: readonly CookieChange[]) => void
  /** An event to fire at the end, for something that is committed. */
  readonly announce: (announcement: Announcement) => void
}

export function createOutbox(): Outbox {
  const cookies: CookieChange[] = []
  const announcements: Announcement[] = []
  return {
    cookies,
    announcements,
    setCookies: (changes) => void cookies.push(...changes),
    announce: (announcement) => void announcements.push(announcement),
  }
}
