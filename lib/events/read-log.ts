import { type SQL, sql } from 'drizzle-orm'
import { auditLog, type EVENT_KINDS, eventLog, installs, recordEvents } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { relationSql } from '@/lib/totals/keep-total'
import { horizonOf } from './horizon'
import type { Position } from './position'

/** An entry of the log; rows as JSON text. */
export type LoggedEvent = {
  /** The place of its table among those that were asked for. */
  of: number
  xid: string
  id: string
  kind: (typeof EVENT_KINDS)[number]
  key: string
  at: string
  before: string | null
  after: string | null
  counts: Partial<Record<'insert' | 'update' | 'delete', number>> | null
  actor: { type: string; name: string | null } | null
  action: string | null
  requestId: string | null
  install: { id: number; kind: string; pluginId: string | null; version: string | null } | null
}

export type LogPart = {
  events: LoggedEvent[]
  /** Where to go on. */
  next: Position
  /** There may be more at once. */
  isCut: boolean
  /** Here who follows one of the entities begins again: `begin`, changes were not kept for a time; `definition`, its records look different. */
  gap: 'begin' | 'definition' | null
}

/** Of what one page reads. */
const MAX_BYTES = 16 * 1024 * 1024

type Reading = {
  tables: readonly TableName[]
  /** Null: from this moment on. */
  since: Position | null
  limit: number
  /** Each record of those that an event of the kind `many` stands for, instead of that event. */
  records: boolean
  /** Of what it reads; a record that is larger alone is read all the same. */
  maxBytes?: number
}

type Row = LoggedEvent & { log: string; expired: string }

/**
 * The changes of entities after a place, in the order in which their transactions began to write, as far as no running
 * transaction can still add one before them. Throws `expired` for a place whose changes are no longer kept.
 */
export async function readLog(db: Db, reading: Reading): Promise<LogPart> {
  const { since, limit } = reading
  const { xid: horizon, end } = await horizonOf(db)
  const found = await rows<Row>(db, since ? logSql({ ...reading, since, horizon }) : LOG)
  const [first] = found
  if (!first) {
    await makeLog(db)
    return readLog(db, reading)
  }
  const { log, expired } = first
  if (since) requireKept(since, { log, expired: BigInt(expired), end })
  const all = found.filter(({ xid }) => xid != null)
  const { events, gap } = untilGap(all)
  const last = gap ? all[0] : events.at(-1)
  // Without a further one, everything of the transactions before the oldest running one has been read.
  const isWhole = events.length === all.length && all.length < limit && !hasMore(found)
  const isCut = last !== undefined && !isWhole
  const next = isCut
    ? { log, xid: BigInt(last.xid), id: BigInt(last.id) }
    : later({ log, xid: horizon - 1n, id: MAX_ID }, since)
  return { events, next, isCut, gap }
}

/** What comes before the place from which to begin again, which is a part by itself. */
function untilGap(all: readonly Row[]): Pick<LogPart, 'events' | 'gap'> {
  const kinds = all.map(({ kind }) => (kind === 'begin' || kind === 'definition' ? kind : null))
  const at = kinds.findIndex((kind) => kind !== null)
  return { events: at < 0 ? [...all] : all.slice(0, at), gap: kinds[0] ?? null }
}

/** One entry of an entity, by its place; null where it is no longer kept. `many`: one that stands for many. */
export async function readLogged(
  db: Db,
  table: TableName,
  { xid, id }: Pick<Position, 'xid' | 'id'>,
  many: boolean,
): Promise<{ event: LoggedEvent; log: string } | null> {
  const since = { log: '', xid, id: id - 1n }
  const place = { tables: [table], since, limit: 1, records: !many, horizon: xid + 1n }
  const [found] = await rows<Row>(db, logSql(place))
  const isIt = found?.xid === String(xid) && found.id === String(id)
  return isIt ? { event: found, log: found.log } : null
}

/** The row about the log as a whole, where there is none yet. */
export const makeLog = (db: Db) =>
  db.execute(sql`insert into ${eventLog} default values on conflict do nothing`)

const MAX_ID = 2n ** 63n - 1n

const hasMore = (found: readonly (Row & { left?: boolean })[]) => found.some(({ left }) => left)

/** A place is never before the one that was asked for: a transaction may be older than the one read last. */
const later = (next: Position, since: Position | null): Position =>
  since && since.xid > next.xid ? since : next

function requireKept(
  { log, xid, id }: Position,
  present: { log: string; expired: bigint; end: bigint },
): void {
  const isOther = log !== present.log || xid > present.end
  const isAmid = xid === present.expired && id !== MAX_ID && present.expired > 0n
  if (!isOther && xid >= present.expired && !isAmid) return
  throw expiredCursor(
    isOther
      ? 'The cursor is of another database, or of one before a restore'
      : 'The changes after this cursor are no longer all kept',
  )
}

export const expiredCursor = (why: string) =>
  new AppError(
    'expired',
    `${why}. Begin again: get a cursor without "since", then read the records, then follow from that cursor`,
  )

const LOG = sql`select left(log, 8) as log, expired::text from ${eventLog}`

const INSTALL = sql`case when i.id is not null then json_build_object('id', i.id, 'kind', i.kind,
  'pluginId', i.plugin_id, 'version', i.version) end`

/** As text where it is stored compressed, of which a hundredth says nothing of the whole. */
const sizeOf = (row: SQL) =>
  sql`coalesce(case when pg_column_compression(${row}) is null then pg_column_size(${row}) else octet_length(${row}::text) end, 0)`

const SIZE = sql`(${sizeOf(sql`e.before`)} + ${sizeOf(sql`e.after`)})`

type Sought = Reading & { since: Position; horizon: bigint }

function logSql({ tables, since, limit, records, horizon, maxBytes = MAX_BYTES }: Sought): SQL {
  const relations = sql.join(tables.map(relationSql), sql`, `)
  const isPart = records ? sql`e.kind <> 'many'` : sql`not e.bulk`
  return sql`
    select n.log, n.expired, p.left, p.of, p.xid::text, p.id::text, p.kind, p.key,
      to_char(p.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "at",
      p.before::text, p.after::text, p.counts,
      coalesce(author.actor, case when i.id is not null then json_build_object('type', null, 'name', i.installed_by) end) as actor,
      author.action, author.request_id as "requestId", ${INSTALL} as install
    from (${LOG}) as n left join lateral (
      select *, size > ${maxBytes}::float8 as left from (
        select e.*, sum(${SIZE}) over w as size, ${SIZE} as own,
          row_number() over w as number
        from (
          select e.*, (t.number - 1)::int as of
          from unnest(array[${relations}]) with ordinality as t(relation, number), lateral (
            select * from ${recordEvents} as e
            where e.relation = t.relation and (e.xid, e.id) > (${String(since.xid)}::xid8, ${String(since.id)}::bigint)
              and e.xid < ${String(horizon)}::xid8 and ${isPart}
            order by e.xid, e.id limit ${limit}
          ) as e
          order by e.xid, e.id limit ${limit}
        ) as e window w as (order by e.xid, e.id)
      ) as sized where number = 1 or size - own <= ${maxBytes}::float8
    ) as p on true
    left join ${installs} as i on i.id = p.install_id
    left join lateral (
      select json_build_object('type', a.actor_type, 'name', a.actor_name) as actor, a.action, a.request_id
      from ${auditLog} as a where a.change_id = p.change_id
      order by (a.object_type = p.entity) desc, a.id limit 1) as author on true
    order by p.xid, p.id`
}
