import { expect } from 'vitest'
import { clientSecret, type SignIn, type Stage } from './stage.ts'

const secretNames = ['code', 'state', 'nonce', 'code_verifier', 'client_secret', 'client_assertion']

/** Nothing that was secret in the sign-in is in what would be logged of its failure. */
export function expectQuiet({ idp }: Pick<Stage, 'idp'>, result: SignIn): void {
  if (result.stop === undefined) return
  const { error, cause } = result.failed
  const said = `${error.message} ${String(error.cause)} ${String(cause)}`
  const sent = idp.log.flatMap(({ parameters }) => secretNames.map((name) => parameters.get(name)))
  for (const secret of [...sent, clientSecret, 'eyJ', '<script'])
    if (secret) expect(said).not.toContain(secret)
}
