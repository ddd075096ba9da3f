import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { svgStyle } from '../diagrams/draw-svg.ts'
import { traceStyle } from '../diagrams/trace-marks.ts'
import { routine } from './graphs.ts'

export interface Frame {
  readonly title: string
  /** Path under which devtools are mounted. */
  readonly path: string
  readonly children: ComponentChildren
}

/** Writes a page as a document without inline scripts or styles. */
export function writePage({ title, path, children }: Frame): string {
  const page = h('html', { lang: 'en' }, [
    h('head', {}, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'robots', content: 'noindex' }),
      h('title', {}, `${title} · authmachine devtools`),
      h('link', { rel: 'stylesheet', href: `${path}/style.css` }),
      h('link', { rel: 'icon', href: 'data:,' }),
      h('script', { src: `${path}/script.js`, defer: true }),
    ]),
    h('body', {}, [
      h('header', { class: 'bar' }, [
        h('a', { class: 'brand', href: path }, 'authmachine devtools'),
        h('p', { class: 'live', role: 'status', 'data-live': `${path}/events` }, 'Reload to see new runs.'),
      ]),
      h('main', {}, children),
    ]),
  ])
  return `<!DOCTYPE html>${renderToString(page)}`
}

/** Texts mark code like Markdown. */
export function markCode(text: string): ComponentChild[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part))
}

const light = `--back:#f5f7f9;--paper:#fff;--ink:#1b2430;--muted:#566173;--rim:#d9dee5;--edge:#838d9a;--link:#1d4fb8;
--success:#17713f;--success-box:#eaf6ef;--refusal:#8f5300;--refusal-box:#fdf3e1;--fault:#b3261e;--fault-box:#fcecea`

const dark = `--back:#0b0f14;--paper:#10151b;--ink:#e8edf3;--muted:#a3afbd;--rim:#2b3541;--edge:#6d7887;--link:#8db4ff;
--success:#5fd093;--success-box:#143022;--refusal:#eeb256;--refusal-box:#362910;--fault:#ff938a;--fault-box:#3d1b19`

const quiet = routine.map((flow) => `[data-flow=${flow}]`).join()

