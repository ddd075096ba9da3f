import { environmentSecrets, type Environment } from '../../../config/environment.ts'
import type { AuthConfig } from '../../../types/config.ts'
import { good, problem, guideSections, warning, type Finding } from './finding.ts'

/** Bytes below which the library warns (decision 26). */
const strong = 32
/** 32 random bytes in hexadecimal always have more distinct characters than this. */
const varied = 10

const make = 'Create one with: npx authmachine secret --write .env.local'

/** Checks that there is a strong secret. Findings never contain it. */
export function judgeSecrets({ secret }: AuthConfig, environment: Environment): readonly Finding[] {
  const given = listSecrets(secret)
  const isGiven = given.length > 0
  const secrets = isGiven ? given : environmentSecrets(environment)
  const where = isGiven ? 'The configuration' : 'The environment'
  if (secrets.length === 0)
    return [problem('There is no secret: neither secret nor AUTH_SECRET is set.', make, guideSections.secret)]
  const findings = secrets.flatMap((each, index) => judgeSecret(each, nameSecret(index, secrets.length)))
  if (findings.length > 0) return findings
  return [
    secrets.length === 1
      ? good(`${where} has a secret of ${bytesOf(String(secrets[0]))} bytes.`)
      : good(`${where} has ${secrets.length} secrets; the first encrypts, and all of them decrypt.`),
  ]
}

/** Returns whether there is a secret that the handler accepts. */
export function hasSecret({ secret }: AuthConfig, environment: Environment): boolean {
  const given = listSecrets(secret)
  const secrets = given.length > 0 ? given : environmentSecrets(environment)
  return secrets.length > 0 && !secrets.some(isBlank)
}

function listSecrets(secret: unknown): readonly unknown[] {
  return Array.isArray(secret) ? secret : secret === undefined || secret === '' ? [] : [secret]
}

function judgeSecret(secret: unknown, name: string): readonly Finding[] {
  if (typeof secret !== 'string')
    return [problem(`${name} is a ${typeof secret}, not a string.`, make, guideSections.secret)]
  if (isBlank(secret))
    return [problem(`${name} is blank: anyone can derive its keys.`, make, guideSections.secret)]
  const length = bytesOf(secret)
  if (length < strong)
    return [
      warning(
        `${name} has ${length} bytes; use at least ${strong} random bytes.`,
        make,
        guideSections.secret,
      ),
    ]
  const characters = new Set(secret).size
  if (characters >= varied) return []
  return [
    warning(
      `${name} has only ${characters} distinct characters and is easy to guess.`,
      make,
      guideSections.secret,
    ),
  ]
}

function nameSecret(index: number, of: number): string {
  return of === 1 ? 'The secret' : `Secret ${index + 1} of ${of}`
}

function isBlank(secret: unknown): boolean {
  return typeof secret !== 'string' || secret.trim() === ''
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
