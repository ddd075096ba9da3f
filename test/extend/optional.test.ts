import { testFeature } from 'authmachine/extend/testing'
import { expect, it } from 'vitest'
import { deriveSettings } from '../../src/config/derive-settings.ts'
import { findOptional, listOptional } from '../../src/features/all.ts'
import { optionalActions } from '../../src/routes.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { codeProvider, everyFeature, passkeyProvider, passwordProvider } from '../support/every-option.ts'

const features = everyFeature()

it('no optional feature is on by default', () => {
  const settings = deriveSettings({ providers: [] }, {})
  expect(listOptional(settings)).toEqual([])
  expect(optionalActions.filter((action) => findOptional({ action }, settings))).toEqual([])
})

it('the option of a feature may be inherited, as other options may', () => {
  const change = { sendLink: () => undefined, sendNotice: () => undefined }
  const config = Object.create({ providers: [], emailChange: change }) as AuthConfig
  expect(listOptional(deriveSettings(config, {})).map(({ name }) => name)).toEqual(['email-change'])
})

it('the reserved actions are the routes of the optional features, except those for their own providers', () => {
  const actions = features.flatMap(({ routes = {} }) => Object.keys(routes))
  const served = ['callback', 'callback', 'signin', 'verify-request', 'webauthn-options']
  expect(actions.toSorted()).toEqual([...optionalActions, ...served].toSorted())
})

it('FT-05 optional features that have routes of one action for different providers each get their own', () => {
  const providers = [codeProvider, passkeyProvider]
  const settings = deriveSettings({ providers, experimental: { enableWebAuthn: true } }, {})
  const at = (providerId: string) => findOptional({ action: 'callback', providerId }, settings)?.name
  expect(providers.map(({ id }) => at(id))).toEqual(['mail-codes', 'passkeys'])
  expect(at('another')).toBeUndefined()
})

it.each(features)('FT-05 the feature $name passes the testing kit', async (feature) => {
  const providers = [passwordProvider, codeProvider, passkeyProvider]
  await testFeature(feature, { providers, experimental: { enableWebAuthn: true } })
})
