const light = '--lit:#1d4fb8;--lit-box:#e8effd;--never:#a3164f'
const dark = '--lit:#8db4ff;--lit-box:#182b52;--never:#ff8db8'

/** Rules that marks of both kinds share: what is marked stands out, what is not steps back and stays legible. */
export function marksStyle(name: string): string {
  const flow = `.flow.${name}`
  return `
${flow}{${light}}
@media(prefers-color-scheme:dark){${flow}{${dark}}}
${flow} .note{font-size:11px;font-weight:600}
${flow} .lit>.box{stroke:var(--lit);stroke-width:2.2}
${flow} .lit:not(.final,.compound)>.box{fill:var(--lit-box)}
${flow} .lit>.note,${flow} .arrow .lit,${flow} .lit>.name{fill:var(--lit)}
${flow} .arrow .lit{font-weight:600}
${flow} .arrow.lit>.line{stroke:var(--lit);stroke-width:2.6;stroke-dasharray:none}
${flow} .arrow.lit>.head{fill:var(--lit)}
${flow} .state.final.success.lit>:is(.name,.note){fill:var(--success)}
${flow} .state.final.refusal.lit>:is(.name,.note){fill:var(--refusal)}
${flow} .state.final.fault.lit>:is(.name,.note){fill:var(--fault)}
${flow} .state.final.success.lit>.box{stroke:var(--success)}
${flow} .state.final.refusal.lit>.box{stroke:var(--refusal)}
${flow} .state.final.fault.lit>.box{stroke:var(--fault)}
${flow} .arrow:not(.lit,.never)>.line{stroke:var(--edge)}
${flow} .arrow:not(.lit,.never)>.head{fill:var(--edge)}
${flow} .arrow text:not(.lit,.never){fill:var(--muted)}
${flow} .state:not(.lit,.never,.compound)>:is(.box,.inner){fill:var(--paper);stroke:var(--rim)}
${flow} .state:not(.lit,.never)>.name{fill:var(--muted)}`
}
