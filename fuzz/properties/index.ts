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
import { cookieEndsProperties } from './cookie-ends.ts'
import { cookieLeftoverProperties } from './cookie-leftovers.ts'
import { cookieNameProperties } from './cookie-names.ts'
import { cookieProperties } from './cookies.ts'
import { csrfProperties } from './csrf.ts'
import { declaredUrlProperties } from './declared-urls.ts'
import { eventsContractProperties } from './events-contract.ts'
import { explicitActionProperties } from './explicit-actions.ts'
import { faultProperties } from './faults.ts'
import { halfDoneProperties } from './half-done.ts'
import { headerInjectionProperties } from './header-injection.ts'
import { hookFaultProperties } from './hook-faults.ts'
import { hostProperties } from './hosts.ts'
import { identityKeysProperties } from './identity-keys.ts'
import { identityResponseProperties } from './identity-responses.ts'
import { identitySubjectProperties } from './identity-subjects.ts'
import { identityTokenProperties } from './identity-tokens.ts'
import { insecureEndpointProperties } from './insecure-endpoints.ts'
import { journeyProperties } from './journeys.ts'
import { jwtAnswerProperties } from './jwt-answers.ts'
import { leakProperties } from './leaks.ts'
import { ledBackProperties } from './led-back.ts'
import { likeAddressProperties } from './like-addresses.ts'
import { limitProperties } from './limits.ts'
import { linkProofProperties } from './link-proofs.ts'
import { linkTokenProperties } from './link-tokens.ts'
import { linkingProperties } from './linking.ts'
import { linkProperties } from './links.ts'
import { metamorphicProperties } from './metamorphic.ts'
import { methodsProperties } from './methods.ts'
import { mixUpProperties } from './mix-up.ts'
import { neighbourProperties } from './neighbours.ts'
import { pathProperties } from './paths.ts'
import { preparedUserProperties } from './prepared-users.ts'
import { provenAddressProperties } from './proven-addresses.ts'
import { providerErrorsProperties } from './provider-errors.ts'
import { providerFaultProperties } from './provider-faults.ts'
import { raceProperties } from './races.ts'
import { redirectAnswerProperties } from './redirect-answers.ts'
import { redirectCallbackProperties } from './redirect-callback.ts'
import { redirectCookiesProperties } from './redirect-cookies.ts'
import { redirectFaultProperties } from './redirect-faults.ts'
import { redirectProxyProperties } from './redirect-proxy.ts'
import { redirectSecretsProperties } from './redirect-secrets.ts'
import { redirectProperties } from './redirects.ts'
import { requestProperties } from './requests.ts'
import { responseHeaderProperties } from './response-headers.ts'
import { responseProperties } from './responses.ts'
import { rotationProperties } from './rotation.ts'
import { serviceProperties } from './services.ts'
import { sessionCallbackProperties } from './session-callbacks.ts'
import { sessionDataProperties } from './session-data.ts'
import { sessionEndProperties } from './session-end.ts'
import { sessionExpiredProperties } from './session-expired.ts'
import { sessionIdsProperties } from './session-ids.ts'
import { sessionIssueProperties } from './session-issue.ts'
import { sessionLifeProperties } from './session-life.ts'
import { sessionMaxAgeProperties } from './session-max-age.ts'
import { sessionRaceProperties } from './session-races.ts'
import { sessionReadersProperties } from './session-readers.ts'
import { sessionStrategiesProperties } from './session-strategies.ts'
import { shownProperties } from './shown.ts'
import { storeOperationProperties } from './store-operations.ts'
import { storedExpiryProperties } from './stored-expiry.ts'
import { strangeTokensProperties } from './strange-tokens.ts'
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
import { webauthnProperties } from './webauthn.ts'
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
import type { Property } from './property.ts'

