import type { Random } from './random.ts'
import type { Kind } from './requests.ts'
import type { Visitor } from './visitor.ts'

/** A request by a visitor. */
export interface Visit {
  readonly visitor: Visitor
  readonly kind: Kind
  /** Whether the visitor deletes all cookies before it. */
  readonly isFresh: boolean
}

/** The visitors of a site. */
export interface Visitors {
  readonly users: readonly Visitor[]
  /** Never signs in. */
  readonly anonymous: Visitor
}

/** The maximum number of simultaneous requests. */
const widest = 8

/**
 * Plans all visits in batches; the visits of a batch run at the same time. The anonymous visitor comes first and
 * last. Between, all
 * visitors send every kind of request one after another, and then every kind again, several at the same time.
 */
export function planVisits(kinds: readonly Kind[], visitors: Visitors, random: Random): Visit[][] {
  const { anonymous } = visitors
  const arrival = kinds
    .filter(({ isPlain }) => isPlain)
    .map((kind): Visit[] => [{ visitor: anonymous, kind, isFresh: true }])
  const single = deal(kinds, visitors, random).map((visit) => [visit])
  return [...arrival, ...single, ...cut(deal(kinds, visitors, random), random), ...arrival]
}

/** Shuffles every kind of request by each visitor, with more of those that show a user. The users first sign in. */
function deal(kinds: readonly Kind[], { users, anonymous }: Visitors, random: Random): Visit[] {
  const signIns = kinds.filter(({ signsIn }) => signsIn)
  const shows = kinds.filter(({ showsUser }) => showsUser)
  const all = [...kinds, ...shows, ...shows]
  const visits = (visitor: Visitor, chosen: readonly Kind[], isFresh = () => false): Visit[] =>
    chosen.map((kind) => ({ visitor, kind, isFresh: isFresh() }))
  const asAnonymous = visits(
    anonymous,
    all.filter(({ signsIn }) => !signsIn),
    () => random.below(2) === 0,
  )
  return [
    ...users.flatMap((user) => visits(user, signIns.slice(0, 1))),
    ...random.shuffle([...users.flatMap((user) => visits(user, all)), ...asAnonymous]),
  ]
}

/** Cuts a list into parts of one to eight visits. */
function cut(visits: readonly Visit[], random: Random): Visit[][] {
  const parts: Visit[][] = []
  let start = 0
  while (start < visits.length) {
    const end = start + 1 + random.below(widest)
    parts.push(visits.slice(start, end))
    start = end
  }
  return parts
}
