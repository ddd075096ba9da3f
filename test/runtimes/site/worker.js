/** The site as a worker. */
import { respond } from './site.js'

export default { fetch: (request) => respond(request) }
