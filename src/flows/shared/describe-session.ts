import { asError } from '../../errors/as-error.ts'
import { SessionTokenError } from '../../errors/classes.ts'
import { rebuildRequest } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import { writeDescription } from '../../session/description.ts'
import { respondInTime } from '../engine/deadline.ts'
import { requireStore, type World } from '../engine/world.ts'

/**
 * Stores the application's description of a new session, or the description of the session that it replaces. A failure
 * is only a warning: the user is signed in.
 */
export async function describeSession(
  sessionToken: string,
  visit: Visit,
  world: World,
  earlier?: string | null,
): Promise<void> {
  const { platform, logger, settings } = world
  const { describe: ask } = settings.session
  const describe = async () => {
    const write = async () => writeDescription(await ask?.(rebuildRequest(visit)), platform.now())
    await requireStore(world).describeSession(sessionToken, earlier ?? (await write()))
  }
  try {
    await respondInTime(describe(), 'session.describe', platform)
  } catch (error) {
    const cause = asError(error)
    logger.warn('session-not-described', cause.message)
    logger.error(new SessionTokenError('The session could not be described', cause))
  }
}
