import { canonicaliseClaim } from '../../email-address.ts'
import { type AuthError, CallbackRouteError, OAuthProfileParseError } from '../../errors.ts'
import { exchangeCode as exchange } from '../../oauth/exchange-code.ts'
import { hasFailed, type Failed } from '../../oauth/failure.ts'
import { mapProfile as map, readProfile as read } from '../../oauth/read-profile.ts'
import { verifyIdToken as verify } from '../../oauth/id-token.ts'
import { whenReady } from '../../maybe-promise.ts'
import { oauthContext } from '../shared/discover-server.ts'
import { redirectUriOf } from './sign-in.ts'
import { step } from '../engine/step.ts'

function explain({ failed }: Failed, provider: string): AuthError {
  return new CallbackRouteError(failed.error, { provider, reason: failed.reason })
}

/** Exchanges the code for tokens, and validates them and the claims of the id_token. */
export const exchangeCode = step({
  needs: ['visit', 'provider', 'server', 'judgedResponse', 'checks'],
  says: {
    'id-token.received': ['grant', 'idToken'],
    'code.exchanged': ['grant'],
    'code.refused': ['failure'],
    'tokens.malformed': ['failure'],
    'claims.invalid': ['failure'],
  },
  async run({ visit, provider, server, judgedResponse, checks }, world) {
    const { codeVerifier, nonce, maxAge } = checks
    const redirectUri = redirectUriOf(visit, provider)
    const asked = { response: judgedResponse, redirectUri, codeVerifier, nonce, maxAge }
    const answer = await exchange(provider, server, asked, oauthContext(world))
    if (!hasFailed(answer)) {
      const { grant } = answer
      const idToken = grant.tokens.id_token
      return idToken === undefined
        ? { type: 'code.exchanged', grant }
        : { type: 'id-token.received', grant, idToken }
    }
    const failure = explain(answer, provider.id)
    switch (answer.failed.reason) {
      case 'claims.invalid':
      case 'tokens.malformed':
        return { type: answer.failed.reason, failure }
      case 'oversize':
        return { type: 'tokens.malformed', failure }
      default:
        return { type: 'code.refused', failure }
    }
  },
})

/** Verifies the signature of the id_token. */
export const verifyIdToken = step({
  needs: ['provider', 'server', 'idToken'],
  says: { 'id-token.verified': [], 'id-token.invalid': ['failure'] },
  async run({ provider, server, idToken }, world) {
    const failed = await verify(provider, server, idToken, oauthContext(world))
    if (failed) return { type: 'id-token.invalid', failure: explain(failed, provider.id) }
    return { type: 'id-token.verified' }
  },
})

/** Reads the profile from the id_token or the userinfo endpoint. */
export const readProfile = step({
  needs: ['provider', 'server', 'grant', 'judgedResponse'],
  says: { 'profile.read': ['profile'], 'profile.unusable': ['failure'] },
  async run({ provider, server, grant, judgedResponse }, world) {
    const answer = await read(provider, server, grant, judgedResponse, oauthContext(world))
    if (hasFailed(answer)) return { type: 'profile.unusable', failure: explain(answer, provider.id) }
    return { type: 'profile.read', profile: answer.profile }
  },
})

/** Maps the profile to a user and an account. The profile must have a usable id. */
export const mapProfile = step({
  needs: ['provider', 'profile', 'grant'],
  says: { 'profile.mapped': ['candidate', 'account'], 'profile.unusable': ['failure'] },
  run({ provider, profile, grant }, { platform, logger }) {
    const help = { platform, canonicaliseEmail: canonicaliseClaim }
    return whenReady(map(provider, profile, grant.tokens, help), (mapped) => {
      if (hasFailed(mapped))
        return {
          type: 'profile.unusable',
          failure: new OAuthProfileParseError(mapped.failed.error, { provider: provider.id }),
        }
      const { candidate, account, emailRefused } = mapped
      if (emailRefused)
        logger.error(
          new OAuthProfileParseError('The profile contains an invalid e-mail address, which is ignored'),
        )
      return { type: 'profile.mapped', candidate, account }
    })
  },
})
