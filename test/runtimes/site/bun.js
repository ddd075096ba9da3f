/** Serves the site with Bun, and prints the port. */
import { respond } from './site.js'

console.log(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: respond }).port)
