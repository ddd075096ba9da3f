import type { Theme } from '../types/theme.ts'
import { hasContrast, pickTextOn, readColour } from '../text/theme-value.ts'

/** The backgrounds of the buttons of providers. */
const buttons = { light: '#fff', dark: '#26262d' }

const light = `color-scheme:light;
--color-background:#f3f3f6;--color-background-hover:#e8e8ee;--color-background-card:#fff;
--color-text:#1c1c21;--color-primary:#55555f;--color-control-border:#83838f;
--color-button-active-background:#e4e4eb;--color-button-active-border:#5f5f6b;--color-separator:#dcdce3;
--color-error:#b3261e;--color-info:#1d4fd0;--color-info-hover:#163fa8;--color-info-text:#fff;
--provider-bg:${buttons.light};--provider-bg-hover:#f3f3f6;--provider-color:#1c1c21;--provider-brand-color:#55555f`

const dark = `color-scheme:dark;
--color-background:#131316;--color-background-hover:#232329;--color-background-card:#1d1d22;
--color-text:#f2f2f5;--color-primary:#b4b4c0;--color-control-border:#777783;
--color-button-active-background:#383841;--color-button-active-border:#a0a0ac;--color-separator:#3a3a43;
--color-error:#ff8f86;--color-info:#8fb0ff;--color-info-hover:#b3c9ff;--color-info-text:#131316;
--provider-bg:${buttons.dark};--provider-bg-hover:#303039;--provider-color:#f2f2f5;--provider-brand-color:#55555f;
--mark-edge:#777783`

interface Rules {
  /** Markup that needs the rules. @default every page needs them */
  readonly neededBy?: readonly string[]
  readonly rules: string
}

