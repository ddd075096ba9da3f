import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runConformance } from '../../fuzz/cli/conformance.ts'
import { help, readOptions, UsageError } from '../../fuzz/cli/options.ts'
import { findTarget } from '../../fuzz/targets/find-target.ts'

const read = (line: string) => readOptions(line === '' ? [] : line.split(' '))

describe('the command line of authmachine-conformance', () => {
  it('parses', () => {
    expect(
      read(
        'ours x.js --profile ci --only TX,SE-04 --seed 7 --seeds 3 --shard 2/4 --time 2m --threads 3 --report html,json -o out',
      ),
    ).toMatchObject({
      words: ['ours', 'x.js'],
      profile: 'ci',
      only: ['TX', 'SE-04'],
      seed: 7,
      seeds: 3,
      shard: { index: 2, of: 4 },
      time: 120_000,
      threads: 3,
      reports: ['html', 'json'],
      out: 'out',
    })
    expect(read('http://a --port 5010 --capabilities throttle,refresh --i-own-this').application).toEqual({
      port: 5010,
      capabilities: ['throttle', 'refresh'],
      isOwn: true,
    })
    expect(read('http://a --wait 60s --report html,junit,sarif')).toMatchObject({
      wait: 60_000,
      reports: ['html', 'junit', 'sarif'],
    })
    expect(read('ours')).toMatchObject({ profile: 'smoke', only: [], application: {}, reports: [] })
  })

  it.each([
    ['--profile fast', 'Expected --profile to be one of smoke, ci, nightly, got "fast"'],
    ['--profile toString', 'got "toString"'],
    ['--seed x', 'Expected --seed to be a whole number, got "x"'],
    ['--threads 1.5', 'Expected --threads to be a whole number, got "1.5"'],
    ['--shard 5/4', 'Expected --shard to be a part like 1/4, got "5/4"'],
    ['--shard 0/4', 'got "0/4"'],
    ['--seeds 0', 'Expected --seeds to be at least 1, got "0"'],
    ['--wait 1h', 'Expected --wait to be a duration like 90s or 10m, got "1h"'],
    ['--time 60', 'Expected --time to be a duration like 90s or 10m, got "60"'],
    ['--report html,pdf', 'Expected --report to list some of html, json, junit, markdown, sarif, got "pdf"'],
    ['--capabilities flight', 'Expected --capabilities to list some of absolute-lifetime,'],
    ['--frobnicate', "Unknown option '--frobnicate'"],
  ])('rejects invalid arguments, and says what it expected: %s', (line, complaint) => {
    expect(() => read(line)).toThrow(complaint)
    expect(() => read(line)).toThrow(UsageError)
  })

  it('lists every option in its help, within the width of a terminal', () => {
    for (const name of Object.keys(read('')).filter((each) => each === each.toLowerCase()))
      if (!['words', 'help', 'reports', 'application'].includes(name)) expect(help).toContain(`--${name}`)
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  })
})

describe('a target', () => {
  it('is this library, a module, or a running application', () => {
    expect(findTarget('ours')).toMatchObject({ kind: 'library', name: 'ours' })
    expect(findTarget('http://localhost:3000/auth/')).toEqual({
      kind: 'url',
      name: 'http://localhost:3000/auth/',
      url: 'http://localhost:3000/auth',
    })
    const path = fileURLToPath(new URL('unbound.ts', import.meta.url))
    expect(findTarget(path)).toMatchObject({ module: new URL('unbound.ts', import.meta.url).href })
  })

  it.each(['nothing', './no/such/file.js', 'auth-core@0.0.0'])('is rejected: %s', (word) => {
    expect(() => findTarget(word)).toThrow(new RegExp(`^Expected .*, got "${word}"$`))
  })
})

describe('the executable', () => {
  const main = fileURLToPath(new URL('../../fuzz/cli/main.ts', import.meta.url))
  const type = (line: string) =>
    promisify(execFile)(process.execPath, [main, ...line.split(' ').filter(Boolean)]).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )

  it('prints its help, and exits with 2 for a usage error', async () => {
    expect(await type('--help')).toMatchObject({ code: 0, stdout: help })
    expect(await type('--profile fast')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Expected --profile to be one of smoke, ci, nightly, got "fast"\n',
    })
  }, 120_000)

  it('CLI-010 prints no line break of a target, a report or a replay token', async () => {
    const site = createServer((_request, response) => void response.end('{"a":\n\nPASS SE-01\n}'))
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const { port } = site.address() as AddressInfo
    const token = Buffer.from(JSON.stringify(['x\nPASS SE-04 holds', 'jwt', 1, '0'])).toString('base64url')
    const outputs = [
      await type(`http://127.0.0.1:${port}/auth --port 24720`),
      await type(`ours --replay ${token}`),
    ]
    site.close()
    for (const { code, stderr } of outputs) {
      expect(code).toBe(2)
      expect(stderr).toMatch(/\\u\{a\}PASS[^\n]*\n$/)
      expect(stderr).not.toMatch(/^PASS/m)
    }
  }, 120_000)
})

describe('an unusable argument', () => {
  it.each([
    [
      'merge no-such-file.json',
      'Expected the JSON report of a shard, but the file no-such-file.json does not exist',
    ],
    ['merge package.json', 'Expected the JSON report of a shard, but package.json is not one'],
    [
      'ours --port 4020',
      '--port, --target, --keys, --capabilities and --i-own-this need a URL, got the library "ours"',
    ],
    ['ours --wait 5s', '--wait needs a URL, got the library "ours"'],
    ['ours --only XX-99', 'No property tests XX-99'],
    ['ours --replay nonsense', 'Expected a replay token from a report, got "nonsense"'],
    ['ours --corpus tsconfig.json', 'Expected the corpus to be an object that lists replay tokens'],
    ['ours --baseline package.json', 'Expected the baseline to be a list of entries'],
    ['https://example.com/auth', 'example.com is not this machine'],
  ])('gets a one-sentence error: %s', async (line, complaint) => {
    await expect(runConformance(read(line))).rejects.toThrow(complaint)
  })
})
