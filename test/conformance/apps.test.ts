import { expect, it } from 'vitest'
import { listApps } from './apps.ts'

it('moves the providers and the mail server of every application to the ports of the oracle', () => {
  const [demo] = listApps(5010).map(({ command }) => command.join(' '))
  expect(demo).toContain('--issuer=http://127.0.0.1:5010 ')
  expect(demo).toContain('--smtp=smtp://127.0.0.1:5013')
  expect(demo).not.toContain('401')
})
