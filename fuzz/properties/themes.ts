// Written by `npm run generated`.
import { accountChangeProperties } from './accounts/account-changes.ts'
import { accountPageProperties } from './accounts/account-page.ts'
import { endedAccessProperties } from './accounts/ended-access.ts'
import { firstChangeProperties } from './accounts/first-changes.ts'
import { toldChangeProperties } from './accounts/told-changes.ts'
import { waysToSignInProperties } from './accounts/ways-to-sign-in.ts'
import { askedAttemptProperties } from './callbacks/asked-attempts.ts'
import { callbackContractProperties } from './callbacks/callback-contract.ts'
import { callbackProfileProperties } from './callbacks/callback-profiles.ts'
import { countedValueProperties } from './callbacks/counted-values.ts'
import { eventsContractProperties } from './callbacks/events-contract.ts'
import { hookFaultProperties } from './callbacks/hook-faults.ts'
import { jwtResultProperties } from './callbacks/jwt-results.ts'
import { rateLimitProperties } from './callbacks/rate-limits.ts'
import { revocationCallbackProperties } from './callbacks/revocation-callback.ts'
import { sessionCallbackProperties } from './callbacks/session-callbacks.ts'
import { throttleProperties } from './callbacks/throttles.ts'
import { throwingHookProperties } from './callbacks/throwing-hooks.ts'
import { configurationProperties } from './configuration/configuration.ts'
import { configuredDefaultProperties } from './configuration/configured-defaults.ts'
import { changedScopeProperties } from './cookies/changed-scopes.ts'
import { cookieChunkProperties } from './cookies/chunks.ts'
import { cookieProperties } from './cookies/cookies.ts'
import { cookieEndsProperties } from './cookies/ends.ts'
import { cookieLeftoverProperties } from './cookies/leftovers.ts'
import { cookieNameProperties } from './cookies/names.ts'
import { responseHeaderProperties } from './cookies/response-headers.ts'
import { targetCookieProperties } from './cookies/target-cookies.ts'
import { describedAccountProperties } from './described/accounts.ts'
import { addedMemberProperties } from './described/added-members.ts'
import { backdoorProperties } from './described/backdoors.ts'
import { chosenNameProperties } from './described/chosen-names.ts'
import { describedCookieProperties } from './described/cookies.ts'
import { describedEndProperties } from './described/ends.ts'
import { exposureProperties } from './described/exposures.ts'
import { failedSignInProperties } from './described/failed-sign-ins.ts'
import { describedFailureProperties } from './described/failing-providers.ts'
import { forgedHeaderProperties } from './described/forged-headers.ts'
import { forgedSessionProperties } from './described/forged-sessions.ts'
import { describedFormProperties } from './described/forms.ts'
import { guessableTokenProperties } from './described/guessable-tokens.ts'
import { describedLeakProperties } from './described/leaks.ts'
import { describedLinkProperties } from './described/links.ts'
import { describedLogProperties } from './described/logs.ts'
import { mailedSessionProperties } from './described/mailed-sessions.ts'
import { describedMarkupProperties } from './described/markup.ts'
import { oddRequestProperties } from './described/odd-requests.ts'
import { describedRedirectProperties } from './described/redirects.ts'
import { describedResponseProperties } from './described/responses.ts'
import { returnPageProperties } from './described/return-pages.ts'
import { revalidatedPageProperties } from './described/revalidated-pages.ts'
import { describedSessionProperties } from './described/sessions.ts'
import { similarAccountProperties } from './described/similar-accounts.ts'
import { describedVisitorProperties } from './described/visitors.ts'
import { wrongSessionIdProperties } from './described/wrong-session-ids.ts'
import { addressPathProperties } from './email/address-paths.ts'
import { addressProperties } from './email/addresses.ts'
import { changedAddressProperties } from './email/changed-addresses.ts'
import { codeGuessProperties } from './email/code-guesses.ts'
import { codeProperties } from './email/codes.ts'
import { confirmedLinkProperties } from './email/confirmed-links.ts'
import { gainedAddressProperties } from './email/gained-addresses.ts'
import { laterProofProperties } from './email/later-proofs.ts'
import { linkProofProperties } from './email/link-proofs.ts'
import { linkRequestProperties } from './email/link-requests.ts'
import { linkTokenProperties } from './email/link-tokens.ts'
import { linkProperties } from './email/links.ts'
import { provenAddressProperties } from './email/proven-addresses.ts'
import { restoredTokenProperties } from './email/restored-tokens.ts'
import { similarAddressProperties } from './email/similar-addresses.ts'
import { supersededLinkProperties } from './email/superseded-links.ts'
import { takenAddressProperties } from './email/taken-addresses.ts'
import { deadlineProperties } from './faults/deadlines.ts'
import { faultProperties } from './faults/faults.ts'
import { incompleteProperties } from './faults/incomplete.ts'
import { isolationProperties } from './faults/isolation.ts'
import { managedFaultProperties } from './faults/managed-faults.ts'
import { providerFaultProperties } from './faults/provider-faults.ts'
import { raceProperties } from './faults/races.ts'
import { storeOperationProperties } from './faults/store-operations.ts'
import { gateProperties } from './features/gates.ts'
import { heldSignInProperties } from './features/held-sign-ins.ts'
import { bodyPrototypeProperties } from './http/body-prototypes.ts'
import { bodyStreamProperties } from './http/body-streams.ts'
import { confusionProperties } from './http/confusions.ts'
import { csrfProperties } from './http/csrf.ts'
import { declaredUrlProperties } from './http/declared-urls.ts'
import { duplicateMemberProperties } from './http/duplicate-members.ts'
import { endlessBodyProperties } from './http/endless-bodies.ts'
import { formCsrfProperties } from './http/form-csrf.ts'
import { headerInjectionProperties } from './http/header-injection.ts'
import { hostProperties } from './http/hosts.ts'
import { limitProperties } from './http/limits.ts'
import { methodsProperties } from './http/methods.ts'
import { nestedJsonProperties } from './http/nested-json.ts'
import { pathProperties } from './http/paths.ts'
import { appleProperties } from './identity/apple.ts'
import { authenticationAgeProperties } from './identity/authentication-age.ts'
import { cacheProperties } from './identity/caches.ts'
import { insecureEndpointProperties } from './identity/insecure-endpoints.ts'
import { identityKeysProperties } from './identity/keys.ts'
import { identityResponseProperties } from './identity/responses.ts'
import { serviceProperties } from './identity/services.ts'
import { identitySubjectProperties } from './identity/subjects.ts'
import { tenantProperties } from './identity/tenants.ts'
import { tokenContentProperties } from './identity/token-contents.ts'
import { tokenHeaderProperties } from './identity/token-headers.ts'
import { identityTokenProperties } from './identity/tokens.ts'
import { userinfoProperties } from './identity/userinfo.ts'
import { leakProperties } from './leaks/leaks.ts'
import { logProperties } from './leaks/logs.ts'
import { pageProperties } from './leaks/pages.ts'
import { storeCallProperties } from './leaks/store-calls.ts'
import { visitorProperties } from './leaks/visitors.ts'
import { accountProperties } from './linking/accounts.ts'
import { linkingProperties } from './linking/linking.ts'
import { preparedUserProperties } from './linking/prepared-users.ts'
import { requestedLinkProperties } from './linking/requested-links.ts'
import { tokenOwnerProperties } from './linking/token-owners.ts'
import { journeyProperties } from './models/journeys.ts'
import { metamorphicProperties } from './models/metamorphic.ts'
import { webauthnAddressProperties } from './passkeys/addresses.ts'
import { webauthnAttestationProperties } from './passkeys/attestations.ts'
import { webauthnProperties } from './passkeys/ceremonies.ts'
import { webauthnChallengeProperties } from './passkeys/challenges.ts'
import { webauthnConfigurationProperties } from './passkeys/configuration.ts'
import { webauthnCounterProperties } from './passkeys/counters.ts'
import { passkeyDisclosureProperties } from './passkeys/disclosure.ts'
import { webauthnFaultProperties } from './passkeys/faults.ts'
import { webauthnFormProperties } from './passkeys/forms.ts'
import { webauthnHandleProperties } from './passkeys/handles.ts'
import { webauthnKnownProperties } from './passkeys/known.ts'
import { webauthnOverlapProperties } from './passkeys/overlaps.ts'
import { webauthnOwnerProperties } from './passkeys/owners.ts'
import { webauthnRegistrationProperties } from './passkeys/registration.ts'
import { webauthnRequesterProperties } from './passkeys/requesters.ts'
import { webauthnRowProperties } from './passkeys/rows.ts'
import { passwordLinkProperties } from './passwords/links.ts'
import { passwordProperties } from './passwords/passwords.ts'
import { passwordRequestProperties } from './passwords/requests.ts'
import { passwordUpgradeProperties } from './passwords/upgrades.ts'
import { redirectCallbackProperties } from './redirects/callback.ts'
import { redirectCookiesProperties } from './redirects/cookies.ts'
import { redirectFaultProperties } from './redirects/faults.ts'
import { redirectProperties } from './redirects/redirects.ts'
import { redirectResultProperties } from './redirects/results.ts'
import { returnTargetProperties } from './redirects/return-targets.ts'
import { redirectSecretsProperties } from './redirects/secrets.ts'
import { factorChangeProperties } from './second-factor/changes.ts'
import { factorCodeProperties } from './second-factor/codes.ts'
import { overtakenCodeProperties } from './second-factor/overtaken-codes.ts'
import { passkeyFactorProperties } from './second-factor/passkeys.ts'
import { policyProperties } from './second-factor/policy.ts'
import { requiredSessionProperties } from './second-factor/required-sessions.ts'
import { factorSecretProperties } from './second-factor/secrets.ts'
import { stepUpProperties } from './second-factor/step-ups.ts'
import { factorTimeProperties } from './second-factor/times.ts'
import { waitingSignInProperties } from './second-factor/waiting-sign-ins.ts'
import { weakSessionProperties } from './second-factor/weak-sessions.ts'
import { absoluteLifetimeProperties } from './sessions/absolute-lifetime.ts'
import { sessionDataProperties } from './sessions/data.ts'
import { disabledUserProperties } from './sessions/disabled-users.ts'
import { sessionEndProperties } from './sessions/end.ts'
import { endedLaterProperties } from './sessions/ended-later.ts'
import { sessionExpiredProperties } from './sessions/expired.ts'
import { forgedLogoutProperties } from './sessions/forged-logouts.ts'
import { sessionIdsProperties } from './sessions/ids.ts'
import { sessionIssueProperties } from './sessions/issue.ts'
import { legacyTokenProperties } from './sessions/legacy-tokens.ts'
import { sessionLifeProperties } from './sessions/life.ts'
import { sessionMaxAgeProperties } from './sessions/max-age.ts'
import { providerLogoutProperties } from './sessions/provider-logouts.ts'
import { sessionRaceProperties } from './sessions/races.ts'
import { sessionReadersProperties } from './sessions/readers.ts'
import { storedExpiryProperties } from './sessions/stored-expiry.ts'
import { strangeTokensProperties } from './sessions/strange-tokens.ts'
import { sessionStrategiesProperties } from './sessions/strategies.ts'
import { audienceProperties } from './tokens/audience.ts'
import { tokenKeyProperties } from './tokens/keys.ts'
import { tokenLifetimeProperties } from './tokens/lifetimes.ts'
import { tokenReadingProperties } from './tokens/reading.ts'
import { refreshOverlapProperties } from './tokens/refresh-overlaps.ts'
import { refreshTimeProperties } from './tokens/refresh-times.ts'
import { refreshProperties } from './tokens/refresh.ts'
import { rotationProperties } from './tokens/rotation.ts'
import { tokenProperties } from './tokens/tokens.ts'
import { explicitActionProperties } from './transactions/explicit-actions.ts'
import { mixUpProperties } from './transactions/mix-up.ts'
import { parallelSignInProperties } from './transactions/parallel-sign-ins.ts'
import { providerErrorsProperties } from './transactions/provider-errors.ts'
import { pushedRequestProperties } from './transactions/pushed-requests.ts'
import { redirectProxyProperties } from './transactions/redirect-proxy.ts'
import { requestProperties } from './transactions/requests.ts'
import { responseProperties } from './transactions/responses.ts'
import { transactionProperties } from './transactions/transactions.ts'
import { unaskedResponseProperties } from './transactions/unasked-responses.ts'
import { verifierProperties } from './transactions/verifiers.ts'
import type { Property } from './property.ts'

