import { joinTracers } from '../flows/engine/join-tracers.ts'
import { tracer as tracerKey } from '../types/symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import { createFlowTracer, type OpenTelemetryOptions } from './flow-tracer.ts'

/**
 * Returns a copy of a configuration whose flows are traced and counted with OpenTelemetry. Register your SDK before the
 * first request. Spans and metrics contain only names from the library and its configuration, and times: nothing from a
 * request, a provider, a store or a thrown error. A configuration that is not wrapped has no overhead.
 *
 * Each run of a flow is a span, `authmachine sign-in` for example, in which the requests of its steps are nested. Each step is
 * an event of the span. The metrics are `authmachine.flows`, a counter of outcomes, and `authmachine.flow.duration`, a
 * histogram in seconds.
 *
 * @param config the configuration; devtools may watch it before or after
 * @param options providers other than the global ones
 * @returns the copy to pass to `createAuth` or `Auth`
 * @example
 * const auth = createAuth(withOpenTelemetry({ providers: [GitHub] }))
 */
export function withOpenTelemetry<const C extends Pick<AuthConfig, 'providers' | 'secret'>>(
  config: C,
  options: OpenTelemetryOptions = {},
): C {
  const { [tracerKey]: known } = config as Pick<AuthConfig, typeof tracerKey>
  return { ...config, [tracerKey]: joinTracers(known, createFlowTracer(options)) }
}
