import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { POST as CREATE } from '@/app/api/entities/[entityName]/exports/route'
import { allow, clerk, deps } from '@/app/api/entities/[entityName]/testing/branches'
import { backgroundExports, users } from '@/lib/db/schema'
import { startExports } from '@/lib/export/start-exports'
import { call } from '@/lib/testing/request'
import { GET as FILE } from './[id]/file/route'

type Headers = Record<string, string>

const create = async (headers: Headers, body: object = {}, entity = 'Order') => {
  const created = await call(deps, CREATE, {
    ...{ method: 'POST', path: `/api/entities/${entity}/exports?format=csv`, body, headers },
    params: { entityName: entity },
  })
  return created.body.data[0].id as string
}

const download = (headers: Headers, id: string) =>
  call(deps, FILE, { path: `/api/exports/${id}/file`, headers, params: { id } })

const OWN_BRANCH = {
  entities: ['Order'],
  where: [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }],
}

test('a file in the background has the rows and fields of the time when it is made', async () => {
  const headers = await clerk({ branch: 'N1' })
  const [owner] = await deps.db.select({ ownerId: users.id }).from(users)
  const [waiting] = await deps.db
    .insert(backgroundExports)
    .values({
      ...{ ...owner, createdBy: 'ann', entity: 'Order', format: 'csv', body: '{"sort":[]}' },
      expiresAt: sql`now() + interval '7 days'`,
    })
    .returning()
  const id = waiting?.id ?? ''
  await allow({ ...OWN_BRANCH, fields: { except: ['margin'] } })
  await startExports(deps)
  const file = await download(headers, id)
  expect(file.text.split('\r\n').slice(0, 3)).toEqual([
    'id,branch,total,ownerId,persistenceId,note,remark',
    '1,N1,10,,1,one,',
    '2,N1,20,,2,,two',
  ])
})

test('a file is not given to its caller with other rights than it was made with', async () => {
  await allow(OWN_BRANCH)
  await allow({ entities: ['Branch'], name: 'branches' })
  const headers = await clerk({ branch: 'N1' })
  const id = await create(headers, { fields: ['id', 'branch.budget'] })
  await startExports(deps)
  expect((await download(headers, id)).status).toBe(200)
  const refused = async () => {
    const { status, text, body } = await download(headers, id)
    // Of a refusal the sentence alone: its time may have these digits.
    return [status, String(body?.error ?? text).includes('100')]
  }
  await deps.db.update(users).set({ profile: { branch: 'S1' } })
  await expect.poll(refused).toEqual([403, false])
  await deps.db.update(users).set({ profile: { branch: 'N1' } })
  await expect.poll(async () => (await download(headers, id)).status).toBe(200)
  // What records refer to counts, too.
  await allow({ entities: ['Branch'], fields: { except: ['budget'] }, allow: false, name: 'less' })
  await expect.poll(refused).toEqual([403, false])
})

test('policies of other entities leave files as they are, and those of administrators all', async () => {
  await allow(OWN_BRANCH)
  const headers = await clerk({ branch: 'N1' })
  const admin = await clerk({ branch: 'N1' }, ['ADMIN'])
  const [id, all] = [await create(headers), await create(admin)]
  await startExports(deps)
  const files = async () => [
    (await download(headers, id)).status,
    (await download(admin, all)).status,
  ]
  await allow({ entities: ['Other'] })
  expect(await files()).toEqual([200, 200])
  await allow({ entities: ['Order'], principals: ['*'], allow: false, fields: ['margin'] })
  await expect.poll(files).toEqual([403, 200])
})
