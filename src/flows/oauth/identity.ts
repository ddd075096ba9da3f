import { canonicaliseClaim } from '../../text/email-address.ts'
import { CallbackRouteError, OAuthProfileParseError } from '../../errors/classes.ts'
import { exchangeCode as exchange } from '../../oauth/exchange-code.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { mapProfile as map, readProfile as read } from '../../oauth/read-profile.ts'
import { verifyIdToken as verify } from '../../oauth/id-token.ts'
import { oauthContext } from '../shared/discover-server.ts'
import { nameFailure, toAuthError, unavailability } from '../shared/provider-failure.ts'
import { redirectUriOf } from './sign-in.ts'
import { step } from '../engine/step.ts'

/** Exchanges the code for tokens, and validates them and the claims of the id_token. */
export const exchangeCode = step({
  needs: ['visit', 'provider', 'server', 'judgedResponse', 'checks'],
  says: {
    'id-token.received': ['grant', 'idToken'],
    'code.exchanged': ['grant'],
    'code.refused': ['failure'],
    'tokens.malformed': ['failure'],
    'claims.invalid': ['failure'],
    ...unavailability,
  },
  async run({ visit, provider, server, judgedResponse, checks }, world) {
    const { codeVerifier, nonce, maxAge, scope } = checks
    const redirectUri = redirectUriOf(visit, provider)
    const asked = { response: judgedResponse, redirectUri, codeVerifier, nonce, maxAge, scope }
    const answer = await exchange(provider, server, asked, oauthContext(world))
    if (!hasFailed(answer)) {
      const { grant } = answer
      const idToken = grant.tokens.id_token
      return idToken === undefined
        ? { type: 'code.exchanged', grant }
        : { type: 'id-token.received', grant, idToken }
    }
    const { reason } = answer.failed
    const own = reason === 'code.refused' || reason === 'claims.invalid' ? reason : 'tokens.malformed'
    return {
      type: nameFailure(answer, own),
      failure: toAuthError(CallbackRouteError, answer, provider.id),
    }
  },
})

/** Verifies the signature of the id_token. */
export const verifyIdToken = step({
  needs: ['provider', 'server', 'idToken'],
  says: {
    'id-token.verified': [],
    'id-token.invalid': ['failure'],
    'keys.unusable': ['failure'],
    ...unavailability,
  },
  async run({ provider, server, idToken }, world) {
    const failed = await verify(provider, server, idToken, oauthContext(world))
    if (!failed) return { type: 'id-token.verified' }
    const own = failed.failed.reason === 'signature-invalid' ? 'id-token.invalid' : 'keys.unusable'
    return {
      type: nameFailure(failed, own),
      failure: toAuthError(CallbackRouteError, failed, provider.id),
    }
  },
})

/** Reads the profile from the id_token or the userinfo endpoint. */
export const readProfile = step({
  needs: ['provider', 'server', 'grant', 'judgedResponse'],
  says: { 'profile.read': ['profile'], 'profile.unusable': ['failure'], ...unavailability },
  async run({ provider, server, grant, judgedResponse }, world) {
    const answer = await read(provider, server, grant, judgedResponse, oauthContext(world))
    if (!hasFailed(answer)) return { type: 'profile.read', profile: answer.profile }
    return {
      type: nameFailure(answer, 'profile.unusable'),
      failure: toAuthError(CallbackRouteError, answer, provider.id),
    }
  },
})

/** Maps the profile to a user and an account. The profile must have a usable id. */
export const mapProfile = step({
  needs: ['provider', 'profile', 'grant'],
  says: {
    'profile.mapped': ['candidate', 'account'],
    'profile.unusable': ['failure'],
    'hook.failed': ['failure'],
  },
  async run({ provider, profile, grant }, { platform, logger }) {
    const help = { platform, canonicaliseEmail: canonicaliseClaim }
    const mapped = await map(provider, profile, grant.tokens, help)
    if (hasFailed(mapped))
      return {
        type: mapped.failed.reason === 'hook-failed' ? 'hook.failed' : 'profile.unusable',
        failure: toAuthError(OAuthProfileParseError, mapped, provider.id),
      }
    const { candidate, account, emailRefused } = mapped
    if (emailRefused)
      logger.error(
        new OAuthProfileParseError('The profile contains an invalid e-mail address, which is ignored'),
      )
    return { type: 'profile.mapped', candidate, account }
  },
})
