import { tracer as tracerKey } from '../symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { BegunRun, RunTrace, Tracer } from '../types/trace.ts'
import { createFlowTracer, type OpenTelemetryOptions } from './flow-tracer.ts'

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
    begin: (run) => (others ? join(others, own, run) : own(run)),
    find: (id) => others?.find(id),
  }
  return { ...config, [tracerKey]: both }
}

/** Reports a run to two tracers. Only the first identifies it on the error page. */
function join(first: Tracer, second: (run: BegunRun) => RunTrace, run: BegunRun): RunTrace {
  const [one, other] = [first.begin(run), second(run)]
  return {
    ...other,
    id: one.id,
    hop(hop) {
      one.hop(hop)
      other.hop(hop)
    },
    end(error) {
      one.end(error)
      other.end(error)
    },
  }
}
