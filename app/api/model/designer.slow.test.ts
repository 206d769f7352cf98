import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GET as DEFINITION } from '@/app/api/entities/[entityName]/definition/route'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { LOGS } from '@/components/model/entity-draft'
import { emptyField, type FieldDraft, FLAGS } from '@/components/model/field-draft'
import { placed } from '@/components/model/field-list'
import {
  editedModel,
  type ModelBase,
  type ModelDraft,
  modelDraftOf,
} from '@/components/model/model-draft'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { budget } from '@/lib/testing/budget'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'

const deps = freshDeps()
const PLUGIN = 'local.model'
const FIELDS = ['name', 'size', 'born', 'kind'] as const
const RECORDS = [
  { id: 'a', name: 'Anna', size: 3 },
  { id: 'b', name: 'Bea', size: 40 },
  { id: 'c', size: 3 },
]
const START: ModelBase = {
  entity: { name: 'Stay', pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] },
  schema: {
    name: 'Stay',
    properties: [
      { name: 'id', type: 'string' },
      { name: 'name', type: 'string' },
      { name: 'size', type: 'integer' },
    ],
  },
}

/** What somebody does in the designer, and its words. */
type Edit = { words: string; run: (draft: ModelDraft) => ModelDraft }

/** One of `values` for one of the fields, if it is there. */
const ofField = <V>(
  words: string,
  values: readonly V[],
  change: (field: FieldDraft, value: V) => Partial<FieldDraft>,
): fc.Arbitrary<Edit> =>
  fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...values)).map(([name, value]) => ({
    words: `${words} of ${name}: ${JSON.stringify(value)}`,
    run: (draft) => changed(draft, name, (field) => change(field, value)),
  }))

const changed = (
  draft: ModelDraft,
  name: string,
  change: (field: FieldDraft) => Partial<FieldDraft>,
): ModelDraft => ({
  ...draft,
  fields: draft.fields.map((one) => (one.name === name ? { ...one, ...change(one) } : one)),
})

/** Two records have the same size. */
const REFUSED: Edit = {
  words: 'flag of size: "unique"',
  run: (draft) => changed(draft, 'size', ({ flags }) => ({ flags: { ...flags, unique: true } })),
}

const ofEntity = <V>(
  words: string,
  values: readonly V[],
  change: (before: ModelDraft['entity'], value: V) => Partial<ModelDraft['entity']>,
): fc.Arbitrary<Edit> =>
  fc.constantFrom(...values).map((value) => ({
    words: `${words}: ${JSON.stringify(value)}`,
    run: ({ entity, fields }) => ({ entity: { ...entity, ...change(entity, value) }, fields }),
  }))

const TYPES = ['string', 'integer', 'decimal', 'date', 'boolean'] as const
const added: fc.Arbitrary<Edit> = fc
  .record({
    name: fc.constantFrom(...FIELDS),
    type: fc.constantFrom(...TYPES),
    default: fc.constantFrom('', '', '1', 'now'),
    after: fc.constantFrom(null, 'id', 'name'),
  })
  .map(({ after, ...field }) => ({
    words: `add ${JSON.stringify(field)} after ${after}`,
    run: (draft) => {
      if (draft.fields.some(({ name }) => name === field.name)) return draft
      const fields = [...draft.fields, { ...emptyField(), ...field }]
      return { ...draft, fields: placed(fields, fields.length - 1, after) }
    },
  }))

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: added },
  { weight: 2, arbitrary: ofField('removal', [true], () => ({ isRemoved: true })) },
  {
    weight: 3,
    arbitrary: ofField('flag', FLAGS, ({ flags }, flag) => ({
      flags: { ...flags, [flag]: !flags[flag] },
    })),
  },
  ofField('maxLength', ['', '3', '50'], ({ limits }, maxLength) => ({
    limits: { ...limits, maxLength },
  })),
  ofField('min', ['', '3', '50'], ({ limits }, min) => ({ limits: { ...limits, min } })),
  ofField('type', TYPES, (_, type) => ({ type })),
  ofField('label', ['', 'Title'], (_, label) => ({ label })),
  ofField('choices', [[], ['3', '40'], ['Anna', 'Bea']], (_, choices) => ({ choices })),
  ofField('computed', ['', 'lower(name)'], ({ texts }, computed) => ({
    texts: { ...texts, computed },
  })),
  ofEntity('index', ['index', 'unique', 'schema'] as const, ({ indexes }, kind) => ({
    indexes: indexes.length > 1 ? [] : [...indexes, { fields: ['name', 'size'], kind, name: '' }],
  })),
  ofEntity('log', LOGS, ({ logs }, log) => ({ logs: { ...logs, [log]: !logs[log] } })),
  ofEntity('open', [true, false], (_, isOpen) => ({ isOpen })),
  ofEntity('title', ['', 'Stays'], (_, label) => ({ label })),
)

