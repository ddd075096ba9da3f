import { svgStyle } from '../diagrams/draw-svg.ts'
import { traceStyle } from '../diagrams/trace-marks.ts'

const light = `--back:#f2f4f7;--paper:#fff;--well:#f5f7f9;--ink:#1b2430;--muted:#566173;--rim:#d9dee5;--link:#1d4fb8;
--link-box:#e8effd;--success:#17713f;--success-box:#eaf6ef;--refusal:#8f5300;--refusal-box:#fdf3e1;--fault:#b3261e;--fault-box:#fcecea`
const dark = `--back:#0b0f14;--paper:#10151b;--well:#171e27;--ink:#e8edf3;--muted:#a3afbd;--rim:#2b3541;--link:#8db4ff;
--link-box:#182b52;--success:#5fd093;--success-box:#143022;--refusal:#eeb256;--refusal-box:#362910;--fault:#ff938a;--fault-box:#3d1b19`

const diagram = `.flow .state{cursor:pointer;outline:none}
.flow .state:focus-visible>.box{stroke:var(--link,#1d4fb8);stroke-width:3.5}
.flow .state:hover>.box{filter:brightness(.97)}
.flow .state.selected>.box{stroke:var(--link,#1d4fb8);stroke-width:3}
.flow .compound:not(.wide)>.box{stroke:var(--edge);stroke-width:1.2}
.flow .fold rect{fill:transparent}
.flow .fold:hover rect{fill:var(--rim)}
.flow .fold path{fill:none;stroke:var(--muted);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.flow .state .exit{font-size:11px;fill:var(--muted)}
.flow .state .exit.refusal{fill:var(--refusal)}
.flow .state .exit.fault{fill:var(--fault)}
.flow .state .exit.lit{font-weight:700}
.flow .arrow.near>.line{stroke-width:2.4}
.flow .arrow.near text{font-weight:600}
.flow .overlay{pointer-events:none}
.flow .arrow.exit>.line{stroke-width:2.6;stroke-dasharray:7 4}
.flow .arrow.exit.refusal>.line{stroke:var(--refusal)}
.flow .arrow.exit.refusal>.head{fill:var(--refusal)}
.flow .arrow.exit.fault>.line{stroke:var(--fault)}
.flow .arrow.exit.fault>.head{fill:var(--fault)}
.flow .token{fill:var(--link,#1d4fb8);stroke:var(--paper);stroke-width:2}
.flow.traced .state.current>.box{stroke-width:3.4;stroke-dasharray:none}
.flow.traced .state:not(.lit) .exit:not(.lit,.missed){fill:var(--muted)}
.flow.traced .state.current:not(.final)>.box{stroke:var(--lit);fill:var(--lit-box)}
.flow .state .exit.missed{fill:var(--never);font-weight:700;text-decoration:underline}
.flow.traced .state.stop>.box{stroke:var(--never);stroke-width:3.2}
.flow.traced .arrow.missed>.line{stroke:var(--never);stroke-width:2.4;stroke-dasharray:3 5}
.flow.traced .arrow.missed>.head{fill:var(--never)}
.flow .stop-mark rect{fill:var(--paper);stroke:var(--never)}
.flow .stop-mark text{fill:var(--never);font-weight:700;font-size:10.5px}`

