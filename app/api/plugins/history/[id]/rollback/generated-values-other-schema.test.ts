import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { drift, SINCE, TOKEN } from '../../../testing/generated-values'
import { rolledBack, run, state } from '../../../testing/rollbacks'
import { deps, text } from '../../../testing/versions'

const SCHEMAS = {
  'Plain.json': { name: 'Plain', properties: [text('name')] },
  'Made.json': { name: 'Made', properties: [text('name'), TOKEN, SINCE] },
}

const files = (name: string, entity: object) => {
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  const records = [
    { id: 1, name: 'Cup' },
    { id: 2, name: 'Dish' },
  ]
  return pluginFiles({
    EngineSchemas: { files: SCHEMAS },
    EngineEntities: {
      files: { 'Thing.json': { name, pks, insertDuplicate: 'Upsert', ...entity } },
    },
    [name]: { files: { 'data.json': records } },
  })
}

test.each([
  ['with the same name', 'Thing', {}],
  ['with another name', 'Other', { renamedFrom: 'Thing' }],
])(
  'values that an entity %s gets with another schema are no edits, and go on rollback',
  async (_, name, more) => {
    await run(files('Thing', { engineSchema: 'Plain' }))
    await deps.db.execute(sql`insert into entities.thing (id, name) values (7, 'own')`)
    const before = await state()
    const upgraded = await run(files(name, { engineSchema: 'Made', ...more }))
    const after = await state()
    expect(await drift()).toMatchObject([{ key: '7', change: 'added' }])
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  },
)
