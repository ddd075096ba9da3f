import type { Announcement, Outbox } from '../flows/engine/world.ts'
import { withRequest } from '../http/rebuild-request.ts'
import type { Visit } from '../http/visit.ts'
import { withoutPlaceholder } from '../session/stored.ts'
import type { AccountChange } from '../types/account-notice.ts'
import type { AdapterUser } from '../types/adapter.ts'
import { ruleOf } from './table.ts'

/** The user before the change, and the request that made the change, if there was one. */
interface Told {
  readonly user: AdapterUser
  /** The new address of a user who has changed it. */
  readonly newAddress?: string
  readonly visit?: Visit
}

/** Announces a change that is committed: the event, and a mail if the row names an address and the user has one. */
export function tell(
  change: AccountChange,
  announcement: Announcement,
  { user, newAddress, visit }: Told,
  out: Outbox,
): void {
  const { tells } = ruleOf(change)
  if (tells.event !== announcement.event)
    throw new Error(`The row ${change} does not tell ${announcement.event}`)
  const held = tells.mail && withoutPlaceholder(user).email
  const addresses = [held, tells.mail === 'both addresses' ? newAddress : undefined].filter(Boolean)
  const notices = addresses.map((to = '') => {
    const notice = { to, change, user }
    return visit ? withRequest(notice, visit) : notice
  })
  out.announce({ ...announcement, notices })
}
