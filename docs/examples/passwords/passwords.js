import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** The scrypt parameters that OWASP recommends. Each check uses 128 MiB of memory. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 2 ** 20 }

/**
 * @param {string} password
 * @param {Buffer} salt
 * @returns {Promise<Buffer>}
 */
function derive(password, salt) {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, cost, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

/** Maps user ids to password hashes. Use a database table instead, with a column for the salt and one for the hash. */
const stored = new Map()
const nobody = { salt: Buffer.alloc(16), hash: Buffer.alloc(32) }

/**
 * @param {string} userId
 * @param {string} password
 */
export async function setPassword(userId, password) {
  const salt = randomBytes(16)
  stored.set(userId, { salt, hash: await derive(password, salt) })
}

/**
 * Takes equally long for an unknown user and a wrong password, so that timing does not reveal who has an account.
 *
 * @param {string | undefined} userId
 * @param {string} password
 */
export async function checkPassword(userId, password) {
  const { salt, hash } = stored.get(userId) ?? nobody
  const isRight = timingSafeEqual(await derive(password, salt), hash)
  return isRight && stored.has(userId)
}