/** The style sheet of all pages of devtools, including diagrams. */
export const style = `:root{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){:root{${dark}}}
*,::before,::after{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--back);color:var(--ink);
font:1rem/1.5 ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;
padding:.75rem max(1rem,calc(50vw - 33rem));background:var(--paper);border-bottom:1px solid var(--rim)}
.brand{font-weight:650;color:var(--ink);text-decoration:none}
.live{margin:0;color:var(--muted);font-size:.9rem}
.live[data-look]::before{content:'';display:inline-block;width:.6em;height:.6em;margin-right:.45em;border-radius:50%;
border:1.5px solid var(--muted)}
.live[data-look=on]::before{background:var(--success);border-color:var(--success)}
main{max-width:68rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{margin:0 0 .25rem;font-size:1.6rem;line-height:1.25}
h2{margin:2.25rem 0 .75rem;font-size:1.15rem}
p{margin:0 0 1rem}
.lead,.back{color:var(--muted)}
.back{margin-bottom:.5rem;font-size:.95rem}
.tools{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem 1.25rem;margin:0 0 1rem;color:var(--muted);font-size:.95rem}
.tools :is(.find,.check):not([hidden]){display:inline-flex;align-items:center;gap:.5rem}
.tools [type=checkbox]{flex:none;width:1.1rem;height:1.1rem;margin:0;accent-color:var(--link)}
.tools :is([type=search],button){min-height:2.2rem;padding:.3rem .7rem;font:inherit;color:var(--ink);background:var(--paper);
border:1px solid var(--edge);border-radius:8px}
.tools [type=search]{width:15rem;max-width:100%}
.tools button{margin-left:auto;cursor:pointer}
.tools button:hover{border-color:var(--link)}
ol{list-style:none;margin:0;padding:0}
.runs:has(.run)+.empty{display:none}
.empty{padding:2.5rem 1rem;text-align:center;color:var(--muted);border:1px dashed var(--rim);border-radius:12px}
main:has(#quiet:checked) :is(.run.success:is(${quiet}):not([data-flow=session]),
.run.success[data-flow=session]:not(.run:not(${quiet})+.run),
.group:not(:has(.run:not(${quiet}),.run:not(.success)))){display:none}
main:has(#failed:checked) .group:not(:has(.run:is(.refusal,.fault))){display:none}
.group{margin-bottom:1rem;padding:.8rem .8rem .4rem;background:var(--paper);border:1px solid var(--rim);border-radius:14px}
.story{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .9rem;padding:0 .3rem .6rem}
.story h2{margin:0;font-size:1.05rem}
.story .outcome{color:var(--tone,var(--muted))}
.story .count{margin-left:auto;color:var(--muted);font-size:.9rem;font-variant-numeric:tabular-nums}
.run{margin-bottom:.4rem}
.run a[aria-current]{outline:2px solid var(--tone,var(--muted))}
.run a{display:grid;grid-template-columns:minmax(8rem,11rem) minmax(9rem,1fr) minmax(9rem,1fr) 13rem;gap:.1rem 1rem;
align-items:baseline;padding:.7rem 1rem;color:inherit;text-decoration:none;background:var(--paper);
border:1px solid var(--rim);border-left:4px solid var(--tone,var(--muted));border-radius:8px}
.run a:hover{border-color:var(--link);border-left-color:var(--tone,var(--muted))}
.run .flow{font-weight:650}
.run .verdict{font-weight:600;color:var(--tone,var(--muted))}
.run .request{font:.85rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--muted)}
.run .when{color:var(--muted);font-size:.9rem;font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.run .reason{grid-column:1/-1;color:var(--muted);font-size:.95rem}
.run .reason:empty{display:none}
.running{--tone:var(--muted);--tone-box:var(--paper);--icon:circle(30%)}
.success{--tone:var(--success);--tone-box:var(--success-box);
--icon:polygon(14% 45%,0 60%,38% 98%,100% 20%,84% 7%,36% 68%)}
:is(.refusal,.fault){
--icon:polygon(20% 0,0 20%,30% 50%,0 80%,20% 100%,50% 70%,80% 100%,100% 80%,70% 50%,100% 20%,80% 0,50% 30%)}
.refusal{--tone:var(--refusal);--tone-box:var(--refusal-box)}
.fault{--tone:var(--fault);--tone-box:var(--fault-box)}
:is(.run .verdict,.badge,.path .end strong)::before{content:'';display:inline-block;width:.7em;height:.7em;margin-right:.5em;
background:var(--tone,var(--muted));clip-path:var(--icon,circle(30%))}
.title{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem}
.badge{padding:.15rem .7rem;font-size:.95rem;font-weight:600;color:var(--tone,var(--muted));
background:var(--tone-box,var(--paper));border:1px solid var(--tone,var(--rim));border-radius:99px}
.failure{margin:1.5rem 0;padding:1.1rem 1.25rem;background:var(--tone-box);border:1px solid var(--tone);
border-left-width:5px;border-radius:12px}
.failure h2{margin:0 0 .4rem;color:var(--tone)}
.failure .reason{margin:0;font-weight:600}
dl{margin:0}
summary{padding:.35rem 0;cursor:pointer}
dt{margin-top:.8rem;font-weight:650;font-size:.92rem}
dt:target{outline:2px solid var(--link);outline-offset:4px;border-radius:2px}
dd{margin:.05rem 0 0}
.requirements dd{color:var(--muted)}
.path{counter-reset:hop;border:1px solid var(--rim);border-radius:12px;background:var(--paper)}
.path li{position:relative;display:grid;grid-template-columns:minmax(10rem,16rem) 1fr auto auto;gap:.1rem 1rem;
align-items:baseline;padding:.55rem 1rem .7rem 2.9rem;border-top:1px solid var(--rim)}
.path li:first-child{border-top:0}
.path li::before{counter-increment:hop;content:counter(hop);position:absolute;left:1rem;top:.6rem;color:var(--muted);
font-variant-numeric:tabular-nums;font-size:.9rem}
.path .end::before{content:none}
.path .end{background:var(--tone-box,none)}
.path .end strong,.path .hop:is(.refusal,.fault) strong,.path .hop:is(.refusal,.fault) .event{color:var(--tone,var(--muted))}
.path .end .what{grid-column:2/-1}
.path .hop:is(.refusal,.fault){background:var(--tone-box)}
.path .what{color:var(--muted);font-size:.92rem}
.path .took{min-width:4.5rem;text-align:right;color:var(--muted);font-size:.92rem;font-variant-numeric:tabular-nums}
.path .time{position:absolute;left:2.9rem;right:1rem;bottom:.15rem;width:calc(100% - 3.9rem);height:3px}
.path .time rect{fill:var(--link)}
.drawing{margin:0;max-height:85vh;overflow:auto;background:var(--paper);border:1px solid var(--rim);border-radius:12px}
.drawing svg{display:block;margin:0 auto}
@media(max-width:46rem){
.run a{grid-template-columns:1fr auto}
.run .verdict{text-align:right}
.path li{grid-template-columns:1fr auto}
.path .what{grid-column:1/-1;grid-row:2}
.path .event{grid-row:3;grid-column:1}
.path .took{grid-row:1;grid-column:2}
.path .end .what{grid-column:1/-1}
}
${svgStyle}
${traceStyle}`
