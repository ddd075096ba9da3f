import {
  type AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfig,
  MissingWebAuthnAutocomplete,
} from '../errors.ts'
import type { AuthConfig } from '../types/config.ts'
import type { SimpleWebAuthn, WebAuthnConfig } from '../types/provider.ts'
import type { Settings } from './settings.ts'

const functions = [
  'generateAuthenticationOptions',
  'generateRegistrationOptions',
  'verifyAuthenticationResponse',
  'verifyRegistrationResponse',
] as const satisfies readonly (keyof SimpleWebAuthn)[]

/** The first thing that is wrong with the WebAuthn providers; undefined when nothing is. */
export function checkWebAuthn({ experimental }: AuthConfig, { providers }: Settings): AuthError | undefined {
  const configs = [...providers.values()].flatMap(({ kind, config }) => (kind === 'webauthn' ? [config] : []))
  if (configs.length > 0 && !experimental?.enableWebAuthn)
    return new ExperimentalFeatureNotEnabled('WebAuthn providers need experimental.enableWebAuthn')
  for (const config of configs) {
    const fault = checkOne(config)
    if (fault) return fault
  }
  if (configs.filter(({ enableConditionalUI }) => enableConditionalUI).length > 1)
    return new DuplicateConditionalUI('Only one WebAuthn provider can have enableConditionalUI')
  return undefined
}

function checkOne({
  id,
  simpleWebAuthn,
  simpleWebAuthnBrowserVersion: version,
  enableConditionalUI,
  formFields,
}: WebAuthnConfig): AuthError | undefined {
  const missing = functions.find((name) => typeof simpleWebAuthn?.[name] !== 'function')
  if (missing) return new InvalidConfig(`Provider "${id}" needs a function simpleWebAuthn.${missing}`)
  if (version && !(typeof version === 'string' && /^v\d+(\.\d+){0,2}$/.test(version)))
    return new InvalidConfig(
      `simpleWebAuthnBrowserVersion of provider "${id}" is false or a version such as v14.0.0`,
    )
  const fields = Object.values(formFields ?? {})
  if (enableConditionalUI && !fields.some(({ autocomplete }) => String(autocomplete).includes('webauthn')))
    return new MissingWebAuthnAutocomplete(
      `Provider "${id}" with enableConditionalUI needs a form field whose autocomplete contains webauthn`,
    )
  return undefined
}
