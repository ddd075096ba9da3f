import { createNodeAuth } from 'authmachine/node'
import express from 'express'
import { auth } from './auth.js'

const app = express()
// Behind a proxy that overwrites X-Forwarded-Host and X-Forwarded-Proto: { trustProxy: true }.
const { handler, getSession, requireSession } = createNodeAuth(auth)

// The order does not matter: the handler also accepts bodies that are already parsed.
app.use(express.urlencoded(), express.json())
app.use('/auth', handler)

app.get('/', async (request, response) => {
  const session = await getSession(request, response)
  response.send(`<!doctype html>
    <html lang="en">
      <title>authmachine with Express</title>
      <link rel="icon" href="data:," />
      <p>Signed in: <strong id="who">${escape(session?.user?.name ?? 'nobody')}</strong></p>
      <a href="/auth/signin">Sign in</a>
      <a href="/auth/signout?callbackUrl=/">Sign out</a>
      <a href="/members">Members</a>
    </html>`)
})

app.get('/members', async (request, response) => {
  const session = await requireSession(request, response)
  if (!session) return
  response.send(`<!doctype html>
    <title>Members</title>
    <link rel="icon" href="data:," />
    <h1>Hello ${escape(session.user.name ?? '')}</h1>`)
})

/**
 * Replace this with a template engine of your choice.
 * @param {string} text
 */
function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const port = Number(process.env.PORT ?? 3000)
app.listen(port, () => console.log(`http://localhost:${port}`))
