import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenPort } from '../../docs/examples/demo/serve.ts'
import { serveSite } from '../../docs/site/serve-site.ts'

describe('the documentation server', () => {
  let site: OpenPort
  let top: string

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'authmachine-site-'))
    await writeFile(join(top, 'secret.txt'), 'not of the site')
    await mkdir(join(top, 'site'))
    await writeFile(join(top, 'site/index.html'), '<p>home')
    await writeFile(join(top, 'site/drawing.svg'), '<svg></svg>')
    site = await serveSite(0, pathToFileURL(join(top, 'site/')))
  })
  afterAll(async () => {
    await site?.close()
    await rm(top, { recursive: true })
  })

  it('serves the files of the folder with their types', async () => {
    expect(await ask('/')).toEqual({ status: 200, type: 'text/html; charset=utf-8' })
    expect(await ask('/drawing.svg?x')).toEqual({ status: 200, type: 'image/svg+xml' })
  })

  it.each(['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '//etc/passwd', '/none'])(
    'serves nothing else: %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404)
    },
  )

  /** Sends the path unchanged; fetch would normalise it. */
  function ask(path: string) {
    const { hostname, port } = new URL(site.origin)
    return new Promise<{ status?: number; type?: string }>((resolve, reject) => {
      const asked = request({ hostname, port, path }, (response) => {
        response.resume()
        resolve({ status: response.statusCode, type: response.headers['content-type'] })
      })
      asked.on('error', reject).end()
    })
  }
})
