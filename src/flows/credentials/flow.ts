import { credentialsChart } from '../../../machines/credentials.ts'
import { asError } from '../../errors/as-error.ts'
import { describe } from '../../config/rule.ts'
import type { CredentialsSettings, PasswordSettings } from '../../config/settings.ts'
import { copyOfOptions } from '../../copies/copy-handed-out.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import { formatUuid } from '../../crypto/random.ts'
import { canonicaliseClaim } from '../../text/email-address.ts'
import {
  AdapterError,
  AuthError,
  CallbackRouteError,
  CredentialsSignin,
  InvalidProvider,
} from '../../errors/classes.ts'
import { copyMembers, rebuildRequest } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import { findNameField } from '../../pages/fields.ts'
import { rememberName } from '../../session/refused-name.ts'
import { keepStamp, readStamp } from '../../policy/stamp.ts'
import type { Stamp } from '../../session/stamp.ts'
import type { PasswordContext } from '../../provider-base/password.ts'
import { readUser } from '../../session/stored.ts'
import type { User } from '../../types/records.ts'
import { flow } from '../engine/flow.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'
import { callSignIn } from '../shared/call-sign-in.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { checkFactor } from '../shared/check-factor.ts'
import { failed, faulted, held, sentElsewhere, signedIn } from '../shared/endings.ts'
import { issuanceSteps } from '../shared/issue-session.ts'
import { checkCredentialsRateLimit } from '../shared/rate-limit.ts'
import { resolveCallbackUrl } from '../shared/resolve-callback-url.ts'

/** Calls `authorize` with the submitted credentials. The returned user needs a stable id. */
const authorize = step({
  needs: ['visit', 'credentialsProvider'],
  says: {
    'credentials.accepted': ['candidate', 'account', 'credentials', 'stamp'],
    'credentials.refused': ['failure'],
  },
  async run({ visit, credentialsProvider }, world) {
    const { id: provider, kind } = credentialsProvider
    const config = copyOfOptions(credentialsProvider.config)
    const credentials = visit.body
    try {
      let stamp: Stamp | undefined
      const context: PasswordContext = {
        adapter: world.store,
        ...(kind === 'password' && {
          logger: world.logger,
          onUser: async (user) => void (stamp = await readStamp(user, world)),
          onUpgrade: async (hash) => void (stamp = await keepStamp(stamp, hash, world)),
        }),
      }
      const user = await config.authorize(copyMembers(credentials), rebuildRequest(visit), context)
      if (!user) {
        await keepName(visit, credentialsProvider, world)
        const failure = new CredentialsSignin('The `authorize` function refused the credentials', {
          provider,
        })
        return { type: 'credentials.refused', failure }
      }
      const id = await identify(user, provider, world)
      const account = { provider, providerAccountId: id, type: 'credentials' as const }
      return { type: 'credentials.accepted', candidate: { ...user, id }, account, credentials, stamp }
    } catch (error) {
      if (error instanceof AuthError && !isFault(error)) {
        if (error instanceof CredentialsSignin) await keepName(visit, credentialsProvider, world)
        return { type: 'credentials.refused', failure: error }
      }
      throw error instanceof AuthError ? error : new CallbackRouteError(asError(error), { provider })
    }
  },
})

/** Stores the submitted name for the built-in sign-in page, so that the user has to type only the password again. */
async function keepName(
  visit: Visit,
  { id: provider, config }: CredentialsSettings | PasswordSettings,
  world: World,
): Promise<void> {
  const field = world.settings.pages.signIn === undefined ? findNameField(config.credentials) : undefined
  const name: unknown = field === undefined ? undefined : visit.body[field]
  if (typeof name === 'string') world.out.setCookies(await rememberName({ provider, name }, visit, world))
}

/** Returns whether the adapter or the configuration failed, which does not mean that the credentials are wrong. */
function isFault(error: AuthError): boolean {
  return error instanceof InvalidProvider || error instanceof AdapterError
}

/** Returns the id of the user, or a derived subject if only a token will contain it (decision 43). */
async function identify({ id, email }: User, provider: string, world: World): Promise<string> {
  const given: unknown = id
  if (typeof given === 'string' && given !== '') return given
  if (typeof given === 'number' && Number.isFinite(given)) return String(given)
  if (given !== undefined && given !== null)
    throw new InvalidProvider(
      `authorize of "${provider}" must return a user whose id is a non-empty string or a number, got ${describe(given)}`,
    )
  if (world.store)
    throw new InvalidProvider(`authorize of "${provider}" returned a user without an id. ${recipe}`)
  if (typeof email === 'string' && email !== '')
    return sha256Hex(JSON.stringify([provider, canonicaliseClaim(email) ?? email]))
  world.logger.warn('random-user-id')
  return formatUuid(world.platform.randomBytes(16))
}

const recipe =
  "With an adapter, return the user's row: `(await adapter.getUserByEmail(email)) ?? (await adapter.createUser({ id: crypto.randomUUID(), name, email, emailVerified: null }))`"

/** A database session needs a user in the database (decision 18). */
const findMember = step({
  needs: ['candidate'],
  says: { 'member.found': ['holder'], 'member.unneeded': [], 'member.unknown': ['fault'] },
  run({ candidate: { id = '' } }, world) {
    return world.settings.session.strategy === 'jwt' ? { type: 'member.unneeded' } : findHolder(id, world)
  },
})

async function findHolder(id: string, world: World) {
  const holder = readUser(await requireStore(world).getUser(id), 'getUser')
  if (holder) return { type: 'member.found', holder } as const
  const fault = new InvalidProvider(
    `\`authorize\` returned a user whose id is unknown to the adapter. Database sessions need a stored user. ${recipe}`,
  )
  return { type: 'member.unknown', fault } as const
}

/** Where a held sign-in continues. */
const afterGates = {
  flow: credentialsChart.id,
  at: 'findingMember',
  facts: ['candidate', 'account', 'callbackUrl', 'stamp'],
} as const

export const credentialsFlow = flow({
  chart: credentialsChart,
  begins: ['visit', 'credentialsProvider'],
  steps: {
    checkCsrf,
    resolveCallbackUrl,
    checkRateLimit: checkCredentialsRateLimit,
    authorize,
    callSignIn,
    findMember,
    checkFactor: checkFactor(afterGates),
    ...issuanceSteps,
  },
  continues: { passingGates: afterGates },
  outcomes: {
    signedIn,
    held,
    sentElsewhere,
    refused: failed,
    declined: failed,
    denied: failed,
    faulted,
  },
})
