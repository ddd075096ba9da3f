/** The suite on a runtime with processes: reads its input from the argument, and prints its results. */
import { Auth, customFetch } from 'authmachine'
import { memoryAdapter } from 'authmachine/adapters/memory'
import { decode, encode, getToken } from 'authmachine/jwt'
import Passkey from 'authmachine/providers/passkey'
import { runSuite } from './run-suite.ts'

const library = { Auth, customFetch, decode, encode, getToken, memoryAdapter, Passkey }
const found = await runSuite(library, JSON.parse(process.argv[2]))
console.log(JSON.stringify(found))
