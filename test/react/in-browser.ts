/** Hydrates the page, and exposes the client and what React reports, for the tests. */
import { createElement as h } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App, type AppProps, auth } from './app.ts'

const props = JSON.parse(document.querySelector('#props')?.textContent ?? '') as AppProps
const reported: string[] = []
const root = hydrateRoot(document.querySelector('main') ?? document.body, h(App, props), {
  onRecoverableError: (error) => void reported.push(String(error)),
})
const show = (session: AppProps['session']) => root.render(h(App, { ...props, session }))
Object.assign(globalThis, { client: auth, reported, show })
