import { runCommand } from './command.ts'

/** Requests the metadata of the testing kit's identity provider with the `fetch` that msw has patched. */
const program = `
import assert from 'node:assert/strict'
import { mockIdentityProvider } from 'authmachine-conformance/testing'
import { mswHandlers } from 'authmachine-conformance/testing/msw'
import { setupServer } from 'msw/node'

const provider = mockIdentityProvider({ issuer: 'https://idp.test', users: [{ sub: '1', name: 'Ada' }] })
const server = setupServer(...mswHandlers(provider))
server.listen()
const response = await fetch('https://idp.test/.well-known/openid-configuration')
assert.equal((await response.json()).issuer, 'https://idp.test')
server.close()
`

/** Runs the handlers of the testing kit with the installed msw. @throws Error with the program's output */
export function tryBehindMsw(directory: string): void {
  runCommand(process.execPath, ['--input-type=module', '--eval', program], directory)
}
