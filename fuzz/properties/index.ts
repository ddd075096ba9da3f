import type { Property } from './property.ts'
import { accountProperties } from './accounts.ts'
import { addressPathProperties } from './address-paths.ts'
import { addressProperties } from './addresses.ts'
import { cacheProperties } from './caches.ts'
import { callbackContractProperties } from './callback-contract.ts'
import { callbackProfileProperties } from './callback-profiles.ts'
import { configurationProperties } from './configuration.ts'
import { configuredDefaultProperties } from './configured-defaults.ts'
import { confirmedLinkProperties } from './confirmed-links.ts'
import { confusionProperties } from './confusions.ts'
import { cookieChunkProperties } from './cookie-chunks.ts'
import { cookieLeftoverProperties } from './cookie-leftovers.ts'
import { cookieNameProperties } from './cookie-names.ts'
import { cookieEndsProperties } from './cookie-ends.ts'
import { cookieProperties } from './cookies.ts'
import { csrfProperties } from './csrf.ts'
import { eventsContractProperties } from './events-contract.ts'
import { explicitActionProperties } from './explicit-actions.ts'
import { faultProperties } from './faults.ts'
import { halfDoneProperties } from './half-done.ts'
import { headerInjectionProperties } from './header-injection.ts'
import { hookFaultProperties } from './hook-faults.ts'
import { hostProperties } from './hosts.ts'
import { identityResponseProperties } from './identity-responses.ts'
import { identitySubjectProperties } from './identity-subjects.ts'
import { identityKeysProperties } from './identity-keys.ts'
import { identityTokenProperties } from './identity-tokens.ts'
import { insecureEndpointProperties } from './insecure-endpoints.ts'
import { journeyProperties } from './journeys.ts'
import { jwtAnswerProperties } from './jwt-answers.ts'
import { leakProperties } from './leaks.ts'
import { likeAddressProperties } from './like-addresses.ts'
import { limitProperties } from './limits.ts'
import { linkProofProperties } from './link-proofs.ts'
import { linkTokenProperties } from './link-tokens.ts'
import { linkingProperties } from './linking.ts'
import { linkProperties } from './links.ts'
import { metamorphicProperties } from './metamorphic.ts'
import { mixUpProperties } from './mix-up.ts'
import { neighbourProperties } from './neighbours.ts'
import { methodsProperties } from './methods.ts'
import { pathProperties } from './paths.ts'
import { providerFaultProperties } from './provider-faults.ts'
import { provenAddressProperties } from './proven-addresses.ts'
import { raceProperties } from './races.ts'
import { redirectAnswerProperties } from './redirect-answers.ts'
import { redirectCookiesProperties } from './redirect-cookies.ts'
import { redirectCallbackProperties } from './redirect-callback.ts'
import { redirectSecretsProperties } from './redirect-secrets.ts'
import { redirectFaultProperties } from './redirect-faults.ts'
import { redirectProxyProperties } from './redirect-proxy.ts'
import { redirectProperties } from './redirects.ts'
import { requestProperties } from './requests.ts'
import { responseHeaderProperties } from './response-headers.ts'
import { providerErrorsProperties } from './provider-errors.ts'
import { responseProperties } from './responses.ts'
import { rotationProperties } from './rotation.ts'
import { serviceProperties } from './services.ts'
import { sessionCallbackProperties } from './session-callbacks.ts'
import { sessionIdsProperties } from './session-ids.ts'
import { sessionMaxAgeProperties } from './session-max-age.ts'
import { sessionStrategiesProperties } from './session-strategies.ts'
import { sessionReadersProperties } from './session-readers.ts'
import { sessionDataProperties } from './session-data.ts'
import { strangeTokensProperties } from './strange-tokens.ts'
import { sessionEndProperties } from './session-end.ts'
import { sessionIssueProperties } from './session-issue.ts'
import { sessionExpiredProperties } from './session-expired.ts'
import { sessionLifeProperties } from './session-life.ts'
import { sessionRaceProperties } from './session-races.ts'
import { shownProperties } from './shown.ts'
import { storeOperationProperties } from './store-operations.ts'
import { storedExpiryProperties } from './stored-expiry.ts'
import { targetCookieProperties } from './target-cookies.ts'
import { tenantProperties } from './tenants.ts'
import { throwingHookProperties } from './throwing-hooks.ts'
import { tokenContentProperties } from './token-contents.ts'
import { tokenHeaderProperties } from './token-headers.ts'
import { tokenKeyProperties } from './token-keys.ts'
import { tokenLifetimeProperties } from './token-lifetimes.ts'
import { tokenReadingProperties } from './token-reading.ts'
import { tokenProperties } from './tokens.ts'
import { transactionProperties } from './transactions.ts'
import { userinfoProperties } from './userinfo.ts'
import { webauthnAddressProperties } from './webauthn-addresses.ts'
import { webauthnAskerProperties } from './webauthn-askers.ts'
import { webauthnChallengeProperties } from './webauthn-challenges.ts'
import { webauthnConfigurationProperties } from './webauthn-configuration.ts'
import { webauthnCounterProperties } from './webauthn-counters.ts'
import { webauthnFaultProperties } from './webauthn-faults.ts'
import { webauthnFormProperties } from './webauthn-forms.ts'
import { webauthnKnownProperties } from './webauthn-known.ts'
import { webauthnOwnerProperties } from './webauthn-owners.ts'
import { webauthnRegistrationProperties } from './webauthn-registration.ts'
import { webauthnRowProperties } from './webauthn-rows.ts'
import { webauthnProperties } from './webauthn.ts'

