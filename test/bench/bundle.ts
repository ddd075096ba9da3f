import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const top = fileURLToPath(new URL('../../', import.meta.url))
export const peers = join(top, 'test/bench/peers')

/** The input of the bundler. */
export interface Source {
  readonly source: string
  /** The path from which imports are resolved. */
  readonly from: string
  readonly platform: 'node' | 'browser'
}

export interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly entryPoint?: string; readonly imports: readonly { path: string; kind: string }[] }
    >
  >
}

/**
 * Bundles and minifies a module with esbuild into chunks in a folder. `entry.js` is the entry. Paths are relative to
 * `from`.
 */
export function bundle({ source, from, platform }: Source, folder: string): Metafile['outputs'] {
  mkdirSync(folder, { recursive: true })
  const meta = join(folder, 'meta.json')
  // The entry has to be in the folder from which its imports are resolved.
  const entry = join(folder, 'entry.js')
  writeFileSync(entry, source.replaceAll("'./", `'${from}/`))
  execFileSync(
    join(peers, 'node_modules/.bin/esbuild'),
    [
      entry,
      '--bundle',
      '--minify',
      '--splitting',
      '--format=esm',
      `--platform=${platform}`,
      '--main-fields=module,main',
      '--conditions=import',
      '--external:@simplewebauthn/*',
      // Compiled from the sources of this repository. The package contains it as text.
      '--external:#passkey-script',
      '--log-level=error',
      `--outdir=${join(folder, 'out')}`,
      `--metafile=${meta}`,
    ],
    { cwd: from, env: { ...process.env, NODE_PATH: join(from, 'node_modules') } },
  )
  return (JSON.parse(readFileSync(meta, 'utf8')) as Metafile).outputs
}
