import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { registryChanged } from '@/lib/registry/registry'
import { describeStep } from '@/lib/tables/describe-step'
import { defineTestEntity, defineTestSchema } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST as CREATE } from '../route'

export const deps = freshDeps()

const NUMBERS = ['smallint', 'integer', 'bigint', 'decimal', 'number']
type Key = { type: string; strategy?: string; max?: number; maxLength?: number }

/** Installs a thing whose key `id` is of this type, and returns what was done in words. */
export async function thing({ type, strategy = 'Fixed', ...rules }: Key) {
  const pks = [{ key: 'id', strategy, type: NUMBERS.includes(type) ? 'number' : 'string' }]
  const properties = [
    { name: 'id', type, ...rules },
    { name: 'note', type: 'string' },
  ]
  // Schema and entity are in separate files: the stricter order of the two must work.
  const schema = await defineTestSchema(deps, { name: 'Thing', properties })
  const entity = await defineTestEntity(deps, { name: 'Thing', pks })
  await registryChanged(deps)
  return [...schema.steps, ...entity.steps].map(describeStep)
}

export const create = async (entityName: string, body: object) => {
  const params = { entityName }
  const response = await call(deps, CREATE, {
    method: 'POST',
    path: '/',
    params,
    body,
    as: 'ADMIN',
  })
  return response.body.data[0] ?? response.body
}

export const ids = () =>
  rows<{ id: unknown }>(
    deps.db,
    sql`select to_jsonb(id) as id from entities.thing order by id`,
  ).then((found) => found.map(({ id }) => id))