/** The style sheet of the explorer. */
export const explorerStyle = `:root{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){:root{${dark}}}
*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
html,body{height:100%;margin:0}
body{background:var(--back);color:var(--ink);
font:.94rem/1.5 ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;overflow-wrap:anywhere}
.quiet{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[data-explorer]{display:grid;grid-template:minmax(0,1fr)/15.5rem minmax(0,1fr) var(--panel,24rem);height:100dvh}
.loading{padding:2rem}
a{color:var(--link)}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:focus-visible{outline:3px solid var(--link);outline-offset:1px;border-radius:5px}
button,select,summary,input{font:inherit;color:inherit}
button,select,.menu>summary{padding:.3rem .7rem;background:var(--paper);border:1px solid var(--rim);border-radius:8px;cursor:pointer}
button:hover:enabled,.menu>summary:hover{border-color:var(--link)}
button:disabled{color:var(--muted);cursor:default;opacity:.6}
button[aria-pressed=true]{background:var(--link-box);border-color:var(--link)}
button.primary{min-width:4.6rem;background:var(--link);border-color:var(--link);color:var(--paper);font-weight:600}
h2{margin:0 0 .5rem;font-size:1.15rem;line-height:1.3}
h3{margin:1.3rem 0 .4rem;font-size:.8rem;letter-spacing:.05em;text-transform:uppercase;color:var(--muted)}
p{margin:0 0 .7rem}
ul,ol{margin:0;padding:0;list-style:none}
.hint,.source,.crumbs,.what{color:var(--muted)}
.source,.crumbs{font-size:.84rem}
.crumbs{margin:0}
.sidebar{overflow:auto;padding:.9rem .8rem 2rem;background:var(--paper);border-right:1px solid var(--rim)}
.back{display:block;margin-bottom:.8rem}
.find span{display:block;margin-bottom:.25rem;font-size:.8rem;letter-spacing:.05em;text-transform:uppercase;color:var(--muted);font-weight:600}
.find input{width:100%;padding:.45rem .6rem;background:var(--well);border:1px solid var(--rim);border-radius:8px}
.sidebar h2,.sidebar .heading{font-size:.8rem;letter-spacing:.05em;text-transform:uppercase;color:var(--muted);font-weight:600}
.sidebar h2{margin:1.2rem 0 .3rem}
.sidebar details{margin-top:1rem}
.sidebar summary{color:var(--muted);font-size:.84rem;cursor:pointer;padding:.2rem 0}
.sidebar li button{display:block;width:100%;padding:.28rem .55rem;text-align:left;background:none;border-color:transparent;line-height:1.35}
.sidebar li button:hover{background:var(--well);border-color:transparent}
.sidebar li button[aria-current]{background:var(--link-box);color:var(--link);font-weight:600}
.sidebar .unused{color:var(--muted)}
.quiet-note{display:block;font-size:.8rem;font-weight:400;color:var(--muted)}
.stage{display:grid;grid-template:auto minmax(0,1fr) auto/minmax(0,1fr);min-width:0}
.bar{display:flex;align-items:center;justify-content:space-between;gap:.4rem 1rem;padding:.55rem .9rem;border-bottom:1px solid var(--rim);background:var(--paper)}
.title{flex:1;min-width:0;margin:0;color:var(--muted);line-height:1.35;text-wrap:pretty}
.title strong{color:var(--ink)}
.tools{display:flex;gap:.4rem}
.menu{position:relative}
.menu>summary{list-style:none}
.menu>summary::-webkit-details-marker{display:none}
.menu-items{position:absolute;right:0;top:calc(100% + .3rem);z-index:3;display:grid;min-width:10rem;padding:.35rem;background:var(--paper);border:1px solid var(--rim);border-radius:10px;box-shadow:0 8px 24px #0003}
.menu-items button{text-align:left;border-color:transparent;background:none}
.surface{position:relative;min-height:0;overflow:hidden}
.canvas{position:absolute;inset:0;width:100%;height:100%;touch-action:none;cursor:grab;user-select:none}
.canvas:active{cursor:grabbing}
.canvas .paper{fill:var(--back)}
.zoom{position:absolute;right:.8rem;bottom:.8rem;display:flex;gap:.3rem}
.zoom button{min-width:2.3rem;box-shadow:0 2px 8px #0002}
.as-text{position:absolute;inset:0;overflow:auto;padding:1.2rem 1.4rem 4rem;background:var(--paper)}
.as-text dt{margin-top:.9rem;font-weight:600}
.as-text dd{margin:.15rem 0 0 1rem}
.as-text .edge{color:var(--muted)}
.panel{display:grid;grid-template-rows:auto minmax(0,1fr);min-width:0;background:var(--paper);border-left:1px solid var(--rim)}
.tabs{display:flex;border-bottom:1px solid var(--rim);padding:0 .5rem}
.tabs button{flex:1;padding:.75rem .2rem .6rem;background:none;border:0;border-bottom:3px solid transparent;border-radius:0;color:var(--muted);white-space:nowrap}
.tabs button[aria-selected=true]{color:var(--ink);border-bottom-color:var(--link);font-weight:600}
.panel-body{overflow:auto;padding:1.1rem 1.1rem 3rem}
.badge{display:inline-block;padding:.05rem .55rem;font-size:.8rem;font-weight:600;color:var(--muted);border:1px solid var(--rim);border-radius:99px;vertical-align:.12em}
.success{--tone:var(--success);--tone-box:var(--success-box)}
.refusal{--tone:var(--refusal);--tone-box:var(--refusal-box)}
.fault{--tone:var(--fault);--tone-box:var(--fault-box)}
.badge.success,.badge.refusal,.badge.fault,.now{color:var(--tone);background:var(--tone-box);border-color:var(--tone)}
.links li{padding:.2rem 0}
.links .what{display:block;font-size:.88rem}
.place{padding:0 .45rem;border-radius:6px;font-weight:600;color:var(--tone,var(--ink));border-color:var(--tone,var(--rim));background:var(--tone-box,var(--well))}
.event{color:var(--muted)}
.requirement{margin:0 0 .8rem;padding:.7rem .8rem;background:var(--well);border:1px solid var(--rim);border-radius:10px}
.requirement p{margin:0 0 .35rem}
.requirement summary{cursor:pointer;color:var(--link)}
.requirement details li{margin:.3rem 0 .3rem .9rem;font-size:.88rem;color:var(--muted)}
.trail{margin-bottom:.8rem;border-left:3px solid var(--link);padding-left:.7rem}
.trail:empty{display:none}
.trail li{padding:.15rem 0}
.now{padding:.7rem .8rem;border:1px solid var(--tone,var(--link));border-left-width:4px;border-radius:10px;color:var(--tone,var(--ink));background:var(--tone-box,var(--well))}
.now p{margin:.2rem 0 0;color:var(--ink)}
.choices li{margin-bottom:.4rem}
.choices button{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.1rem .8rem;width:100%;padding:.5rem .75rem;text-align:left}
.choices .to{color:var(--tone,var(--muted));font-weight:600}
.row{display:flex;gap:.5rem;margin-top:1rem}
.paths>li{margin-bottom:.4rem}
.paths>li>button:first-child{width:100%;text-align:left}
.paths .trail{margin:.5rem 0 .5rem .2rem;font-size:.88rem}
.player{padding:.6rem .9rem .7rem;background:var(--paper);border-top:1px solid var(--rim)}
.controls{display:flex;align-items:center;gap:.45rem}
.controls input{flex:1;min-width:3rem;accent-color:var(--link)}
.says{margin:.4rem 0 0;color:var(--muted);min-height:1.5em}
.sequence{position:relative;--column:calc(100%/var(--count))}
.lifelines{position:sticky;top:-1.1rem;z-index:1;display:grid;grid-template-columns:repeat(var(--count),1fr);margin-bottom:.4rem;padding-top:.4rem;background:var(--paper)}
.lifelines span{justify-self:center;padding:.1rem .4rem;font-size:.8rem;font-weight:600;border:1px solid var(--rim);border-radius:6px;background:var(--well)}
.sequence ol{background:repeating-linear-gradient(90deg,transparent 0 calc(var(--column)/2 - .5px),var(--rim) calc(var(--column)/2 - .5px) calc(var(--column)/2 + .5px),transparent calc(var(--column)/2 + .5px) var(--column))}
.frame{display:block;position:relative;width:100%;min-height:1.7rem;padding:.12rem 0;background:none;border:0;border-radius:6px;text-align:left;font-size:.82rem;line-height:1.35}
.frame:hover{background:color-mix(in srgb,var(--link) 10%,transparent)}
.frame[aria-current]{background:color-mix(in srgb,var(--link) 18%,transparent)}
.frame.later{color:var(--muted)}
.message{display:block;--left:calc((var(--from) + .5)*var(--column));--right:calc(100% - (var(--to) + .5)*var(--column));padding-bottom:.3rem}
.above{display:block;padding-left:min(var(--left),45%)}
.right .above{padding:0 min(var(--right),45%) 0 0;text-align:right}
.line{display:block;position:relative;margin:0 var(--right) 0 var(--left);border-bottom:1.5px solid var(--ink)}
.line::after{content:'';position:absolute;right:0;bottom:-5px;border:4.5px solid transparent;border-left:8px solid var(--ink);border-right:0}
.back>.line{border-bottom-style:dashed}
.back>.line::after{right:auto;left:0;border-left:0;border-right:8px solid var(--ink);border-left:0}
.words{padding:0 .2rem;background:var(--paper);border-radius:3px;box-decoration-break:clone}
.activity{display:block;width:fit-content;max-width:64%;margin-left:min(calc((var(--from) + .5)*var(--column) - .55rem),36%);padding:.06rem .45rem;background:var(--well);border:1px solid var(--rim);border-left:4px solid var(--link);border-radius:4px}
.activity .words{background:none;font-weight:600}
.activity code{color:var(--muted)}
.verdict{display:block;margin:.15rem 0;padding:.15rem .5rem;border:1px solid var(--success);border-radius:6px;background:var(--success-box);color:var(--success)}
.verdict.fails{border-color:var(--fault);background:var(--fault-box);color:var(--fault)}
.remark{display:block;padding:.1rem .4rem;text-align:center;font-style:italic;color:var(--muted)}
.missed-edge{display:block;margin:.1rem 0;padding:.15rem .5rem;border:1px solid var(--fault);border-radius:6px;background:var(--fault-box);color:var(--fault)}
.story{--panel:31rem}
.chapters>li{margin-bottom:.35rem}
.chapters h4{margin:0;font:inherit}
.chapters h4 .fold{padding:.35rem .5rem .35rem 1.5rem;border:1px solid var(--rim);border-radius:8px;font-size:.94rem}
.chapters .sequence{margin:.3rem 0 .7rem}
.chapters .lifelines span{margin:0 .1rem;font-size:.74rem;text-align:center;overflow-wrap:normal}
.chapters .fold::before{content:'';position:absolute;left:.6rem;top:.75rem;border:.28rem solid transparent;border-left:.42rem solid var(--muted);border-right:0}
.chapters .fold[aria-expanded=true]::before{border:.28rem solid transparent;border-top:.42rem solid var(--muted);border-bottom:0}
.chart{white-space:nowrap;padding:0 .3rem;background:var(--well);border:1px solid var(--rim);border-radius:4px;color:var(--muted)}
.chapters .verdict{font-size:.94rem}
.places{margin-bottom:1rem}
.places li{margin-bottom:.3rem}
.places button{width:100%;text-align:left}
.places code{display:block;font-size:.85rem;overflow-wrap:anywhere}
.asked{display:block}
.chapter{margin:.5rem 0 -.2rem;font-weight:600}
.chapter:empty{display:none}
.stops li{margin-bottom:.5rem}
.stops button{width:100%;text-align:left}
@media(max-width:70rem){
[data-explorer]{grid-template:minmax(0,1fr)/13rem minmax(0,1fr) var(--panel,20rem)}
.story{--panel:24rem}
}
@media(max-width:52rem){
html,body{height:auto}
[data-explorer]{display:flex;flex-direction:column;height:auto}
.sidebar{max-height:32dvh;padding-bottom:.8rem;border-right:0;border-bottom:1px solid var(--rim)}
.stage{height:68dvh}
.panel{border-left:0;border-top:1px solid var(--rim);min-height:40dvh}
.bar{flex-wrap:wrap}
.title{flex:1 1 100%}
}
@media(prefers-reduced-motion:no-preference){
.flow .state>.box,.flow .arrow>.line{transition:stroke .18s,fill .18s}
}
${svgStyle}
${traceStyle}
${diagram}`
