import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openStageOf } from '../integrations/stage.ts'
import { top } from '../package/command.ts'
import { openAuthenticators, plugIn } from '../support/virtual-authenticator.ts'
import { findDropin } from './apps.ts'

const { name, serve, basePath } = findDropin('next-edge')
const directory = `test/dropin/${name}`

describe('the next-edge application', () => {
  const stage = openStageOf({ name, directory, serve, basePath })

  it('ECO-005 runs its middleware on the edge runtime', () => {
    const manifest = readFileSync(join(top, directory, '.next/server/middleware-manifest.json'), 'utf8')
    const { middleware } = JSON.parse(manifest) as { middleware: object }
    expect(Object.keys(middleware)).toEqual(['/'])
  })

  it('DEC-30h registers passkeys with next-auth/webauthn, and signs in with them', () =>
    stage.browse({ javaScriptEnabled: true }, async (page) => {
      const session = await openAuthenticators(page)
      const authenticator = await plugIn(session)
      const press = (button: string) => page.getByRole('button', { name: button }).click()
      await page.goto(`${stage.origin()}/passkeys`)
      await page.getByLabel('E-mail').fill('ada@example.com')
      await press('Register')
      await expectAda(page, 1)
      // A signed-in user adds a passkey on another authenticator, and signs in with it.
      await authenticator.unplug()
      await plugIn(session)
      await press('Add a passkey')
      await expectAda(page, 2)
      await press('Sign out')
      await press('Sign in')
      await expectAda(page, 3)
      await page.goto(`${stage.origin()}/members`)
      expect(new URL(page.url()).pathname).toBe('/members')
    }))
})

/** Waits until this number of ceremonies has ended, and the page shows the user. */
async function expectAda(page: Page, ceremonies: number): Promise<void> {
  await page
    .locator('#done', { hasText: String(ceremonies) })
    .or(page.locator('#failure'))
    .first()
    .waitFor()
  expect(await page.locator('#failure').allInnerTexts()).toEqual([])
  await page.locator('#who', { hasText: 'ada@example.com' }).waitFor()
}
