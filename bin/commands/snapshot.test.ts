import { readdirSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDeps } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { addShoes, newFolder, newPlugin, run, runJson } from '../testing/cli'
import { runningEngine, shoeNames } from '../testing/engine'

const { deps, env } = runningEngine()

async function send(method: string, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${env.ENGINE_API_KEY}`,
    'content-type': 'application/json',
  }
  const response = await fetch(env.ENGINE_URL + path, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return JSON.parse(text)
}

/** A server with a plugin of shoes, another of laces that need them, and what is made beside plugins. */
async function fill(): Promise<void> {
  const shop = await newPlugin()
  await addShoes(shop, 3)
  await run(['install'], shop, { env })
  await send('POST', '/api/model/apply', {
    entities: [
      {
        ...{ name: 'Lace', events: true, display: { title: 'code', columns: ['shoe', 'code'] } },
        pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
      },
    ],
    schemas: [
      {
        name: 'Lace',
        properties: [
          { name: 'code', type: 'string', enum: [{ value: 'a', label: 'A', color: 'red' }] },
          { name: 'shoe', type: 'string', reference: { entity: 'Shoe', field: 'id' } },
        ],
      },
    ],
  })
  await send('POST', '/api/entities/Lace', { code: 'a', shoe: 's1' })
  await send('POST', '/api/roles', { name: 'Clerk', label: 'Clerks' })
  await send('POST', '/api/policies', {
    name: 'Clerks read shoes',
    principals: ['Clerk'],
    entities: ['Shoe'],
    actions: ['read'],
    where: [{ field: 'name', operator: 'ne', value: 'x' }],
  })
  await send('POST', '/api/views', {
    ...{ entity: 'Shoe', name: 'First', params: 'sort=name:asc', visibility: 'everyone' },
  })
  await send('POST', '/api/webhooks', {
    ...{ name: 'Stock', url: 'https://stock.example.com/', entities: ['Lace'] },
  })
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const files = filesIn(folder)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return Object.fromEntries(files.map((file, n) => [file, texts[n] ?? '']))
}

async function taken(...options: string[]): Promise<string> {
  const folder = await newFolder()
  const { code, out, err } = await run(['snapshot', ...options], folder, { env })
  expect([code, err], out).toEqual([0, ''])
  return folder
}

/** The same server, empty. */
async function emptied(): Promise<void> {
  await testDeps()
  env.ENGINE_API_KEY = await testKey(deps, ['ADMIN'])
}

describe('a snapshot', () => {
  beforeEach(fill)

  test('is the same as long as the server is; after an edit of one record, one line of one file differs', async () => {
    const [one, other] = [await taken(), await taken()]
    expect(await contentsOf(one)).toEqual(await contentsOf(other))
    expect(filesIn(one)).toEqual(
      expect.arrayContaining(['engine.json', 'policies.json', 'roles.json', 'views.json']),
    )
    expect(await readFile(join(one, 'webhooks.json'), 'utf8')).not.toContain('whsec')
    const [folder, before] = [one, await contentsOf(one)]
    await send('PATCH', '/api/entities/Shoe/s1', { name: 'Boot' })
    await run(['snapshot'], folder, { env })
    const after = await contentsOf(folder)
    const changed = Object.keys(after).filter((file) => after[file] !== before[file])
    expect(changed).toEqual(['plugins/com.example.shop/Shoe/data.json'])
    const lines = (text = '') => text.split('\n')
    const [file = ''] = changed
    const newLines = lines(after[file]).filter((line) => !lines(before[file]).includes(line))
    expect(newLines).toHaveLength(1)
    expect((await runJson(['apply', '--check'], folder, { env })).code).toBe(0)
  })

  test('makes an empty server the same', async () => {
    const folder = await taken()
    await emptied()
    const { code, out, err } = await run(['apply'], folder, { env })
    expect([code, err], out).toEqual([0, ''])
    expect(out).toContain('The server is as the snapshot')
    expect(out).toMatch(/created {2}webhook Stock; it is paused/)
    expect(await shoeNames(deps)).toEqual(['Shoe 0', 'Shoe 1', 'Shoe 2'])
    const again = await taken()
    expect(await contentsOf(again)).toEqual(await contentsOf(folder))
    expect((await run(['apply'], folder, { env })).out).toBe('The server is as the snapshot\n')
  })

  test('keeps that a policy is about no field, and brings each part of what was changed', async () => {
    const policies = await send('GET', '/api/policies')
    const [policy] = policies.data as { id: string }[]
    await send('PATCH', `/api/policies/${policy?.id}`, { fields: [], check: [] })
    const folder = await taken()
    await send('PATCH', `/api/policies/${policy?.id}`, {
      ...{ fields: null, check: null, where: null, description: 'Other', priority: 5 },
      ...{ set: { name: 'x' }, actions: ['read', 'write'] },
    })
    await send('PATCH', '/api/roles/Clerk', { label: null, description: 'Other' })
    const views = await send('GET', '/api/views?entity=Shoe')
    const [view] = views.data as { id: string }[]
    await send('PATCH', `/api/views/${view?.id}`, { params: '', defaultForRoles: ['Clerk'] })
    const webhooks = await send('GET', '/api/webhooks')
    const [webhook] = webhooks.data as { id: string }[]
    await send('PATCH', `/api/webhooks/${webhook?.id}`, {
      ...{ fields: ['code'], where: [{ field: 'code', operator: 'eq', value: 'b' }] },
      ...{ actions: ['created'], many: 'records', format: 'cloudevents' },
    })
    const { code, out, err } = await run(['apply'], folder, { env })
    expect([code, err], out).toEqual([0, ''])
    expect((await send('GET', `/api/policies/${policy?.id}`)).data[0]).toMatchObject({
      ...{ fields: [], check: [], where: [{ field: 'name' }], allow: true, priority: 0 },
    })
    expect(await contentsOf(await taken())).toEqual(await contentsOf(folder))
  })

  test('is what a check compares with; it wins over what was edited, and says what the server alone has', async () => {
    const folder = await taken()
    await send('PATCH', '/api/entities/Shoe/s1', { name: 'Boot' })
    await send('POST', '/api/roles', { name: 'Other' })
    const check = await runJson(['apply', '--check'], folder, { env })
    expect(check.code).toBe(1)
    expect(check.json.differences).toEqual([
      { path: 'plugins/com.example.shop/Shoe/data.json', added: 1, removed: 1 },
      { path: 'roles.json', added: expect.any(Number), removed: 0 },
    ])
    await send('DELETE', '/api/roles/Other')
    await send('POST', '/api/entities/Shoe', { id: 's9', name: 'Ninth' })
    const planned = await runJson(['apply', '--plan'], folder, { env })
    expect(planned.json.plans).toHaveLength(1)
    expect(await shoeNames(deps)).toContain('Boot')
    const { code, json } = await runJson(['apply'], folder, { env })
    expect(code).toBe(1)
    expect(json.differences).toEqual([
      { path: 'plugins/com.example.shop/Shoe/data.json', added: 1, removed: 0 },
    ])
    expect(await shoeNames(deps)).toEqual(['Shoe 0', 'Shoe 1', 'Shoe 2', 'Ninth'])
  })

  test('without records, or with those of some entities, deletes none of the others', async () => {
    const folder = await taken('--entities', 'Lace')
    expect(filesIn(folder).some((file) => file.includes('Shoe/data'))).toBe(false)
    expect(filesIn(folder).some((file) => file.includes('Lace/data'))).toBe(true)
    await send('PATCH', '/api/entities/Lace/a', { shoe: 's2' })
    expect((await run(['apply'], folder, { env })).code).toBe(0)
    const none = await taken('--records', 'none')
    await rm(join(none, 'roles.json'))
    expect((await run(['apply', '--check'], none, { env })).code).toBe(1)
    expect(await shoeNames(deps)).toHaveLength(3)
  })
})

test('a snapshot is refused where it would overwrite other files, and where there is none', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'roles.json'), '[]')
  const { code, err } = await run(['snapshot'], folder, { env })
  expect([code, err]).toEqual([2, expect.stringContaining('no snapshot')])
  const { err: none } = await run(['apply'], folder, { env })
  expect(none).toContain('is no snapshot')
})
