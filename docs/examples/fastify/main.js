import { createFastifyAuth } from 'authmachine/node'
import { fastify } from 'fastify'
import { auth } from './auth.js'

const app = fastify()
// Behind a proxy that overwrites X-Forwarded-Host and X-Forwarded-Proto: { trustProxy: true }.
const { plugin, getSession, requireSession } = createFastifyAuth(auth)

await app.register(plugin, { prefix: '/auth' })

app.get('/', async (request, reply) => {
  const session = await getSession(request, reply)
  reply.type('text/html')
  return `<!doctype html>
    <html lang="en">
      <title>authmachine with Fastify</title>
      <link rel="icon" href="data:," />
      <p>Signed in: <strong id="who">${escape(session?.user?.name ?? 'nobody')}</strong></p>
      <a href="/auth/signin">Sign in</a>
      <a href="/auth/signout?callbackUrl=/">Sign out</a>
      <a href="/members">Members</a>
    </html>`
})

app.get('/members', async (request, reply) => {
  const session = await requireSession(request, reply)
  if (!session) return reply
  reply.type('text/html')
  return `<!doctype html>
    <title>Members</title>
    <link rel="icon" href="data:," />
    <h1>Hello ${escape(session.user.name ?? '')}</h1>`
})

/**
 * Replace this with a template engine of your choice.
 * @param {string} text
 */
function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const port = Number(process.env.PORT ?? 3000)
await app.listen({ port })
console.log(`http://localhost:${port}`)
