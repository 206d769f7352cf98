import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import type { Files, install } from './plugin-api'

export const deps = freshDeps()

const refersTo = (name: string, entity: string) => ({
  name,
  type: 'string',
  meta: { reference: { entity, field: 'id' } },
})
export const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'string' }]

export type EntityParts = {
  refers?: Record<string, string>
  data?: object[]
  manifest?: object
  pks?: object[]
}

/** A plugin of entities with text keys that refer to each other by `refers`: field → entity. */
export function plugin(entities: Record<string, EntityParts>): Files {
  const names = Object.keys(entities)
  const each = (make: (name: string, parts: EntityParts) => object) => ({
    files: Object.fromEntries(
      names.map((name) => [`${name}.json`, make(name, entities[name] ?? {})]),
    ),
  })
  const data = names.flatMap((name) => {
    const { data, manifest } = entities[name] ?? {}
    return data
      ? [[name, { manifest: { target: name, ...manifest }, files: { 'data.json': data } }]]
      : []
  })
  return pluginFiles({
    EngineEntities: each((name, { pks = FIXED }) => ({ name, pks, insertDuplicate: 'Upsert' })),
    EngineSchemas: each((name, { refers = {} }) => ({
      name,
      properties: Object.entries(refers).map(([field, entity]) => refersTo(field, entity)),
    })),
    ...Object.fromEntries(data),
  })
}

export const stored = (table: string) =>
  rows<Record<string, unknown>>(
    deps.db,
    sql`select * from entities.${sql.identifier(table)} order by 1`,
  )
export const dataPaths = (logs: Awaited<ReturnType<typeof install>>['logs']) =>
  logs.map(({ path }) => path).filter((path) => path.endsWith('/data.json'))

export const notesOf = (logs: Awaited<ReturnType<typeof install>>['logs']) =>
  logs.flatMap(({ path, changes }) =>
    changes.filter((change) => /enforced|refer to/.test(change)).map((change) => [path, change]),
  )
