/** Serves the build, and prints its address. */
import { createServer } from 'node:http'
import { handler } from './build/handler.js'

const { PORT, ORIGIN } = process.env
createServer(handler).listen(Number(PORT), 'localhost', () => console.log(`The application is at ${ORIGIN}`))
