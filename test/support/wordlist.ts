/** Phrases that read as translated, each with the words that a native speaker uses instead. */
export const translated: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bfor ever\b/i, 'forever'],
  [/\banew\b/i, 'again, or a verb such as reload or regenerate'],
  [/\bwhoever\b/i, 'anyone who, an attacker, or the role'],
  [/\bwhomever\b/i, 'the person, by role'],
  [/\b(?:is|are|was|were) answered\b/i, 'returns, or responds with'],
  [/\b(?:is|are|was|were) told of\b/i, 'receives'],
  [/\b(?:that|which) (?:is|are) none\b/i, 'invalid, or missing'],
  [/\bnone of (?:its|their|his|her|them)\b/i, 'not, or another'],
  [/\bof (?:its|their|his|her) own\b/i, 'its own …, custom, or separate'],
  [/\bany more\b/i, 'no longer'],
  [/\bmade-up\b|\bmade up\b(?! of)/i, 'forged, or invented'],
  [/\bspoil(?:t|s|ed)?\b/i, 'invalid, damage, or change'],
  [/\b(?:un)?he(?:ed|eds|eded)\b/i, 'respect, observe, or ignore'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bgets? hold of\b/i, 'gets, or reads'],
  [/\bgo(?:es)? on\b/i, 'continues'],
  [/\blives? on\b/i, 'remains valid'],
  [/\bout of order\b(?= *['"`])/i, 'unavailable'],
  [/\bwhat (?:comes|came|is asked|was asked|was given)\b/i, 'the result, the request, or the argument'],
  [/\b(?:is|are|was|were|to be) had\b/i, 'is available, or is returned'],
  [/\bturns? the clock\b/i, 'advances the clock'],
  [/\bsomebody else\b/i, 'another user'],
  [/\bas it comes\b/i, 'unchanged'],
  [/\bat hand\b/i, 'available, or current'],
  [/\btak(?:e|es|en|ing) back\b/i, 'revoke, or remove'],
  [
    /(?<!there )\b(?:is|are) (?:no|none) (?:text|number|function|string|object|trace|redirect|secret|address|token|bug|id)\b/i,
    'is not a …',
  ],
  [/\bafter the request of\b/i, 'the page that says that a mail was sent, or after'],
  [/\bof yours\b/i, 'your own …'],
  [/\b(?:brings?|brought) about\b/i, 'causes'],
  [/\bnone else\b/i, 'no other'],
  [/\bof nobody\b/i, 'without an owner, or unknown'],
  [/\bwhere that is (?:allowed|possible|right)\b/i, 'if …'],
  [/\b(?:what|nothing) tells\b/i, 'the subject, by name'],
  [/\b(?:what|whatever) becomes? of\b/i, 'the result, or how it ends'],
  [/\bwho called what\b/i, 'requests, or calls'],
  [/(?<!there )\bis no (?:form|error|fault)\b/i, 'is not a …'],
  [/\bhimself\b/i, 'themselves, or the role'],
]

/** The folders in which these phrases must not occur. Add a folder once it is clean. */
export const cleanFolders = ['spec/', 'machines/', 'src/', 'fuzz/', 'test/', 'docs/examples/', 'docs/site/']

/** The folders of Markdown pages in which they must not occur, and the pages at the top level. */
export const cleanPages = {
  folders: ['docs/guides', 'docs/decisions'],
  files: [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/README.md',
    'docs/architecture.md',
  ],
}
