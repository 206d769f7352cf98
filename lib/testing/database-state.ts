import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '@/lib/db/sql'
import { settlePending } from '@/lib/tables/settle-pending'

/**
 * The whole database as text: the structure of tables, their rows and the sequences' counters.
 * Without the rate limits of callers, which every request changes. What is pending of what plugins gave is settled first: when
 * that happens makes no difference.
 */
export async function databaseState(db: Db): Promise<Record<string, string[]>> {
  await settlePending(db)
  const relations = await rows<Relation>(db, RELATIONS)
  const lines = sql.join([STRUCTURE, ...relations.map(linesOf)], sql` union all `)
  const state: Record<string, string[]> = {}
  for (const { of, line } of await rows<{ of: string; line: string }>(
    db,
    sql`select * from (${lines}) l order by 1, 2`,
  ))
    state[plain(of)] = [...(state[plain(of)] ?? []), plain(line)]
  return state
}

/** Counters of tables that are on the nodes of a cluster have names that no other ever has. */
const plain = (text: string) => text.replace(/(sq_\w+_[0-9a-f]{10})_[0-9a-f]{8}\b/g, '$1')

type Relation = { schema: string; name: string; kind: 'r' | 'S' }

function linesOf({ schema, name, kind }: Relation): SQL {
  const text = kind === 'S' ? sql`last_value || ' ' || is_called` : sql`to_jsonb(t.*)::text`
  return sql`select ${`${schema}.${name}`}::text, ${text} from ${sql.identifier(schema)}.${sql.identifier(name)} t`
}

const RELATIONS = sql`
  select relnamespace::regnamespace::text as schema, relname as name, relkind as kind from pg_class
  where relkind in ('r', 'S') and relnamespace::regnamespace::text in ('engine', 'entities')
    and relname not in ('users', 'api_keys', 'scim_tokens', 'rate_limits', 'search_shapes', 'pending_plugin_records_id_seq')
  order by 1, 2`

const STRUCTURE = sql`
  select 'structure' as of, format('%s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod),
    attnotnull, (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum)) as line
  from pg_attribute join pg_class c on c.oid = attrelid
  where relkind <> 'i' and relnamespace::regnamespace::text in ('engine', 'entities') and attnum > 0 and not attisdropped
  union all
  select 'structure', format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid)) from pg_constraint k join pg_class c on c.oid = conrelid
  where connamespace::regnamespace::text in ('engine', 'entities')
  union all
  select 'structure', indexdef from pg_indexes where schemaname in ('engine', 'entities')`
