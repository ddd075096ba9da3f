/** `npm run docs:serve`: shows what `npm run docs` built. `PORT` chooses another port than 4000. */
import { serveSite } from './serve-site.ts'

const { origin } = await serveSite(Number(process.env['PORT'] ?? 4000))
console.log(`The documentation is at ${origin}`)
