import { copyOfError } from '../copies/copy-handed-out.ts'
import { settingsOf } from '../config/derive-settings.ts'
import type { Settings } from '../config/settings.ts'
import { InvalidProvider, MissingAdapterMethods } from '../errors/classes.ts'
import { describePath, type Hop, type Observe, run, watchHops } from '../flows/engine/run.ts'
import type { AccessTokenAnswer, AccountKey } from '../types/records.ts'
import type { AuthConfig } from '../types/config.ts'
import { createWorld } from './run-flow.ts'
import { type ReplaceFlow, sameFlow } from '../flows/engine/flow.ts'
import { findFlow } from '../flows/flows.ts'

/** Returns whether the adapter can find and replace the tokens of an account. */
export function storesTokens({ store }: Settings): boolean {
  return store !== undefined && store.has('getAccount') && store.has('updateAccount')
}

/**
 * Creates the function that returns access tokens.
 * @param replace used by tests only
 * @param observe called for each hop of each run
 */
export function createTokenReader(replace: ReplaceFlow = sameFlow, observe?: Observe) {
  return async (config: AuthConfig, account: AccountKey): Promise<AccessTokenAnswer> => {
    const settings = settingsOf(config)
    if (settings.fault) throw copyOfError(settings.fault)
    const provider = settings.providers.get(account.provider)
    if (provider?.kind !== 'oauth')
      throw new InvalidProvider('`getAccessToken` needs an OAuth or OpenID Connect provider')
    if (!storesTokens(settings))
      throw new MissingAdapterMethods(
        '`getAccessToken` needs an adapter with `getAccount` and `updateAccount`',
      )
    const world = createWorld(settings)
    const accountKey = { provider: account.provider, providerAccountId: account.providerAccountId }
    const hops: Hop[] = []
    const watch = settings.debug || observe ? watchHops(hops, observe) : undefined
    const flow = replace(await findFlow('refresh'))
    const { state, facts } = await run(flow, { accountKey, provider }, world, (ended) => ended, watch)
    if (settings.debug) settings.logger.debug('flow refresh', describePath(hops, state))
    const result = flow.outcomes[state]?.answer(facts, world)
    if (!result) throw new Error(`refresh has no outcome for ${state}`)
    if (result.error) throw result.error
    if (result.logs) settings.logger.error(result.logs)
    return result.body as AccessTokenAnswer
  }
}
