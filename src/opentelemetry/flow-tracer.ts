import {
  type Attributes,
  context,
  type MeterProvider,
  metrics,
  SpanStatusCode,
  trace,
  type TracerProvider,
} from '@opentelemetry/api'
import { ticks } from '../platform/clock.ts'
import { nameErrors } from '../errors/error-names.ts'
import { once } from '../async/once.ts'
import type { BegunRun, RunTrace, TracedHop, Tracer } from '../types/trace.ts'
import { version } from '../platform/version.ts'

/** Options of `withOpenTelemetry`. */
export interface OpenTelemetryOptions {
  /** @default the global tracer provider */
  readonly tracerProvider?: TracerProvider
  /** @default the global meter provider */
  readonly meterProvider?: MeterProvider
}

const scope = 'authmachine'

/**
 * Returns a tracer that begins a span for each run. It needs no cookies. The instruments are created by the first run,
 * after the SDK.
 */
export function createFlowTracer({ tracerProvider, meterProvider }: OpenTelemetryOptions): Tracer {
  const open = once(() => {
    const meter = (meterProvider ?? metrics).getMeter(scope, version)
    return {
      tracer: (tracerProvider ?? trace).getTracer(scope, version),
      flows: meter.createCounter('authmachine.flows', {
        description: 'Runs of flows by their outcome.',
        unit: '{flow}',
      }),
      duration: meter.createHistogram('authmachine.flow.duration', {
        description: 'Duration of flows.',
        unit: 's',
        advice: { explicitBucketBoundaries: [...bounds] },
      }),
    }
  })

  const begin = ({ flow, action, method, provider }: BegunRun): RunTrace => {
    const { tracer, flows, duration } = open()
    const named: Attributes = {
      'authmachine.flow': flow,
      ...(provider !== undefined && { 'authmachine.provider': provider }),
    }
    const startedAt = ticks()
    const span = tracer.startSpan(`authmachine ${flow}`, {
      attributes: { ...named, 'authmachine.route': action, 'http.request.method': method },
    })
    let outcome = ''
    let fault: Error | undefined
    return {
      id: undefined,
      within: (act) => context.with(trace.setSpan(context.active(), span), act),
      hop(hop) {
        outcome = hop.next
        fault ??= hop.fault
        span.addEvent(hop.event, describeHop(hop))
      },
      end({ ending, error }) {
        const result: Attributes = {
          'authmachine.outcome': outcome,
          'authmachine.ending': ending,
          ...describeError(error ?? fault),
        }
        span.setAttributes(result)
        if (ending === 'fault') span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
        flows.add(1, { ...named, ...result })
        duration.record((ticks() - startedAt) / 1000, {
          'authmachine.flow': flow,
          'authmachine.ending': ending,
        })
      },
    }
  }
  // No page shows a span.
  return { begin, find: () => undefined }
}

/** In seconds. Reading a session takes microseconds, and a callback waits for requests to the provider. */
const bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

function describeHop({ state, next, fault }: TracedHop): Attributes {
  return { 'authmachine.state': state, 'authmachine.next': next, ...describeError(fault) }
}

/** Returns only the type of an error. Its message may contain personal data. */
function describeError(error: Error | undefined): Attributes {
  const [type] = nameErrors(error)
  return type === undefined ? {} : { 'error.type': type }
}
