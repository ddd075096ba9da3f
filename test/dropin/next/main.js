/** Serves what was built, and then says so. */
import { createServer } from 'node:http'
import next from 'next'

const { PORT, ORIGIN } = process.env
const app = next({ dir: import.meta.dirname, hostname: 'localhost', port: Number(PORT) })
await app.prepare()
createServer(app.getRequestHandler()).listen(Number(PORT), 'localhost', () =>
  console.log(`The application is at ${ORIGIN}`),
)
