import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install, upload, verdicts } from '../../testing/plugin-api'

const deps = freshDeps()

const text = (name: string, meta: object = {}) => ({ name, type: 'string', meta })
const ITEM = 'EngineSchemas/Item.json'
const ENTITY = 'EngineEntities/Item.json'
const DATA = 'Item/data.json'

const titles = (key: string) =>
  [1, 2, 3].map((number) => ({ sku: `s${number}`, [key]: `Title ${number}` }))

type Version = { schemas: Files; entities?: Files; records?: object[]; more?: Files }

const version = ({ schemas, entities, records = titles('name'), more = {} }: Version): Files => ({
  ...pluginFiles({
    EngineSchemas: { files: schemas },
    EngineEntities: { files: entities ?? { 'Item.json': { name: 'Item' } } },
    Item: {
      manifest: { target: 'Item', insertDuplicate: 'Upsert' },
      files: { 'data.json': records },
    },
  }),
  ...more,
})

const FIRST = { name: 'Item', properties: [text('title'), text('sku')] }
const NEXT = {
  name: 'Item',
  properties: [{ ...text('name'), renamedFrom: 'title' }, text('sku', { unique: true })],
}
const TAG = { name: 'Tag', additionalProperties: false, properties: [text('word')] }

const stored = () =>
  rows(deps.db, sql`select title, sku, "$extra" as extra from entities.item order by id`)

/** Version 1, and a record by hand that the next version's unique field refuses. */
async function contradicted(): Promise<unknown[]> {
  const { logs } = await install(
    deps,
    version({ schemas: { 'Item.json': FIRST }, records: titles('title') }),
  )
  expect(verdicts(logs)).toMatchObject({ [DATA]: 'created' })
  await deps.db.execute(sql`insert into entities.item (title, sku) values ('By hand', 's1')`)
  return stored()
}

/** Installs what the dry run of it predicts, and returns each file's outcome. */
async function outcomes(files: Files): Promise<Record<string, unknown>> {
  const planned = await upload(deps, files, { query: '?dryRun=true' })
  const { logs } = await install(deps, files)
  expect(verdicts(planned.body.data.plan.files)).toEqual(verdicts(logs))
  return verdicts(logs)
}

