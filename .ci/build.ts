/**
 * `npm run build`: `dist/` and `fuzz/dist/`, each a complete package with its own package.json. Only these
 * are packed and published, never the folders around them. `-- --pack` packs them into two tarballs.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { declareLibrary, emitOracle } from './declarations.ts'
import { readManifest, top } from './entries.ts'
import { completePackage, libraryBuilt, oracleBuilt } from './publish.ts'

const dist = join(top, 'dist')
const oracleDist = join(top, 'fuzz/dist')
for (const directory of [dist, oracleDist]) rmSync(directory, { recursive: true, force: true })

const library = readManifest(top)
await bundle(library, dist)
declareLibrary(library)
completePackage(dist, library, libraryBuilt, ['README.md', 'LICENSE'])

emitOracle(library, libraryBuilt)
completePackage(oracleDist, readManifest(join(top, 'fuzz')), oracleBuilt, [
  'LICENSE',
  'fuzz/README.md',
  'fuzz/action.yml',
])

if (process.argv.includes('--pack'))
  execFileSync('npm', ['pack', './dist', './fuzz/dist'], { cwd: top, stdio: 'inherit' })
