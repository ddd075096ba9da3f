import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openStageOf, pin } from '../integrations/stage.ts'
import { runCommand } from '../package/command.ts'
import { dropins, type Journey } from './apps.ts'

const modes = [
  ['with JavaScript', { javaScriptEnabled: true }],
  ['without JavaScript', { javaScriptEnabled: false }],
] as const

describe.each(dropins)(
  '$name: the published $integration on this library',
  ({ name, integration, serve, basePath, home, driven }) => {
    /** Tests this journey, if the application supports it. */
    const when = (journey: Journey) => driven.filter((each) => each === journey)
    const directory = fileURLToPath(new URL(`./${name}/`, import.meta.url))
    const stage = openStageOf({ name, directory: `test/dropin/${name}`, serve, basePath })
    const go = (page: Page, path: string) => page.goto(`${stage.origin()}${path}`)
    const shows = (page: Page, who: string) => page.locator('#who', { hasText: who }).waitFor()

    async function enterPin(page: Page, typed: string): Promise<void> {
      await page.getByLabel('Name').fill('Grace')
      await page.getByLabel('PIN').fill(typed)
      await page.getByRole('button', { name: /credentials/i }).click()
    }

    async function signInByForm(page: Page): Promise<void> {
      await go(page, '/')
      await page.getByRole('button', { name: 'Demo ID' }).click()
      await stage.chooseAda(page)
      await page.waitForURL(`${stage.origin()}${home}`)
      await go(page, '/')
      await shows(page, 'Ada')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await shows(page, 'nobody')
      expect(await page.evaluate(() => document.cookie)).toBe('')
    }

    describe.each(modes)('%s', (_, mode) => {
      const plain = { javaScriptEnabled: false }

      it('DEC-01a signs in and out with OpenID Connect on the built-in pages', () =>
        stage.browse(mode, async (page) => {
          await go(page, '/')
          await shows(page, 'nobody')
          await go(page, `${basePath}/signin?callbackUrl=${encodeURIComponent('/?from=page')}`)
          await page.getByRole('button', { name: /Demo ID/ }).click()
          await stage.chooseAda(page)
          await page.waitForURL(`${stage.origin()}/?from=page`)
          await shows(page, 'Ada')
          await go(page, `${basePath}/signout?callbackUrl=${encodeURIComponent('/')}`)
          await page.getByRole('button', { name: /sign out/i }).click()
          await page.waitForURL(`${stage.origin()}/`)
          await shows(page, 'nobody')
        }))

      it('DEC-01a ERR-006 signs in and out with credentials on the built-in pages, and shows an error for wrong ones', () =>
        stage.browse(plain, async (page) => {
          await go(page, `${basePath}/signin?callbackUrl=${encodeURIComponent('/')}`)
          await enterPin(page, 'wrong')
          const { searchParams } = new URL(page.url())
          expect([searchParams.get('error'), searchParams.get('code')]).toEqual([
            'CredentialsSignin',
            'wrong-pin',
          ])
          await enterPin(page, pin)
          await page.waitForURL(`${stage.origin()}/`)
          await shows(page, 'Grace')
        }))

      it.each(when('forms'))(
        'DEC-01a signs in and out with OpenID Connect from a custom form, in raw mode',
        () => stage.browse(mode, signInByForm),
      )

      it.each(when('forms'))(
        'DEC-36b signs in with credentials from a custom form, which catches the error',
        () =>
          stage.browse(mode, async (page) => {
            await go(page, '/')
            await enterPin(page, 'wrong')
            await page.getByRole('alert').filter({ hasText: 'CredentialsSignin wrong-pin' }).waitFor()
            await enterPin(page, pin)
            await page.waitForURL(`${stage.origin()}${home}`)
            await go(page, '/')
            await shows(page, 'Grace')
          }),
      )
    })

    it('DEC-01a resolves all imports of its provider modules', () => {
      expect(importProviders(directory, hasProviders(integration) ? integration : '@auth/core')).toEqual([])
    })

    const scripted = { javaScriptEnabled: true }

    it.each(when('actions'))(
      'DEC-01a signs in and out with OpenID Connect from a custom action, in raw mode',
      () => stage.browse(scripted, signInByForm),
    )

    it.each(when('client'))("DEC-01a signs in and out with the package's client", () =>
      stage.browse(scripted, async (page) => {
        await go(page, '/client')
        await shows(page, 'nobody')
        await enterPin(page, 'wrong')
        await page.getByRole('alert').filter({ hasText: 'CredentialsSignin' }).waitFor()
        await enterPin(page, pin)
        await shows(page, 'Grace')
        await page.getByRole('button', { name: 'Sign out' }).click()
        await shows(page, 'nobody')
        await page.getByRole('button', { name: 'Demo ID' }).click()
        await stage.chooseAda(page)
        await page.waitForURL(`${stage.origin()}/client`)
        await shows(page, 'Ada')
      }),
    )

    it.each(when('update'))("DEC-01a changes the session with the package's client", () =>
      stage.browse(scripted, async (page) => {
        await go(page, '/client')
        await enterPin(page, pin)
        await shows(page, 'Grace')
        await page.getByRole('button', { name: 'Rename' }).click()
        await shows(page, 'Countess')
        await page.reload()
        await shows(page, 'Countess')
      }),
    )

    it.each(when('components'))("DEC-01a signs in and out with the package's components", () =>
      stage.browse(scripted, async (page) => {
        await go(page, '/components')
        await shows(page, 'nobody')
        await page.getByRole('button', { name: /sign ?in/i }).click()
        await stage.chooseAda(page)
        await page.waitForURL(`${stage.origin()}/components`)
        await shows(page, 'Ada')
        await page.getByRole('button', { name: /sign ?out/i }).click()
        await shows(page, 'nobody')
      }),
    )

    it.each(when('api'))('DEC-01a refuses an API route to visitors, and returns the session to users', () =>
      stage.browse(scripted, async (page) => {
        expect((await go(page, '/api/protected'))?.status()).toBe(401)
        await go(page, `${basePath}/signin?callbackUrl=/api/protected`)
        await enterPin(page, pin)
        await page.waitForURL(`${stage.origin()}/api/protected`)
        expect(JSON.parse(await page.locator('body').innerText())).toEqual({
          name: 'Grace',
          provider: 'credentials',
        })
      }),
    )

    it.each(when('guard'))(
      'DEC-01a redirects visitors of a protected page to the sign-in page, and back',
      () =>
        stage.browse({ javaScriptEnabled: false }, async (page) => {
          await go(page, '/members')
          expect(new URL(page.url()).pathname).toBe(`${basePath}/signin`)
          await enterPin(page, pin)
          await page.waitForURL(/\/members\/?$/)
          expect(await page.locator('h1').innerText()).toBe('Hello Grace')
          // The session survives the cookies that the guard adds to its responses.
          await go(page, '/')
          await shows(page, 'Grace')
          await go(page, '/members')
          expect(await page.locator('h1').innerText()).toBe('Hello Grace')
        }),
    )
  },
)

/** Whether this package has its own provider modules, instead of referring to those of `@auth/core`. */
function hasProviders(integration: string): boolean {
  return integration.startsWith('@auth/') || integration === 'next-auth'
}

/** Imports each provider module in a process of the application. @returns the names of those without a factory */
function importProviders(directory: string, integration: string): unknown {
  const script = `
    import { readdirSync } from 'node:fs'
    import { dirname, join } from 'node:path'
    const any = import.meta.resolve('${integration}/providers/github')
    const names = readdirSync(new URL('.', any)).filter((file) => /^[\\w-]+\\.js$/.test(file) && file !== 'index.js')
    if (names.length < 80) throw new Error('there are only ' + names.length)
    const failed = []
    for (const file of names) {
      const name = file.slice(0, -3)
      const found = await import('${integration}/providers/' + name).catch((error) => failed.push(name + ': ' + error.message))
      if (found.default !== undefined && typeof found.default !== 'function') failed.push(name)
    }
    console.log(JSON.stringify(failed))`
  return JSON.parse(runCommand(process.execPath, ['--input-type=module', '--eval', script], directory))
}
