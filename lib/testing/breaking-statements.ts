/** What a migration must not do while the version before still serves: it would fail, or be refused what it writes. */
const BREAKING: [RegExp, string][] = [
  [/\bdrop (?!not null|trigger)/, 'drops what the version before may use'],
  [/\brename\b/, 'renames what the version before uses'],
  [/\balter( column)? \S+ (set data )?type\b/, 'changes a type'],
  [/\bset not null\b/, 'refuses null, which the version before may write'],
  [
    /\badd( column)?( if not exists)? (?!constraint\b)\S+ (?!.*\b(default|generated)\b).*\bnot null\b/,
    'adds a column that the version before does not fill',
  ],
  [/^(truncate|delete from)\b/, 'deletes what is stored'],
]

/** Not of a table that the migration itself creates: rows that the version before writes may not obey them. */
const RULES: [RegExp, string][] = [
  [/^alter table (?:only )?(\S+) add (?:constraint|unique|check|foreign|primary)\b/, 'adds a rule'],
  [/^create unique index (?:if not exists )?\S+ on (?:only )?(\S+)/, 'adds a rule'],
]

/** The statements of a migration that break the version before, each as `reason: statement`. */
export function breakingStatements(migration: string): string[] {
  const statements = split(migration)
  const created = new Set(
    statements.map((text) => /^create table (?:if not exists )?(\S+)/.exec(text)?.[1]),
  )
  return statements.flatMap((text) => {
    const clauses = text.split(/, (?=(?:add|alter|drop)\b)/)
    const reasons = BREAKING.filter(([pattern]) =>
      clauses.some((clause) => pattern.test(clause)),
    ).map(([, reason]) => reason)
    for (const [pattern, reason] of RULES) {
      const table = pattern.exec(text)?.[1]
      if (table && !created.has(table))
        reasons.push(`${reason} to a table that the version before writes`)
    }
    return reasons.map((reason) => `${reason}: ${text}`)
  })
}

/** In lower case, without comments, texts, names' quotes and the bodies of functions; those of `do` are kept. */
function split(migration: string): string[] {
  const plain = migration
    .replace(/--.*$/gm, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/(\bdo\s+)\$\$(.*?)\$\$/gis, '$1$2')
    .replace(/\$(\w*)\$.*?\$\1\$/gs, '$$$$')
    .replaceAll('"', '')
    .toLowerCase()
  return plain
    .split(';')
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
}
