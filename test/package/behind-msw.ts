import { runCommand } from './command.ts'

/** Asks the identity provider of the testing kit for its metadata, through the `fetch` that msw has taken over. */
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

/** Runs the handlers of the testing kit with the msw that is installed. @throws Error with what the program printed */
export function tryBehindMsw(directory: string): void {
  runCommand(process.execPath, ['--input-type=module', '--eval', program], directory)
}
