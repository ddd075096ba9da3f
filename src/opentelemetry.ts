export { type OpenTelemetryOptions, withOpenTelemetry } from './opentelemetry/with-opentelemetry.ts'
