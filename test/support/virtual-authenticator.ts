import type { CDPSession, Page } from 'playwright-core'

export interface AuthenticatorOptions {
  readonly isUserVerified?: boolean
  readonly transport?: 'internal' | 'usb'
  /** Whether it can verify its user. @default true */
  readonly verifies?: boolean
  /** Whether it responds without waiting, as if the user touched it immediately. */
  readonly answers?: boolean
}

/** A virtual authenticator of Chromium on one page. */
export interface VirtualAuthenticator {
  readonly credentials: () => Promise<{ credentialId: string; signCount: number; userHandle?: string }[]>
  readonly add: (credential: object) => Promise<unknown>
  readonly clear: () => Promise<unknown>
  readonly verify: (isUserVerified: boolean) => Promise<unknown>
  readonly answer: (answers: boolean) => Promise<unknown>
  readonly unplug: () => Promise<unknown>
}

/** Detaches a page from the machine's authenticators. It has none until one is added. */
export async function openAuthenticators(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  return session
}

/** Adds an authenticator to a page. */
export async function plugIn(
  session: CDPSession,
  {
    isUserVerified = true,
    transport = 'internal',
    answers = true,
    verifies = true,
  }: AuthenticatorOptions = {},
): Promise<VirtualAuthenticator> {
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: verifies,
      isUserVerified,
      automaticPresenceSimulation: answers,
    },
  })
  const at = { authenticatorId }
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', at)).credentials,
    add: (credential) => session.send('WebAuthn.addCredential', { ...at, credential: credential as never }),
    clear: () => session.send('WebAuthn.clearCredentials', at),
    verify: (verified) => session.send('WebAuthn.setUserVerified', { ...at, isUserVerified: verified }),
    answer: (enabled) => session.send('WebAuthn.setAutomaticPresenceSimulation', { ...at, enabled }),
    unplug: () => session.send('WebAuthn.removeVirtualAuthenticator', at),
  }
}
