import { environmentSecrets, type Environment } from '../../config/environment.ts'
import type { AuthConfig } from '../../types/config.ts'
import { good, problem, warning, type Finding } from './finding.ts'

/** Bytes below which the library warns (decision 26). */
const strong = 32
/** Fewer different characters than 32 random bytes ever have, written in hexadecimal. */
const varied = 10

const make = 'Make one with: npx authmachine secret --write .env.local'

/** Is there a secret, and is it one that nobody guesses? Nothing of it is shown. */
export function judgeSecrets({ secret }: AuthConfig, environment: Environment): readonly Finding[] {
  const given = listSecrets(secret)
  const isGiven = given.length > 0
  const secrets = isGiven ? given : environmentSecrets(environment)
  const where = isGiven ? 'The configuration' : 'The environment'
  if (secrets.length === 0)
    return [problem('There is no secret: neither the configuration has one, nor AUTH_SECRET.', make)]
  const findings = secrets.flatMap((each, index) => judgeSecret(each, nameSecret(index, secrets.length)))
  if (findings.length > 0) return findings
  return [
    secrets.length === 1
      ? good(`${where} has a secret of ${bytesOf(String(secrets[0]))} bytes.`)
      : good(`${where} has ${secrets.length} secrets; the first seals, and all of them open.`),
  ]
}

/** Is there one that a handler would take? */
export function hasSecret({ secret }: AuthConfig, environment: Environment): boolean {
  const given = listSecrets(secret)
  const secrets = given.length > 0 ? given : environmentSecrets(environment)
  return secrets.length > 0 && !secrets.some(isBlank)
}

function listSecrets(secret: unknown): readonly unknown[] {
  return Array.isArray(secret) ? secret : secret === undefined || secret === '' ? [] : [secret]
}

function judgeSecret(secret: unknown, name: string): readonly Finding[] {
  if (typeof secret !== 'string') return [problem(`${name} is a ${typeof secret}, and no text.`, make)]
  if (isBlank(secret)) return [problem(`${name} is blank: anybody has the key that it makes.`, make)]
  const length = bytesOf(secret)
  if (length < strong)
    return [warning(`${name} has ${length} bytes, where ${strong} random ones are strong.`, make)]
  const characters = new Set(secret).size
  if (characters >= varied) return []
  return [warning(`${name} is made of ${characters} different characters, and easy to guess.`, make)]
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
