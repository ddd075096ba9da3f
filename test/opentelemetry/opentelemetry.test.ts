import { AsyncLocalStorage } from 'node:async_hooks'
import { context, type Context, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createDevtools } from '../../src/devtools.ts'
import { withOpenTelemetry } from '../../src/opentelemetry.ts'
import { openApp, origin, signIn, type AppOptions } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { createCanaries } from '../support/canaries.ts'
import { idp, pinProvider } from '../support/providers.ts'

/** Each flow takes 250 ms. */
const time = vi.hoisted(() => ({ milliseconds: 0 }))
vi.mock('../../src/platform/clock.ts', async (load) => ({
  ...(await load<object>()),
  ticks: () => (time.milliseconds += 250),
}))

/** An application whose flows are traced, and what the SDK exports. */
function open(options: AppOptions = {}) {
  const app = openApp({ providers: [idp, pinProvider()], ...options })
  const spans = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const auth = createAuth(withOpenTelemetry(app.config, { tracerProvider, meterProvider }))
  return {
    app,
    auth,
    agent: openAgent(origin, auth.handler),
    spans: () => spans.getFinishedSpans(),
    tracer: tracerProvider.getTracer('test'),
    async metrics() {
      await reader.forceFlush()
      const [latest] = exporter.getMetrics().slice(-1)
      const found = latest?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
      return new Map(found.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]))
    },
    close: () => meterProvider.shutdown(),
  }
}

/** A context manager for Node, as an SDK registers one. */
function useContexts(): void {
  const storage = new AsyncLocalStorage<Context>()
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, act, self, ...args) => storage.run(active, () => act.apply(self, args)),
    bind: (_, target) => target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  })
}

afterEach(() => context.disable())

