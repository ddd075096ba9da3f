import { readFile } from 'node:fs/promises'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { siteFolder } from './folder.ts'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  json: 'application/json',
}

/** Serves a folder, the built site by default, on this machine. Port 0 selects a free one. */
export async function serveSite(port: number, folder: URL = siteFolder): Promise<OpenPort> {
  const server = await openPort('localhost', port)
  server.answer(createRequestListener((request) => answer(request, folder)))
  return server
}

async function answer(request: Request, folder: URL): Promise<Response> {
  const { pathname } = new URL(request.url)
  try {
    // A URL's path cannot climb, and readFile rejects %2F in it, which is not a slash in a file name.
    const file = new URL(`.${pathname.replace(/\/$/, '/index.html')}`, folder)
    const type = types[file.pathname.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8'
    return new Response(await readFile(file), { headers: { 'content-type': type } })
  } catch {
    return new Response('Not found', { status: 404 })
  }
}
