export type { OpenTelemetryOptions } from './opentelemetry/flow-tracer.ts'
export { withOpenTelemetry } from './opentelemetry/with-opentelemetry.ts'
