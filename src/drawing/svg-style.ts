const light = `--paper:#fff;--well:#f5f7f9;--deep:#eceff3;--box:#fff;--ink:#1b2430;--muted:#566173;
--edge:#8d97a5;--line:#687385;--rim:#c9d0d9;--success:#17713f;--success-box:#eaf6ef;
--refusal:#8f5300;--refusal-box:#fdf3e1;--fault:#b3261e;--fault-box:#fcecea`

const dark = `--paper:#10151b;--well:#171e27;--deep:#1f2833;--box:#222c38;--ink:#e8edf3;--muted:#a3afbd;
--edge:#68758a;--line:#93a0b1;--rim:#344050;--success:#5fd093;--success-box:#143022;
--refusal:#eeb256;--refusal-box:#362910;--fault:#ff938a;--fault-box:#3d1b19`

/**
 * The style of a drawing, light or dark as the reader's browser is. It is for the inside of one element of class `flow`
 * and touches nothing beside it, so that a page may hold several drawings.
 */
export const svgStyle = `.flow{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){.flow{${dark}}}
.flow text{font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Open Sans',sans-serif;
fill:var(--ink);font-size:11px}
.flow .paper{fill:var(--paper)}
.flow .heading{font-size:17px;font-weight:600}
.flow .lead,.flow .step,.flow .legend text{fill:var(--muted)}
.flow .lead{font-size:12px}
.flow .name{font-size:13px;font-weight:600}
.flow .box{fill:var(--box);stroke:var(--edge);stroke-width:1.2}
.flow .inner{fill:none;stroke:var(--edge);stroke-width:1}
.flow .compound>.box{fill:var(--well);stroke:var(--rim)}
.flow .compound.deep>.box{fill:var(--deep)}
.flow .requirement text{font-size:9.5px;fill:var(--muted)}
.flow .requirement:hover text,.flow .requirement:focus text{fill:var(--ink);text-decoration:underline}
.flow .line{fill:none;stroke:var(--line);stroke-width:1.3}
.flow .head{fill:var(--line)}
.flow .start circle{fill:var(--ink)}
.flow .plate{fill:var(--paper)}
.flow .plate.well{fill:var(--well)}
.flow .plate.deep{fill:var(--deep)}
.flow .success>.box,.flow .success>.inner,.flow .success>.line{stroke:var(--success)}
.flow .refusal>.box,.flow .refusal>.inner,.flow .refusal>.line{stroke:var(--refusal)}
.flow .fault>.box,.flow .fault>.inner,.flow .fault>.line{stroke:var(--fault)}
.flow .success>.box{fill:var(--success-box)}
.flow .refusal>.box{fill:var(--refusal-box)}
.flow .fault>.box{fill:var(--fault-box)}
.flow .success>.head{fill:var(--success)}
.flow .refusal>.head{fill:var(--refusal)}
.flow .fault>.head{fill:var(--fault)}
.flow .success>.name,.flow .arrow.success text{fill:var(--success)}
.flow .refusal>.name,.flow .arrow.refusal text{fill:var(--refusal)}
.flow .fault>.name,.flow .arrow.fault text{fill:var(--fault)}
.flow .fault>.line{stroke-dasharray:5 3}
.flow .note rect{fill:none;stroke:var(--edge);stroke-dasharray:2 3}
.flow .note text{fill:var(--muted);font-style:italic}
.flow .anywhere>.line{stroke-width:1;stroke-dasharray:2 3}`