/** Properties by theme, which is the name of their file. */
const themes: Readonly<Record<string, readonly Property[]>> = {
  accounts: accountProperties,
  'address-paths': addressPathProperties,
  addresses: addressProperties,
  caches: cacheProperties,
  'callback-contract': callbackContractProperties,
  'callback-profiles': callbackProfileProperties,
  configuration: configurationProperties,
  'configured-defaults': configuredDefaultProperties,
  'confirmed-links': confirmedLinkProperties,
  confusions: confusionProperties,
  'cookie-chunks': cookieChunkProperties,
  'cookie-ends': cookieEndsProperties,
  'cookie-leftovers': cookieLeftoverProperties,
  'cookie-names': cookieNameProperties,
  cookies: cookieProperties,
  csrf: csrfProperties,
  'declared-urls': declaredUrlProperties,
  'events-contract': eventsContractProperties,
  'explicit-actions': explicitActionProperties,
  faults: faultProperties,
  'half-done': halfDoneProperties,
  'header-injection': headerInjectionProperties,
  'hook-faults': hookFaultProperties,
  hosts: hostProperties,
  'identity-keys': identityKeysProperties,
  'identity-responses': identityResponseProperties,
  'identity-subjects': identitySubjectProperties,
  'identity-tokens': identityTokenProperties,
  'insecure-endpoints': insecureEndpointProperties,
  journeys: journeyProperties,
  'jwt-answers': jwtAnswerProperties,
  leaks: leakProperties,
  'led-back': ledBackProperties,
  'like-addresses': likeAddressProperties,
  limits: limitProperties,
  'link-proofs': linkProofProperties,
  'link-tokens': linkTokenProperties,
  linking: linkingProperties,
  links: linkProperties,
  metamorphic: metamorphicProperties,
  methods: methodsProperties,
  'mix-up': mixUpProperties,
  neighbours: neighbourProperties,
  paths: pathProperties,
  'prepared-users': preparedUserProperties,
  'proven-addresses': provenAddressProperties,
  'provider-errors': providerErrorsProperties,
  'provider-faults': providerFaultProperties,
  races: raceProperties,
  'redirect-answers': redirectAnswerProperties,
  'redirect-callback': redirectCallbackProperties,
  'redirect-cookies': redirectCookiesProperties,
  'redirect-faults': redirectFaultProperties,
  'redirect-proxy': redirectProxyProperties,
  'redirect-secrets': redirectSecretsProperties,
  redirects: redirectProperties,
  requests: requestProperties,
  'response-headers': responseHeaderProperties,
  responses: responseProperties,
  rotation: rotationProperties,
  services: serviceProperties,
  'session-callbacks': sessionCallbackProperties,
  'session-data': sessionDataProperties,
  'session-end': sessionEndProperties,
  'session-expired': sessionExpiredProperties,
  'session-ids': sessionIdsProperties,
  'session-issue': sessionIssueProperties,
  'session-life': sessionLifeProperties,
  'session-max-age': sessionMaxAgeProperties,
  'session-races': sessionRaceProperties,
  'session-readers': sessionReadersProperties,
  'session-strategies': sessionStrategiesProperties,
  shown: shownProperties,
  'store-operations': storeOperationProperties,
  'stored-expiry': storedExpiryProperties,
  'strange-tokens': strangeTokensProperties,
  'target-cookies': targetCookieProperties,
  tenants: tenantProperties,
  'throwing-hooks': throwingHookProperties,
  'token-contents': tokenContentProperties,
  'token-headers': tokenHeaderProperties,
  'token-keys': tokenKeyProperties,
  'token-lifetimes': tokenLifetimeProperties,
  'token-reading': tokenReadingProperties,
  tokens: tokenProperties,
  transactions: transactionProperties,
  userinfo: userinfoProperties,
  webauthn: webauthnProperties,
  'webauthn-addresses': webauthnAddressProperties,
  'webauthn-askers': webauthnAskerProperties,
  'webauthn-challenges': webauthnChallengeProperties,
  'webauthn-configuration': webauthnConfigurationProperties,
  'webauthn-counters': webauthnCounterProperties,
  'webauthn-faults': webauthnFaultProperties,
  'webauthn-forms': webauthnFormProperties,
  'webauthn-known': webauthnKnownProperties,
  'webauthn-owners': webauthnOwnerProperties,
  'webauthn-registration': webauthnRegistrationProperties,
  'webauthn-rows': webauthnRowProperties,
}

/** All there are. */
export const properties: readonly Property[] = Object.values(themes).flat()

/** @throws {Error} when there is none of that name */
export function findProperty(name: string): Property {
  const found = properties.find((property) => property.name === name)
  if (!found) throw new Error(`There is no property called "${name}"`)
  return found
}

/** The theme of a property, which `loadProperty` needs. @throws {Error} when there is none of that name */
export function findTheme(name: string): string {
  const property = findProperty(name)
  return Object.keys(themes).find((theme) => themes[theme]?.includes(property)) ?? ''
}
