import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { openTerminal } from './terminal.ts'

const commands = ['secret', 'doctor', 'migrate', 'flows', 'completion']

/** Returns bash's completions for a line whose last word is incomplete. */
function completeInBash(script: string, line: string): string[] {
  const words = line.split(' ')
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const act = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _authmachine; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${act}`], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}

describe('authmachine completion', () => {
  it('CLI-004 completes commands, options and arguments in bash', async () => {
    const { out } = await openTerminal().type('completion bash')
    expect(completeInBash(out, 'authmachine ')).toEqual([...commands, '--help', '--version'])
    expect(completeInBash(out, 'authmachine se')).toEqual(['secret'])
    expect(completeInBash(out, 'authmachine secret --')).toEqual(['--write', '--help'])
    expect(completeInBash(out, 'authmachine flows sign')).toEqual(['sign-in', 'sign-out'])
    expect(completeInBash(out, 'authmachine completion ')).toEqual(['bash', 'zsh', 'fish', '--help'])
    expect(completeInBash(out, 'authmachine nothing ')).toEqual([])
  })

  it.each(['zsh', 'fish'])('CLI-004 names every command and its purpose in %s', async (shell) => {
    const { code, out } = await openTerminal().type(`completion ${shell}`)
    expect(code).toBe(0)
    const help = (await openTerminal().type('--help')).out
    for (const name of commands) {
      const says = new RegExp(`^  ${name} +(.+)$`, 'm').exec(help)?.[1] ?? 'nothing'
      expect(out).toContain(name)
      expect(out).toContain(says)
    }
    for (const word of ['write', 'coverage', 'sign-in']) expect(out).toContain(word)
  })

  it.each(['completion', 'completion csh', 'completion bash zsh'])(
    'CLI-003 requires exactly one supported shell: %s',
    async (line) => {
      const { code, out, err } = await openTerminal().type(line)
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/^Expected one shell, bash, zsh, fish, got /)
    },
  )
})

describe('help', () => {
  it.each(['--help', ...commands.map((name) => `${name} --help`)])(
    'CLI-003 fits an 80-column terminal: %s',
    async (line) => {
      const { code, out, err } = await openTerminal().type(line)
      expect([code, err]).toEqual([0, ''])
      expect(out).toContain('Usage: authmachine')
      // Descriptions of flows come from their charts.
      const width = line.startsWith('flows') ? 100 : 80
      expect(out.split('\n').filter((text) => text.length > width)).toEqual([])
    },
  )
})