/** In the order of the style sheet: of two rules with the same specificity, the later one wins. */
const allRules: readonly Rules[] = [
  {
    rules: `*,::before,::after{box-sizing:border-box}
body{margin:0;background:var(--color-background);color:var(--color-text);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.page{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem}
.page>*{width:100%;max-width:25rem}
.card{padding:clamp(1.25rem,6vw,2.25rem);background:var(--color-background-card);
border:var(--border-width) solid var(--color-separator);border-radius:calc(var(--border-radius)*2);
box-shadow:0 1px 2px rgba(0,0,0,.06),0 12px 32px rgba(0,0,0,.07);overflow-wrap:anywhere}
h1{margin:0 0 1.5rem;font-size:1.5rem;line-height:1.25;font-weight:650;text-align:center}
[hidden],input[type=hidden]{display:none}
:focus-visible{outline:3px solid var(--color-info);outline-offset:2px}`,
  },
  {
    neededBy: ['class="logo"'],
    rules: '.logo{display:block;max-width:min(100%,12rem);max-height:4rem;margin:0 auto 1.5rem}',
  },
  {
    // The script of passkeys inserts a paragraph with the text of this attribute.
    neededBy: ['<p>', '<p ', 'data-failed='],
    rules: 'p{margin:0 0 1rem;color:var(--color-primary)}',
  },
  {
    neededBy: ['class="error"', 'class="notice"'],
    rules: `.card>.error,form>.error,.notice{margin:0 0 1.5rem;padding:.75rem 1rem;
border:var(--border-width) solid var(--color-error);border-radius:var(--border-radius)}
.card>.error p,form>.error p{margin:0;color:var(--color-error)}
form>.error{margin-bottom:1rem}
.notice{border-color:var(--color-separator);background:var(--color-background)}
.notice p{margin:0;color:var(--color-text);text-align:center}`,
  },
  {
    rules: `form{margin:0}
form+p{margin-top:1rem}
form+.button,form+form,.provider+.provider{margin-top:.75rem}`,
  },
  {
    neededBy: ['class="section-header"'],
    rules: `.section-header{display:block;margin:0 0 .375rem;font-size:.9375rem;font-weight:550}
input{display:block;width:100%;min-height:2.75rem;margin:0 0 1rem;padding:.5rem .75rem;font:inherit;
color:var(--color-text);background:var(--color-background-card);
border:var(--border-width) solid var(--color-control-border);border-radius:var(--border-radius)}
::placeholder{color:var(--color-primary);opacity:1}`,
  },
  {
    neededBy: ['type="checkbox"'],
    rules: `[type=checkbox]{width:1.25rem;min-height:1.25rem}
label:has(>[type=checkbox]){display:flex;align-items:center;gap:.5rem;margin:0 0 1rem}
label>[type=checkbox]{flex:none;margin:0}`,
  },
  { neededBy: ['aria-invalid="true"'], rules: '[aria-invalid=true]{border-color:var(--color-error)}' },
  {
    neededBy: ['dir="rtl"'],
    rules:
      '[dir=rtl] :is([type=email],[type=password],[type=tel],[type=url],[inputmode=numeric]){direction:ltr;text-align:right}',
  },
  {
    rules: `button,.button{display:flex;align-items:center;justify-content:center;gap:.75rem;width:100%;min-height:2.75rem;
padding:.5rem 1rem;font:inherit;font-weight:550;text-align:center;text-decoration:none;cursor:pointer;
border:var(--border-width) solid transparent;border-radius:var(--border-radius);
background:var(--brand-color);color:var(--button-text-color)}
button+button,.button+.button{margin-top:.75rem}
button:hover,.button:hover{background:var(--button-hover-bg);box-shadow:0 1px 6px rgba(0,0,0,.28)}
button:active,.button:active{box-shadow:none}
@media (prefers-reduced-motion:no-preference){
button,.button,.site{transition:background-color .15s,box-shadow .15s,color .15s}}`,
  },
  {
    neededBy: ['class="provider"', 'secondary"'],
    rules: `.provider button:not(.primary),.secondary{background:var(--provider-bg);color:var(--provider-color);
border-color:var(--color-control-border)}
.provider button:not(.primary):hover,.secondary:hover{background:var(--provider-bg-hover);box-shadow:none}
.provider button:not(.primary):active,.secondary:active{background:var(--color-button-active-background);
border-color:var(--color-button-active-border)}`,
  },
  {
    neededBy: ['class="mark'],
    rules: `.mark{flex:none;width:1.5rem;height:1.5rem;border-radius:.375rem;object-fit:contain}
.mark path,.primary .mark path{fill:currentColor}`,
  },
  {
    neededBy: ['class="mark letter"'],
    rules: `.letter{display:grid;place-items:center;background:var(--provider-brand-color);color:var(--mark-color,#fff);
border:1px solid var(--mark-edge,var(--color-separator));font-size:.875rem;font-weight:600;line-height:1}`,
  },
  {
    neededBy: ['<hr'],
    rules: `hr{position:relative;margin:1.75rem 0 1.5rem;border:0;border-top:var(--border-width) solid var(--color-separator);
overflow:visible;text-align:center;line-height:1;color:var(--color-primary);font-size:.875rem}
hr::after{content:attr(data-text);position:absolute;top:-.5em;left:50%;transform:translateX(-50%);padding:0 .75rem;
background:var(--color-background-card)}`,
  },
  {
    neededBy: ['class="site"'],
    rules: `.site{color:var(--color-info)}
.site:hover{color:var(--color-info-hover)}`,
  },
  {
    neededBy: ['class="back"'],
    rules: `.back{margin-top:1.5rem;text-align:center;font-size:.875rem}`,
  },
  {
    neededBy: ['class="signout"', 'class="verify-request"', 'class="message"'],
    rules: `.signout p,.verify-request p,.message{text-align:center;text-wrap:balance}
.message p:last-child,.verify-request p:last-child{margin-bottom:0}`,
  },
  {
    neededBy: ['<h2'],
    rules: 'h2{margin:2rem 0 .75rem;font-size:1.125rem;line-height:1.25;font-weight:600}',
  },
  { neededBy: ['<code'], rules: 'code{direction:ltr;unicode-bidi:isolate}' },
  {
    neededBy: ['class="qr"'],
    rules: '.qr{display:block;width:min(100%,14rem);margin:0 auto 1rem;border-radius:var(--border-radius)}',
  },
  { neededBy: ['class="codes"'], rules: '.codes{margin:0 0 1.5rem;padding:0;list-style:none}' },
  {
    neededBy: ['class="list"'],
    rules: `.list{list-style:none;margin:0 0 1rem;padding:0}
.list li{padding:.75rem 0;border-top:var(--border-width) solid var(--color-separator)}
.list p{margin:0;color:inherit}
.list form{margin-top:.5rem}`,
  },
  {
    neededBy: ['class="sections"'],
    rules: `.page>.sections{max-width:34rem}
.sections form+form{margin-top:.5rem}
.sections section+p{margin:2rem 0 0}
.sections button{background:var(--provider-bg);color:var(--provider-color);border-color:var(--color-control-border)}
.sections .danger button{background:none;color:var(--color-error);border-color:var(--color-error)}`,
  },
  {
    neededBy: ['<details', 'class="explanation"', 'class="trace"'],
    rules: `details,.explanation{margin-top:1.5rem;color:var(--color-primary);font-size:.875rem}
.explanation{text-align:start;overflow-wrap:anywhere}
.explanation h2{margin:1rem 0;font-size:1rem}
ol{margin:.5rem 0 0;padding-inline-start:1.5rem}
.trace{margin:.75rem 0 0;font-size:.875rem}`,
  },
]

