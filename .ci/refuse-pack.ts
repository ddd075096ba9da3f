/** `npm pack` and `npm publish` in the repository would take the sources; the packages are in `dist/` and `fuzz/dist/`. */
console.error('The packages are built: run `npm run tarballs`, which packs dist/ and fuzz/dist/.')
process.exitCode = 1
