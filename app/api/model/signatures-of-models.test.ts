import { expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { setPolicy, shop, signedShop, trust } from '@/app/api/plugins/testing/signed-shop'
import { plugins } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'
import { POST as PLAN } from './plan/route'

const deps = freshDeps()
const apply = (body: object) =>
  call(deps, APPLY, { method: 'POST', path: '/api/model/apply', body, as: 'ADMIN' })
const PEN = { entities: [{ name: 'Pen' }], schemas: [] }

test('a model made here is installed where signatures are required, and its archive elsewhere is not', async () => {
  setPolicy(deps, 'require')
  const { body } = await call(deps, PLAN, {
    ...{ method: 'POST', path: '/api/model/plan', body: PEN, as: 'ADMIN' },
  })
  expect(body.data.plan.signature).toMatchObject({ state: 'local' })
  expect((await apply(PEN)).status).toBe(200)
  const claimed = { ...shop(), 'engineplugin.json': { id: 'local.model', name: 'x', version: '9' } }
  expect((await install(deps, claimed)).status).toBe(403)
})

test('what is changed here stays its publisher’s', async () => {
  await trust(deps)
  await install(deps, await signedShop())
  const shoe = { name: 'Shoe', auditable: true }
  const edit = { plugin: 'com.example.shop', entities: [shoe], schemas: [] }
  expect((await apply(edit)).status).toBe(200)
  const [row] = await deps.db.select().from(plugins)
  expect(row?.signer?.publisher).toBe('Acme')
  expect((await install(deps, shop('2.0.0'))).status).toBe(409)
  expect((await install(deps, await signedShop('2.0.0'))).status).toBe(200)
})
