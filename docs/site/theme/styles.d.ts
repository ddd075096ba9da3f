/** Vite bundles the style sheets that the theme imports. */
declare module '*.css'
