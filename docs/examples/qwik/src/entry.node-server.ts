import { createServer } from 'node:http'
import { createQwikCity } from '@builder.io/qwik-city/middleware/node'
import qwikCityPlan from '@qwik-city-plan'
import { manifest } from '@qwik-client-manifest'
import render from './entry.ssr'

const { router, notFound, staticFile } = createQwikCity({ render, qwikCityPlan, manifest })
const port = Number(process.env.PORT ?? 3000)

createServer((request, response) => {
  // Qwik City does not respond to what it cannot read, such as an invalid Host header. Without this, the browser waits.
  const refuse = () => void response.writeHead(400).end()
  staticFile(request, response, () => {
    router(request, response, () => notFound(request, response, refuse))
  })
}).listen(port, () => console.log(`http://localhost:${port}`))
