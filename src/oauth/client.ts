import * as oauth from 'oauth4webapi'
import { systemPlatform } from '../clock.ts'
import type { OAuthSettings } from '../config/settings.ts'
import type { OAuthContext } from './context.ts'

/** Seconds by which the provider's clock may differ from ours (OI-03). */
export const clockTolerance = 30

/** The client as oauth4webapi takes it, on our clock. */
export function describeClient(provider: OAuthSettings, { platform }: OAuthContext): oauth.Client {
  return {
    ...provider.client,
    client_id: provider.clientId,
    [oauth.clockSkew]: seconds(platform.now()) - seconds(systemPlatform.now()),
    [oauth.clockTolerance]: clockTolerance,
  }
}

/** Whole seconds since 1970, of milliseconds. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