/**
 * Creates the style sheet of a page. It cannot end the `<style>` element, because values of the theme and of providers
 * that are not colours are left out. A value may be of any type, because the page for an invalid configuration also has
 * a style sheet.
 *
 * @param markup the page without its head. Rules for other elements are left out
 * @param brands the colours of the providers' marks on a sign-in page, by position: `.brand-<position>`
 */
export function createStyle(
  theme: Pick<Theme, 'brandColor' | 'buttonText' | 'colorScheme'>,
  markup: string,
  brands: readonly (string | undefined)[] = [],
): string {
  const brand = readColour(theme.brandColor)
  const text = readColour(theme.buttonText) ?? (brand && pickTextOn(brand))
  return [
    `:root{--border-width:1px;--border-radius:.5rem;--brand-color:${brand ?? '#3568eb'};`,
    `--button-text-color:${text ?? '#fff'};--button-hover-bg:var(--brand-color)}`,
    ...createPalette(theme.colorScheme),
    ...allRules.flatMap(({ neededBy, rules }) =>
      !neededBy || neededBy.some((needing) => markup.includes(needing)) ? [rules] : [],
    ),
    ...brands.flatMap((colour, position) => createBrand(readColour(colour), position)),
  ].join('\n')
}

function createPalette(scheme: Theme['colorScheme'] = 'auto'): readonly string[] {
  if (scheme === 'light') return [`.__next-auth-theme-light{${light}}`]
  if (scheme === 'dark') return [`.__next-auth-theme-dark{${dark}}`]
  const choice = '.__next-auth-theme-auto'
  return [`${choice}{${light}}`, `@media (prefers-color-scheme:dark){${choice}{${dark}}}`]
}

function createBrand(colour: string | undefined, position: number): readonly string[] {
  if (colour === undefined) return []
  const text = pickTextOn(colour)
  const fill = (background: string) => (hasContrast(colour, background) ? colour : 'currentColor')
  return [
    `.brand-${position}{--provider-brand-color:${colour}${text ? `;--mark-color:${text}` : ''}}`,
    `.brand-${position} path{fill:light-dark(${fill(buttons.light)},${fill(buttons.dark)})}`,
  ]
}
