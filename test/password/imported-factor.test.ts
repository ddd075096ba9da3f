import { describe, expect, it } from 'vitest'
import { sealTotpSecret } from '../../src/second-factor.ts'
import { openApp, secret, sessionOf } from '../support/app.ts'
import { openPasswordApp, signIn } from '../support/passwords.ts'
import { codeOf, enterCode, withFactor } from '../support/second-factor.ts'

const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

describe('an authenticator app that was enrolled elsewhere', () => {
  it('SF-22 signs in with its codes, each once, and for its user only', async () => {
    const app = openPasswordApp(openApp, { config: withFactor() })
    await app.addUser()
    const typed = 'jbsw y3dp-ehpk 3pxp jbsw y3dp ehpk 3pxp===='
    await app.store.setFactor('ada', await sealTotpSecret('ada', typed, secret))
    const agent = app.agent()
    await signIn(agent)
    expect(await sessionOf(agent)).toBeNull()
    await enterCode(agent, '000000')
    expect(await sessionOf(agent)).toBeNull()
    const code = codeOf(totpSecret, app.clock.now())
    await enterCode(agent, code)
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    const other = app.agent()
    await signIn(other)
    await enterCode(other, code)
    expect(await sessionOf(other)).toBeNull()
    await app.store.deleteFactor('ada')
    await app.store.setFactor('ada', await sealTotpSecret('eve', totpSecret, secret))
    expect((await signIn(app.agent())).headers.get('location')).toContain('error=Configuration')
  })

  it('SF-22 is refused without its secret in the message', async () => {
    for (const wrong of ['', 'JBSWY3DP', 'JBSWY3DPEHPK3PX1', '0'.repeat(32), 'A'.repeat(129), 7 as never]) {
      const refused: unknown = await sealTotpSecret('ada', wrong, secret).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(TypeError)
      if (wrong !== '') expect(String(refused)).not.toContain(String(wrong))
    }
    await expect(sealTotpSecret('', totpSecret, secret)).rejects.toThrow('id of a user')
    await expect(sealTotpSecret('ada', totpSecret, [])).rejects.toThrow('A secret is missing')
  })
})