/** Properties by theme, which is the path of their file. */
export const themes: Readonly<Record<string, readonly Property[]>> = {
  'accounts/account-changes': accountChangeProperties,
  'accounts/account-page': accountPageProperties,
  'accounts/ended-access': endedAccessProperties,
  'accounts/first-changes': firstChangeProperties,
  'accounts/told-changes': toldChangeProperties,
  'accounts/ways-to-sign-in': waysToSignInProperties,
  'callbacks/asked-attempts': askedAttemptProperties,
  'callbacks/callback-contract': callbackContractProperties,
  'callbacks/callback-profiles': callbackProfileProperties,
  'callbacks/counted-values': countedValueProperties,
  'callbacks/events-contract': eventsContractProperties,
  'callbacks/hook-faults': hookFaultProperties,
  'callbacks/jwt-results': jwtResultProperties,
  'callbacks/rate-limits': rateLimitProperties,
  'callbacks/revocation-callback': revocationCallbackProperties,
  'callbacks/session-callbacks': sessionCallbackProperties,
  'callbacks/throttles': throttleProperties,
  'callbacks/throwing-hooks': throwingHookProperties,
  'configuration/configuration': configurationProperties,
  'configuration/configured-defaults': configuredDefaultProperties,
  'cookies/changed-scopes': changedScopeProperties,
  'cookies/chunks': cookieChunkProperties,
  'cookies/cookies': cookieProperties,
  'cookies/ends': cookieEndsProperties,
  'cookies/leftovers': cookieLeftoverProperties,
  'cookies/names': cookieNameProperties,
  'cookies/response-headers': responseHeaderProperties,
  'cookies/target-cookies': targetCookieProperties,
  'described/accounts': describedAccountProperties,
  'described/added-members': addedMemberProperties,
  'described/backdoors': backdoorProperties,
  'described/chosen-names': chosenNameProperties,
  'described/cookies': describedCookieProperties,
  'described/ends': describedEndProperties,
  'described/exposures': exposureProperties,
  'described/failed-sign-ins': failedSignInProperties,
  'described/failing-providers': describedFailureProperties,
  'described/forged-headers': forgedHeaderProperties,
  'described/forged-sessions': forgedSessionProperties,
  'described/forms': describedFormProperties,
  'described/guessable-tokens': guessableTokenProperties,
  'described/leaks': describedLeakProperties,
  'described/links': describedLinkProperties,
  'described/logs': describedLogProperties,
  'described/mailed-sessions': mailedSessionProperties,
  'described/markup': describedMarkupProperties,
  'described/odd-requests': oddRequestProperties,
  'described/redirects': describedRedirectProperties,
  'described/responses': describedResponseProperties,
  'described/return-pages': returnPageProperties,
  'described/revalidated-pages': revalidatedPageProperties,
  'described/sessions': describedSessionProperties,
  'described/similar-accounts': similarAccountProperties,
  'described/visitors': describedVisitorProperties,
  'described/wrong-session-ids': wrongSessionIdProperties,
  'email/address-paths': addressPathProperties,
  'email/addresses': addressProperties,
  'email/changed-addresses': changedAddressProperties,
  'email/code-guesses': codeGuessProperties,
  'email/codes': codeProperties,
  'email/confirmed-links': confirmedLinkProperties,
  'email/gained-addresses': gainedAddressProperties,
  'email/later-proofs': laterProofProperties,
  'email/link-proofs': linkProofProperties,
  'email/link-requests': linkRequestProperties,
  'email/link-tokens': linkTokenProperties,
  'email/links': linkProperties,
  'email/proven-addresses': provenAddressProperties,
  'email/restored-tokens': restoredTokenProperties,
  'email/similar-addresses': similarAddressProperties,
  'email/superseded-links': supersededLinkProperties,
  'email/taken-addresses': takenAddressProperties,
  'faults/deadlines': deadlineProperties,
  'faults/faults': faultProperties,
  'faults/incomplete': incompleteProperties,
  'faults/isolation': isolationProperties,
  'faults/managed-faults': managedFaultProperties,
  'faults/provider-faults': providerFaultProperties,
  'faults/races': raceProperties,
  'faults/store-operations': storeOperationProperties,
  'features/gates': gateProperties,
  'features/held-sign-ins': heldSignInProperties,
  'http/body-prototypes': bodyPrototypeProperties,
  'http/body-streams': bodyStreamProperties,
  'http/confusions': confusionProperties,
  'http/csrf': csrfProperties,
  'http/declared-urls': declaredUrlProperties,
  'http/duplicate-members': duplicateMemberProperties,
  'http/endless-bodies': endlessBodyProperties,
  'http/form-csrf': formCsrfProperties,
  'http/header-injection': headerInjectionProperties,
  'http/hosts': hostProperties,
  'http/limits': limitProperties,
  'http/methods': methodsProperties,
  'http/nested-json': nestedJsonProperties,
  'http/paths': pathProperties,
  'identity/apple': appleProperties,
  'identity/authentication-age': authenticationAgeProperties,
  'identity/caches': cacheProperties,
  'identity/insecure-endpoints': insecureEndpointProperties,
  'identity/keys': identityKeysProperties,
  'identity/responses': identityResponseProperties,
  'identity/services': serviceProperties,
  'identity/subjects': identitySubjectProperties,
  'identity/tenants': tenantProperties,
  'identity/token-contents': tokenContentProperties,
  'identity/token-headers': tokenHeaderProperties,
  'identity/tokens': identityTokenProperties,
  'identity/userinfo': userinfoProperties,
  'leaks/leaks': leakProperties,
  'leaks/logs': logProperties,
  'leaks/pages': pageProperties,
  'leaks/store-calls': storeCallProperties,
  'leaks/visitors': visitorProperties,
  'linking/accounts': accountProperties,
  'linking/linking': linkingProperties,
  'linking/prepared-users': preparedUserProperties,
  'linking/requested-links': requestedLinkProperties,
  'linking/token-owners': tokenOwnerProperties,
  'models/journeys': journeyProperties,
  'models/metamorphic': metamorphicProperties,
  'passkeys/addresses': webauthnAddressProperties,
  'passkeys/attestations': webauthnAttestationProperties,
  'passkeys/ceremonies': webauthnProperties,
  'passkeys/challenges': webauthnChallengeProperties,
  'passkeys/configuration': webauthnConfigurationProperties,
  'passkeys/counters': webauthnCounterProperties,
  'passkeys/disclosure': passkeyDisclosureProperties,
  'passkeys/faults': webauthnFaultProperties,
  'passkeys/forms': webauthnFormProperties,
  'passkeys/handles': webauthnHandleProperties,
  'passkeys/known': webauthnKnownProperties,
  'passkeys/overlaps': webauthnOverlapProperties,
  'passkeys/owners': webauthnOwnerProperties,
  'passkeys/registration': webauthnRegistrationProperties,
  'passkeys/requesters': webauthnRequesterProperties,
  'passkeys/rows': webauthnRowProperties,
  'passwords/links': passwordLinkProperties,
  'passwords/passwords': passwordProperties,
  'passwords/requests': passwordRequestProperties,
  'passwords/upgrades': passwordUpgradeProperties,
  'redirects/callback': redirectCallbackProperties,
  'redirects/cookies': redirectCookiesProperties,
  'redirects/faults': redirectFaultProperties,
  'redirects/redirects': redirectProperties,
  'redirects/results': redirectResultProperties,
  'redirects/return-targets': returnTargetProperties,
  'redirects/secrets': redirectSecretsProperties,
  'second-factor/changes': factorChangeProperties,
  'second-factor/codes': factorCodeProperties,
  'second-factor/overtaken-codes': overtakenCodeProperties,
  'second-factor/passkeys': passkeyFactorProperties,
  'second-factor/policy': policyProperties,
  'second-factor/required-sessions': requiredSessionProperties,
  'second-factor/secrets': factorSecretProperties,
  'second-factor/step-ups': stepUpProperties,
  'second-factor/times': factorTimeProperties,
  'second-factor/waiting-sign-ins': waitingSignInProperties,
  'second-factor/weak-sessions': weakSessionProperties,
  'sessions/absolute-lifetime': absoluteLifetimeProperties,
  'sessions/data': sessionDataProperties,
  'sessions/disabled-users': disabledUserProperties,
  'sessions/end': sessionEndProperties,
  'sessions/ended-later': endedLaterProperties,
  'sessions/expired': sessionExpiredProperties,
  'sessions/forged-logouts': forgedLogoutProperties,
  'sessions/ids': sessionIdsProperties,
  'sessions/issue': sessionIssueProperties,
  'sessions/legacy-tokens': legacyTokenProperties,
  'sessions/life': sessionLifeProperties,
  'sessions/max-age': sessionMaxAgeProperties,
  'sessions/provider-logouts': providerLogoutProperties,
  'sessions/races': sessionRaceProperties,
  'sessions/readers': sessionReadersProperties,
  'sessions/stored-expiry': storedExpiryProperties,
  'sessions/strange-tokens': strangeTokensProperties,
  'sessions/strategies': sessionStrategiesProperties,
  'tokens/audience': audienceProperties,
  'tokens/keys': tokenKeyProperties,
  'tokens/lifetimes': tokenLifetimeProperties,
  'tokens/reading': tokenReadingProperties,
  'tokens/refresh-overlaps': refreshOverlapProperties,
  'tokens/refresh-times': refreshTimeProperties,
  'tokens/refresh': refreshProperties,
  'tokens/rotation': rotationProperties,
  'tokens/tokens': tokenProperties,
  'transactions/explicit-actions': explicitActionProperties,
  'transactions/mix-up': mixUpProperties,
  'transactions/parallel-sign-ins': parallelSignInProperties,
  'transactions/provider-errors': providerErrorsProperties,
  'transactions/pushed-requests': pushedRequestProperties,
  'transactions/redirect-proxy': redirectProxyProperties,
  'transactions/requests': requestProperties,
  'transactions/responses': responseProperties,
  'transactions/transactions': transactionProperties,
  'transactions/unasked-responses': unaskedResponseProperties,
  'transactions/verifiers': verifierProperties,
}
