import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { POST as CREATE } from './entities/[entityName]/route'
import { POST as INSTALL } from './plugins/install/zip/route'
import { POST as INIT } from './users/init/route'

const deps = freshDeps()

const CUSTOMER = {
  EngineEntities: {
    files: {
      'Customer.json': {
        name: 'Customer',
        pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
      },
    },
  },
}

/** From now on no message to other processes gets through. */
function breakBus(): void {
  const publish = async () => {
    throw Object.assign(new Error('The connection broke'), { code: 'ECONNRESET' })
  }
  deps.bus = { ...deps.bus, publish }
}

test('a user is created although no other process can be notified', async () => {
  breakBus()
  const body = { email: 'ada@example.com', roles: ['ADMIN'], profile: {} }
  const response = await call(deps, INIT, {
    method: 'POST',
    path: '/api/users/init?generatePassword=true',
    body,
    as: 'ADMIN',
  })
  expect(response.status).toBeLessThan(300)
  const found = await rows(deps.db, sql`select 1 from engine.users where email = ${body.email}`)
  expect(found).toHaveLength(1)
})

test('a record with a new field is stored although no other process can be notified', async () => {
  await installTestEntity(deps, {
    entity: { name: 'Note' },
    schema: { fields: [{ name: 'title', type: 'text' }] },
  })
  breakBus()
  const response = await call(deps, CREATE, {
    method: 'POST',
    path: '/api/entities/Note',
    body: { undeclared: 1 },
    as: 'ADMIN',
    params: { entityName: 'Note' },
  })
  expect(response.status).toBe(201)
  const stored = await rows<{ n: number }>(
    deps.db,
    sql`select count(*)::int as n from entities.note`,
  )
  expect(stored).toEqual([{ n: 1 }])
})

test('an install succeeds although no other process can be notified', async () => {
  breakBus()
  const response = await call(deps, INSTALL, {
    method: 'POST',
    path: '/api/plugins/install/zip',
    body: uploadOf(await archiveOf(pluginFiles(CUSTOMER))),
    as: 'ADMIN',
  })
  expect(response.status).toBe(200)
  const found = await rows(deps.db, sql`select status from engine.installs`)
  expect(found).toEqual([{ status: 'SUCCESS' }])
})
