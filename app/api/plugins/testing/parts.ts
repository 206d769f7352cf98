import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { pluginFiles } from '@/lib/testing/archive'
import { type Files, install } from './plugin-api'

const PROPERTIES = [
  { name: 'name', type: 'string', indexed: true },
  { name: 'code', type: 'string', unique: true },
  { name: 'note', type: 'string', searchable: true },
  { name: 'parent', type: 'integer', reference: { entity: 'Part', field: 'id' } },
]

type Options = { onDuplicate?: string; pks?: object[]; query?: string }

/** Installs parts with indexes of all kinds, and returns the report of their file. */
export async function installParts(
  deps: Deps,
  records: object[],
  { onDuplicate, pks, query }: Options = {},
) {
  const entity = { name: 'Part', ...(pks ? { pks } : {}) }
  const files: Files = pluginFiles({
    EngineEntities: { files: { 'Part.json': entity } },
    EngineSchemas: { files: { 'Part.json': { name: 'Part', properties: PROPERTIES } } },
    Part: {
      manifest: { target: 'Part', ...(onDuplicate ? { insertDuplicate: onDuplicate } : {}) },
      files: { 'data.json': records },
    },
  })
  const log = (await install(deps, files, { query })).logs.at(-1)
  return { verdict: log?.error ?? log?.status, ...log }
}

const NOTE = 'tab\t, line\nfeed, return\r, backslash \\N, \\. and ü 🙂 '

/** Large enough, from `MANY` on, for their indexes to be built after them, and for several writes. */
export const parts = (count: number, more: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Part ${(index * 7919) % count}`,
    code: `C${index + 1}`,
    note: `${NOTE}${'x'.repeat(400)}`,
    undeclared: { n: index },
    ...more(index + 1),
  }))

export const MANY = 1_200

export async function countParts(deps: Deps): Promise<number | undefined> {
  const query = sql`select count(*)::int as n from entities.part`
  const [found] = await rows<{ n: number }>(deps.db, query)
  return found?.n
}

/** The key that the next part would get, which is used up. */
export async function nextPartId(deps: Deps): Promise<number | undefined> {
  const next = sql`select nextval(pg_get_serial_sequence('entities.part', 'id'))::int as n`
  const [found] = await rows<{ n: number }>(deps.db, next)
  return found?.n
}
