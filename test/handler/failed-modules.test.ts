import { expect, it, onTestFinished, vi } from 'vitest'
import { listCauses } from '../../src/errors/connection-problem.ts'
import type { ShowingName } from '../../src/flows/flows.ts'

const openFlows = () => import('../../src/flows/flows.ts')
const show = async (name: ShowingName) =>
  (await (await openFlows()).findShowing(name))(
    {} as never,
    { settings: { pages: {}, providers: new Map([['passkey', { kind: 'webauthn' }]]) } } as never,
  )
const openLanguage = async () =>
  (await import('../../src/pages/language.ts')).provideLanguage({ locale: 'de', texts: {} }, null)
const mail = { url: 'https://app.test/', theme: {}, provider: {} } as never
const sendMail = async () => {
  const { default: Nodemailer } = await import('../../src/providers/nodemailer.ts')
  return Nodemailer({ server: 'smtp://app.test' }).sendVerificationRequest(mail)
}
const startCeremony = async () => {
  const { default: Passkey } = await import('../../src/providers/passkey.ts')
  return Passkey().simpleWebAuthn?.generateAuthenticationOptions?.({})
}
const revoke = async () => {
  const { removeUser } = await import('../../src/session/remove-user.ts')
  const settings = { session: { strategy: 'jwt' }, jwt: { revocations: {} } } as never
  return removeUser('ada', { deleteUser: async () => undefined } as never, settings)
}

it.each<[string, string, () => unknown]>([
  ['a flow', '../../src/flows/refresh/flow.ts', async () => (await openFlows()).findFlow('refresh')],
  ['a script', '#passkey-script', () => show('showScript')],
  ['a language', '../../src/pages/german.ts', openLanguage],
  ['the renderer of mails', 'preact-render-to-string', sendMail],
  ['nodemailer', 'nodemailer', sendMail],
  ['passkeys', '@simplewebauthn/server', startCeremony],
  ['revocations', '../../src/session/revocations.ts', revoke],
])('CC-12 gives each visitor another error if loading %s fails', async (_, path, load) => {
  // An engine keeps the error of a module that fails, and throws it at each `import()`.
  const failure = new Error('The module failed')
  vi.resetModules()
  vi.doMock(path, () => {
    throw failure
  })
  onTestFinished(() => vi.doUnmock(path))
  const errors = async () => listCauses(await (async () => load())().catch((error: unknown) => error))
  const [first, second] = [await errors(), await errors()]
  expect(first.map(String)).toContain(String(failure))
  expect(first.filter((error) => error === failure || second.includes(error))).toEqual([])
})
