import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { guideSections } from '../../src/tools/cli/doctor/finding.ts'
import { createLogger } from '../../src/config/create-logger.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import * as errors from '../../src/errors.ts'
import {
  errorTexts,
  explainError,
  explainWarning,
  type Explanation,
  referTo,
  warningTexts,
  writeExplanation,
} from '../../src/errors/explanations.ts'
import { siteEnvironment } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { WarningCode } from '../../src/types/logger.ts'
import { openTerminal } from '../cli/terminal.ts'
import { secret } from '../config/derive.ts'
import { readText } from '../pages/read-html.ts'
import { openApp, signIn } from '../support/app.ts'
import { withEnvironment } from '../support/environment.ts'

const errorTypes = Object.values(errors).flatMap((value) => ('type' in value ? [value.type] : []))
const warningCodes = Object.keys(warningTexts) as WarningCode[]
const explanations = new Map<string, Explanation | undefined>([
  ...errorTypes.map((type) => [type, explainError(type)] as const),
  ...warningCodes.map((code) => [code, explainWarning(code)] as const),
])

/** The headings of each guide, by its title. */
function readHeadings(): ReadonlyMap<string, readonly string[]> {
  const folder = new URL('../../docs/guides/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return new Map(
    files.map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const [title = '', ...headings] = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
      return [title, headings]
    }),
  )
}

afterEach(() => vi.restoreAllMocks())

