/**
 * `npm run docs`: builds the site with the records of this repository's tests, and fails if an export has no comment, if
 * TypeDoc reports a problem, or if a link is broken, and if a search does not find its page. `-- --serve` shows it; `PORT` sets another port than 4000.
 */
import { fileURLToPath } from 'node:url'
import { buildSite } from '../../docs/site/build.ts'
import { siteFolder } from '../../docs/site/folder.ts'
import { serveSite } from '../../docs/site/serve-site.ts'
import { writeRecords } from './records.ts'
import { findUnfound } from './searches.ts'

const startedAt = performance.now()
const { pages, problems: found } = await buildSite(await writeRecords())
// With problems, there may be no site in which to search.
const problems = found.length > 0 ? found : await findUnfound()
for (const line of problems) console.error(line)
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`${fileURLToPath(siteFolder)}: ${pages} pages, ${problems.length} problems, in ${seconds} s`)
if (problems.length > 0) process.exitCode = 1
else if (process.argv.includes('--serve')) {
  const { origin } = await serveSite(Number(process.env['PORT'] ?? 4000))
  console.log(`The documentation is at ${origin}`)
}