/** What the server has of the entity: its definitions, its indexes and its records. */
async function stateOf() {
  const read = await call(deps, DEFINITION, {
    ...{ path: '/api/entities/Stay/definition', params: { entityName: 'Stay' }, as: 'ADMIN' },
  })
  const [{ lastHistoryId, ...written }] = read.body.data
  const columns = await rows(deps.db, COLUMNS)
  const indexes = await rows(deps.db, INDEXES)
  const stays = recordsOf(deps, 'Stay')
  const found = await Promise.all(RECORDS.map(({ id }) => stays.read(id)))
  const records = found.map(({ body }) => withoutAudit(body.data?.[0] ?? {}))
  return { lastHistoryId, state: { written, columns, indexes, records } }
}

const COLUMNS = sql`select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required
  from pg_attribute where attrelid = 'entities.stay'::regclass and attnum > 0 and not attisdropped order by 1`
const INDEXES = sql`select regexp_replace(indexdef, ' INDEX \\S+ ', ' ') as definition
  from pg_indexes where schemaname = 'entities' and tablename = 'stay' order by 1`

const AUDIT = ['CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']
/** Values that are made when a record is stored differ from one time to the other. */
const withoutAudit = (record: object) =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => !AUDIT.includes(name) && !isMade(value)),
  )
const isMade = (value: unknown) => typeof value === 'string' && value.startsWith('20')

type State = Awaited<ReturnType<typeof stateOf>>['state']
type Step = { files: ModelBase; status: number; state: State; history: number }

/** Edits that are applied one after the other in the designer, with what the server has after each. */
async function design(edits: readonly Edit[]): Promise<Step[]> {
  const steps: Step[] = []
  const apply = async (body: object, files: ModelBase) => {
    const request = { path: '/api/model/apply', method: 'POST', body, as: 'ADMIN' } as const
    const { status, body: answer } = await call(deps, APPLY, request)
    steps.push({ files, status, state: (await stateOf()).state, history: answer.data.history })
  }
  await apply({ entities: [START.entity], schemas: [START.schema] }, START)
  await makeRecords()
  Object.assign(steps[0] ?? {}, { state: (await stateOf()).state })
  for (const change of edits) {
    const { lastHistoryId, state } = await stateOf()
    const base = state.written as unknown as ModelBase
    const { entities, schemas } = editedModel(base, change.run(modelDraftOf(base)))
    if (entities.length + schemas.length === 0) continue
    const files = { entity: entities[0] ?? base.entity, schema: schemas[0] ?? base.schema }
    await apply({ plugin: PLUGIN, lastHistoryId, entities, schemas }, files)
  }
  return steps
}

async function makeRecords(): Promise<void> {
  const stays = recordsOf(deps, 'Stay')
  for (const record of RECORDS) expect((await stays.create(record)).status).toBe(201)
}

const rollBack = (id: number) =>
  call(deps, ROLL_BACK, {
    ...{ method: 'POST', path: `/api/plugins/history/${id}/rollback`, as: 'ADMIN' },
    params: { id: String(id) },
  })

const archiveOf = ({ entity, schema }: ModelBase, version: number) =>
  pluginFiles(
    {
      EngineEntities: { files: { 'Stay.json': entity } },
      EngineSchemas: { files: { 'Stay.json': schema } },
    },
    { id: PLUGIN, name: 'Local model', version: `1.${version}.0` },
  )

test('edits of the designer are the installs of the archives that they stand for, and each can be rolled back', async () => {
  const counts = { applied: 0, refused: 0 }
  const property = fc.asyncProperty(
    fc.array(edit, { minLength: 3, maxLength: 7 }),
    async (edits) => {
      await testDeps()
      const steps = await design(edits)
      const applied = steps.filter(({ status }) => status === 200)
      for (const [at, { history }] of [...applied.entries()].slice(1).reverse()) {
        expect((await rollBack(history)).body).toMatchObject({ status: 200 })
        expect((await stateOf()).state).toEqual(applied[at - 1]?.state)
      }
      await testDeps()
      for (const [at, { files, status, state }] of steps.entries()) {
        const installed = await install(deps, archiveOf(files, at), { query: '?mode=atomic' })
        expect(installed.status).toBe(status)
        if (at === 0) await makeRecords()
        expect((await stateOf()).state).toEqual(state)
      }
      counts.applied += applied.length - 1
      counts.refused += steps.length - applied.length
    },
  )
  await fc.assert(property, { ...budget(4, 1), examples: [[[REFUSED]]] })
  expect(counts.applied).toBeGreaterThan(counts.refused)
  expect(counts.refused).toBeGreaterThan(0)
}, 3_600_000)
