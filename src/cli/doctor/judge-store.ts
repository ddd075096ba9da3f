import type { Settings } from '../../config/settings.ts'
import { good, note, warning, type Finding } from './finding.ts'

/** What flows do without where the adapter lacks it; what they always need is the configuration's to have. */
export function judgeStore({ store, providers, session }: Settings): readonly Finding[] {
  if (!store) return [note('There is no adapter: users are not kept, and sessions are in their cookies.')]
  const kinds = new Set([...providers.values()].map(({ kind }) => kind))
  if (kinds.has('oauth') && !store.has('deleteUser'))
    return [
      warning(
        'The adapter has no deleteUser: a user whose account could not be linked stays, without an account.',
      ),
    ]
  return [good(`There is an adapter, and sessions are of strategy ${session.strategy}.`)]
}
