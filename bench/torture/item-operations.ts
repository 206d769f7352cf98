import type { Sql } from 'postgres'
import { type Files, writeZip } from '@/scripts/samples/write-zip'
import { type Answer, ENTITY, formWith, send } from './item-clients'

const PATH = `/api/entities/${ENTITY}`
const KEYS = 3000

export type Writer = {
  url: () => string
  /** A number below `n`. */
  random: (n: number) => number
  /** Null: the embedded database, which no other process can open. */
  sql: Sql | null
}
type Operation = (writer: Writer) => Promise<Answer | undefined>

const item = ({ random }: Writer, id = random(KEYS)) => ({
  ...{ id, title: `title ${random(1e6)}`, price: random(1e4) / 4, branch: `b${random(20)}` },
  count: random(100),
})
const some = (writer: Writer, n: number) => {
  const from = writer.random(KEYS)
  return Array.from({ length: n }, (_, at) => item(writer, from + at))
}
const ofBranch = ({ random }: Writer) => [
  { field: 'branch', operator: 'eq', value: `b${random(20)}` },
]

const create: Operation = (w) => send(w.url(), { method: 'POST', path: PATH, body: item(w) })
const change: Operation = (w) => {
  const { id, ...rest } = item(w)
  return send(w.url(), { method: 'PATCH', path: `${PATH}/${id}`, body: rest })
}
const remove: Operation = (w) =>
  send(w.url(), { method: 'DELETE', path: `${PATH}/${w.random(KEYS)}` })
const createMany: Operation = (w) =>
  send(w.url(), { method: 'POST', path: `${PATH}/batch`, body: some(w, 1 + w.random(30)) })
const editMany: Operation = (w) => {
  const body = { entity: ENTITY, query: ofBranch(w), set: { count: w.random(100) } }
  return send(w.url(), { method: 'PATCH', path: `${PATH}/batch`, body })
}
const removeMany: Operation = (w) => {
  const from = w.random(KEYS)
  const query = [{ field: 'id', operator: 'between', value: [from, from + w.random(80)] }]
  return send(w.url(), { method: 'DELETE', path: `${PATH}/batch`, body: { entity: ENTITY, query } })
}
const removeAll: Operation = (w) =>
  send(w.url(), { method: 'DELETE', path: `${PATH}/batch`, body: { entity: ENTITY, query: [] } })

const restore: Operation = async (w) => {
  const path = `/api/trash?entity=${ENTITY}&size=50`
  const { data } = await send(w.url(), { method: 'GET', path })
  const batch = data?.[w.random(Math.max(1, data.length))]
  if (!batch) return
  return send(w.url(), { method: 'POST', path: `/api/trash/${batch.batchId}/restore` })
}
const importFile: Operation = (w) => {
  const rows = some(w, 1 + w.random(150))
  const head = 'id,title,price,branch,count'
  const lines = rows.map((row) => Object.values(row).join(','))
  const form = formWith([head, ...lines].join('\n'), 'items.csv')
  const path = `${PATH}/import?undo=7d&mode=upsert&key=id`
  return send(w.url(), { method: 'POST', path, form })
}

const SCHEMA = {
  name: ENTITY,
  properties: [
    { name: 'title', type: 'string' },
    { name: 'price', type: 'decimal' },
    { name: 'branch', type: 'string', meta: { indexed: true } },
    { name: 'count', type: 'integer' },
  ],
}
/** The plugin of the entity, with some records. */
export const archive = (records: object[], version = '1.0.0') =>
  writeZip({
    'engineplugin.json': { id: 'com.example.items', name: 'Items', version },
    'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
    'EngineSchemas/Item.json': SCHEMA,
    'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
    'EngineEntities/Item.json': {
      ...{ name: ENTITY, engineSchema: ENTITY, events: true },
      pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
    },
    'Item/__manifest__.json': { target: ENTITY, insertDuplicate: 'Upsert' },
    'Item/data.json': records,
  } as Files)

const install: Operation = async (w) => {
  const zip = await archive(some(w, 20 + w.random(150)), `1.0.${w.random(1000)}`)
  const form = formWith(zip, 'items.zip')
  return send(w.url(), { method: 'POST', path: '/api/plugins/install/zip', form })
}
const rollBack: Operation = async (w) => {
  const path = '/api/plugins/history?size=1'
  const { data } = await send(w.url(), { method: 'GET', path })
  const [last] = data ?? []
  if (!last) return
  return send(w.url(), { method: 'POST', path: `/api/plugins/history/${last.id}/rollback` })
}

const bySql =
  (work: (sql: Sql, writer: Writer) => Promise<unknown>): Operation =>
  async (writer) => {
    if (!writer.sql) return change(writer)
    await work(writer.sql, writer).catch(() => {})
    return { status: 200, data: null }
  }

const sqlOne = bySql((sql, w) => {
  const { id, title, price } = item(w)
  return sql`insert into entities.item (id, title, price) values (${id}, ${title}, ${price})
    on conflict (id) do update set title = excluded.title, price = excluded.price`
})
const sqlKey = bySql((sql, w) => {
  const id = w.random(KEYS)
  return sql`update entities.item set id = ${KEYS + w.random(KEYS)} where id = ${id}`
})
/** The record it writes last is one that others write meanwhile; a part of it, or all, is rolled back. */
const sqlLong = bySql((sql, w) =>
  sql.begin(async (tx) => {
    const [first, last] = [w.random(KEYS), w.random(KEYS)]
    await tx`update entities.item set count = count + 1 where id = ${first}`
    await tx.savepoint((inner) => inner`delete from entities.item where id = ${last}`)
    await new Promise((resolve) => setTimeout(resolve, w.random(300)))
    await tx`update entities.item set title = 'long' where branch = ${`b${w.random(20)}`}`
    const broken = tx.savepoint(async (inner) => {
      await inner`delete from entities.item where id = ${first}`
      throw new Error('rolled back')
    })
    await broken.catch(() => {})
    if (w.random(4) === 0) throw new Error('rolled back')
  }),
)
const truncate = bySql((sql) => sql`truncate entities.item`)

/** How often of ten thousand. */
const SHARES: [number, Operation][] = [
  ...([
    [3000, create],
    [2500, change],
    [900, remove],
    [400, createMany],
  ] as const),
  ...([
    [500, editMany],
    [250, removeMany],
    [5, removeAll],
    [150, restore],
  ] as const),
  ...([
    [150, importFile],
    [80, install],
    [40, rollBack],
  ] as const),
  ...([
    [1220, sqlOne],
    [300, sqlKey],
    [500, sqlLong],
    [5, truncate],
  ] as const),
].map(([share, work]) => [share, work])

export function anyOperation(writer: Writer): Operation {
  let left = writer.random(10_000)
  for (const [share, operation] of SHARES) {
    left -= share
    if (left < 0) return operation
  }
  return create
}
