import { sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/sql'
import { loadEntities } from '@/lib/registry/registry'
import { defineTestSchema } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'

export const deps = freshDeps()

/** Installs `Thing` with a property `a` as given (null: free-form) and records with these values. */
export const install = (a: object | null, values: unknown[]) =>
  installTestEntity(
    deps,
    { entity: { name: 'Thing' }, ...(a ? { schema: schemaOf(a) } : {}) },
    values.map((value) => (value === undefined ? {} : { a: value })),
  )

export const schemaOf = (a: object | null, more: object = {}) => ({
  name: 'Thing',
  properties: a ? [{ name: 'a', ...a }] : [],
  ...more,
})
export const change = (a: object | null, more?: object) => defineTestSchema(deps, schemaOf(a, more))

export const current = async () => one(await loadEntities(deps.db))

/** The values of `a` in order, as JSON. */
export const values = async () => {
  const query = sql`select to_jsonb(a) as a from entities.thing order by id`
  return (await rows<{ a: unknown }>(deps.db, query)).map(({ a }) => a)
}
export const extras = async () => {
  const query = sql`select "$extra" as x from entities.thing order by id`
  return (await rows<{ x: unknown }>(deps.db, query)).map(({ x }) => x)
}
