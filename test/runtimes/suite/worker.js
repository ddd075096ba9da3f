/** The suite in a worker: what it is given comes as the body of a request, what it found goes into the response. */
import { Auth, customFetch } from 'authmachine'
import { memoryAdapter } from 'authmachine/adapters/memory'
import { decode, encode, getToken } from 'authmachine/jwt'
import Passkey from 'authmachine/providers/passkey'

const library = { Auth, customFetch, decode, encode, getToken, memoryAdapter, Passkey }

export default {
  async fetch(request) {
    // The identity provider of the suite makes its keys while it loads, which workers allow in a request alone.
    const { runSuite } = await import('./run-suite.ts')
    return Response.json(await runSuite(library, await request.json()))
  },
}