describe('the explanations', () => {
  it('DEC-03f exist for every error type', () => {
    expect(new Set(Object.keys(errorTexts))).toEqual(new Set<string>(errorTypes))
    expect(errorTypes.length).toBeGreaterThan(30)
    expect(warningCodes.length).toBeGreaterThan(15)
  })

  it('DEC-03f have a sentence and a fix', () => {
    for (const [name, explanation] of explanations) {
      expect(explanation?.sentence, name).toMatch(/^[A-Z`].{10,}[.]$/)
      expect(explanation?.fix, name).toMatch(/^[A-Z].{10,}[.]$/)
    }
  })

  it('DEC-03f refer to sections that exist', () => {
    const headings = readHeadings()
    const sections = [...explanations.values()].flatMap((each) => each?.section ?? [])
    for (const { guide, heading } of [...sections, ...Object.values(guideSections)])
      expect(
        headings.get(guide)?.filter((each) => each === heading),
        heading,
      ).toEqual([heading])
  })

  it('DEC-03f do not exist for names that only look like a type or a code', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'Configuration', '']) {
      expect(explainError(name)).toBeUndefined()
      expect(explainWarning(name)).toBeUndefined()
    }
  })
})

describe('the log', () => {
  it('DEC-03f explains every error and every warning', async () => {
    const lines: string[] = []
    for (const level of ['error', 'warn'] as const)
      vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void lines.push(parts.join(' ')))
    const logger = createLogger({})
    for (const type of Object.values(errors)) {
      if (!isErrorClass(type)) continue
      lines.length = 0
      logger.error(new type('what happened'))
      await vi.dynamicImportSettled()
      expect(lines.at(-1)).toBe(`[auth][help] ${explain(type.type)}`)
    }
    for (const code of warningCodes) {
      lines.length = 0
      logger.warn(code)
      logger.warn(code, 'The details')
      const { sentence, fix, section } = explainWarning(code) ?? expect.fail(code)
      expect(lines).toEqual([
        `[auth][warn][${code}] ${sentence} ${fix} ${referTo(section)}`,
        `[auth][warn][${code}] ${sentence} The details. ${fix} ${referTo(section)}`,
      ])
    }
  })
})

describe('doctor', () => {
  /** What doctor prints about a configuration, without line breaks inside findings. */
  async function diagnose(config: object) {
    const { type } = openTerminal(
      {},
      {
        environment: { AUTH_URL: 'https://app.test', AUTH_SECRET: secret },
        modules: { 'auth.ts': { config } },
      },
    )
    return (await type('doctor auth.ts')).out.replaceAll(/\n {4,}/g, ' ')
  }

  it.each<[string, object]>([
    ['MissingAuthorize', { providers: [{ id: 'password', type: 'credentials' }] }],
    ['MissingAdapter', { providers: [], session: { strategy: 'database' } }],
    ['InvalidConfig', { providers: [], session: { maxAge: -1 } }],
  ])('DEC-03f explains %s', async (type, config) => {
    expect(await diagnose(config)).toMatch(new RegExp(`✗ ${type}: [^→]*→ `))
    expect(await diagnose(config)).toContain(`→ ${explain(type)}\n`)
  })

  it('DEC-03f explains warnings', async () => {
    const out = await diagnose({ providers: [], debug: true, sesion: {} })
    for (const code of ['debug-enabled', 'unknown-option']) {
      const { sentence, fix, section } = explainWarning(code) ?? expect.fail(code)
      expect(out).toContain(`! ${sentence}`)
      expect(out).toContain(`→ ${fix} ${referTo(section)}\n`)
    }
  })
})

describe('the error page in development', () => {
  const development = {
    [siteEnvironment]: { AUTH_URL: undefined, AUTH_TRUST_HOST: undefined, NODE_ENV: 'development' as const },
  }
  const show = async (path: string, config: Partial<AuthConfig> = development) =>
    readExplanation(await (await openApp({ config }).agent().send(`/auth/${path}`)).text())

  it('DEC-03f DEC-03g explains every error type', async () => {
    for (const type of errorTypes) {
      const { sentence, fix, section } = explainError(type) ?? expect.fail(type)
      const shown = await show(`error?error=Configuration&type=${type}`)
      for (const text of [type, sentence, fix, referTo(section)]) expect(shown).toContain(text)
    }
    expect(await show('error?error=AccessDenied')).toContain(explainError('AccessDenied')?.fix)
    expect(await show('nothing')).toContain(explainError('UnknownAction')?.fix)
    expect(await show('account')).toContain('The option `accountPage` turns this route on.')
  })

  it('DEC-03f DEC-03g explains a failed sign-in and a fault of the configuration, without their messages', async () => {
    const config = {
      ...development,
      callbacks: { jwt: () => Promise.reject(new Error('canary')) },
    }
    const app = openApp({ config })
    const agent = app.agent()
    const response = await signIn(app, agent)
    const location = response.headers.get('location') ?? ''
    expect(location).toMatch(/\/auth\/error\?error=Configuration&type=CallbackRouteError$/)
    const shown = readExplanation(await (await agent.send(location)).text())
    expect(shown).toContain(explainError('CallbackRouteError')?.sentence)
    expect(shown).not.toContain('canary')
    expect(await show('signin', { ...development, secret: ' ' })).toContain(
      explainError('MissingSecret')?.fix,
    )
  })

  it('DEC-03g shows no text from the URL', async () => {
    expect(await show('error?error=canary&type=canary')).not.toContain('canary')
    expect(await show('error?error=Configuration&type=toString')).not.toContain('NODE_ENV')
  })

  it.each([undefined, 'production', 'test', 'Development'])(
    'DEC-03g explains nothing with NODE_ENV %s',
    async (NODE_ENV) => {
      const variables = { AUTH_URL: 'https://app.test', ...(NODE_ENV !== undefined && { NODE_ENV }) }
      const auth = withEnvironment(variables, () =>
        createAuth({
          providers: [],
          secret: ' ',
          debug: true,
          logger: { error() {}, warn() {}, debug() {} },
        }),
      )
      for (const path of ['signin', 'error?error=Configuration&type=MissingSecret']) {
        const html = await (await auth.handler(new Request(`https://app.test/auth/${path}`))).text()
        expect(readText(html)).not.toContain('MissingSecret')
      }
    },
  )

  it('DEC-03g takes NODE_ENV from the environment of the framework', async () => {
    const variables = { AUTH_URL: 'https://app.test', NODE_ENV: 'development' }
    const auth = withEnvironment(variables, () =>
      createAuth({ providers: [], secret: ' ', logger: { error() {} } }),
    )
    const html = await (await auth.handler(new Request('https://app.test/auth/signin'))).text()
    expect(readExplanation(html)).toContain(explainError('MissingSecret')?.fix)
  })
})

/** The text of a page, with its code in backticks as in the log. */
function readExplanation(html: string): string {
  return readText(html.replaceAll(/<\/?code>/g, '`')).replaceAll(/\s+/g, ' ')
}

function explain(type: string): string {
  const explanation = explainError(type)
  return explanation ? writeExplanation(explanation) : expect.fail(type)
}

function isErrorClass(value: unknown): value is typeof errors.AuthError {
  return typeof value === 'function' && 'type' in value
}
