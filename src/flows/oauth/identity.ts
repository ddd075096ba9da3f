import { canonicaliseClaim } from '../../text/email-address.ts'
import { CallbackRouteError, OAuthProfileParseError } from '../../errors/classes.ts'
import { checkTokens, requestTokens } from '../../oauth/exchange-code.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { deriveUser, loadProfile } from '../../oauth/read-profile.ts'
import { verifySignature } from '../../oauth/id-token.ts'
import { oauthContext } from '../shared/discover-server.ts'
import { reportFailure, toAuthError, unavailability } from '../shared/provider-failure.ts'
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
    const context = oauthContext(world)
    const answer = await requestTokens(provider, server, asked, context)
    const judged = hasFailed(answer)
      ? answer
      : await checkTokens(provider, server, answer.response, asked, context)
    if (hasFailed(judged)) {
      const { reason } = judged.failed
      const own = reason === 'code.refused' || reason === 'claims.invalid' ? reason : 'tokens.malformed'
      return reportFailure(own, CallbackRouteError, judged, provider.id)
    }
    const { grant } = judged
    const idToken = grant.tokens.id_token
    return idToken === undefined
      ? { type: 'code.exchanged', grant }
      : { type: 'id-token.received', grant, idToken }
  },
})

/** Verifies the signature of the id_token. Its claims have already been validated (OpenID Connect Core 3.1.3.7). */
export const verifyIdToken = step({
  needs: ['provider', 'server', 'idToken'],
  says: {
    'id-token.verified': [],
    'id-token.invalid': ['failure'],
    'keys.unusable': ['failure'],
    ...unavailability,
  },
  async run({ provider, server, idToken }, world) {
    const declared = provider.client.id_token_signed_response_alg
    const forged = await verifySignature(idToken, declared, provider, server, oauthContext(world))
    if (!forged) return { type: 'id-token.verified' }
    const own = forged.failed.reason === 'signature-invalid' ? 'id-token.invalid' : 'keys.unusable'
    return reportFailure(own, CallbackRouteError, forged, provider.id)
  },
})

/** Reads the profile from the id_token or the userinfo endpoint. */
export const readProfile = step({
  needs: ['provider', 'server', 'grant', 'judgedResponse'],
  says: { 'profile.read': ['profile'], 'profile.unusable': ['failure'], ...unavailability },
  async run({ provider, server, grant, judgedResponse }, world) {
    const loaded = await loadProfile(provider, server, grant, judgedResponse, oauthContext(world))
    return hasFailed(loaded)
      ? reportFailure('profile.unusable', CallbackRouteError, loaded, provider.id)
      : { type: 'profile.read', profile: loaded.profile }
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
    const mapped = await deriveUser(provider, profile, grant.tokens, help)
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
