import { createAuth } from '../../../src/index.ts'
import { withOpenTelemetry } from '../../../src/opentelemetry.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth(withOpenTelemetry({ providers: [GitHub] }))
