import { canonicaliseClaim } from '../email/canonical-address.ts'
import { type AuthError, CallbackRouteError, OAuthProfileParseError } from '../errors.ts'
import { exchangeCode as exchange } from '../oauth/exchange-code.ts'
import { hasFailed, type Failed } from '../oauth/failure.ts'
import { mapProfile as map } from '../oauth/map-profile.ts'
import { readProfile as read } from '../oauth/read-profile.ts'
import { verifyIdToken as verify } from '../oauth/verify-signature.ts'
import { oauthContext } from './oauth-context.ts'
import { redirectUriOf } from './sign-in.ts'
import { step } from './step.ts'

function explain({ failed }: Failed, provider: string): AuthError {
  return new CallbackRouteError(failed.error, { provider, reason: failed.reason })
}

/** Exchanges the code for tokens, and judges them and the claims of the id_token. */
export const exchangeCode = step({
  needs: ['visit', 'provider', 'server', 'judgedResponse', 'checks'],
  says: {
    'code.exchanged': ['grant'],
    'code.refused': ['failure'],
    'tokens.malformed': ['failure'],
    'claims.invalid': ['failure'],
  },
  async run({ visit, provider, server, judgedResponse, checks }, world) {
    const { codeVerifier, nonce } = checks
    const redirectUri = redirectUriOf(visit, provider)
    const asked = { response: judgedResponse, redirectUri, codeVerifier, nonce }
    const answer = await exchange(provider, server, asked, oauthContext(world))
    if (!hasFailed(answer)) return { type: 'code.exchanged', grant: answer.grant }
    const failure = explain(answer, provider.id)
    switch (answer.failed.reason) {
      case 'claims-invalid':
        return { type: 'claims.invalid', failure }
      case 'tokens-malformed':
      case 'oversize':
        return { type: 'tokens.malformed', failure }
      default:
        return { type: 'code.refused', failure }
    }
  },
})

/** Verifies that the issuer signed the id_token, if there is one. */
export const verifyIdToken = step({
  needs: ['provider', 'server', 'grant'],
  says: { 'id-token.verified': [], 'id-token.absent': [], 'id-token.invalid': ['failure'] },
  run({ provider, server, grant }, world) {
    if (grant.tokens.id_token === undefined) return { type: 'id-token.absent' }
    return verify(provider, server, grant.tokens, oauthContext(world)).then((answer) => {
      if (hasFailed(answer)) return { type: 'id-token.invalid', failure: explain(answer, provider.id) }
      return { type: answer.verified ? 'id-token.verified' : 'id-token.absent' }
    })
  },
})

/** Learns who it is: from the id_token, or from the userinfo endpoint. */
export const readProfile = step({
  needs: ['provider', 'server', 'grant', 'judgedResponse'],
  says: { 'profile.read': ['profile'], 'profile.unusable': ['failure'] },
  async run({ provider, server, grant, judgedResponse }, world) {
    const answer = await read(provider, server, grant, judgedResponse, oauthContext(world))
    if (hasFailed(answer)) return { type: 'profile.unusable', failure: explain(answer, provider.id) }
    return { type: 'profile.read', profile: answer.profile }
  },
})

/** Makes user and account of the profile; its id has to be usable. */
export const mapProfile = step({
  needs: ['provider', 'profile', 'grant'],
  says: { 'profile.mapped': ['candidate', 'account'], 'profile.unusable': ['failure'] },
  async run({ provider, profile, grant }, { platform, logger }) {
    const help = { platform, canonicaliseEmail: canonicaliseClaim }
    const mapped = await map(provider, profile, grant.tokens, help)
    if (hasFailed(mapped))
      return {
        type: 'profile.unusable',
        failure: new OAuthProfileParseError(mapped.failed.error, { provider: provider.id }),
      }
    const { candidate, account, emailRefused } = mapped
    if (emailRefused)
      logger.error(
        new OAuthProfileParseError('The profile has an e-mail address that is none; it is left out'),
      )
    return { type: 'profile.mapped', candidate, account }
  },
})
