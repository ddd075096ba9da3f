import type { OAuthSettings } from '../config/settings.ts'
import { AccountNotLinked, OAuthAccountNotLinked, type AuthError } from '../errors.ts'
import { isSameId } from '../session/stored.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { Profile, ProviderType } from '../types/records.ts'

/** How a sign-in of one type finds its user. */
interface LinkRule {
  /** May the account go to the user who is signed in? */
  readonly toCurrentUser: boolean
  /** May it go to the user who has the same e-mail address? */
  readonly toAddressee: 'never' | 'if-allowed' | 'always'
  readonly refusal: new (message: string) => AuthError
}

const oauthRule: LinkRule = {
  toCurrentUser: true,
  toAddressee: 'if-allowed',
  refusal: OAuthAccountNotLinked,
}

/** One row a type; credentials keep no accounts. */
const rules: Readonly<Record<ProviderType, LinkRule>> = {
  oauth: oauthRule,
  oidc: oauthRule,
  webauthn: { toCurrentUser: true, toAddressee: 'never', refusal: AccountNotLinked },
  email: { toCurrentUser: false, toAddressee: 'always', refusal: AccountNotLinked },
  credentials: { toCurrentUser: false, toAddressee: 'never', refusal: AccountNotLinked },
}

export type LinkDecision =
  | { readonly kind: 'returning'; readonly member: AdapterUser }
  | { readonly kind: 'link'; readonly member: AdapterUser }
  | { readonly kind: 'new' }
  | { readonly kind: 'taken'; readonly failure: AuthError }

export interface LinkQuestion {
  readonly type: ProviderType
  readonly provider: Pick<OAuthSettings, 'allowDangerousEmailAccountLinking'>
  readonly profile?: Profile
  /** Whose account it is. */
  readonly owner?: AdapterUser
  /** Who is signed in, and was when the sign-in started. */
  readonly currentUser?: AdapterUser
  /** Whose e-mail address it is. */
  readonly addressee?: AdapterUser
}

/** Which user an account goes to (decision 19). An address counts only where the account is nobody's yet. */
export function decideLinkFor(question: LinkQuestion): LinkDecision {
  const { owner, addressee, type } = question
  const rule = rules[type]
  const currentUser = rule.toCurrentUser ? question.currentUser : undefined
  if (owner) {
    if (!currentUser || isSameId(owner.id, currentUser.id)) return { kind: 'returning', member: owner }
    return { kind: 'taken', failure: new rule.refusal('The account is already associated with another user') }
  }
  if (currentUser) return { kind: 'link', member: currentUser }
  if (!addressee) return { kind: 'new' }
  if (rule.toAddressee === 'always' || (rule.toAddressee === 'if-allowed' && mayLink(question)))
    return { kind: 'link', member: addressee }
  return {
    kind: 'taken',
    failure: new rule.refusal('Another account already exists with the same e-mail address'),
  }
}

/** Many providers do not send the claim, and some send it as text. Whatever else it says is not "verified". */
function mayLink({ provider, profile }: LinkQuestion): boolean {
  const verified: unknown = profile?.email_verified
  const isVerified = verified === undefined || verified === true || verified === 'true'
  return provider.allowDangerousEmailAccountLinking && isVerified
}

/** Does the provider say that the address is proven? One that says nothing does not. */
export function saysVerified(profile: Profile | undefined): boolean {
  const verified: unknown = profile?.email_verified
  return verified === true || verified === 'true'
}
