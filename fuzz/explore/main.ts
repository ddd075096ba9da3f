import { driveLibrary } from '../targets/library.ts'
import { findTarget } from '../targets/find-target.ts'
import { prepareGround } from '../run/ground.ts'
import { openBareWorld } from '../world/world.ts'
import { configurations } from './configurations.ts'
import { openScene } from './scene.ts'
import { search } from './search.ts'
import { recordTerms } from './terms.ts'

const [word = 'ours', depth = '3', only] = process.argv.slice(2)
const terms = recordTerms()
const ground = prepareGround(terms.drawn)
const place = findTarget(word)
if (place.kind !== 'library') throw new Error('no library')
const driver = driveLibrary((await import(place.module)).default, ground)
for (const configuration of configurations) {
  if (only && !configuration.name.startsWith(only)) continue
  const started = process.cpuUsage().user
  const scene = await openScene(
    (setup) => openBareWorld(driver, setup, 1),
    driver,
    configuration.setup,
    configuration.browsers,
  )
  const result = await search(
    scene,
    {
      actions: configuration.actions,
      begin: configuration.begin,
      terms,
      promises: {
        ...(configuration.recordsTime && { freshness: 900 }),
        mailsLinks: true,
        checkEdges: driver.name === 'ours',
      },
    },
    { depth: Number(depth), transitions: 100_000 },
  )
  const spent = (process.cpuUsage().user - started) / 1e6
  console.log(
    configuration.name,
    { depth: result.depth, states: result.states, transitions: result.transitions, spent, perSecond: result.transitions / spent },
  )
  const seen = new Map<string, number>()
  for (const { path, findings } of result.counterexamples) {
    const key = findings.map(({ id, says }) => `${id} ${says}`).join('; ')
    const n = seen.get(key) ?? 0
    seen.set(key, n + 1)
    if (n === 0) console.log('  !', key, '\n     ', path.map((at) => configuration.actions[at]?.says).join('\n      '))
  }
  for (const [key, n] of seen) if (n > 1) console.log('  ', n, 'x', key)
}
process.exit(0)
