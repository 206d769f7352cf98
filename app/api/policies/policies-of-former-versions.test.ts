import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { DELETE as UNINSTALL } from '../plugins/[id]/route'
import { install } from '../plugins/testing/plugin-api'
import { rollback } from '../plugins/testing/rollbacks'
import { CLERKS, listPolicies, restore } from './testing/policies-api'

const deps = freshDeps()

const notes = (policy: object) =>
  pluginFiles(
    {
      EngineEntities: { files: { 'Note.json': { name: 'Note' } } },
      EnginePolicies: { files: { 'p.json': { ...CLERKS, entities: ['Note'], ...policy } } },
    },
    { id: 'com.example.notes' },
  )

const present = async () =>
  (await listPolicies()).body.data.map(({ id, actions }: { id: string; actions: string[] }) => [
    typeof id,
    actions,
  ])

// Rows that the version before has kept have neither an id nor a reason for which they do not fit.
const FORMER = sql`- 'id' - 'invalid'`

test('a policy that a former version kept comes back by a rollback', async () => {
  await install(deps, notes({ actions: ['read'] }))
  const { body } = await install(deps, notes({ actions: ['*'] }))
  await deps.db.execute(
    sql`update engine.plugin_definition_changes set before = before ${FORMER}, after = after ${FORMER} where kind = 'policy'`,
  )
  expect((await rollback(body.data.history)).status).toBe(200)
  expect(await present()).toEqual([['string', ['read']]])
})

test('a policy that a former version put into the trash comes back from it', async () => {
  await install(deps, notes({}))
  const id = 'com.example.notes'
  const at = { method: 'DELETE', path: `/api/plugins/${id}`, params: { id }, as: 'ADMIN' }
  const { batchId } = (await call(deps, UNINSTALL, at)).body.data[0]
  expect(await present()).toEqual([])
  await deps.db.execute(
    sql`update engine.trash_batches set removed = jsonb_set(removed, '{policies,0}', (removed #> '{policies,0}') ${FORMER})`,
  )
  expect((await restore(batchId)).status).toBe(200)
  expect(await present()).toEqual([['string', ['read']]])
})
