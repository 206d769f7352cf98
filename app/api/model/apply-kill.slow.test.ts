import { expect, test } from 'vitest'
import type { Command } from '@/app/api/plugins/testing/engine-child'
import { KillableEngine } from '@/app/api/plugins/testing/killable-engine'
import { killRounds } from '@/lib/testing/kills'

const KILLS = killRounds(2, 10)
const ROLE = { kind: 'role', name: 'Tailor' }

const apply = (body: object): Command => ({ name: 'apply model', body })
const shirt = (fields: readonly string[]) => ({
  name: 'Shirt',
  properties: [...fields].map((name) => ({ name, type: 'string', meta: { indexed: true } })),
})

let ms = 0
let fields = ['size']

const engine = new KillableEngine('apply model', async () => {
  const entities = [{ name: 'Shirt' }, { name: 'Hat' }]
  await engine.succeed(apply({ entities, schemas: [shirt(fields)], roles: [{ name: 'Tailor' }] }))
  await engine.succeed({ name: 'create', entity: 'Shirt', count: 3, fields: { size: 'S' } })
  fields = [...fields, 'first']
  ms = await engine.timeOf(apply({ schemas: [shirt(fields)] }))
})

type State = {
  version: string
  /** Of the last install that is in the history as one that succeeded, or of an uninstall. */
  last: string
  fields: string[]
  columns: string[]
  entities: string[]
  tables: string[]
  roles: string[]
  trashed: number
  records: number
}

const QUERY = `select p.version,
  (select version from engine.installs where status = 'SUCCESS' order by id desc limit 1) as last,
  array(select f ->> 'name' from engine.schemas s, jsonb_array_elements(s.definition -> 'properties') f
    where s.name = 'Shirt' order by 1) as fields,
  array(select attname::text from pg_attribute where attrelid = 'entities.shirt'::regclass and attnum > 0
    and not attisdropped and attname in ('size', 'first') or attrelid = 'entities.shirt'::regclass and attname like 'f\\_%' order by 1) as columns,
  array(select name from engine.entities order by 1) as entities,
  array(select relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'entities' order by 1) as tables,
  array(select name from engine.roles order by 1) as roles,
  (select count(*)::int from engine.trash_batches) as trashed,
  (select count(*)::int from entities.shirt) as records
  from engine.plugins p where p.id = 'local.model'`

async function stateOf(): Promise<State> {
  const [state] = await engine.sql<State>(QUERY)
  if (!state) throw new Error('The plugin is gone')
  return state
}

const next = (version: string) => `1.${Number(version.split('.')[1]) + 1}.0`

/** Kills while the change is applied: afterwards all is as before, or as `after` says. */
async function killDuring(body: object, after: (before: State) => Partial<State>) {
  const before = await stateOf()
  const hasSucceeded = await engine.killDuring(apply(body), ms * 1.2)
  const state = await stateOf()
  const done = { ...before, ...after(before) }
  const isDone = state.version !== before.version || state.trashed !== before.trashed
  if (hasSucceeded) expect(isDone).toBe(true)
  expect(state).toEqual(isDone ? done : before)
  expect(state.last).toBe(state.version)
  if (!isDone) await engine.succeed(apply(body))
  expect(await stateOf()).toEqual(done)
}

const versioned = ({ version }: State) => ({ version: next(version), last: next(version) })

test(`a process that is killed while it changes an entity, ${KILLS} times, has done all or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    fields = [...fields, `f_${kill}`]
    const sorted = [...fields].sort()
    await killDuring({ schemas: [shirt(fields)] }, (before) => ({
      ...versioned(before),
      ...{ fields: sorted, columns: sorted },
    }))
  }
}, 3_600_000)

test(`so it is while a role is removed, ${KILLS} times`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    await killDuring({ removed: [ROLE] }, (before) => ({ ...versioned(before), roles: [] }))
    await engine.succeed(apply({ roles: [{ name: 'Tailor' }] }))
  }
}, 3_600_000)

test(`so it is while an entity is removed, ${KILLS} times`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    await killDuring({ removed: ['Hat'] }, ({ trashed }) => ({
      ...{ entities: ['Shirt'], tables: ['shirt'], trashed: trashed + 1 },
    }))
    const [batch] = await engine.sql<{ id: string }>('select id from engine.trash_batches')
    await engine.succeed({ name: 'restore', batchId: batch?.id ?? '' })
  }
}, 3_600_000)
