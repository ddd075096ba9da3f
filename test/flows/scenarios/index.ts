import { accountPageScenarios } from './account-page.ts'
import { accountPolicyScenarios } from './account-policy.ts'
import { heldChangeScenarios } from './held-changes.ts'
import { accountProtectionScenarios } from './account-protection.ts'
import type { Scenario } from '../scenario.ts'
import { secondFactorScenarios } from './second-factor.ts'
import { authorizationRequestScenarios } from './authorization-request.ts'
import { backchannelLogoutScenarios } from './backchannel-logout.ts'
import { credentialsScenarios } from './credentials.ts'
import { emailChangeRequestScenarios } from './email-change-requests.ts'
import { emailChangeScenarios } from './email-changes.ts'
import { emailRequestScenarios } from './email-request.ts'
import { emailVerificationScenarios } from './email-verification.ts'
import { mailCodeScenarios } from './mail-codes.ts'
import { openedElsewhereScenarios } from './opened-elsewhere.ts'
import { responseScenarios } from './responses.ts'
import { restoredTokenScenarios } from './restored-tokens.ts'
import { sessionScenarios } from './sessions.ts'
import { stampScenarios } from './stamps.ts'
import { firstProofScenarios } from './first-proofs.ts'
import { changedCookieScenarios } from './changed-cookies.ts'
import { formPostScenarios } from './form-post.ts'
import { gainedAddressScenarios } from './gained-addresses.ts'
import { signInScenarios } from './sign-in.ts'
import { unavailableProviderScenarios } from './unavailable-provider.ts'
import { transactionScenarios } from './transactions.ts'
import { proofOfOriginScenarios } from './proof-of-origin.ts'
import { redirectProxyScenarios } from './redirect-proxy.ts'
import { providerFaultScenarios } from './provider-faults.ts'
import { endpointScenarios } from './endpoints.ts'
import { providerOptionScenarios } from './provider-options.ts'
import { accountScenarios } from './accounts.ts'
import { accountTokenScenarios } from './account-tokens.ts'
import { providerLogoutScenarios } from './provider-logout.ts'
import { parallelSignInScenarios } from './parallel-sign-ins.ts'
import { rateLimitScenarios } from './rate-limits.ts'
import { refreshScenarios } from './refresh.ts'
import { refreshFaultScenarios } from './refresh-faults.ts'
import { absoluteLifetimeScenarios } from './absolute-lifetime.ts'
import { rememberMeScenarios } from './remember-me.ts'
import { revocationScenarios } from './revocation.ts'
import { identityScenarios } from './identities.ts'
import { linkingScenarios } from './linking.ts'
import { recognitionScenarios } from './recognition.ts'
import { outcomeScenarios } from './outcomes.ts'
import { firstSignInScenarios } from './first-sign-ins.ts'
import { storeFaultScenarios } from './store-faults.ts'
import { ownSignInPageScenarios } from './own-sign-in-page.ts'
import { redirectScenarios } from './redirects.ts'
import { webauthnScenarios } from './webauthn.ts'
import { unprovenAddressScenarios } from './unproven-addresses.ts'
import { unverifiedAddressScenarios } from './unverified-addresses.ts'
import { webauthnAnswerScenarios } from './webauthn-answers.ts'
import { webauthnChallengeScenarios } from './webauthn-challenges.ts'
import { webauthnEnrolmentScenarios } from './webauthn-enrolment.ts'
import { webauthnOptionsScenarios } from './webauthn-options.ts'
import { webauthnStoreScenarios } from './webauthn-stores.ts'
import { arrivalScenarios } from './arrivals.ts'
import { brokenHookScenarios } from './broken-hooks.ts'
import { canonicalOriginScenarios } from './canonical-origin.ts'
import { configurationScenarios } from './configurations.ts'
import { errorsShownScenarios } from './errors-shown.ts'
import { evenStoreCallScenarios } from './even-store-calls.ts'
import { mailAndPasswordScenarios } from './mail-and-passwords.ts'
import { passkeyFactorScenarios } from './passkey-factor.ts'
import { passwordScenarios } from './passwords.ts'
import { secretScenarios } from './secrets.ts'
import { smallStoreScenarios } from './small-stores.ts'
import { switchScenarios } from './switches.ts'

/** All scenarios, for the test run and for the mutants. */
export const scenarios: readonly Scenario[] = [
  ...authorizationRequestScenarios,
  ...backchannelLogoutScenarios,
  ...credentialsScenarios,
  ...emailChangeRequestScenarios,
  ...emailChangeScenarios,
  ...emailRequestScenarios,
  ...emailVerificationScenarios,
  ...mailCodeScenarios,
  ...openedElsewhereScenarios,
  ...changedCookieScenarios,
  ...formPostScenarios,
  ...responseScenarios,
  ...stampScenarios,
  ...sessionScenarios,
  ...signInScenarios,
  ...unavailableProviderScenarios,
  ...transactionScenarios,
  ...proofOfOriginScenarios,
  ...redirectProxyScenarios,
  ...providerFaultScenarios,
  ...endpointScenarios,
  ...providerOptionScenarios,
  ...accountScenarios,
  ...accountTokenScenarios,
  ...providerLogoutScenarios,
  ...parallelSignInScenarios,
  ...rateLimitScenarios,
  ...refreshScenarios,
  ...refreshFaultScenarios,
  ...rememberMeScenarios,
  ...absoluteLifetimeScenarios,
  ...revocationScenarios,
  ...identityScenarios,
  ...linkingScenarios,
  ...recognitionScenarios,
  ...outcomeScenarios,
  ...firstSignInScenarios,
  ...storeFaultScenarios,
  ...ownSignInPageScenarios,
  ...redirectScenarios,
  ...unprovenAddressScenarios,
  ...unverifiedAddressScenarios,
  ...gainedAddressScenarios,
  ...firstProofScenarios,
  ...webauthnScenarios,
  ...webauthnAnswerScenarios,
  ...webauthnChallengeScenarios,
  ...webauthnEnrolmentScenarios,
  ...webauthnOptionsScenarios,
  ...webauthnStoreScenarios,
  ...arrivalScenarios,
  ...accountPageScenarios,
  ...accountPolicyScenarios,
  ...heldChangeScenarios,
  ...accountProtectionScenarios,
  ...brokenHookScenarios,
  ...canonicalOriginScenarios,
  ...configurationScenarios,
  ...errorsShownScenarios,
  ...evenStoreCallScenarios,
  ...mailAndPasswordScenarios,
  ...passwordScenarios,
  ...restoredTokenScenarios,
  ...secondFactorScenarios,
  ...passkeyFactorScenarios,
  ...secretScenarios,
  ...smallStoreScenarios,
  ...switchScenarios,
]
