import { findEngine } from '../drawing/find-engine.ts'
import { layOut, type Layout } from '../drawing/lay-out.ts'
import { traceNotes } from '../drawing/trace-marks.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { isLoopback } from '../loopback.ts'
import { embeddedScript } from './embedded-script.ts'
import { writeListPage } from './list-page.ts'
import { graphs, type Recorder } from './recorder.ts'
import { writeRunPage } from './run-page.ts'
import { createStream } from './stream.ts'
import { style } from './style.ts'
import { summarise } from './summary.ts'

/** Answers what is under the path of devtools. */
export function createPages(
  recorder: Recorder,
  path: string,
  hosts: ReadonlySet<string>,
): (request: Request) => Promise<Response> {
  const follow = createStream(recorder, path)
  const findLayout = createLayouts()

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!isAllowed(request, hosts))
      return new Response('Devtools do not answer at this host. Add it to the option `hosts`.', {
        status: 403,
        headers: { 'Cache-Control': 'private, no-store' },
      })
    if (request.method !== 'GET')
      return new Response('Devtools are for reading.', { status: 405, headers: { Allow: 'GET' } })
    const rest = pathname.startsWith(path) ? pathname.slice(path.length) : undefined
    if (rest === '' || rest === '/')
      return answerPage(
        writeListPage(
          recorder.list().map((run) => summarise(run, path)),
          path,
        ),
      )
    if (rest === '/events') return follow(request)
    if (rest === '/style.css') return answerFile(style, 'text/css')
    if (rest === '/script.js') return answerFile(embeddedScript, 'text/javascript')
    const [, id, isJson] = /^\/runs\/(\d+-[\da-f]{32})(\.json)?$/.exec(rest ?? '') ?? []
    const run = id === undefined ? undefined : recorder.find(id)
    const graph = run && graphs.get(run.flow)
    if (!run || !graph)
      return new Response('There is no such run, or it is not kept any more.', { status: 404 })
    if (isJson !== undefined) return answerFile(JSON.stringify(run, undefined, 2), 'application/json')
    return answerPage(writeRunPage(run, graph, await findLayout(run.flow), path))
  }
}

/**
 * Is the request for this machine, or for a host that is configured? Both names count: an adapter may write the URL from
 * its configuration, whatever the Host header says.
 */
function isAllowed({ url, headers }: Request, hosts: ReadonlySet<string>): boolean {
  const { host, protocol } = new URL(url)
  return [host, headers.get('host') ?? host].every((name) => {
    if (!URL.canParse(`${protocol}//${name}`)) return false
    const { hostname } = new URL(`${protocol}//${name}`)
    return isLoopback(hostname) || hosts.has(hostname)
  })
}

/** Each flow is laid out once, with room for the notes of any run; none is where there is no engine. */
function createLayouts(): (flow: string) => Promise<Layout | undefined> {
  const layouts = new Map<string, Promise<Layout | undefined>>()
  const make = async (flow: string) => {
    const [graph, engine] = [graphs.get(flow), await findEngine()]
    return graph && engine && layOut(graph, engine, traceNotes)
  }
  return (flow) => {
    const layout = layouts.get(flow) ?? make(flow)
    layouts.set(flow, layout)
    return layout
  }
}

function answerPage(html: string): Response {
  return new Response(html, { headers: pageHeaders({ style: 'self', script: 'self' }) })
}

function answerFile(text: string, type: string): Response {
  return new Response(text, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
