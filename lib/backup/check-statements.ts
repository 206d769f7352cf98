import type { ClientBase } from 'pg'
import type { Manifest, Structure } from './contract'

/**
 * Throws when a backup would do anything but make and fill tables of entities: whoever comes first to a new server may restore
 * one. Expressions call no volatile functions, such as those that read files of the database's machine, but those of Engine.
 */
export async function checkStatements(
  client: ClientBase,
  manifest: Manifest,
  { before, after }: Structure,
): Promise<void> {
  const statements = [...before, ...after]
  const schemas = new Set(['engine', ...statements.flatMap((text) => SCHEMA.exec(text)?.[1] ?? [])])
  for (const schema of schemas)
    if (/^(pg_|information_schema$)/i.test(schema)) throw refused(schema)
  /** Without functions of others, which an extension may have in `public`. */
  const trusted = new Set([...schemas].filter((schema) => schema !== 'public'))
  for (const { schema, name } of [...manifest.tables, ...manifest.sequences])
    if (!schemas.has(schema)) throw refused(`${schema}.${name}`)
  for (const { columns } of manifest.tables)
    for (const { type } of columns) if (!TYPE.test(type)) throw refused(type)
  const called = new Set<string>()
  for (const text of statements) {
    if (!KINDS.some((kind) => kind.test(text))) throw refused(text)
    const plain = withoutTexts(text)
    if (HIDING.test(plain)) throw refused(text)
    for (const [, of, name = ''] of plain.matchAll(CALL))
      if (!of || !trusted.has(nameIn(of))) called.add(nameIn(name))
  }
  const { rows } = await client.query<{ name: string }>(VOLATILE, [[...called], ALLOWED])
  if (rows[0]) throw refused(`${rows[0].name}()`)
}

const refused = (what: string) =>
  new Error(`The backup holds what no backup of Engine does: ${what.slice(0, 100)}`)

const SCHEMA = /^create schema if not exists "?([^"]+?)"?$/
const TYPE = /^[\w "().,[\]]+$/

/** As `readStructure` writes them. */
const KINDS = [
  SCHEMA,
  /^create (table|sequence) /,
  /^alter table [^;]+? add constraint /,
  /^alter table [^;]+? (enable always|enable replica|disable) trigger /,
  /^alter sequence [^;]+? owned by /,
  /^CREATE (UNIQUE )?INDEX /,
  /^CREATE (CONSTRAINT )?TRIGGER /,
]

const withoutTexts = (text: string) =>
  text.replace(/\be'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'/gis, "''")

/** Comments, other ways of quoting, and further statements. */
const HIDING = /--|\/\*|\bu&"|\$\w*\$|;(?=(?:[^"]*"[^"]*")*[^"]*$)/i

const NAME = '("(?:[^"]|"")+"|[a-z_][\\w$]*)'
/** What is called, or followed by a list: its schema, if it is written, and its name. */
const CALL = new RegExp(`(?<![\\w"$])(?:${NAME}\\s*\\.\\s*)?${NAME}\\s*\\(`, 'gi')

const nameIn = (text: string) =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase()

const ALLOWED = ['gen_random_uuid', 'nextval']

const VOLATILE = `
  select proname as name from pg_proc p join pg_namespace n on n.oid = pronamespace
  where proname = any($1) and provolatile = 'v' and nspname <> 'engine' and proname <> all($2) limit 1`
