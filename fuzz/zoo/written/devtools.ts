import type { Mutant } from '../mutant.ts'

/** Faults of the live trace. */
export const mutants: readonly Mutant[] = [
  {
    id: 'devtools/message-as-name',
    file: 'src/devtools/name-error.ts',
    find: "return builtIn.has(error.name) ? error.name : 'Error'",
    replace: 'return builtIn.has(error.name) ? error.name : error.message',
    kills: ['DEC-37a'],
  },
  {
    id: 'devtools/url-as-request',
    file: 'src/handler/create-handler.ts',
    find: 'provider: providerId })',
    replace: 'provider: `${providerId}${visit.request.url}` })',
    kills: ['DEC-37a'],
  },
  {
    id: 'devtools/anywhere',
    file: 'src/devtools/create-devtools.ts',
    find: "readEnvironment().NODE_ENV === 'production' && !dangerouslyAllowInProduction",
    replace: "readEnvironment().NODE_ENV === 'prod' && !dangerouslyAllowInProduction",
    kills: ['DEC-37b'],
  },
  {
    id: 'devtools/keeps-all-runs',
    file: 'src/devtools/recorder.ts',
    find: 'ring.size > kept',
    replace: 'ring.size > kept * 10',
    kills: ['DEC-37c'],
  },
  {
    id: 'devtools/follower-never-leaves',
    file: 'src/devtools/stream.ts',
    find: 'if (isOpen) followers -= 1',
    replace: '',
    kills: ['DEC-37c'],
  },
  {
    id: 'devtools/waits-for-sleepers',
    file: 'src/devtools/stream.ts',
    find: '(controller.desiredSize ?? 0) <= 0',
    replace: 'controller.desiredSize === null',
    kills: ['DEC-37c'],
  },
  {
    id: 'devtools/run-in-every-address',
    file: 'src/handler/answer.ts',
    find: 'if (debug && traceId !== undefined',
    replace: 'if (traceId !== undefined',
    kills: ['DEC-37d'],
  },
  {
    id: 'devtools/error-page-for-everybody',
    file: 'src/routes/showings.ts',
    find: 'return debug && id !== null ? tracer?.find(id) : undefined',
    replace: 'return id !== null ? tracer?.find(id) : undefined',
    kills: ['DEC-37d'],
  },
  {
    id: 'devtools/replay-says-the-next',
    file: 'machines/replay.ts',
    find: 'hops[at++]?.event',
    replace: 'hops[++at]?.event',
    kills: ['DEC-37e'],
  },
  {
    id: 'devtools/inline-style-of-drawings',
    file: 'src/devtools/run-page.ts',
    find: 'styled: false,',
    replace: '',
    kills: ['DEC-37f'],
  },
]
