type Engine = { sql: <Row>(text: string) => Promise<Row[]> }

/** Whether somebody holds a lock by name. The embedded database's are in the process, and end with it. */
export async function isHeld(engine: Engine): Promise<boolean> {
  const held = await engine.sql(`
    select from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`)
  return held.length > 0
}

type Total = { name: string; kept: number | null; counted: number }

/** Tables of entities whose kept total is not the number of their rows; the nodes of a cluster keep none. */
export async function totalsThatDiffer(engine: Engine): Promise<Total[]> {
  const tables = await engine.sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'entities'::regnamespace and relkind = 'r'`,
  )
  if (tables.length === 0) return []
  const totals = tables.map(
    ({ name }) =>
      `select '${name}' as name, (select total::int from engine.total_of('${name}'::regclass)) as kept,
         (select count(*)::int from ${name}) as counted`,
  )
  const found = await engine.sql<Total>(totals.join(' union all '))
  const clusters = await engine.sql(`select from pg_extension where extname = 'citus'`)
  return found.filter(
    ({ kept, counted }) => kept !== counted && (kept !== null || clusters.length === 0),
  )
}
