import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { CredentialsSignin } from '../../../src/errors.ts'
import { csrfOf, origin, secret, sessionOf } from '../../support/app.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { scenario } from '../scenario.ts'
import { expectNotSignedIn } from '../expectations.ts'

class Locked extends CredentialsSignin {
  override code = 'locked'
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

export const mailAndPasswordScenarios = [
  scenario(
    'ERR-003 ERR-004 ERR-005 ERR-008 CredentialsSignin leads to the sign-in page with its code, and is logged in full',
    async ({ open }) => {
      const causes: readonly (readonly [() => never | null, string])[] = [
        [() => null, 'credentials'],
        [
          () => {
            throw new CredentialsSignin('the password of ada is wrong')
          },
          'credentials',
        ],
        [
          () => {
            throw new Locked('ada is locked out')
          },
          'locked',
        ],
      ]
      for (const [authorize, code] of causes) {
        const provider = { id: 'pin', name: 'Pin', type: 'credentials', credentials: {}, authorize } as const
        const app = open({ providers: [provider] })
        const agent = app.agent()
        const form = { csrfToken: await csrfOf(agent), pin: '1234' }
        const response = await agent.send('/auth/callback/pin', { form })
        expect(response.headers.get('location')).toBe(
          `https://app.test/auth/signin?error=CredentialsSignin&code=${code}`,
        )
        expect(app.ended()).toBe('declined')
        const [logged] = app.errors
        expect(logged).toBeInstanceOf(CredentialsSignin)
        expect(logged).toMatchObject({ type: 'CredentialsSignin', code })
        if (code === 'locked') expect(logged).toMatchObject({ message: 'ada is locked out' })
        await expectNotSignedIn(app, agent)
      }
    },
  ),

  scenario('DEC-02e an address stays verified after its first link', async ({ open }) => {
    const app = openMailApp(open)
    const follow = async () => {
      const agent = app.agent()
      await askForLink(agent, 'ada@example.com')
      await agent.send(pathOf(app.mails.at(-1) as Mail))
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    }
    const first = app.clock.now()
    await follow()
    app.clock.advance(5000)
    await follow()
    expect(app.rows.users().map(({ emailVerified }) => emailVerified?.getTime())).toEqual([first])
  }),

  scenario(
    'DEC-05d the hash of a link covers its provider if there are several, and not if it is the only one',
    async ({ open }) => {
      const mails: Mail[] = []
      const one = mailProvider(mails)
      const two = { ...mailProvider(mails), id: 'other' }
      for (const providers of [[one], [one, two]]) {
        const stored: string[] = []
        const app = open({
          providers,
          strategy: 'database',
          wrap: (store) => ({
            ...store,
            createVerificationToken(row) {
              stored.push(row.token)
              return store.createVerificationToken?.(row)
            },
          }),
        })
        const agent = app.agent()
        await askForLink(agent, 'ada@example.com')
        expect(app.ended()).toBe('linkMailed')
        const known = hashOf(`${mails.at(-1)?.token}${secret}`)
        expect(stored.map((hash) => hash === known)).toEqual([providers.length === 1])
        await agent.send(pathOf(mails.at(-1) as Mail))
        expect(app.ended()).toBe('signedIn')
      }
      const app = open({ providers: [one, two], strategy: 'database' })
      const agent = app.agent()
      await askForLink(agent, 'bob@example.com', {}, 'other')
      const { token, identifier: email, url } = mails.at(-1) as Mail
      const form = { token, email, csrfToken: await csrfOf(agent) }
      const response = await agent.send('/auth/callback/mail', { form })
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Verification')
      await agent.send(url.slice(origin.length))
      expect(app.ended()).toBe('signedIn')
    },
  ),
]