/** All there are. */
export const properties: readonly Property[] = [
  ...accountProperties,
  ...addressPathProperties,
  ...likeAddressProperties,
  ...provenAddressProperties,
  ...addressProperties,
  ...cacheProperties,
  ...callbackContractProperties,
  ...callbackProfileProperties,
  ...configurationProperties,
  ...configuredDefaultProperties,
  ...confirmedLinkProperties,
  ...confusionProperties,
  ...cookieChunkProperties,
  ...cookieLeftoverProperties,
  ...cookieNameProperties,
  ...cookieEndsProperties,
  ...cookieProperties,
  ...csrfProperties,
  ...eventsContractProperties,
  ...explicitActionProperties,
  ...faultProperties,
  ...halfDoneProperties,
  ...headerInjectionProperties,
  ...hookFaultProperties,
  ...hostProperties,
  ...identityResponseProperties,
  ...identitySubjectProperties,
  ...identityKeysProperties,
  ...identityTokenProperties,
  ...insecureEndpointProperties,
  ...journeyProperties,
  ...jwtAnswerProperties,
  ...leakProperties,
  ...limitProperties,
  ...linkTokenProperties,
  ...linkingProperties,
  ...linkProofProperties,
  ...linkProperties,
  ...metamorphicProperties,
  ...mixUpProperties,
  ...neighbourProperties,
  ...methodsProperties,
  ...pathProperties,
  ...providerFaultProperties,
  ...raceProperties,
  ...redirectAnswerProperties,
  ...redirectCookiesProperties,
  ...redirectCallbackProperties,
  ...redirectSecretsProperties,
  ...redirectFaultProperties,
  ...redirectProxyProperties,
  ...redirectProperties,
  ...requestProperties,
  ...responseHeaderProperties,
  ...providerErrorsProperties,
  ...responseProperties,
  ...rotationProperties,
  ...serviceProperties,
  ...sessionCallbackProperties,
  ...sessionIdsProperties,
  ...sessionMaxAgeProperties,
  ...sessionStrategiesProperties,
  ...sessionReadersProperties,
  ...sessionDataProperties,
  ...strangeTokensProperties,
  ...sessionEndProperties,
  ...sessionIssueProperties,
  ...sessionExpiredProperties,
  ...sessionLifeProperties,
  ...sessionRaceProperties,
  ...shownProperties,
  ...storeOperationProperties,
  ...storedExpiryProperties,
  ...targetCookieProperties,
  ...tenantProperties,
  ...throwingHookProperties,
  ...tokenContentProperties,
  ...tokenHeaderProperties,
  ...tokenKeyProperties,
  ...tokenLifetimeProperties,
  ...tokenReadingProperties,
  ...tokenProperties,
  ...transactionProperties,
  ...userinfoProperties,
  ...webauthnAddressProperties,
  ...webauthnAskerProperties,
  ...webauthnChallengeProperties,
  ...webauthnConfigurationProperties,
  ...webauthnCounterProperties,
  ...webauthnFaultProperties,
  ...webauthnFormProperties,
  ...webauthnKnownProperties,
  ...webauthnOwnerProperties,
  ...webauthnRegistrationProperties,
  ...webauthnRowProperties,
  ...webauthnProperties,
]

/** @throws {Error} when there is none of that name */
export function findProperty(name: string): Property {
  const found = properties.find((property) => property.name === name)
  if (!found) throw new Error(`There is no property called "${name}"`)
  return found
}
