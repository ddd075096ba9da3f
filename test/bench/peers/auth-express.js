import { ExpressAuth } from '@auth/express'
import express from 'express'

/** A request listener with the published integration. */
export function openExpress(config, basePath) {
  const app = express()
  app.use(basePath, ExpressAuth(config))
  return app
}
