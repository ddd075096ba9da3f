import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listGuides } from '../guides/generate.ts'
import { readGuide } from './read-guide.ts'
import { findRule, install } from './rules.ts'

const top = new URL('../../', import.meta.url)

describe('following the guides', () => {
  it('reads commands and programs in order', () => {
    const guide = [
      '```sh\nnpm start      # the demo\nnpm start -- \\\n  --check\n```',
      '<!-- file docs/examples/embed/auth.js -->\n\n```js\nlet a\n```\n\n<!-- /file -->',
      '```json\n{}\n```',
    ].join('\n\n')
    expect(readGuide(guide)).toEqual([
      { type: 'command', line: 'npm start' },
      { type: 'command', line: 'npm start -- --check' },
      { type: 'program', name: 'auth.js', text: 'let a\n' },
    ])
  })

  it('has a rule for each command of each guide', async () => {
    const commands = (await listGuides()).flatMap((guide) =>
      readGuide(readFileSync(new URL(guide, top), 'utf8')).flatMap((instruction) =>
        instruction.type === 'command' ? [{ guide, line: instruction.line }] : [],
      ),
    )
    expect(commands.length).toBeGreaterThan(15)
    for (const { guide, line } of commands)
      expect(() => findRule(guide, line.replace(install, ''))).not.toThrow()
    expect(() => findRule('a.md', 'npx authmachine nonsense')).toThrow('test/follow/rules.ts')
  })
})
