import { isHost, isLoopback } from '../../text/host.ts'
import { pageHeaders } from '../../http/respond.ts'
import { once } from '../../async/once.ts'
import { recordRuns } from '../explorer/record-run.ts'
import { embeddedScript } from './embedded-script.ts'
import { writeListPage } from './list-page.ts'
import { findGraph, findLayout } from './graphs.ts'
import type { Recorder } from './recorder.ts'
import { writeRunPage } from './run-page.ts'
import { createStream } from './stream.ts'
import { groupRuns, summariseGroup } from './summary.ts'
import { style } from './style.ts'

/** Creates the handler for requests under the path of devtools. */
export function createPages(
  recorder: Recorder,
  path: string,
  hosts: ReadonlySet<string>,
): (request: Request) => Promise<Response> {
  const follow = createStream(recorder, path)

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!isAllowed(request, hosts))
      return new Response('Devtools are not available on this host. Add it to the option `hosts`.', {
        status: 403,
        headers: { 'Cache-Control': 'private, no-store' },
      })
    const rest = pathname.startsWith(path) ? pathname.slice(path.length) : undefined
    // Another site cannot send DELETE, which needs a preflight request.
    if (request.method === 'DELETE' && rest === '/runs') {
      recorder.clear()
      return new Response(null, { status: 204 })
    }
    if (request.method !== 'GET')
      return new Response('Devtools support GET only.', { status: 405, headers: { Allow: 'GET' } })
    if (rest === '' || rest === '/')
      return respondWithPage(writeListPage({ runs: recorder.list(), fault: recorder.fault() }, path))
    if (rest === '/events') return follow(request)
    if (rest === '/style.css') return respondWithFile(style, 'text/css')
    if (rest === '/script.js') return respondWithFile(embeddedScript, 'text/javascript')
    const explorer = await respondWithExplorer(rest ?? '', recorder, path)
    if (explorer) return explorer
    const [, id, isJson] = /^\/runs\/(\d+-[\da-f]{32})(\.json)?$/.exec(rest ?? '') ?? []
    const run = id === undefined ? undefined : recorder.find(id)
    const graph = run && findGraph(run.flow)
    if (!run || !graph) return new Response('There is no such run, or it was dropped.', { status: 404 })
    if (isJson !== undefined) return respondWithFile(JSON.stringify(run, undefined, 2), 'application/json')
    const group = recorder.list().filter((each) => each.group === run.group)
    return respondWithPage(
      writeRunPage({ run, group: group.toReversed(), graph, layout: await findLayout(run.flow), path }),
    )
  }
}

/**
 * Returns whether the request is for this machine or for a configured host. Checks the URL and the Host header, because
 * a framework may write the URL from its configuration.
 */
function isAllowed({ url, headers }: Request, hosts: ReadonlySet<string>): boolean {
  const { host, protocol } = new URL(url)
  return [host, headers.get('host') ?? host].every((name) => {
    if (!isHost(name) || !URL.canParse(`${protocol}//${name}`)) return false
    const { hostname } = new URL(`${protocol}//${name}`)
    return isLoopback(hostname) || hosts.has(hostname)
  })
}

const loadExplorer = once(() => import('../explorer/write-explorer.ts'))

/** Returns the page and the files of the flow explorer, whose code is loaded when somebody opens it. */
async function respondWithExplorer(
  rest: string,
  recorder: Recorder,
  path: string,
): Promise<Response | undefined> {
  const found = /^\/explorer(?:\.(css|js|txt|json))?$/.exec(rest)
  if (!found) return undefined
  const [, ending] = found
  const { createSetup, explorerFiles, writeLinkedExplorer } = await loadExplorer()
  if (ending === undefined) return respondWithPage(writeLinkedExplorer(path))
  if (ending === 'css') return respondWithFile(explorerFiles['explorer.css'], 'text/css')
  if (ending === 'js') return respondWithFile(explorerFiles['explorer.js'], 'text/javascript')
  if (ending === 'txt') return respondWithFile(explorerFiles['explorer.txt'], 'text/plain')
  const runs = recorder.list()
  const recordings = [
    ...groupRuns(runs)
      .filter((members) => members.length > 1)
      .map((members) => {
        const { id, title, outcome } = summariseGroup(members)
        return recordRuns(`group-${id}`, `${title}. ${outcome}`, members)
      }),
    ...runs.map((run) => recordRuns(run.id, `${run.request}: ${run.state}`, [run])),
  ]
  const back = { href: path, text: 'All runs' }
  return respondWithFile(JSON.stringify(createSetup({ recordings, back })), 'application/json')
}

function respondWithPage(html: string): Response {
  return new Response(html, { headers: pageHeaders({ style: 'self', script: 'self' }) })
}

function respondWithFile(text: string, type: string): Response {
  return new Response(text, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
