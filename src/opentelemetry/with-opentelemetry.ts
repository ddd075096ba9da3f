import { tracer as tracerKey } from '../symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { RunTrace, Tracer } from '../types/trace.ts'
import { createFlowTracer, type FlowTrace, type OpenTelemetryOptions } from './flow-tracer.ts'

/**
 * Returns a copy of a configuration whose flows are traced and counted with OpenTelemetry. Register your SDK before the
 * first request. Spans and metrics contain only names from the library and its configuration, and times: nothing from a
 * request, a provider, a store or a thrown error. A configuration without it has no overhead.
 *
 * Each run of a flow is a span, `authmachine sign-in` for example, in which the requests of its steps are nested. Each step is
 * an event of the span. The metrics are `authmachine.flows`, a counter of outcomes, and `authmachine.flow.duration`, a
 * histogram in seconds.
 *
 * @param config the configuration; devtools may already watch it
 * @param options providers other than the global ones
 * @returns the copy to pass to `createAuth` or `Auth`
 * @example
 * const auth = createAuth(withOpenTelemetry({ providers: [GitHub] }))
 */
export function withOpenTelemetry<const C extends Pick<AuthConfig, 'providers' | 'secret'>>(
  config: C,
  options: OpenTelemetryOptions = {},
): C {
  const { [tracerKey]: others } = config as Pick<AuthConfig, typeof tracerKey>
  const own = createFlowTracer(options)
  const both: Tracer = {
    // Cookies are for devtools only.
    begin: (run, received) => (others ? join(others.begin(run, received), own(run)) : own(run)),
    find: (id) => others?.find(id),
    reject: (fault) => others?.reject?.(fault),
  }
  return { ...config, [tracerKey]: both }
}

/** Reports a run to two tracers. Only the first identifies it on the error page. */
function join(one: RunTrace, other: FlowTrace): RunTrace {
  return {
    ...other,
    id: one.id,
    hop(hop) {
      one.hop(hop)
      other.hop(hop)
    },
    end(error, sent) {
      one.end(error, sent)
      other.end(error)
    },
  }
}
