/** The suite in a worker: reads its input from the request body, and responds with its results. */
import { Auth, customFetch } from 'authmachine'
import { memoryAdapter } from 'authmachine/adapters/memory'
import { decode, encode, getToken } from 'authmachine/jwt'
import Passkey from 'authmachine/providers/passkey'

const library = { Auth, customFetch, decode, encode, getToken, memoryAdapter, Passkey }

export default {
  async fetch(request) {
    // The identity provider of the suite generates its keys while it loads, which workers allow only during a request.
    const { runSuite } = await import('./run-suite.ts')
    return Response.json(await runSuite(library, await request.json()))
  },
}
