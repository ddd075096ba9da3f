import type { DescribedRequest, Description } from '../../targets/described/description.ts'
import { presets } from '../../targets/described/presets.ts'
import type { Answers, QuestionName } from './questions.ts'

/**
 * Composes the content of a description file. Requests are written as in HTTP: method, path and body.
 *
 * @returns members that may still be missing or invalid
 * @throws {Error} if a body begins like JSON and is invalid
 */
export function composeDescription(answers: Answers): Record<string, unknown> {
  const { preset, providers, callback, mail, link, csrf, cookie, log } = answers
  const session = composeSession(answers)
  return {
    ...(preset !== undefined && { preset }),
    ...(providers !== undefined && { providers: readForm(providers) }),
    ...(answers['sign-in'] !== undefined && { signIn: readRequest(answers['sign-in']) }),
    ...(callback !== undefined && { callback }),
    ...(session && { session }),
    ...(answers['sign-out'] !== undefined && { signOut: readRequest(answers['sign-out']) }),
    ...(mail !== undefined && { mail: { ...readRequest(mail), link } }),
    ...(csrf !== undefined && { csrf: csrf === 'none' ? csrf : readForm(csrf) }),
    ...(cookie !== undefined && { cookies: { session: cookie } }),
    ...(log !== undefined && { log }),
  }
}

/**
 * Returns the member `session`, which replaces the preset's member. Returns nothing if the preset's member is right.
 */
function composeSession({ preset, session, user, stateless }: Answers): object | undefined {
  if (session === undefined && user === undefined && stateless === undefined) return undefined
  const { url, stateless: isUsual, ...shown } = findPreset(preset)?.session ?? {}
  const place = user === undefined ? shown : user.includes('{user}') ? { text: user } : { user }
  const isAlone = { yes: true, no: false }[stateless ?? ''] ?? stateless ?? isUsual
  return {
    url: session ?? url,
    ...place,
    ...(isAlone !== undefined && isAlone !== false && { stateless: isAlone }),
  }
}

/** Returns the questions without an answer that a valid description needs. */
export function findMissing(answers: Answers): readonly QuestionName[] {
  const isPreset = findPreset(answers.preset) !== undefined
  const needed: readonly QuestionName[] = [
    ...(isPreset ? [] : (['sign-in', 'session', 'user'] as const)),
    ...(answers.mail === undefined ? [] : (['link'] as const)),
    ...(answers.link === undefined ? [] : (['mail'] as const)),
  ]
  return needed.filter((name) => answers[name] === undefined)
}

/** Returns the answers that the preset does not already contain. */
export function withoutPreset(answers: Answers, preset: string): Answers {
  const differs = (name: QuestionName) => answers[name] !== describePreset(preset, name)
  return Object.fromEntries(Object.entries(answers).filter(([name]) => differs(name as QuestionName)))
}

/** Returns the preset's answer to a question, as a user would write it. */
export function describePreset(preset: string | undefined, name: QuestionName): string | undefined {
  const found = findPreset(preset)
  if (!found) return undefined
  const { signIn, signOut, callback, session, csrf, cookies } = found
  const values: Partial<Record<QuestionName, string | undefined>> = {
    'sign-in': writeRequest(signIn),
    callback,
    session: session.url,
    user: session.user ?? session.text,
    'sign-out': signOut && writeRequest(signOut),
    csrf: typeof csrf === 'object' ? String(new URLSearchParams(Object.entries(csrf))) : csrf,
    cookie: cookies?.session,
    stateless: session.stateless === true ? 'yes' : 'no',
  }
  return values[name]
}

/** Reads a request: `POST /enter with={provider}`, or with a JSON object as its body. */
export function readRequest(text: string): DescribedRequest {
  const {
    method,
    url = '',
    body,
  } = /^(?:(?<method>[A-Z]+)\s+)?(?<url>\S+)(?:\s+(?<body>.+))?$/.exec(text.trim())?.groups ?? {}
  return {
    ...(method !== undefined && { method: method as 'GET' | 'POST' }),
    url,
    ...(body !== undefined && (body.startsWith('{') ? { json: readJson(body) } : { fields: readForm(body) })),
  }
}

function readJson(body: string): Record<string, string> {
  try {
    return JSON.parse(body) as Record<string, string>
  } catch (error) {
    throw new Error(`Expected a JSON object after the path, got ${body}`, { cause: error })
  }
}

/** Writes a request as {@link readRequest} reads it. */
export function writeRequest({ method, url, fields, json }: DescribedRequest): string {
  const form = String(new URLSearchParams(fields)).replaceAll(/%7B(\w+)%7D/g, '{$1}')
  return [method, url, json ? JSON.stringify(json) : form].filter(Boolean).join(' ')
}

function readForm(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function findPreset(name: string | undefined): Description | undefined {
  return name !== undefined && Object.hasOwn(presets, name)
    ? presets[name as keyof typeof presets]
    : undefined
}
