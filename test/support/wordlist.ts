/** Phrases that read as translated, each with what a native speaker writes instead. */
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
  [/\bis (?:no|none) (?:text|number|function|string|object)\b/i, 'is not a …'],
]

/** The folders in which these phrases must not occur. Add a folder once it is clean. */
export const cleanFolders = ['spec/', 'machines/', 'src/', 'fuzz/', 'test/', 'docs/examples/']
