/** `npm test`: the parts that only read run in two lanes, the others after them, one at a time. */
import { runStages, script } from './run-parts.ts'

// The longest part of each lane comes first.
process.exitCode = await runStages([
  [
    [script('typecheck'), script('generated', '--check')],
    [script('docs'), script('format:check'), script('lint')],
  ],
  [
    [
      script('test:unit'),
      script('conformance', 'ours', '--profile', 'smoke', '--seed', '1'),
      script('test:browser'),
      script('test:package'),
    ],
  ],
])