describe('the data of an archive whose definitions are refused', () => {
  test('is not written against the installed model, and says which definition it misses', async () => {
    const before = await contradicted()
    expect(await outcomes(version({ schemas: { 'Item.json': NEXT } }))).toEqual({
      [ITEM]: 'Incompatible change',
      [ENTITY]: 'unchanged',
      [DATA]: 'Missing dependency',
    })
    expect(await stored()).toEqual(before)
    const { logs } = await install(deps, version({ schemas: { 'Item.json': NEXT } }))
    expect(logs.at(-1)?.details).toEqual([
      {
        key: 'Item',
        message: 'The schema "Item" of the archive failed, and the installed one is another',
      },
    ])
  })

  test('waits for the schema of a new entity, which is not made free-form', async () => {
    await contradicted()
    const files = version({
      schemas: { 'all.json': [NEXT, TAG] },
      entities: { 'Tag.json': { name: 'Tag' } },
      more: { 'Tag/__manifest__.json': { target: 'Tag' }, 'Tag/data.json': [{ wrong: 1 }] },
    })
    expect(await outcomes(files)).toEqual({
      'EngineSchemas/all.json': 'Incompatible change',
      'EngineEntities/Tag.json': 'Missing dependency',
      [DATA]: 'Missing dependency',
      'Tag/data.json': 'Missing dependency',
    })
  })

  test('is written where the definition is installed as the archive has it', async () => {
    await contradicted()
    const records = [...titles('title'), { sku: 's4', title: 'Title 4' }]
    const broken = { name: 'Other', properties: [{ name: 'size', type: 'whole' }] }
    expect(await outcomes(version({ schemas: { 'all.json': [FIRST, broken] }, records }))).toEqual({
      'EngineSchemas/all.json': 'Invalid definition',
      [ENTITY]: 'unchanged',
      [DATA]: 'created',
    })
  })

  test('is not written where a list of schemas is no JSON, whatever its file is called', async () => {
    const before = await contradicted()
    const files = version({
      schemas: { 'all.json': `${JSON.stringify([NEXT, TAG]).slice(0, -1)},]` },
      entities: { 'Tag.json': { name: 'Tag' }, 'Free.json': { name: 'Free' } },
      more: {
        ...{ 'Tag/__manifest__.json': { target: 'Tag' }, 'Tag/data.json': [{ wrong: 1 }] },
        ...{ 'Free/__manifest__.json': { target: 'Free' }, 'Free/data.json': [{ any: 1 }] },
      },
    })
    expect(await outcomes(files)).toEqual({
      'EngineSchemas/all.json': 'Invalid JSON',
      'EngineEntities/Free.json': 'created',
      'EngineEntities/Tag.json': 'Missing dependency',
      [DATA]: 'Missing dependency',
      'Free/data.json': 'created',
      'Tag/data.json': 'Missing dependency',
    })
    expect(await stored()).toEqual(before)
  })

  test('says of an entity without a schema that none is installed', async () => {
    await install(deps, version({ schemas: {} }))
    const broken = { name: 'Item', properties: [{ name: 'size', type: 'whole' }] }
    const { logs } = await install(deps, version({ schemas: { 'Item.json': broken } }))
    const message = 'The schema "Item" of the archive failed, and none is installed'
    expect(logs.at(-1)?.details).toEqual([{ key: 'Item', message }])
  })

  const REFUSED: [string, Files, string][] = [
    ['is no JSON', { 'Item.json': '{ "name": "Item"' }, 'Invalid JSON'],
    ['is no entity', { 'Item.json': { name: 'Item', pks: 7 } }, 'Invalid definition'],
    ['has faults in a list', { 'all.json': [{ name: 'Item', pks: 7 }] }, 'Invalid definition'],
    [
      'does not fit its schema',
      { 'Item.json': { name: 'Item', indexes: [{ fields: ['none'] }] } },
      'Invalid definition',
    ],
    [
      'would rename it and fails',
      { 'Item.json': { name: 'Thing', renamedFrom: 'Item', indexes: [{ fields: ['none'] }] } },
      'Invalid definition',
    ],
    [
      'names another schema that fails',
      { 'Item.json': { name: 'Item', engineSchema: 'Gone' } },
      'Missing dependency',
    ],
  ]
  test('is not written when the entity is refused, for any reason', async () => {
    const before = await contradicted()
    const records = titles('title').map((one) => ({ ...one, title: 'New' }))
    for (const [why, entities, error] of REFUSED) {
      const files = version({ schemas: { 'Item.json': FIRST }, entities, records })
      expect.soft(await outcomes(files), `the entity ${why}`).toEqual({
        [ITEM]: 'unchanged',
        [`EngineEntities/${Object.keys(entities)[0]}`]: error,
        [DATA]: 'Missing dependency',
      })
      expect.soft(await stored(), `the entity ${why}`).toEqual(before)
    }
  })

  test('is not written when a type of its schema fails, which is not taken for the installed one', async () => {
    const typed = { name: 'Item', properties: [text('title'), { name: 'sku', type: 'Code' }] }
    const files = (code: unknown) =>
      version({
        schemas: { 'Item.json': typed },
        records: titles('title'),
        more: {
          'EngineTypes/__manifest__.json': { target: 'EngineTypes' },
          'EngineTypes/Code.json': code,
        },
      })
    await install(deps, files({ name: 'Code', baseType: 'string' }))
    expect(await outcomes(files('{ "name": "Code"'))).toMatchObject({
      'EngineTypes/Code.json': 'Invalid JSON',
      [ITEM]: 'Invalid definition',
      [DATA]: 'Missing dependency',
    })
  })

  test('is not written when its manifest needs a new entity that fails', async () => {
    await contradicted()
    const files = version({
      schemas: { 'Item.json': FIRST },
      entities: { 'Tag.json': { name: 'Tag', indexes: [{ fields: ['none'] }] } },
      records: titles('title'),
      more: {
        'Item/__manifest__.json': { insertDuplicate: 'Upsert', dependencies: ['Tag'] },
      },
    })
    expect(await outcomes(files)).toMatchObject({
      'EngineEntities/Tag.json': 'Invalid definition',
      [DATA]: 'Missing dependency',
    })
  })
})
