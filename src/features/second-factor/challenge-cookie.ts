import { sealedCookie } from '../../token/sealed.ts'
import { type Challenge, challengePlace, readChallenge } from '../../webauthn/challenge.ts'

/** The challenge for a second factor, whose response does not sign anybody in without the first. */
interface FactorChallenge extends Challenge {
  /** Names the sign-in or the browser that the response is for. */
  readonly attempt: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** The challenge for a second factor. It has the same cookie, so that a browser has one challenge at a time. */
export const factorChallengeCookie = sealedCookie<
  FactorChallenge,
  'ceremony' | 'provider' | 'user' | 'attempt'
>({
  ...challengePlace,
  boundTo: ['ceremony', 'provider', 'user', 'attempt'],
  toClaims: ({ attempt, createdAt, ...challenge }) => ({ ...challenge, factor: { attempt, createdAt } }),
  read({ factor, ...claims }) {
    const challenge = readChallenge(claims)
    const { attempt, createdAt } = (factor ?? {}) as Partial<FactorChallenge>
    if (!challenge || typeof attempt !== 'string' || typeof createdAt !== 'number') return undefined
    return { ...challenge, attempt, createdAt }
  },
})