describe('withOpenTelemetry', () => {
  it('EMB-027 exports a span for each flow, with an event for each step and its outcome', async () => {
    const { app, agent, spans, close } = open()
    await signIn(app, agent)
    await agent.send('/auth/session')
    expect(spans().map(({ name }) => name)).toEqual([
      'authmachine sign-in',
      'authmachine callback',
      'authmachine session',
    ])
    const callback = spans()[1]
    expect(callback?.attributes).toEqual({
      'authmachine.flow': 'callback',
      'authmachine.provider': 'idp',
      'authmachine.route': 'callback',
      'http.request.method': 'GET',
      'authmachine.outcome': 'signedIn',
      'authmachine.ending': 'success',
    })
    expect(callback?.status.code).toBe(SpanStatusCode.UNSET)
    const steps = callback?.events.map(({ name, attributes }) => [attributes?.['authmachine.state'], name])
    expect(steps).toContainEqual(['exchangingCode', 'id-token.received'])
    expect(steps?.length).toBeGreaterThan(5)
    await close()
  })

  it('EMB-027 EMB-028 reports refusals without an error, and faults as errors, by their type', async () => {
    const { agent, spans, close } = open()
    const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
    await agent.send('/auth/callback/credentials', { form: { csrfToken, pin: 'wrong' } })
    const refused = spans().at(-1)
    expect(refused?.attributes).toMatchObject({
      'authmachine.ending': 'refusal',
      'error.type': 'CredentialsSignin',
    })
    expect(refused?.status.code).toBe(SpanStatusCode.UNSET)
    await close()

    const broken = open({
      config: {
        callbacks: {
          jwt() {
            throw new Error('ada@example.com is broken')
          },
        },
      },
    })
    await signIn(broken.app, broken.agent)
    const failed = broken.spans().at(-1)
    expect(failed?.attributes['authmachine.ending']).toBe('fault')
    expect(failed?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(JSON.stringify([failed?.attributes, failed?.events])).not.toContain('ada@example.com')
    await broken.close()
  })

  it('EMB-027 counts outcomes, and measures durations in seconds', async () => {
    const { app, agent, metrics, close } = open()
    await signIn(app, agent)
    for (let n = 0; n < 3; n++) await agent.send('/auth/session')
    const found = await metrics()
    const sessions = found
      .get('authmachine.flows')
      ?.find(({ attributes }) => attributes['authmachine.flow'] === 'session')
    expect(sessions).toMatchObject({ value: 3, attributes: { 'authmachine.ending': 'success' } })
    const times = found
      .get('authmachine.flow.duration')
      ?.find(({ attributes }) => attributes['authmachine.flow'] === 'session')
    expect(times).toMatchObject({ value: { count: 3, sum: 0.75 } })
    await close()
  })

  it('EMB-028 exports nothing from a request, a provider, a store or an error', async () => {
    const { app, agent, spans, metrics, close } = open({ strategy: 'database' })
    const canaries = createCanaries()
    await signIn(app, agent)
    canaries.addCookies(agent)
    canaries.addRequests(app)
    for (const value of ['ada@example.com', 'https://idp.test/ada.png']) canaries.add(value, value)
    await agent.send('/auth/session')
    await agent.send('/auth/callback/idp?code=a-code-of-nobody&state=a-state-of-nobody')
    canaries.add('code', 'a-code-of-nobody')
    const exported = spans().map(({ name, attributes, events, status, links }) => ({
      name,
      attributes,
      events,
      status,
      links,
    }))
    const text = JSON.stringify([exported, [...(await metrics())]])
    expect(canaries.size()).toBeGreaterThan(5)
    expect(canaries.foundIn(text)).toEqual([])
    expect(text).not.toContain('ada')
    await close()
  })

  it('EMB-027 nests the requests of a flow in its span, and the span in that of the request', async () => {
    useContexts()
    const seen: (string | undefined)[] = []
    const { app, agent, tracer, spans, close } = open({
      config: {
        callbacks: {
          async signIn() {
            await Promise.resolve()
            seen.push(trace.getActiveSpan()?.spanContext().spanId)
            return true
          },
        },
      },
    })
    const parent = tracer.startSpan('GET /auth')
    await context.with(trace.setSpan(ROOT_CONTEXT, parent), () => signIn(app, agent))
    const callback = spans().find(({ name }) => name === 'authmachine callback')
    expect(seen).toEqual([callback?.spanContext().spanId])
    expect(callback?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId)
    await close()
  })

  it('works with devtools, and traces a read of the session', async () => {
    const devtools = createDevtools()
    const app = openApp()
    const exporter = new InMemorySpanExporter()
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const auth = createAuth(withOpenTelemetry(devtools.watch(app.config), { tracerProvider }))
    await auth.getSession(new Request(origin))
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['authmachine session'])
    expect(devtools.runs()).toMatchObject([{ flow: 'session', state: 'anonymous', ending: 'success' }])
    const agent = openAgent(origin, auth.handler)
    await signIn(app, agent)
    // Only the session cookie binds this request. The tracer of devtools gets that cookie at the end of a run.
    agent.forget('__Host-authjs.csrf-token')
    await agent.send('/auth/session')
    const [session, , start] = devtools.runs()
    expect([session?.flow, start?.flow, session?.group]).toEqual(['session', 'sign-in', start?.group])
  })

  it.each(['before', 'after'])(
    'EMB-027 exports spans if devtools watch the configuration %s it',
    async (order) => {
      const devtools = createDevtools()
      const exporter = new InMemorySpanExporter()
      const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
      const { config } = openApp()
      const trace = <C extends typeof config>(each: C) => withOpenTelemetry(each, { tracerProvider })
      const auth = createAuth(
        order === 'before' ? trace(devtools.watch(config)) : devtools.watch(trace(config)),
      )
      await auth.getSession(new Request(origin))
      const named = exporter.getFinishedSpans().map(({ name }) => name)
      expect([named, devtools.runs().map(({ flow }) => flow)]).toEqual([['authmachine session'], ['session']])
    },
  )

  it('reports configuration faults and failed runs to devtools', async () => {
    const devtools = createDevtools()
    const watch = (changes: object) =>
      createAuth(withOpenTelemetry(devtools.watch({ ...openApp().config, ...changes })))
    await watch({ secret: ' ' }).handler(new Request(`${origin}/auth/session`))
    const list = await devtools.handle(new Request('http://localhost/devtools'))
    expect(await list.text()).toContain('The secret is missing')
    const refused = await watch({}).handler(new Request(`${origin}/auth/callback/idp?state=forged`))
    const [run] = devtools.runs()
    const page = await watch({}).handler(new Request(new URL(refused.headers.get('location') ?? '', origin)))
    expect(await page.text()).toContain(run?.id)
  })

  it('does not modify the configuration', () => {
    const config = Object.freeze({ ...openApp().config })
    expect(withOpenTelemetry(config)).toMatchObject({ providers: config.providers })
  })
})
