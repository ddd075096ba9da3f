import { settingsOf } from '../config/derive-settings.ts'
import { InvalidProvider, MissingAdapterMethods } from '../errors.ts'
import { run, type Hop, type Observe } from '../flows/run.ts'
import type { AccessTokenAnswer, AccountKey } from '../types/access-token.ts'
import type { AuthConfig } from '../types/config.ts'
import { createWorld } from './create-handler.ts'
import { describePath, watchHops } from './describe-path.ts'
import { findFlow, type FindFlow } from './find-flow.ts'

/**
 * Makes the function that gives access tokens. Other flows than the library's own are for proofs that a test can fail.
 * @param observe told of each hop of each run
 */
export function createTokenReader(find: FindFlow = findFlow, observe?: Observe) {
  return async (config: AuthConfig, account: AccountKey): Promise<AccessTokenAnswer> => {
    const settings = settingsOf(config)
    if (settings.fault) throw settings.fault
    const provider = settings.providers.get(account.provider)
    if (provider?.kind !== 'oauth')
      throw new InvalidProvider('Access tokens are had from a provider of OAuth or OpenID Connect')
    if (!settings.store?.has('getAccount') || !settings.store.has('updateAccount'))
      throw new MissingAdapterMethods('Access tokens need an adapter with getAccount and updateAccount')
    const world = createWorld(settings)
    const accountKey = { provider: account.provider, providerAccountId: account.providerAccountId }
    const hops: Hop[] = []
    const watch = settings.debug || observe ? watchHops(hops, observe) : undefined
    const flow = await find('refresh')
    const { state, facts } = await run(flow, { accountKey, provider }, world, watch)
    if (settings.debug) settings.logger.debug('flow refresh', describePath(hops, state))
    const outcome = flow.outcomes[state]?.answer(facts, world)
    if (outcome?.logs) settings.logger.error(outcome.logs)
    if (outcome?.kind === 'json') return outcome.body as AccessTokenAnswer
    throw outcome?.kind === 'error' ? outcome.error : new Error(`refresh has no outcome for ${state}`)
  }
}
