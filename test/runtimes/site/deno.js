/** Serves the site with Deno, and prints the port. */
import { respond } from './site.js'

Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(port) }, respond)
