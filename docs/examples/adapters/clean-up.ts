import type { Kysely } from 'kysely'
import { deleteExpired } from '../../../src/adapters/kysely.ts'

export async function cleanUp(db: Kysely<unknown>): Promise<void> {
  const { sessions, verificationTokens, keyedRecords } = await deleteExpired(db, new Date())
  console.log(
    `removed ${sessions} sessions, ${verificationTokens} verification tokens, ${keyedRecords} records`,
  )
}
