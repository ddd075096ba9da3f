import { expect } from 'vitest'
import { listCauses } from '../../src/errors/connection-problem.ts'
import { clientSecret, type SignIn, type Stage } from './stage.ts'

const secretNames = ['code', 'state', 'nonce', 'code_verifier', 'client_secret', 'client_assertion']

/** Expects no secret of the sign-in in the log of its failure. */
export function expectNoSecrets({ idp }: Pick<Stage, 'idp'>, result: SignIn): void {
  if (result.stop === undefined) return
  const said = listCauses(result.failed.error).map(String).join(' ')
  const sent = idp.log.flatMap(({ parameters }) => secretNames.map((name) => parameters.get(name)))
  for (const secret of [...sent, clientSecret, 'eyJ', '<script'])
    if (secret) expect(said).not.toContain(secret)
}
