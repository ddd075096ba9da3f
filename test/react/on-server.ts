import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { App, type AppProps } from './app.ts'

export const render = (props: AppProps) => renderToString(h(App, props))
