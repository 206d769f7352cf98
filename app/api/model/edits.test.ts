import { expect, test } from 'vitest'
import { historyOf, install } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { acme, setPolicy, trust } from '@/app/api/plugins/testing/signed-shop'
import { deps, integer, text, version } from '@/app/api/plugins/testing/versions'
import { call } from '@/lib/testing/request'
import { signedFiles } from '@/lib/testing/signed-archive'
import { POST as APPLY } from './apply/route'
import { POST as PLAN } from './plan/route'

const plugin = 'com.example.shop'
const SHOP = version({ properties: [integer('n'), text('colour')], records: [{ id: 1, n: 2 }] })
const things = recordsOf(deps, 'Thing')
const rename = (to = 'amount', more: object = {}) => ({
  ...{ type: 'rename-field', entity: 'Thing', field: 'n', to, ...more },
})

const post = (handler: typeof PLAN, name: string, body: object, query = '') =>
  call(deps, handler, { method: 'POST', path: `/api/model/${name}${query}`, body, as: 'ADMIN' })
const plan = (body: object) => post(PLAN, 'plan', { plugin, ...body })
const apply = (body: object, seal = '') =>
  post(APPLY, 'apply', { plugin, ...body }, seal && `?seal=${encodeURIComponent(seal)}`)

test('a field is renamed where only signed plugins are installed, in a plugin that stays its publisher’s', async () => {
  await trust(deps)
  setPolicy(deps, 'require')
  expect((await install(deps, await signedFiles(SHOP, acme))).status).toBe(200)
  const planned = await plan({ edits: [rename()] })
  expect(
    planned.body.data.plan.files.flatMap((file: { changes: string[] }) => file.changes),
  ).toContain('Rename the column n of entities.thing to amount')
  expect((await things.read('1')).body.data[0]).toMatchObject({ n: 2 })
  const applied = await apply({ edits: [rename()] }, planned.body.data.plan.seal)
  expect(applied.status).toBe(200)
  expect((await things.read('1')).body.data[0]).toMatchObject({ amount: 2 })
  expect(await historyOf(deps, applied.body.data.history)).toMatchObject({
    ...{ version: expect.stringMatching(/\+local\.1$/), signature: { state: 'local' } },
  })
})

test('edits are made one after the other, and refused after another install than the one that was seen', async () => {
  const { body } = await install(deps, SHOP)
  const lastHistoryId = body.data.history
  const keep = { type: 'keep-history', entity: 'Thing', enabled: true }
  expect((await apply({ lastHistoryId, edits: [rename(), keep] })).status).toBe(200)
  const late = { lastHistoryId, edits: [rename('sum', { field: 'amount' })] }
  expect((await plan(late)).status).toBe(409)
  expect((await apply(late)).status).toBe(409)
})

test.each([
  [{ edits: [rename('colour')] }, 400, 'edits.0.to', 'has a field "colour" already'],
  [{ edits: [rename('m', { entity: 'Thin' })] }, 400, 'edits.0.entity', 'did you mean "Thing"'],
  [{ edits: [{ type: 'rename' }] }, 400, 'edits.0.type', 'must be rename-field'],
  [{ edits: [rename()], entities: [{ name: 'Thing' }] }, 400, 'edits', 'by themselves'],
  [{ edits: [rename()], removed: ['Thing'] }, 400, 'removed', 'by themselves'],
  [{ plugin: 'local.away', edits: [rename()] }, 404, undefined, 'is not installed'],
])('%j is refused with %i at %s', async (body, status, field, error) => {
  await install(deps, SHOP)
  for (const answer of [await plan(body), await apply(body)]) {
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(error) } })
    expect(answer.body.validations?.[0]?.field).toBe(field)
  }
})
