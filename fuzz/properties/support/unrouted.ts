import type { Browser, Sending } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'

/** A path that no application has. */
const nowhere = '/there-is-nothing-at-all'

/**
 * Returns whether the application responds to a path as to any unknown path, which shows that no route of the
 * library has handled it. The status need not be 404: the page of a single-page application has 200.
 */
export async function isUnrouted(
  browser: Browser,
  { status, headers, text }: Reply,
  path: string,
  sending: Sending,
): Promise<boolean> {
  const other = await browser.send(nowhere, sending)
  return (
    other.status === status &&
    other.headers.get('content-type') === headers.get('content-type') &&
    other.text.replaceAll(nowhere, '') === text.replaceAll(path, '')
  )
}
