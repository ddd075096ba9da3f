import { type ComponentChild, h } from 'preact'
import { onceLoaded } from '../async/once.ts'
import { pickTextOn, readColour } from '../text/theme-value.ts'
import type { EmailProviderSendVerificationRequestParams } from '../types/provider.ts'

/** A mail in the form that all senders accept. */
export interface Message {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const loadRenderer = onceLoaded(() => import('preact-render-to-string'))

type Params = EmailProviderSendVerificationRequestParams

/**
 * Writes the mail with a link or a code, as plain text and as HTML. The subject has no code, because locked screens show
 * it. The mail does not contain the address of the recipient.
 */
export async function writeMessage({ identifier, url, token, provider, theme }: Params): Promise<Message> {
  const { renderToString } = await loadRenderer()
  const { host } = new URL(url)
  const brand = readColour(theme.brandColor) ?? '#346df1'
  const words = readColour(theme.buttonText) ?? pickTextOn(brand) ?? '#fff'
  const subject = `Sign in to ${host}`
  const isCode = provider.method === 'code'
  const hint = hints[isCode ? 'code' : 'link']
  return {
    from: provider.from ?? `no-reply@${new URL(url).hostname}`,
    to: identifier,
    subject,
    text: `${subject}\n\n${isCode ? token : url}\n\n${hint}\n`,
    html: `<!DOCTYPE html>${renderToString(createBody(host, hint, isCode ? createCode(token) : createLink(url, { brand, words })))}`,
  }
}

const hints = {
  link: 'The link works once. If you did not ask for it, you can ignore this mail.',
  code: 'Enter this code in the browser in which you requested it. Do not share it with anyone. If you did not request it, you can ignore this mail.',
} as const

const font = 'font-family: Helvetica, Arial, sans-serif'

function createLink(url: string, { brand, words }: { brand: string; words: string }) {
  const button = `display: inline-block; padding: 12px 24px; border-radius: 6px; font-size: 18px; font-weight: bold; text-decoration: none; background: ${brand}; color: ${words}; ${font}`
  return h('a', { href: url, target: '_blank', style: button }, 'Sign in')
}

function createCode(code: string) {
  return h('strong', { style: `font-size: 32px; letter-spacing: 4px; color: #1f2328; ${font}` }, code)
}

/** Mail programs support tables and inline styles, and little else. */
function createBody(host: string, hint: string, way: ComponentChild) {
  return h('html', { lang: 'en' }, [
    h('head', {}, [h('meta', { charSet: 'utf-8' }), h('title', {}, `Sign in to ${host}`)]),
    h('body', { style: 'margin: 0; background: #f6f7f9' }, [
      h('table', { role: 'presentation', width: '100%', cellPadding: '24' }, [
        h('tr', {}, [
          h('td', { align: 'center' }, [
            h('p', { style: `font-size: 22px; color: #1f2328; ${font}` }, [
              'Sign in to ',
              h('strong', {}, unlink(host)),
            ]),
            h('p', {}, [way]),
            h('p', { style: `font-size: 14px; color: #59636e; ${font}` }, hint),
          ]),
        ]),
      ]),
    ]),
  ])
}

/** Mail programs turn text that looks like a host into a link. An invisible character prevents that. */
function unlink(host: string): string {
  return host.replaceAll('.', '\u200b.')
}
