import { describe, expect, it } from 'vitest'
import { openTerminal } from './terminal.ts'

const line = /^AUTH_SECRET="[\w-]{43}"$/m

describe('authmachine secret', () => {
  it('CLI-001 prints 32 random bytes and nothing else, different each time', async () => {
    const { type } = openTerminal()
    const printed = [await type('secret'), await type('secret')]
    for (const { code, out, err } of printed) {
      expect([code, err]).toEqual([0, ''])
      expect(out).toMatch(/^[\w-]{43}\n$/)
      expect(Buffer.from(out.trim(), 'base64url').length).toBe(32)
    }
    expect(printed[0]?.out).not.toBe(printed[1]?.out)
  })

  it.each([
    ['there is none', undefined, /^AUTH_SECRET="[\w-]{43}"\n$/],
    ['it is empty', '', /^AUTH_SECRET="[\w-]{43}"\n$/],
    ['it has other variables', 'PORT=3000\n', /^PORT=3000\nAUTH_SECRET="[\w-]{43}"\n$/],
    ['its last line has no line break', 'PORT=3000', /^PORT=3000\nAUTH_SECRET="[\w-]{43}"\n$/],
    ['it has an empty variable', 'A=1\nAUTH_SECRET=\nB=2\n', /^A=1\nAUTH_SECRET="[\w-]{43}"\nB=2\n$/],
    ['the empty value is quoted', 'AUTH_SECRET=""  # npx\nB=2\n', /^AUTH_SECRET="[\w-]{43}"  # npx\nB=2\n$/],
    ['another name starts the same', 'AUTH_SECRET_1=x\n', /^AUTH_SECRET_1=x\nAUTH_SECRET="[\w-]{43}"\n$/],
    ['it is exported', 'export AUTH_SECRET= # vault\n', /^export AUTH_SECRET="[\w-]{43}" # vault\n$/],
    [
      'another name ends the same',
      'NEXTAUTH_SECRET=x\nAUTH_SECRET=\n',
      /^NEXTAUTH_SECRET=x\nAUTH_SECRET="[\w-]{43}"\n$/,
    ],
    [
      'a comment names it first',
      '# AUTH_SECRET= of prod\nAUTH_SECRET=\r\n',
      /^# AUTH_SECRET= of prod\nAUTH_SECRET="[\w-]{43}"\r\n$/,
    ],
    ['the variable is a comment', '# AUTH_SECRET=x\n', /^# AUTH_SECRET=x\nAUTH_SECRET="[\w-]{43}"\n$/],
  ])('CLI-002 writes the secret to a file: %s', async (_, before, after) => {
    const { type, files, modes } = openTerminal(before === undefined ? {} : { '.env.local': before })
    const { code, out, err } = await type('secret --write .env.local')
    expect([code, err]).toEqual([0, ''])
    expect(files['.env.local']).toMatch(after)
    expect(modes['.env.local']).toBe(0o600)
    // The output does not repeat the content of the file.
    expect(out).not.toContain(line.exec(files['.env.local'] ?? '')?.[0].slice(13, -1))
  })

  it.each([
    ['.env.local', './.env.local'],
    ['config/site.env', 'config/site.env'],
  ])('CLI-002 says how to load %s with Next.js, with Node and in the shell', async (path, sourced) => {
    const { out } = await openTerminal().type(`secret --write ${path}`)
    expect(out).toContain('Next.js loads .env and .env.local automatically.')
    expect(out).toContain(
      `  node --env-file=${path} server.js\n  set -a && . ${sourced} && set +a && npm run dev\n`,
    )
  })

  it.each([
    'AUTH_SECRET=old\n',
    'AUTH_SECRET="old"',
    'export AUTH_SECRET=old',
    "  AUTH_SECRET = 'old'\r\n",
    'AUTH_SECRET=\nAUTH_SECRET=old\n',
  ])('CLI-002 keeps an existing secret: %j', async (before) => {
    const { type, files } = openTerminal({ '.env': before })
    const { code, out, err } = await type('secret -w .env')
    expect([code, out, files['.env']]).toEqual([1, '', before])
    expect(err).toContain('.env already contains an AUTH_SECRET')
    expect(err).not.toContain('old"')
  })

  it('CLI-003 reports a failure, and a misspelt argument', async () => {
    const { type, terminal } = openTerminal()
    expect(await type('secret .env')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--write .env') as string,
    })
    expect(await type('secret --wirte .env')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Run authmachine secret --help for a list of options') as string,
    })
    const fail = () => Promise.reject(new Error('it is a directory'))
    Object.assign(terminal, { writeFile: fail })
    expect(await type('secret -w here')).toMatchObject({
      code: 1,
      err: 'Cannot write here: it is a directory\n',
    })
    Object.assign(terminal, { readFile: fail })
    expect(await type('secret -w here')).toMatchObject({
      code: 1,
      err: 'Cannot read here: it is a directory\n',
    })
  })
})
