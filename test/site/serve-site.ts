import { readFile } from 'node:fs/promises'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { siteFolder } from './folder.ts'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Serves the built site on this machine; port 0 takes any free one. */
export async function serveSite(port: number): Promise<OpenPort> {
  const server = await openPort('localhost', port)
  server.answer(createRequestListener(answer))
  return server
}

async function answer(request: Request): Promise<Response> {
  // A URL's path has no `..` any more.
  const path = decodeURIComponent(new URL(request.url).pathname).replace(/\/$/, '/index.html').slice(1)
  try {
    const type = types[path.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8'
    return new Response(await readFile(new URL(path, siteFolder)), { headers: { 'content-type': type } })
  } catch {
    return new Response('Not found', { status: 404 })
  }
}
